//! The symbolic side of C units: what operations compute, as terms, and the inputs of a function as variables.
//!
//! [`operation`] says of every operation of the bytecode that computes which terms its results are, and
//! [`fault`] when it is undefined; both agree with the executor on every number. [`inputs`] gives each cell
//! that a test sets a variable, and makes a test of an assignment; [`layout`] knows where the objects of a test are, and
//! [`assumptions()`] what a proof over all of this takes for granted.

mod assumptions;
mod cast;
pub mod fault;
mod float;
pub mod inputs;
mod integer;
mod intrinsic;
pub mod layout;
pub mod operation;
mod precondition;

pub use assumptions::assumptions;
pub use fault::{FaultKind, faults};
pub use inputs::{Input, InputVariables};
pub use layout::Layout;
pub use operation::compute;
