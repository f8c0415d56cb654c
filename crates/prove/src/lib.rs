//! Engines over transition systems: they find a run that gets somewhere, or prove that there is none.
//!
//! They know circuits and solvers, and nothing of models, criteria or tests.
//!
//! Start reading at [`frame`].

pub mod frame;
pub mod invariant;
pub mod run;

#[cfg(test)]
mod explorer;

pub use frame::Frame;
pub use invariant::Invariant;
pub use run::Run;
