//! Mutual k-induction: proves many goals unreachable at once.
//!
//! A set of goals is unreachable if no run of k steps from the initial state reaches one of
//! them (base case), and no k consecutive steps that avoid them all are followed by one that reaches one (induction step: Sheeran,
//! Singh and Stålmarck). Houdini (Flanagan and Leino) computes the largest such set: start
//! with all goals, drop those that a counterexample to induction reaches, repeat. Dropped goals are tried again
//! with a larger k, relative to everything proved so far.

use obligato_model::Value;
use obligato_solver::{Answer, Smt, SmtError};
use obligato_transition_system::System;

use super::bmc::SmtBmc;
use super::cone::Cone;
use super::goal::Goal;
use super::unrolling::{SmtStart, Unrolling};
use super::{Error, SmtLimits, SmtOutcome, SmtProof};

/// Tries to prove each goal unreachable, with k up to `most_steps`.
pub fn induction(
    system: &System,
    goals: &[Goal],
    most_steps: usize,
    limits: &SmtLimits,
) -> Result<Vec<SmtOutcome>, Error> {
    let mut induction = SmtInduction::new(system, goals, limits)?;
    let mut end = format!("it is not inductive over {most_steps} steps");
    for _ in 0..most_steps {
        match induction.deepen() {
            Ok(()) if induction.is_done() => break,
            Ok(()) => {}
            // Proofs found until then stay.
            Err(error @ Error::Solver(SmtError::Stopped | SmtError::Memory(_))) => {
                end = error.to_string();
                break;
            }
            Err(error) => return Err(error),
        }
    }
    Ok(induction.outcomes(&end))
}

/// An induction in progress.
#[derive(Debug)]
pub struct SmtInduction<'s> {
    /// The base case: runs from the initial state.
    base: SmtBmc<'s>,
    /// The induction step: runs from any state, one step longer.
    step: Unrolling<'s>,
    goals: Vec<Goal>,
    known: Vec<Option<SmtOutcome>>,
    /// Goals proved unreachable.
    never: Vec<usize>,
    queries: usize,
    limits: SmtLimits,
}

impl<'s> SmtInduction<'s> {
    /// An induction with k = 0.
    pub fn new(system: &'s System, goals: &[Goal], limits: &SmtLimits) -> Result<Self, Error> {
        let base = SmtBmc::new(system, goals, &[], SmtStart::Initial, limits)?;
        let cone = Cone::new(system, goals.iter().map(|goal| goal.node(system)), &[]);
        let smt = Smt::start(&limits.stop, limits.memory)?;
        let mut induction = Self {
            base,
            step: Unrolling::new(smt, system, cone, SmtStart::Anywhere),
            goals: goals.to_vec(),
            known: vec![None; goals.len()],
            never: Vec::new(),
            queries: 0,
            limits: limits.clone(),
        };
        for goal in 0..goals.len() {
            induction.step.literal(&format!("a{goal}"), []);
        }
        induction.add_step();
        Ok(induction)
    }

    /// Increases k by one and tries the open goals.
    pub fn deepen(&mut self) -> Result<(), Error> {
        let k = self.step.steps();
        while let Some(run) = self.base.next_run(k)? {
            for goal in run.reached {
                self.known[goal] = Some(SmtOutcome::Reached(run.inputs.clone()));
            }
        }
        self.add_step();
        // A goal that is undecided in the base case can neither be proved nor assumed.
        let open: Vec<usize> = self.base.open().collect();
        let decided = open.into_iter().filter(|goal| self.base.undecided(*goal).is_none());
        for goal in self.largest_inductive_set(decided.collect())? {
            self.known[goal] = Some(SmtOutcome::Proved(SmtProof::Induction(k)));
            self.base.never(goal);
            self.never.push(goal);
            for step in 0..self.step.steps() {
                self.assert_never(goal, step);
            }
        }
        Ok(())
    }

    /// Is every goal reached or proved?
    pub fn is_done(&self) -> bool {
        self.known.iter().all(Option::is_some)
    }

    /// The result for each goal; open goals are unknown with the reason `end`.
    pub fn outcomes(&self, end: &str) -> Vec<SmtOutcome> {
        let outcome = |(goal, known): (usize, &Option<SmtOutcome>)| match (
            known,
            self.base.undecided(goal),
        ) {
            (Some(outcome), _) => outcome.clone(),
            (None, Some((_, why))) => SmtOutcome::Unknown(why.clone()),
            (None, None) => SmtOutcome::Unknown(end.to_owned()),
        };
        self.known.iter().enumerate().map(outcome).collect()
    }

    /// The work units spent.
    pub fn work(&self) -> u64 {
        self.base.work() + self.step.smt.work()
    }

    /// Adds a step, with everything proved asserted. The step before becomes one that open goals are
    /// assumed to avoid.
    fn add_step(&mut self) {
        let last = self.step.steps();
        self.step.add_step();
        for index in 0..self.never.len() {
            self.assert_never(self.never[index], last);
        }
        for goal in 0..self.goals.len() {
            if self.known[goal].is_some() {
                continue;
            }
            let term = self.step.goal(&self.goals[goal], last);
            self.step.smt.command(&format!("(define-fun g{goal}_{last} () Bool {term})"));
            if let Some(before) = last.checked_sub(1) {
                self.step.smt.assert(&format!("(=> a{goal} (not g{goal}_{before}))"));
            }
        }
    }

    fn assert_never(&mut self, goal: usize, step: usize) {
        let term = self.step.goal(&self.goals[goal], step);
        self.step.smt.assert(&format!("(not {term})"));
    }

    fn largest_inductive_set(&mut self, mut candidates: Vec<usize>) -> Result<Vec<usize>, Error> {
        let mut kept = vec![true; self.goals.len()];
        loop {
            let before = candidates.len();
            let mut groups = vec![candidates.clone()];
            while let Some(mut group) = groups.pop() {
                group.retain(|goal| kept[*goal]);
                if group.is_empty() {
                    continue;
                }
                match self.ask(&group, &candidates)? {
                    Answer::Unsat => continue,
                    Answer::Sat => {
                        for goal in self.reached(&candidates)? {
                            kept[goal] = false;
                        }
                        groups.push(group);
                    }
                    Answer::Unknown if group.len() > 1 => {
                        let second = group.split_off(group.len() / 2);
                        groups.extend([second, group]);
                    }
                    Answer::Unknown => kept[group[0]] = false,
                }
                candidates.retain(|goal| kept[*goal]);
            }
            // Nothing was dropped, so all groups were refuted under the same assumptions.
            if candidates.len() == before {
                return Ok(candidates);
            }
        }
    }

    /// Which of these goals the last step reaches in the model that was just found.
    fn reached(&mut self, goals: &[usize]) -> Result<Vec<usize>, Error> {
        let last = self.step.steps() - 1;
        let names: Vec<String> = goals.iter().map(|goal| format!("g{goal}_{last}")).collect();
        let values = self.step.smt.values(&names)?;
        let truths = goals.iter().zip(values).filter(|(_, value)| *value == Value::Bool(true));
        let reached: Vec<usize> = truths.map(|(goal, _)| *goal).collect();
        if reached.is_empty() {
            return Err(SmtError::Garbled("a run to a goal reaches none".to_owned()).into());
        }
        Ok(reached)
    }

    /// Can the last step reach one of a group, when the steps before avoid all candidates?
    fn ask(&mut self, group: &[usize], candidates: &[usize]) -> Result<Answer, Error> {
        let last = self.step.steps() - 1;
        let goals: String = group.iter().map(|goal| format!("g{goal}_{last} ")).collect();
        let any = format!("(or {goals}false)");
        let mut assumptions: Vec<String> =
            candidates.iter().map(|goal| format!("a{goal}")).collect();
        assumptions.push(self.step.literal(&format!("q{}", self.queries), [any]));
        self.queries += 1;
        Ok(self.step.smt.check(&assumptions, Some(self.limits.work))?)
    }
}

#[cfg(test)]
mod tests;
