//! Bounded model checking for many targets at once: shortest witnesses first.
//!
//! For one depth after the other, one query to an incremental solver query for a run that reaches any
//! open target (Biere et al., "Symbolic Model Checking without BDDs", 1999). A witness usually reaches other targets as well. If the
//! query is unsatisfiable, the depth grows. So every witness is a shortest one, and a target without a witness is
//! unreachable within the depth, which proves nothing beyond it.
//!
//! Over an unrolling that starts in any state, the same search serves look-ahead: [`Bmc::begin_in`] moves it to a
//! concrete state and keeps the learned clauses.

use obligato_circuit::Lit;
use obligato_solver::{Answer, Literal};

use crate::run::Run;
use crate::unrolling::{Start, Unrolling};

/// A bounded model checker with many targets.
#[derive(Debug)]
pub struct Bmc<'c> {
    unrolling: Unrolling<'c>,
    targets: Vec<Target>,
    /// By depth: the query for all open targets, once made.
    layers: Vec<Option<Layer>>,
    /// The last step of the runs in the next query.
    depth: usize,
    /// The concrete state in which runs start, if not that of the unrolling.
    state: Option<Vec<bool>>,
}

#[derive(Debug)]
struct Target {
    lit: Lit,
    is_open: bool,
    /// By step: if true, the target holds in this step; or in an earlier one, if it
    /// [depends on prophecies](Unrolling::depends_on_prophecy) and so on the length of the run.
    reached: Vec<Literal>,
}

#[derive(Clone, Copy, Debug)]
struct Layer {
    /// If true, the run reaches an open target.
    query: Literal,
    /// The number of targets when the query was made.
    targets: usize,
}

/// A run that reaches targets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BmcWitness {
    /// The inputs of the run.
    pub run: Run,
    /// The open targets that it reaches, ascending, each with the first step in which it holds. They are closed now.
    pub targets: Vec<(usize, usize)>,
}

/// The result of a call of [`Bmc::next`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BmcOutcome {
    /// A witness. There may be others.
    Found(BmcWitness),
    /// No run within the depth reaches an open target.
    Exhausted,
    /// The budget is spent. Calling again continues the search.
    OutOfBudget,
}

impl<'c> Bmc<'c> {
    /// A search over an unrolling without steps.
    pub fn new(unrolling: Unrolling<'c>) -> Self {
        Self { unrolling, targets: Vec::new(), layers: Vec::new(), depth: 0, state: None }
    }

    /// Adds a target, a literal to be true in some step; returns its index.
    pub fn add_target(&mut self, lit: Lit) -> usize {
        self.targets.push(Target { lit, is_open: true, reached: Vec::new() });
        self.targets.len() - 1
    }

    /// Closes a target: the search no longer query for it.
    pub fn close(&mut self, target: usize) {
        let target = &mut self.targets[target];
        target.is_open = false;
        for reached in target.reached.drain(..) {
            self.unrolling.solver().add(&[!reached]);
        }
    }

    /// Is the target still open?
    pub fn is_open(&self, target: usize) -> bool {
        self.targets[target].is_open
    }

    /// Restarts at depth 0 with runs that start in this state, by latch. The unrolling must have
    /// [`Start::Free`].
    pub fn begin_in(&mut self, state: Vec<bool>) {
        self.state = Some(state);
        self.depth = 0;
    }

    /// The last step of the runs in the next query.
    pub fn depth(&self) -> usize {
        self.depth
    }

    /// Increases the depth without an answer for the present one.
    pub fn deepen(&mut self) {
        self.depth += 1;
    }

    /// The conflicts of the solver so far.
    pub fn conflicts(&mut self) -> u64 {
        self.unrolling.solver().conflicts()
    }

    /// Continues the search up to depth `deepest`.
    pub fn next(&mut self, deepest: usize, most_conflicts: u64) -> BmcOutcome {
        let end = self.conflicts().saturating_add(most_conflicts);
        while self.depth <= deepest && self.targets.iter().any(|target| target.is_open) {
            let query = self.query(self.depth);
            let [exists, ends] = self.unrolling.horizon(self.depth);
            let mut assumptions = vec![query, exists, ends];
            if let Some(state) = &self.state {
                assumptions.append(&mut self.unrolling.begins_in(state));
            }
            let left = end.saturating_sub(self.conflicts());
            match self.unrolling.solve(&assumptions, Some(left)) {
                Answer::Sat => return BmcOutcome::Found(self.witness()),
                Answer::Unknown => return BmcOutcome::OutOfBudget,
                Answer::Unsat => {
                    let core = self.unrolling.solver().core();
                    let no_run_has_this_length = !core.contains(&query) && !core.contains(&ends);
                    self.depth = if no_run_has_this_length { deepest + 1 } else { self.depth + 1 };
                }
            }
        }
        BmcOutcome::Exhausted
    }

    /// The query whether a run of this depth reaches an open target.
    fn query(&mut self, depth: usize) -> Literal {
        while self.unrolling.steps() <= depth {
            self.unrolling.push();
            self.layers.push(None);
        }
        if let Some(layer) = self.layers[depth] {
            if layer.targets == self.targets.len() {
                return layer.query;
            }
            self.unrolling.solver().add(&[!layer.query]);
        }
        if self.unrolling.start() == Start::Initial {
            // The search never returns to shorter runs.
            self.unrolling.commit(depth);
        }
        let query = self.unrolling.solver().variable();
        let mut clause = vec![!query];
        for target in self.targets.iter_mut().filter(|target| target.is_open) {
            clause.push(target.reached_by(depth, &mut self.unrolling));
        }
        self.unrolling.solver().add(&clause);
        self.layers[depth] = Some(Layer { query, targets: self.targets.len() });
        query
    }

    /// Reads the witness from the model, and closes the targets that it reaches.
    fn witness(&mut self) -> BmcWitness {
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
        BmcWitness { run, targets }
    }
}

impl Target {
    fn reached_by(&mut self, depth: usize, unrolling: &mut Unrolling<'_>) -> Literal {
        let is_predicted = unrolling.depends_on_prophecy(self.lit);
        while self.reached.len() <= depth {
            let step = self.reached.len();
            let now = unrolling.literal(step, self.lit);
            let reached = unrolling.solver().variable();
            match self.reached.last() {
                Some(before) if is_predicted => unrolling.solver().add(&[!reached, now, *before]),
                _ => unrolling.solver().add(&[!reached, now]),
            }
            self.reached.push(reached);
        }
        self.reached[depth]
    }
}

#[cfg(test)]
mod tests;
