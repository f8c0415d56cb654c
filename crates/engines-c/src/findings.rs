//! The findings that only campaigns for C functions have: runtime errors, and statistics of the search.

use obligato_bv_solver::SolverStatistics;
use obligato_c_unit::{Finding, RunError};
use obligato_campaign::{CampaignError, ErrorKind};
use obligato_criteria::JudgeError;
use obligato_model::{Bound, TestCase};

use crate::call_proofs::CallProof;

/// The outcome of a campaign for a C function.
pub type Outcome<'u> = obligato_campaign::Outcome<'u, FunctionFindings>;

/// Why a campaign for a C function cannot be run.
#[derive(Debug, thiserror::Error)]
pub enum FunctionError {
    /// The given tests do not go with the function, or it cannot be run.
    #[error(transparent)]
    Run(#[from] RunError),
    /// No test is possible at all.
    #[error("no inputs satisfy the ranges and preconditions that were asked for")]
    NoInputs,
    /// A proof and a replay contradict each other.
    #[error(transparent)]
    Judge(#[from] JudgeError),
    /// A proof says that something never happens that a run has shown: one of our engines is wrong.
    #[error("{0} is proved to never happen, yet a test shows it; the proof or the run is wrong")]
    Contradiction(String),
}

impl CampaignError for FunctionError {
    fn kind(&self) -> ErrorKind {
        match self {
            Self::Run(_) | Self::NoInputs => ErrorKind::InvalidInput,
            Self::Judge(_) | Self::Contradiction(_) => ErrorKind::Internal,
        }
    }
}

/// The findings of engines for C functions.
#[derive(Clone, Debug, Default)]
pub struct FunctionFindings {
    /// Tests that end with a runtime error, one for each operation and kind.
    pub errors: Vec<RuntimeError>,
    /// Statistics of the search.
    pub statistics: Statistics,
    /// The proofs that hold for every caller, as data.
    pub proofs: Vec<CallProof>,
    /// The sizes of inputs behind whose ends runs have read or written.
    pub outgrown: Vec<Bound>,
    /// Did the campaign end because only wider inputs help?
    pub yielded: bool,
}

/// A test that ends with a runtime error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuntimeError {
    /// The test.
    pub test: TestCase,
    /// The runtime error.
    pub finding: Finding,
}

/// Statistics of a search (the columns of the tables of Su et al.).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// Runs of the function for what is asked of it; those that only search for runtime errors are not counted.
    pub runs: u64,
    /// Units of work, as a budget counts them; what only searches for runtime errors is not counted.
    pub work: u64,
    /// Satisfiable queries.
    pub solved: u64,
    /// Unsatisfiable queries.
    pub unsolvable: u64,
    /// Queries that the solver gave up on.
    pub given_up: u64,
    /// Candidates whose suffix reaches no open goal.
    pub filtered: u64,
    /// Queries to the formula of all paths.
    pub merged: u64,
    /// Divergent runs: they left the path that was predicted for them.
    pub divergent: u64,
    /// Was every path explored that could matter?
    pub exhausted: bool,
    /// The coverage over time, by runs.
    pub progress: Vec<ProgressPoint>,
    /// Statistics of the solver.
    pub asked: SolverStatistics,
}

/// How many obligations were covered after so many runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProgressPoint {
    /// Runs.
    pub runs: u64,
    /// Obligations.
    pub covered: usize,
}
