//! Symbolic semantics of C units: the results of operations as terms, and the inputs of a function as variables.
//!
//! [`operation`] gives the terms of the results of every operation of the bytecode that computes, and [`undefined_behaviour`]
//! the conditions under which it is undefined; both agree with the executor on every value. [`inputs`] gives each cell
//! that a test sets a variable, and makes a test of an assignment; [`splice()`] writes it into the bytes of its cell, and
//! [`assumptions()`] lists the assumptions of a proof over all of this.

mod assumptions;
mod cast;
mod float;
pub mod inputs;
mod integer;
mod intrinsic;
pub mod operation;
mod precondition;
mod splice;
pub mod undefined_behaviour;

pub use assumptions::{assumptions, bounds};
pub use inputs::{Input, InputSource, InputVariables, NO_OBJECT};
pub use operation::compute;
pub use splice::splice;
pub use undefined_behaviour::{UndefinedBehaviour, undefined_behaviours};
