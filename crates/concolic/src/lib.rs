//! Dynamic symbolic execution of C functions: a run on concrete inputs, with a term beside every value that depends on them.
//!
//! The executor runs on concrete values; a [`Tracer`] is its shadow. Where control, an access to memory or a condition depends on
//! inputs, the run leaves a [`Fork`]: the bit that held, and its alternatives. The forks of a run are its path condition; a path
//! prefix with a flipped branch is the query whose model is an input for another path (Su et al.,
//! Automated Coverage-Driven Test Data Generation Using Dynamic Symbolic Execution, section II).
//!
//! A value that has no term is concretised, and the [`Trace`] says so: the exploration of all paths is no proof then.
//!
//! Start reading at [`trace`], then `tracer.rs`.

mod access;
pub mod search;
pub mod trace;
mod tracer;

pub use trace::{
    Alternative, CodeLocation, ConditionValue, Continuation, Evaluated, Fork, ForkKind, StackId,
    Trace,
};
pub use tracer::{Mark, TraceLimits, Tracer};
