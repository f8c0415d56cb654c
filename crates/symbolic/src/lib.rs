//! The symbolic side of C units: what operations compute, as terms, and the inputs of a function as variables.
//!
//! [`operation`] says of every operation of the bytecode that computes which terms its results are, and
//! [`fault`] when it is undefined; both agree with the executor on every number. [`inputs`] gives each cell
//! that a test sets a variable, and makes a test of an assignment; [`splice()`] writes it into the bytes of its cell, and
//! [`assumptions()`] lists what a proof over all of this assumes.

mod assumptions;
mod cast;
pub mod fault;
mod float;
pub mod inputs;
mod integer;
mod intrinsic;
pub mod operation;
mod precondition;
mod splice;

pub use assumptions::assumptions;
pub use fault::{FaultKind, faults};
pub use inputs::{Input, InputVariables};
pub use operation::compute;
pub use splice::splice;
