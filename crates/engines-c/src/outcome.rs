//! What a campaign came to.

use obligato_bv_solver::Statistics as Asked;
use obligato_c_unit::{Finding, RunError};
use obligato_campaign::Ledger;
use obligato_criteria::JudgeError;
use obligato_model::{Limit, TestCase};

/// Why a campaign cannot be run.
#[derive(Debug, thiserror::Error)]
pub enum CampaignError {
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

/// What a campaign came to.
#[derive(Debug)]
pub struct Outcome<'u> {
    /// The tests that were made, in order.
    pub tests: Vec<TestCase>,
    /// Tests that run into faults of the program, one for each place and kind.
    pub faults: Vec<FoundFault>,
    /// What is known of everything that was asked for.
    pub ledger: Ledger<'u>,
    /// Why something is still open, if it is.
    pub limit: Option<Limit>,
    /// What it took.
    pub statistics: Statistics,
}

/// A test that runs into a fault of the program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundFault {
    /// The test.
    pub test: TestCase,
    /// The fault.
    pub finding: Finding,
}

/// What a campaign took (the columns of the tables of Su et al.).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// Runs of the function for what is asked of it; those that only look for faults are not counted.
    pub runs: u64,
    /// Units of work, as a budget counts them; what only looks for faults is not counted.
    pub work: u64,
    /// Questions that had an answer, those that had none, and those that were given up.
    pub solved: u64,
    /// Questions without an answer.
    pub unsolvable: u64,
    /// Questions that were given up.
    pub given_up: u64,
    /// Candidates that were left out because nothing wanted was behind them.
    pub filtered: u64,
    /// Questions to the formula of all paths together.
    pub merged: u64,
    /// Runs that went another way than was asked for.
    pub strayed: u64,
    /// Were all paths seen that could matter?
    pub exhausted: bool,
    /// What was covered when, by runs.
    pub progress: Vec<Moment>,
    /// What the solver did.
    pub asked: Asked,
}

/// How many obligations were covered after so many runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Moment {
    /// Runs.
    pub runs: u64,
    /// Obligations.
    pub covered: usize,
}
