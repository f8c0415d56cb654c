//! The candidates: inputs that nobody has tried yet, each described by a path and what should be otherwise.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::rc::Rc;

use crate::{Place, Trace};
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

/// What should be otherwise.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turn {
    /// At a fork, another way.
    Way {
        /// The fork.
        fork: u32,
        /// What should hold there.
        term: Term,
    },
    /// After so many forks, something that control does not depend on.
    Goal {
        /// How many forks stay as they are.
        forks: u32,
        /// What should hold then.
        term: Term,
        /// A number of whoever wants it.
        wanted: u32,
    },
}

impl Turn {
    /// How many forks stay as they are.
    pub fn fork(&self) -> u32 {
        match self {
            Self::Way { fork, .. } => *fork,
            Self::Goal { forks, .. } => *forks,
        }
    }

    /// What should hold behind them.
    pub fn term(&self) -> Term {
        match self {
            Self::Way { term, .. } | Self::Goal { term, .. } => *term,
        }
    }
}

/// How a candidate stands to what is wanted (algorithm 2 of the paper).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Relevance {
    /// It shows something new by itself.
    Must,
    /// Something wanted may come behind it.
    May,
    /// Nothing wanted can come behind it.
    Irrelevant,
}

/// Are irrelevant candidates left out?
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Filtering {
    /// They are.
    #[default]
    On,
    /// All candidates are tried.
    Off,
}

/// A path with something that should be otherwise.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// The run it starts from.
    pub path: Rc<Path>,
    /// What should be otherwise.
    pub turn: Turn,
    /// Where control is then.
    pub block: BlockId,
    /// The place of the fork.
    pub place: Place,
    /// How it stands to what is wanted.
    pub relevance: Relevance,
    /// How far the run is from it.
    pub fitness: u64,
}

/// All candidates.
#[derive(Debug)]
pub struct Pool {
    candidates: Vec<Candidate>,
    /// Keys with positions in `candidates`, which is in no order: those that were taken are marked.
    order: BinaryHeap<Reverse<([u64; 3], usize)>>,
    taken: Vec<bool>,
    strategy: Strategy,
    filtering: Filtering,
    random: Random,
    turns: u64,
    /// How many were left out because nothing wanted was behind them.
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
            turns: 0,
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
        if self.leaves_out(&candidate) {
            self.filtered += 1;
            return;
        }
        let key = self.strategy.key(&candidate, view);
        self.order.push(Reverse((key, self.candidates.len())));
        self.candidates.push(candidate);
        self.taken.push(false);
    }

    fn leaves_out(&self, candidate: &Candidate) -> bool {
        self.filtering == Filtering::On && candidate.relevance == Relevance::Irrelevant
    }

    /// Something else is wanted now: asks of every candidate how it stands, and orders them anew.
    pub fn renew(&mut self, view: View<'_>, relevance: impl Fn(&Candidate) -> Relevance) {
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
        self.turns += 1;
        let by_chance = self.strategy.draws()
            && (self.strategy == Strategy::RandomPath || self.turns.is_multiple_of(2));
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

    /// Forgets those that were taken, once they are many.
    fn compact(&mut self) {
        if self.taken.iter().all(|taken| !taken) {
            return;
        }
        let mut places = Vec::with_capacity(self.taken.len());
        let mut kept = 0;
        for taken in &self.taken {
            places.push((!taken).then_some(kept));
            kept += usize::from(!taken);
        }
        let mut index = 0;
        self.candidates.retain(|_| {
            index += 1;
            places[index - 1].is_some()
        });
        let order = std::mem::take(&mut self.order).into_iter();
        self.order = order
            .filter_map(|Reverse((key, at))| places[at].map(|place| Reverse((key, place))))
            .collect();
        self.taken = vec![false; kept];
    }
}
