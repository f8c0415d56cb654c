//! Model checking engines over transition systems: each finds a run that reaches a target, or proves
//! the target unreachable.
//!
//! They know circuits, systems and solvers, and nothing of models, criteria or tests.
//!
//! For circuits, start reading at [`step_encoding`], one step as clauses, and [`unrolling`], several in
//! a row; then [`bmc`], [`induction`], [`observability`], [`ic3`]. For systems with unbounded numbers,
//! start at [`smt`].

pub mod bmc;
pub mod candidates;
pub mod certificate;
pub mod ic3;
pub mod induction;
pub mod invariant;
pub mod observability;
pub mod run;
pub mod simulate;
pub mod smt;
pub mod step_encoding;
pub mod unrolling;

#[cfg(test)]
mod explicit_state;

pub use bmc::Bmc;
pub use candidates::Candidates;
pub use invariant::Invariant;
pub use run::Run;
pub use simulate::RandomRuns;
pub use step_encoding::StepEncoding;
pub use unrolling::{Prophecy, Start, Unrolling};
