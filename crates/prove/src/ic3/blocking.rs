//! The main loop of IC3: block the predecessors of bad states, frame by frame, until two adjacent frames are
//! equal, or until the initial state is a predecessor.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use obligato_circuit::Lit;

use super::cube::{Cube, next_of};
use super::lifting::Lifting;
use super::meter::{NoAnswer, WorkMeter};
use super::steps::{From, Setting, Steps};
use super::trace::Ic3Trace;
use crate::run::Run;

/// A proof in progress.
#[derive(Debug)]
pub struct Blocking<'a, 'm> {
    pub(super) setting: Setting<'a>,
    pub(super) steps: Steps<'a>,
    pub(super) trace: &'m mut Ic3Trace,
    pub(super) meter: &'m mut WorkMeter,
    lifting: Lifting,
    bad: Lit,
}

/// The result of the main loop.
#[derive(Debug)]
pub enum Verdict {
    /// The inductive clauses of the trace ([`Ic3Trace::always`]) exclude the bad states.
    Proved,
    /// The last step of this run is bad. Inputs outside of the cone are false.
    Reached(Run),
}

/// A proof obligation: a cube of states from which the same inputs lead towards a bad state.
#[derive(Debug)]
struct Obligation {
    cube: Cube,
    inputs: Vec<bool>,
    /// The obligation that the step reaches; none if the step itself is bad.
    then: Option<usize>,
}

impl<'a, 'm> Blocking<'a, 'm> {
    /// Prepares a proof that `bad` never holds.
    pub fn new(
        setting: Setting<'a>,
        bad: Lit,
        trace: &'m mut Ic3Trace,
        meter: &'m mut WorkMeter,
    ) -> Self {
        let steps = Steps::new(setting.clone(), &trace.frames, meter);
        let lifting = Lifting::new(setting.circuit, setting.cone);
        Self { setting, steps, trace, meter, lifting, bad }
    }

    /// Runs frame by frame.
    pub fn run(mut self) -> Result<Verdict, NoAnswer> {
        if self.steps.can_hold(0, self.bad, self.meter)? {
            return Ok(Verdict::Reached(Run { steps: vec![self.steps.inputs()] }));
        }
        for level in 1.. {
            if level > self.trace.frames.top() {
                self.raise()?;
            }
            tracing::debug!(level, work = self.meter.done(), "frame");
            while self.steps.can_hold(level, self.bad, self.meter)? {
                let obligation = self.obligation_of_model([self.bad], None);
                if let Some(run) = self.block(level, obligation)? {
                    return Ok(Verdict::Reached(run));
                }
            }
            // Frames of earlier queries are already propagated.
            if level == self.trace.frames.top()
                && let Some(level) = self.push_lemmas()?
            {
                self.trace.settle_above(level);
                break;
            }
        }
        Ok(Verdict::Proved)
    }

    fn raise(&mut self) -> Result<(), NoAnswer> {
        self.meter.admit_level(self.trace.frames.top() + 1)?;
        self.trace.frames.raise();
        self.steps.raise();
        Ok(())
    }

    /// Blocks an obligation in a frame, with all its predecessors. Returns the run if the initial state is one of them.
    fn block(&mut self, top: usize, obligation: Obligation) -> Result<Option<Run>, NoAnswer> {
        if obligation.cube.is_initial(self.setting.circuit) {
            return Ok(Some(Run { steps: vec![obligation.inputs] }));
        }
        let mut obligations = vec![obligation];
        // Lowest frame first: obligations near the initial state decide the rest.
        let mut queue = BinaryHeap::from([Reverse((top, 0))]);
        while let Some(Reverse((level, index))) = queue.pop() {
            self.steps.rebuild_if_cluttered(&self.trace.frames, self.meter);
            let cube = obligations[index].cube.clone();
            let excluded = if self.trace.frames.exclude(level, &cube) {
                level
            } else if self.steps.can_enter(level - 1, &cube, From::Outside, self.meter)? {
                let before = self.predecessor_obligation(&cube, Some(index));
                let reached = before.cube.is_initial(self.setting.circuit);
                obligations.push(before);
                if reached {
                    return Ok(Some(run_from(obligations)));
                }
                queue.push(Reverse((level - 1, obligations.len() - 1)));
                queue.push(Reverse((level, index)));
                continue;
            } else {
                let core = self.core_outside_initial(&cube);
                self.learn(level, core)?
            };
            if excluded < top {
                queue.push(Reverse((excluded + 1, index)));
            }
        }
        Ok(None)
    }

    /// Propagates lemmas to the next frame where they hold there too. A frame left without lemmas of its own equals
    /// the one above, and is inductive.
    fn push_lemmas(&mut self) -> Result<Option<usize>, NoAnswer> {
        for level in 1..self.trace.frames.top() {
            for cube in self.trace.frames.at(level).to_vec() {
                self.steps.rebuild_if_cluttered(&self.trace.frames, self.meter);
                let is_listed = self.trace.frames.at(level).contains(&cube);
                if is_listed && !self.steps.can_enter(level, &cube, From::Anywhere, self.meter)? {
                    let core = self.core_outside_initial(&cube);
                    self.exclude(level + 1, core);
                }
            }
            if self.trace.frames.at(level).is_empty() {
                return Ok(Some(level));
            }
        }
        Ok(None)
    }

    pub(super) fn exclude(&mut self, level: usize, cube: Cube) {
        self.steps.exclude(level, &cube);
        self.trace.frames.insert(level, cube);
    }

    /// The unsat core of a blocked cube, with a literal that excludes the initial state.
    pub(super) fn core_outside_initial(&mut self, cube: &Cube) -> Cube {
        let circuit = self.setting.circuit;
        let core = self.steps.core(cube);
        if !core.is_initial(circuit) {
            return core;
        }
        let outside = |lit: &&Lit| !super::cube::holds_initially(circuit, **lit);
        let kept = cube.lits().iter().find(outside).expect("invariant: not initial");
        cube.filtered(|lit| lit == *kept || core.contains(lit))
    }

    /// The predecessor of a cube in the last model, lifted to a cube.
    pub(super) fn lift_predecessor(&mut self, cube: &Cube) -> Cube {
        let circuit = self.setting.circuit;
        self.lift(cube.lits().iter().map(|lit| next_of(circuit, *lit)))
    }

    fn predecessor_obligation(&mut self, cube: &Cube, then: Option<usize>) -> Obligation {
        Obligation { cube: self.lift_predecessor(cube), inputs: self.steps.inputs(), then }
    }

    fn obligation_of_model(
        &mut self,
        roots: impl IntoIterator<Item = Lit>,
        then: Option<usize>,
    ) -> Obligation {
        Obligation { cube: self.lift(roots), inputs: self.steps.inputs(), then }
    }

    /// Lifts the state of the last model: all states that take the same step. The constraints hold in all of them.
    fn lift(&mut self, roots: impl IntoIterator<Item = Lit>) -> Cube {
        let steps = &self.steps;
        let roots = roots.into_iter().chain(self.setting.cone.constraints.iter().copied());
        self.lifting.lift(self.setting.circuit, roots, |lit| steps.value(lit))
    }
}

/// The counterexample from the last obligation on, which contains the initial state.
fn run_from(mut obligations: Vec<Obligation>) -> Run {
    let mut steps = Vec::new();
    let mut at = obligations.len().checked_sub(1);
    while let Some(index) = at {
        at = obligations[index].then;
        steps.push(std::mem::take(&mut obligations[index].inputs));
    }
    Run { steps }
}
