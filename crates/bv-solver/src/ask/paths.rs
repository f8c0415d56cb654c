//! Incremental SAT solvers, each kept for one path prefix.

use obligato_solver::Stop;
use obligato_term::{Term, Terms};
use rustc_hash::FxHashSet;

use super::ENGINE;
use crate::blaster::Blaster;

/// How many paths are kept.
const PATHS: usize = 8;

/// A solver that grows no further than to so many gates.
const MOST_GATES: usize = 1 << 20;

/// The solvers of the latest paths, the latest first.
#[derive(Debug, Default)]
pub(super) struct Paths(Vec<Path>);

/// A SAT solver and the path prefix it requires.
#[derive(Debug)]
pub(super) struct Path {
    blaster: Blaster,
    /// The constraints that it requires.
    known: FxHashSet<Term>,
}

impl Paths {
    /// The solver with the longest prefix of the query, and no other constraints; a new one if there is none.
    pub(super) fn take(&mut self, constraints: &[Term], stop: &Stop) -> Path {
        let all: FxHashSet<Term> = constraints.iter().copied().collect();
        let fitting = self.0.iter().enumerate().filter(|(_, path)| {
            path.blaster.size() < MOST_GATES && path.known.iter().all(|one| all.contains(one))
        });
        // Of several with as many constraints, the latest.
        let best = fitting.min_by_key(|(_, path)| std::cmp::Reverse(path.known.len()));
        match best.map(|(index, _)| index) {
            Some(index) => self.0.remove(index),
            None => Path { blaster: Blaster::new(ENGINE, stop), known: FxHashSet::default() },
        }
    }

    /// Keeps a solver for later queries.
    pub(super) fn keep(&mut self, path: Path) {
        self.0.truncate(PATHS - 1);
        self.0.insert(0, path);
    }
}

impl Path {
    pub(super) fn is_fresh(&self) -> bool {
        self.blaster.size() == 1
    }

    pub(super) fn blaster(&mut self) -> &mut Blaster {
        &mut self.blaster
    }

    /// Adds the constraints that it does not have yet.
    pub(super) fn require(&mut self, terms: &Terms, constraints: &[Term]) {
        for one in constraints {
            if self.known.insert(*one) {
                self.blaster.require(terms, *one);
            }
        }
    }
}
