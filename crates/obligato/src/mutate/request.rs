//! What is asked of [`mutate`](super::mutate).

use std::path::PathBuf;

use obligato_lustre_replay::Until;
use obligato_model::Shard;
use obligato_store::suite;

use crate::campaign::Budget;
use crate::subject::SubjectOptions;

/// Which mutants run on which tests, and what is done with the survivors.
#[derive(Debug, Clone)]
pub struct MutateRequest {
    /// The program; a model cannot be inlined: mutants are faults in its text.
    pub subject: SubjectOptions,
    /// The file of the suite, if there is one.
    pub tests: Option<PathBuf>,
    /// Its format, where its name does not say it.
    pub format: Option<suite::Format>,
    /// No more mutants run than this, a sample if there are more.
    pub count: usize,
    /// Another seed draws another sample, and makes other tests.
    pub seed: u64,
    /// The variables that are compared; the outputs if none is named.
    pub oracle: Vec<String>,
    /// Whether tests still run on mutants that are killed. What is stored needs the whole suite, whatever this
    /// says.
    pub until: Until,
    /// Whether survivors are searched for, and with what effort.
    pub kill: Option<KillOptions>,
    /// The directory in which suite and verdicts are stored, each mutant an obligation.
    pub store: Option<PathBuf>,
    /// Only the mutants of this shard run; the stored result has all of them.
    pub shard: Option<Shard>,
}

/// What the search for survivors may take.
#[derive(Debug, Clone)]
pub struct KillOptions {
    /// What the campaign may spend.
    pub budget: Budget,
    /// How many threads may work; the answer to a budget of work is the same for any number.
    pub threads: usize,
    /// Where the new tests go (`.csv`, `.json` or `.rif`).
    pub output: Option<PathBuf>,
}

impl MutateRequest {
    /// A suite on no more mutants of a program than this, each until it is killed; survivors are not searched for and
    /// nothing is stored.
    pub fn new(subject: SubjectOptions, tests: impl Into<PathBuf>, count: usize) -> Self {
        Self {
            subject,
            tests: Some(tests.into()),
            format: None,
            count,
            seed: 1,
            oracle: Vec::new(),
            until: Until::FirstKill,
            kill: None,
            store: None,
            shard: None,
        }
    }

    /// For how long mutants are run.
    pub(super) fn until(&self) -> Until {
        if self.store.is_some() { Until::SuiteEnd } else { self.until }
    }
}
