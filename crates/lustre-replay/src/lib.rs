//! Runs suites on transition systems: what happened, no opinion.
//!
//! A [`Batch`] puts up to [`LANES`] tests into the lanes of a simulator, one in each. A
//! [`Runner`] takes a batch to its end and gives back what each test showed: the values of
//! chosen nodes and the [`Failure`]s of checks. Whoever has a longer suite hands over batch
//! after batch, so memory holds one.
//!
//! A [`Meter`] runs batches to measure them: what decisions, conditions and boundaries a test has
//! shown, and whose effects reached an output, as evidence for the criteria.
//!
//! A [`MutantRunner`] turns lanes around: one test, and a mutant of the model in each lane.
//!
//! [`random`] draws suites.
//!
//! Start reading at [`batch`], then [`run`], then [`measure`], then [`mutation`].

pub mod batch;
pub mod failure;
pub mod measure;
pub mod mutation;
pub mod random;
pub mod run;

pub use batch::{Batch, LANES, resting_value};
pub use failure::{Failure, Failures};
pub use measure::{Compiled, Measured, Measurement, Meter, Tally, Watch};
pub use mutation::{
    Experiment, Fate, Kills, MutantRunner, MutationError, Oracle, TestKills, Until,
};
pub use random::{RandomSuite, random_suite};
pub use run::{Runner, Shown, Trace};
