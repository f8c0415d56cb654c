//! Bounded search: runs that show targets, the shortest first, for all targets together.
//!
//! One incremental solver is asked, for one length of runs after the other, whether some open target
//! can be shown at all (Biere et al., symbolic model checking without BDDs, 1999). A run that is found usually shows others
//! as well. When there is none, the next length follows; so what is found is found as early as can be, and what is
//! not is out of reach within the depth, which proves nothing beyond it.
//!
//! Over an unrolling from any state the same search serves look-ahead: [`Search::begin_in`] takes it to a
//! concrete state, and what the solver learned in the others stays.

use obligato_circuit::Lit;
use obligato_solver::{Answer, Literal};

use crate::run::Run;
use crate::unrolling::{Start, Unrolling};

/// A search for many targets.
#[derive(Debug)]
pub struct Search<'c> {
    unrolling: Unrolling<'c>,
    targets: Vec<Target>,
    /// By the last step of the runs that are asked for.
    layers: Vec<Option<Layer>>,
    /// The last step of the runs that are asked for next.
    depth: usize,
    /// Where they begin, if not where the unrolling does.
    state: Option<Vec<bool>>,
}

#[derive(Debug)]
struct Target {
    lit: Lit,
    is_open: bool,
    /// By step: if true, the target is shown in this step; or before, if it
    /// [foretells](Unrolling::foretells) and so depends on how far the run goes.
    shown: Vec<Literal>,
}

#[derive(Clone, Copy, Debug)]
struct Layer {
    /// If true, an open target is shown.
    asks: Literal,
    /// So many targets were there when the question was made.
    targets: usize,
}

/// A run that shows targets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// Its inputs.
    pub run: Run,
    /// The targets that were open, in order, with the first step that shows each. They are closed now.
    pub targets: Vec<(usize, usize)>,
}

/// How far a search has come.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// To a run. There may be others.
    Found(Found),
    /// To the end: no open target is shown by any run within the depth.
    Exhausted,
    /// Not to an answer with this budget. Asking again goes on.
    OutOfBudget,
}

impl<'c> Search<'c> {
    /// A search in runs of an unrolling that has no steps yet.
    pub fn new(unrolling: Unrolling<'c>) -> Self {
        Self { unrolling, targets: Vec::new(), layers: Vec::new(), depth: 0, state: None }
    }

    /// One more target: a literal that is to be true in some step. Gives its number.
    pub fn aim(&mut self, lit: Lit) -> usize {
        self.targets.push(Target { lit, is_open: true, shown: Vec::new() });
        self.targets.len() - 1
    }

    /// No longer searches for a target.
    pub fn close(&mut self, target: usize) {
        let target = &mut self.targets[target];
        target.is_open = false;
        for shown in target.shown.drain(..) {
            self.unrolling.solver().add(&[!shown]);
        }
    }

    /// Is the target still searched for?
    pub fn is_open(&self, target: usize) -> bool {
        self.targets[target].is_open
    }

    /// Starts over with runs that begin in a state of the circuit, latch by latch. The unrolling has to
    /// begin anywhere.
    pub fn begin_in(&mut self, state: Vec<bool>) {
        self.state = Some(state);
        self.depth = 0;
    }

    /// The last step of the runs that are asked for next.
    pub fn depth(&self) -> usize {
        self.depth
    }

    /// Leaves the runs of this length, though nothing was refuted: goes on to longer ones.
    pub fn deepen(&mut self) {
        self.depth += 1;
    }

    /// The conflicts spent so far.
    pub fn conflicts(&mut self) -> u64 {
        self.unrolling.solver().conflicts()
    }

    /// Searches on, for runs whose last step is at most `deepest`.
    pub fn next(&mut self, deepest: usize, most_conflicts: u64) -> Outcome {
        let end = self.conflicts().saturating_add(most_conflicts);
        while self.depth <= deepest && self.targets.iter().any(|target| target.is_open) {
            let asks = self.ask(self.depth);
            let [exists, ends] = self.unrolling.horizon(self.depth);
            let mut assumptions = vec![asks, exists, ends];
            if let Some(state) = &self.state {
                assumptions.append(&mut self.unrolling.begins_in(state));
            }
            let left = end.saturating_sub(self.conflicts());
            match self.unrolling.solve(&assumptions, Some(left)) {
                Answer::Sat => return Outcome::Found(self.found()),
                Answer::Unknown => return Outcome::OutOfBudget,
                Answer::Unsat => {
                    let core = self.unrolling.solver().core();
                    let no_run_is_so_long = !core.contains(&asks) && !core.contains(&ends);
                    self.depth = if no_run_is_so_long { deepest + 1 } else { self.depth + 1 };
                }
            }
        }
        Outcome::Exhausted
    }

    /// The question whether a run with this last step shows an open target.
    fn ask(&mut self, depth: usize) -> Literal {
        while self.unrolling.steps() <= depth {
            self.unrolling.push();
            self.layers.push(None);
        }
        if let Some(layer) = self.layers[depth] {
            if layer.targets == self.targets.len() {
                return layer.asks;
            }
            self.unrolling.solver().add(&[!layer.asks]);
        }
        if self.unrolling.start() == Start::Initial {
            // It never comes back to shorter runs.
            self.unrolling.commit(depth);
        }
        let asks = self.unrolling.solver().variable();
        let mut question = vec![!asks];
        for target in self.targets.iter_mut().filter(|target| target.is_open) {
            question.push(target.shown_by(depth, &mut self.unrolling));
        }
        self.unrolling.solver().add(&question);
        self.layers[depth] = Some(Layer { asks, targets: self.targets.len() });
        asks
    }

    /// Reads the run off the solver, and closes what it shows.
    fn found(&mut self) -> Found {
        let (unrolling, depth) = (&self.unrolling, self.depth);
        let first = |target: &Target| {
            (0..=depth).find(|step| unrolling.value(*step, target.lit) == Some(true))
        };
        let open = self.targets.iter().enumerate().filter(|(_, target)| target.is_open);
        let targets: Vec<(usize, usize)> =
            open.filter_map(|(index, target)| Some((index, first(target)?))).collect();
        let run = unrolling.run(depth);
        for (target, _) in &targets {
            self.close(*target);
        }
        Found { run, targets }
    }
}

impl Target {
    fn shown_by(&mut self, depth: usize, unrolling: &mut Unrolling<'_>) -> Literal {
        let foretells = unrolling.foretells(self.lit);
        while self.shown.len() <= depth {
            let step = self.shown.len();
            let now = unrolling.literal(step, self.lit);
            let shown = unrolling.solver().variable();
            match self.shown.last() {
                Some(before) if foretells => unrolling.solver().add(&[!shown, now, *before]),
                _ => unrolling.solver().add(&[!shown, now]),
            }
            self.shown.push(shown);
        }
        self.shown[depth]
    }
}

#[cfg(test)]
mod tests;
