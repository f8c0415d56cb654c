//! The doors to solvers: nothing of a foreign solver is named outside this crate.
//!
//! [`sat`] decides clauses over Boolean variables, [`smt`] formulas over integers, reals and
//! bit-vectors of any size. [`Stop`] is how everyone who waits for a solver
//! gets it to end early.

pub mod sat;
pub mod smt;
pub mod stop;

pub use sat::{Answer, Engine, Literal, Solver};
pub use smt::{Reason, Smt, SmtError, list_items};
pub use stop::Stop;
