//! The main loop of IC3: exclude what leads to the bad states, level by level, until a level excludes
//! no less than the one above it, or until the initial state leads there.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use obligato_circuit::Lit;

use super::cube::{Cube, next_of};
use super::lifting::Lifting;
use super::meter::{Ended, Meter};
use super::steps::{From, Setting, Steps};
use super::trace::Trace;
use crate::run::Run;

/// A proof in progress.
#[derive(Debug)]
pub struct Blocking<'a, 'm> {
    pub(super) setting: Setting<'a>,
    pub(super) steps: Steps<'a>,
    pub(super) trace: &'m mut Trace,
    pub(super) meter: &'m mut Meter,
    lifting: Lifting,
    bad: Lit,
}

/// How it ended.
#[derive(Debug)]
pub enum Verdict {
    /// Nothing bad is where all clauses hold that the trace says hold [always](Trace::always).
    Proved,
    /// It does happen, at the end of this run. Inputs outside of the cone are false.
    Reached(Run),
}

/// Many states from which the same inputs lead on towards something bad.
#[derive(Debug)]
struct Goal {
    cube: Cube,
    inputs: Vec<bool>,
    /// The goal that is reached by the step; none if the step itself is bad.
    then: Option<usize>,
}

impl<'a, 'm> Blocking<'a, 'm> {
    /// Prepares a proof that `bad` never holds.
    pub fn new(setting: Setting<'a>, bad: Lit, trace: &'m mut Trace, meter: &'m mut Meter) -> Self {
        let steps = Steps::new(setting.clone(), &trace.lemmas, meter);
        let lifting = Lifting::new(setting.circuit, setting.cone);
        Self { setting, steps, trace, meter, lifting, bad }
    }

    /// Searches level by level.
    pub fn run(mut self) -> Result<Verdict, Ended> {
        if self.steps.can_hold(0, self.bad, self.meter)? {
            return Ok(Verdict::Reached(Run { steps: vec![self.steps.inputs()] }));
        }
        for level in 1.. {
            if level > self.trace.lemmas.top() {
                self.raise()?;
            }
            while self.steps.can_hold(level, self.bad, self.meter)? {
                let goal = self.found_goal([self.bad], None);
                if let Some(run) = self.block(level, goal)? {
                    return Ok(Verdict::Reached(run));
                }
            }
            // Levels that are there from other questions have been through this.
            if level == self.trace.lemmas.top()
                && let Some(level) = self.push_lemmas()?
            {
                self.trace.settle_above(level);
                break;
            }
        }
        Ok(Verdict::Proved)
    }

    fn raise(&mut self) -> Result<(), Ended> {
        self.meter.admit_level(self.trace.lemmas.top() + 1)?;
        self.trace.lemmas.raise();
        self.steps.raise();
        Ok(())
    }

    /// Excludes a goal at a level, with all that leads there. If the initial state does, the run.
    fn block(&mut self, top: usize, goal: Goal) -> Result<Option<Run>, Ended> {
        if goal.cube.is_initial(self.setting.circuit) {
            return Ok(Some(Run { steps: vec![goal.inputs] }));
        }
        let mut goals = vec![goal];
        // Lowest level first: what is near the initial state decides the rest.
        let mut queue = BinaryHeap::from([Reverse((top, 0))]);
        while let Some(Reverse((level, index))) = queue.pop() {
            self.steps.renew_if_worn(&self.trace.lemmas, self.meter);
            let cube = goals[index].cube.clone();
            let excluded = if self.trace.lemmas.exclude(level, &cube) {
                level
            } else if self.steps.can_enter(level - 1, &cube, From::Outside, self.meter)? {
                let before = self.found_predecessor(&cube, Some(index));
                let reached = before.cube.is_initial(self.setting.circuit);
                goals.push(before);
                if reached {
                    return Ok(Some(run_from(goals)));
                }
                queue.push(Reverse((level - 1, goals.len() - 1)));
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

    /// Moves lemmas up to the next level where they hold there too. A level that is left without any is
    /// as strong as the one above: no step leaves it.
    fn push_lemmas(&mut self) -> Result<Option<usize>, Ended> {
        for level in 1..self.trace.lemmas.top() {
            for cube in self.trace.lemmas.at(level).to_vec() {
                self.steps.renew_if_worn(&self.trace.lemmas, self.meter);
                let is_listed = self.trace.lemmas.at(level).contains(&cube);
                if is_listed && !self.steps.can_enter(level, &cube, From::Anywhere, self.meter)? {
                    let core = self.core_outside_initial(&cube);
                    self.exclude(level + 1, core);
                }
            }
            if self.trace.lemmas.at(level).is_empty() {
                return Ok(Some(level));
            }
        }
        Ok(None)
    }

    pub(super) fn exclude(&mut self, level: usize, cube: Cube) {
        self.steps.exclude(level, &cube);
        self.trace.lemmas.insert(level, cube);
    }

    /// What could not be entered, with a literal that keeps the initial state outside.
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

    /// The states from which the step just found enters a cube.
    pub(super) fn lift_predecessor(&mut self, cube: &Cube) -> Cube {
        let circuit = self.setting.circuit;
        self.lift(cube.lits().iter().map(|lit| next_of(circuit, *lit)))
    }

    fn found_predecessor(&mut self, cube: &Cube, then: Option<usize>) -> Goal {
        Goal { cube: self.lift_predecessor(cube), inputs: self.steps.inputs(), then }
    }

    fn found_goal(&mut self, roots: impl IntoIterator<Item = Lit>, then: Option<usize>) -> Goal {
        Goal { cube: self.lift(roots), inputs: self.steps.inputs(), then }
    }

    /// The states that do as the step just found does. The constraints hold in all of them.
    fn lift(&mut self, roots: impl IntoIterator<Item = Lit>) -> Cube {
        let steps = &self.steps;
        let roots = roots.into_iter().chain(self.setting.cone.constraints.iter().copied());
        self.lifting.lift(self.setting.circuit, roots, |lit| steps.value(lit))
    }
}

/// The run from the last goal on, which contains the initial state.
fn run_from(mut goals: Vec<Goal>) -> Run {
    let mut steps = Vec::new();
    let mut at = goals.len().checked_sub(1);
    while let Some(index) = at {
        at = goals[index].then;
        steps.push(std::mem::take(&mut goals[index].inputs));
    }
    Run { steps }
}
