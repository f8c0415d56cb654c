//! Replays test suites on transition systems and records what happened, without judging it.
//!
//! A [`Batch`] puts up to [`LANES`] tests into the lanes of a simulator, one in each. A
//! [`Runner`] runs a batch and returns a trace for each test: the values of
//! chosen nodes and the [`Failure`]s of checks. A longer suite runs batch
//! after batch, so memory holds one.
//!
//! A [`Meter`] measures batches: evaluations of decisions, conditions and boundaries,
//! and observability of conditions, as evidence for the criteria.
//!
//! A [`MutantRunner`] runs one test with a mutant of the model in each lane.
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

pub use batch::{Batch, LANES, default_value};
pub use failure::{Failure, Failures};
pub use measure::{Compiled, LaneTally, Measured, Measurement, Meter, Watch};
pub use mutation::{
    Kills, MutantRunner, MutantStatus, MutationError, MutationExperiment, Oracle, TestKills, Until,
};
pub use random::{RandomSuite, random_suite};
pub use run::{Runner, Trace, TracedNode};
