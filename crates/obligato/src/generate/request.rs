//! What `generate` is asked for.

use std::path::PathBuf;
use std::time::Duration;

use obligato_campaign::walk::Superfluous;
use obligato_campaign::{Budget, Phase, Request};
use obligato_concolic::search::{Filtering, Strategy};
use obligato_model::{Shard, TestCase};
use obligato_store::suite;

use crate::judging::JudgingOptions;
use crate::subject::{FileLanguage, SubjectOptions};

/// What to generate.
#[derive(Debug, Clone)]
pub struct GenerateRequest {
    /// The program.
    pub subject: SubjectOptions,
    /// The tests that are there already, if there are some: what they cover is kept.
    pub tests: Option<PathBuf>,
    /// What that file is; its name and content say so where nothing is said.
    pub format: Option<suite::Format>,
    /// The variables that are observed; the outputs if none is named.
    pub observe: Vec<String>,
    /// By what, and what is kept.
    pub judging: JudgingOptions,
    /// The phases that may run.
    pub phases: Vec<Phase>,
    /// What the search may spend.
    pub budget: Budget,
    /// How many threads may work.
    pub threads: usize,
    /// Another number gives other tests.
    pub seed: u64,
    /// Only the obligations of this shard are searched for; all if there is none.
    pub shard: Option<Shard>,
    /// How many mutants of a model are asked for at most.
    pub mutants: usize,
    /// Do superfluous tests stay?
    pub superfluous: Superfluous,
    /// How the paths of a C function are searched.
    pub search: SearchOptions,
    /// Where to write the new tests, with what the outputs were.
    pub output: Option<PathBuf>,
    /// Where to write the tests that run into runtime errors of a C function.
    pub errors: Option<PathBuf>,
}

/// How the paths of a C function are searched.
#[derive(Debug, Clone, Copy)]
pub struct SearchOptions {
    /// How often a new test calls the function, from the initial state.
    pub steps: Steps,
    /// In which order paths are tried.
    pub strategy: Strategy,
    /// Are candidates skipped whose suffix reaches no open goal?
    pub filtering: Filtering,
    /// How many levels ahead predictive search counts goals.
    pub levels: u32,
}

/// How often a new test calls a C function.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Steps {
    /// Once, and as often as it takes where static state matters, shortest sequences first.
    Auto,
    /// At most so often.
    AtMost(usize),
}

/// The length of the longest call sequence that is searched for when nobody says.
const LONGEST_SEQUENCE: usize = 64;

impl Steps {
    /// The steps of a test that the search for paths makes.
    pub(crate) fn of_paths(self) -> usize {
        match self {
            Self::Auto => 1,
            Self::AtMost(steps) => steps,
        }
    }

    /// The steps of the longest test.
    pub(crate) fn most(self) -> usize {
        match self {
            Self::Auto => LONGEST_SEQUENCE,
            Self::AtMost(steps) => steps,
        }
    }
}

impl Default for SearchOptions {
    fn default() -> Self {
        let (strategy, filtering) = (Strategy::default(), Filtering::On);
        Self { steps: Steps::Auto, strategy, filtering, levels: 3 }
    }
}

impl GenerateRequest {
    /// Everything for this program by these criteria, with the settings that are usual for its language: of C functions
    /// superfluous tests are left out, of models they stay. Nothing is written or stored.
    pub fn new(subject: SubjectOptions, judging: JudgingOptions) -> Self {
        let (phases, superfluous) = match subject.language() {
            FileLanguage::C | FileLanguage::Commands => (Phase::OF_UNITS, Superfluous::LeaveOut),
            FileLanguage::Lustre | FileLanguage::Unknown => (Phase::OF_MODELS, Superfluous::Keep),
        };
        Self {
            subject,
            tests: None,
            format: None,
            observe: Vec::new(),
            judging,
            phases: phases.to_vec(),
            budget: Budget::Time(Duration::from_mins(1)),
            threads: 1,
            seed: 1,
            shard: None,
            mutants: usize::MAX,
            superfluous,
            search: SearchOptions::default(),
            output: None,
            errors: None,
        }
    }

    /// What a campaign is asked for.
    pub(super) fn campaign(&self, given: &[TestCase]) -> Request<()> {
        Request {
            subject: (),
            criteria: self.judging.criteria.clone(),
            given: given.to_vec(),
            phases: self.phases.clone(),
            budget: self.budget,
            seed: self.seed,
            threads: self.threads,
            shard: self.shard,
        }
    }
}
