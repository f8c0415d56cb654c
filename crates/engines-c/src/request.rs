//! What a campaign is asked to do.

use obligato_c_unit::{Interface, RunOptions, Unit};
use obligato_concolic::search::{Filtering, Strategy};
use obligato_model::{Criterion, Shard, TestCase};

/// A test or a proof for every obligation of these criteria.
#[derive(Clone, Debug)]
pub struct Request<'u> {
    /// The unit.
    pub unit: &'u Unit,
    /// What tests of the function set and see.
    pub interface: &'u Interface,
    /// By which criteria.
    pub criteria: Vec<Criterion>,
    /// The tests that are there already.
    pub given: Vec<TestCase>,
    /// How many steps a new test has.
    pub steps: usize,
    /// How tests run.
    pub options: RunOptions,
    /// In which order candidates are tried.
    pub strategy: Strategy,
    /// Are irrelevant candidates left out?
    pub filtering: Filtering,
    /// Is the formula of all paths asked for what the search leaves open?
    pub merging: Merging,
    /// How many levels ahead predictive search counts goals.
    pub levels: u32,
    /// Only the obligations of this shard are searched for; all if there is none.
    pub shard: Option<Shard>,
    /// Another seed gives other tests.
    pub seed: u64,
    /// At most so many units of work: runs, and conflicts of the solver.
    pub work: Option<u64>,
    /// So many conflicts may be spent on one question.
    pub most_conflicts: u64,
}

/// Is the formula of all paths asked?
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Merging {
    /// It is.
    #[default]
    On,
    /// Paths are searched one by one only.
    Off,
}

/// What a campaign does, in the order in which it begins to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// The tests that are there already are measured.
    Given,
    /// Paths are tried one by one.
    Search,
    /// All paths are asked together.
    Formula,
    /// Effects are looked for in runs and their twins.
    Effects,
    /// Ways that lead to faults are tried.
    Faults,
}

impl Phase {
    /// The name that reports use.
    pub fn name(self) -> &'static str {
        match self {
            Self::Given => "given",
            Self::Search => "search",
            Self::Formula => "formula",
            Self::Effects => "effects",
            Self::Faults => "faults",
        }
    }
}

/// How far a campaign is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Status {
    /// Runs so far.
    pub runs: u64,
    /// Tests that are kept.
    pub tests: usize,
    /// What it is doing.
    pub phase: Phase,
    /// All obligations.
    pub obligations: usize,
    /// Those that tests cover.
    pub covered: usize,
    /// Those that are proved uncoverable.
    pub uncoverable: usize,
    /// Candidates that wait.
    pub waiting: usize,
}
