//! Synchronous transition systems: one step as a graph, what it means, and a
//! simulator that runs many tests at once.
//!
//! A front end builds a [`System`] over a hash-consed [`Graph`]. The
//! [`Evaluator`] says what a step means, exactly and one run at a time; the
//! [`lanes`] do the same for 64 runs or more at once. [`definedness()`] turns
//! divisions into conditions to check.
//!
//! Start reading at [`term`], then [`graph`], then [`meaning`], then [`lanes`].

pub mod definedness;
pub mod error;
pub mod evaluator;
pub mod graph;
pub mod lanes;
pub mod meaning;
pub mod sort;
pub mod system;
pub mod term;

#[cfg(test)]
mod sample;

pub use definedness::definedness;
pub use error::Error;
pub use evaluator::Evaluator;
pub use graph::{Graph, NodeMap};
pub use lanes::{LaneProgram, Simulator};
pub use sort::{Machine, Sort};
pub use system::{Check, CheckKind, Initial, Input, Latch, Output, System, SystemBuilder};
pub use term::{Binary, ConstantId, NodeId, TapId, Term, Unary};
