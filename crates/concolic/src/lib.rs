//! Dynamic symbolic execution of C functions: a run on concrete inputs, with a term beside every value that depends on them.
//!
//! The executor runs as always; a [`Tracer`] is its shadow. Where control, an access to memory or a condition depends on inputs, the
//! run leaves a [`Fork`]: what held, and what else could have. The forks of a run are its path condition; one of
//! them turned around, with those before it, is the question whose answer is an input for another path (Su et al.,
//! Automated Coverage-Driven Test Data Generation Using Dynamic Symbolic Execution, section II).
//!
//! What cannot be followed is taken as it is in this run, and the [`Trace`] says so: nothing may be concluded
//! from all paths having been seen if some inputs were not free.
//!
//! Start reading at [`trace`], then `tracer.rs`.

mod access;
pub mod search;
pub mod trace;
mod tracer;

pub use trace::{Evaluated, Fork, ForkKind, Leads, Other, Place, StackId, Trace};
pub use tracer::{Bounds, Mark, Tracer};
