//! The cache of earlier queries: models, and unsat cores.

use std::collections::VecDeque;

use obligato_term::{Assignment, Term};
use rustc_hash::{FxHashMap, FxHashSet};

/// How many models are tried.
const MODELS: usize = 8;

/// How many unsat cores are kept before all are dropped.
const MOST_CORES: usize = 1 << 16;

/// Models and unsat cores.
#[derive(Debug, Default)]
pub(crate) struct Cache {
    /// The latest first.
    models: VecDeque<Assignment>,
    /// Unsat cores by their newest term.
    cores: FxHashMap<Term, Vec<Box<[Term]>>>,
    count: usize,
}

impl Cache {
    /// Adds a model, unless it is known.
    pub(crate) fn add_model(&mut self, model: Assignment) {
        if self.models.contains(&model) {
            return;
        }
        self.models.truncate(MODELS - 1);
        self.models.push_front(model);
    }

    /// The latest models, the newest first.
    pub(crate) fn models(&self) -> impl Iterator<Item = &Assignment> {
        self.models.iter()
    }

    /// Adds an unsat core.
    pub(crate) fn add_core(&mut self, mut core: Vec<Term>) {
        core.sort_unstable();
        core.dedup();
        let Some(newest) = core.last().copied() else { return };
        if self.count >= MOST_CORES {
            self.cores.clear();
            self.count = 0;
        }
        self.count += 1;
        self.cores.entry(newest).or_default().push(core.into());
    }

    /// Do the constraints include a known unsat core?
    pub(crate) fn refutes(&self, constraints: &[Term]) -> bool {
        if self.count == 0 {
            return false;
        }
        let all: FxHashSet<Term> = constraints.iter().copied().collect();
        let candidates = constraints.iter().filter_map(|one| self.cores.get(one)).flatten();
        candidates.into_iter().any(|core| core.iter().all(|one| all.contains(one)))
    }
}
