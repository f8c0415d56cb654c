//! The doors to solvers: nothing of a foreign solver is named outside this crate.
//!
//! [`sat`] decides clauses over Boolean variables. [`Stop`] is how everyone who waits for a solver
//! gets it to end early.

pub mod sat;
pub mod stop;

pub use sat::{Answer, Engine, Literal, Solver};
pub use stop::Stop;
