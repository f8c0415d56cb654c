//! The candidates: each is the path prefix of a run plus a flipped branch (or a goal that control does not depend on).

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::rc::Rc;

use crate::{CodeLocation, Trace};
use obligato_model::Random;
use obligato_term::{Assignment, Term};

use super::graph::BlockId;
use super::strategy::{Strategy, View, draw_path};

/// A run that was made.
#[derive(Debug)]
pub struct Path {
    /// What it did.
    pub trace: Trace,
    /// Its inputs.
    pub assignment: Assignment,
}

/// The constraint that a candidate adds to its path prefix.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CandidateTarget {
    /// A branch of the path, flipped.
    FlippedBranch {
        /// Its index in the path condition.
        fork: u32,
        /// The alternative to take there.
        term: Term,
    },
    /// A bit behind a prefix that control does not depend on.
    Goal {
        /// The length of the path prefix.
        forks: u32,
        /// The bit that has to hold there.
        term: Term,
        /// The index of the open goal, for whoever asked.
        wanted: u32,
    },
}

impl CandidateTarget {
    /// How many forks of the path stay as they are.
    pub fn prefix_length(&self) -> u32 {
        match self {
            Self::FlippedBranch { fork, .. } => *fork,
            Self::Goal { forks, .. } => *forks,
        }
    }

    /// The constraint after the prefix.
    pub fn term(&self) -> Term {
        match self {
            Self::FlippedBranch { term, .. } | Self::Goal { term, .. } => *term,
        }
    }
}

/// A candidate's relevance to the open goals (algorithm 2 of the paper).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Relevance {
    /// The flipped branch covers an open goal by itself.
    Must,
    /// Its suffix may reach an open goal.
    May,
    /// Its suffix reaches no open goal.
    Irrelevant,
}

/// Does the pool skip irrelevant candidates?
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Filtering {
    /// It skips them.
    #[default]
    On,
    /// It keeps all candidates.
    Off,
}

/// A path prefix with a flipped branch or a goal: inputs to solve for.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// The run whose prefix it shares.
    pub path: Rc<Path>,
    /// The constraint after the prefix.
    pub target: CandidateTarget,
    /// The basic block that control enters then.
    pub block: BlockId,
    /// The operation of the flipped branch.
    pub location: CodeLocation,
    /// Its relevance to the open goals.
    pub relevance: Relevance,
    /// The branch distance of the run to it.
    pub fitness: u64,
}

/// The candidates that wait to be solved for.
#[derive(Debug)]
pub struct Pool {
    candidates: Vec<Candidate>,
    /// Keys with positions in `candidates`, which is in no order: those that were taken are marked.
    order: BinaryHeap<Reverse<([u64; 3], usize)>>,
    taken: Vec<bool>,
    strategy: Strategy,
    filtering: Filtering,
    random: Random,
    draws: u64,
    /// How many were skipped because their suffix reaches no open goal.
    pub filtered: u64,
}

impl Pool {
    /// An empty one.
    pub fn new(strategy: Strategy, filtering: Filtering, seed: u64) -> Self {
        Self {
            candidates: Vec::new(),
            order: BinaryHeap::new(),
            taken: Vec::new(),
            strategy,
            filtering,
            random: Random::for_purpose(seed, "search"),
            draws: 0,
            filtered: 0,
        }
    }

    /// How many candidates there are.
    pub fn len(&self) -> usize {
        self.taken.iter().filter(|taken| !**taken).count()
    }

    /// Is there none?
    pub fn is_empty(&self) -> bool {
        self.taken.iter().all(|taken| *taken)
    }

    /// Adds a candidate, unless it is irrelevant.
    pub fn add(&mut self, candidate: Candidate, view: View<'_>) {
        if self.skips(&candidate) {
            self.filtered += 1;
            return;
        }
        let key = self.strategy.key(&candidate, view);
        self.order.push(Reverse((key, self.candidates.len())));
        self.candidates.push(candidate);
        self.taken.push(false);
    }

    fn skips(&self, candidate: &Candidate) -> bool {
        self.filtering == Filtering::On && candidate.relevance == Relevance::Irrelevant
    }

    /// Recomputes relevance and order of all candidates, after the open goals have changed.
    pub fn reassess(&mut self, view: View<'_>, relevance: impl Fn(&Candidate) -> Relevance) {
        let taken = std::mem::take(&mut self.taken);
        let all = std::mem::take(&mut self.candidates).into_iter().zip(taken);
        self.order.clear();
        for (mut candidate, _) in all.filter(|(_, taken)| !taken) {
            candidate.relevance = relevance(&candidate);
            self.add(candidate, view);
        }
    }

    /// The next candidate.
    pub fn take(&mut self) -> Option<Candidate> {
        self.draws += 1;
        let by_chance = self.strategy.draws()
            && (self.strategy == Strategy::RandomPath || self.draws.is_multiple_of(2));
        if by_chance {
            self.compact();
            if self.candidates.is_empty() {
                return None;
            }
            let at = draw_path(&self.candidates, &mut self.random);
            self.taken[at] = true;
            return Some(self.candidates[at].clone());
        }
        while let Some(Reverse((_, at))) = self.order.pop() {
            if !std::mem::replace(&mut self.taken[at], true) {
                return Some(self.candidates[at].clone());
            }
        }
        None
    }

    /// Drops the candidates that were taken.
    fn compact(&mut self) {
        if self.taken.iter().all(|taken| !taken) {
            return;
        }
        let mut positions = Vec::with_capacity(self.taken.len());
        let mut kept = 0;
        for taken in &self.taken {
            positions.push((!taken).then_some(kept));
            kept += usize::from(!taken);
        }
        let mut index = 0;
        self.candidates.retain(|_| {
            index += 1;
            positions[index - 1].is_some()
        });
        let order = std::mem::take(&mut self.order).into_iter();
        self.order = order
            .filter_map(|Reverse((key, at))| positions[at].map(|position| Reverse((key, position))))
            .collect();
        self.taken = vec![false; kept];
    }
}
