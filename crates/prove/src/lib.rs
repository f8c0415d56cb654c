//! Engines over transition systems: they find a run that gets somewhere, or prove that there is none.
//!
//! They know circuits, systems and solvers, and nothing of models, criteria or tests.
//!
//! Start reading at [`frame`], one step of a circuit; [`unrolling`] puts several in a row.
//! Start reading at [`frame`] for circuits, at [`smt`] for systems with unbounded numbers.

pub mod candidates;
pub mod certificate;
pub mod frame;
pub mod ic3;
pub mod induction;
pub mod invariant;
pub mod outlook;
pub mod run;
pub mod search;
pub mod simulate;
pub mod smt;
pub mod unrolling;

#[cfg(test)]
mod explorer;

pub use candidates::Candidates;
pub use frame::Frame;
pub use invariant::Invariant;
pub use run::Run;
pub use search::Search;
pub use simulate::RandomRuns;
pub use unrolling::{Start, Tie, Unrolling};
