//! What earlier questions have shown: models, and sets of constraints that cannot hold together.

use std::collections::VecDeque;

use obligato_term::{Assignment, Term};
use rustc_hash::{FxHashMap, FxHashSet};

/// How many models are tried.
const MODELS: usize = 8;

/// How many refutations are kept before all are forgotten.
const MOST_CORES: usize = 1 << 16;

/// Models and refutations.
#[derive(Debug, Default)]
pub(crate) struct Cache {
    /// The latest first.
    models: VecDeque<Assignment>,
    /// By the newest of their terms.
    cores: FxHashMap<Term, Vec<Box<[Term]>>>,
    count: usize,
}

impl Cache {
    /// Remembers a model.
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

    /// Remembers that these cannot hold together.
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

    /// Are there some among these that cannot hold together?
    pub(crate) fn refutes(&self, constraints: &[Term]) -> bool {
        if self.count == 0 {
            return false;
        }
        let all: FxHashSet<Term> = constraints.iter().copied().collect();
        let candidates = constraints.iter().filter_map(|one| self.cores.get(one)).flatten();
        candidates.into_iter().any(|core| core.iter().all(|one| all.contains(one)))
    }
}
