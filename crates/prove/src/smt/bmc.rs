//! Bounded model checking for many goals: shortest witnesses first.
//!
//! One query asks for a run of the present length that reaches any open goal; if it is unsatisfiable, the length
//! grows. If z3 answers unknown for a group of goals, its halves are tried; a goal that stays undecided by
//! itself is skipped at this length and tried again at the next.

use obligato_model::Value;
use obligato_solver::{Answer, Smt, SmtError};
use obligato_transition_system::{Sort, System};

use super::cone::{Cone, SmtProphecy};
use super::goal::Goal;
use super::unrolling::{SmtStart, Unrolling};
use super::{Error, SmtLimits, check_goals};

/// A run that reaches goals.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SmtWitness {
    /// The inputs of each step, as values of their types.
    pub inputs: Vec<Vec<Value>>,
    /// The goals that the last step reaches (with prophecies: any step), by index, ascending.
    pub reached: Vec<usize>,
}

/// A bounded model checker.
#[derive(Debug)]
pub struct SmtBmc<'s> {
    unrolling: Unrolling<'s>,
    goals: Vec<Goal>,
    /// By goal: is it still open?
    open: Vec<bool>,
    /// By goal: the shortest length for which it is undecided, and why.
    undecided: Vec<Option<(usize, String)>>,
    /// Worklist: groups of goals to query at the present length.
    groups: Vec<Vec<usize>>,
    /// Goals known to be unreachable.
    never: Vec<usize>,
    queries: usize,
    limits: SmtLimits,
}

impl<'s> SmtBmc<'s> {
    /// A checker without steps.
    pub fn new(
        system: &'s System,
        goals: &[Goal],
        prophecies: &[SmtProphecy],
        start: SmtStart,
        limits: &SmtLimits,
    ) -> Result<Self, Error> {
        check_goals(system, goals)?;
        check_prophecies(system, prophecies)?;
        check_start(system, &start)?;
        let cone = Cone::new(system, goals.iter().map(|goal| goal.node(system)), prophecies);
        let smt = Smt::start(&limits.stop, limits.memory)?;
        Ok(Self {
            unrolling: Unrolling::new(smt, system, cone, start),
            goals: goals.to_vec(),
            open: vec![true; goals.len()],
            undecided: vec![None; goals.len()],
            groups: Vec::new(),
            never: Vec::new(),
            queries: 0,
            limits: limits.clone(),
        })
    }

    /// The next run of at most so many steps that reaches an open goal; the goals that it reaches are
    /// closed. `None` when there is none, or none that z3 can find: see [`Self::undecided`].
    pub fn next_run(&mut self, most_steps: usize) -> Result<Option<SmtWitness>, Error> {
        loop {
            while let Some(mut group) = self.groups.pop() {
                group.retain(|goal| self.open[*goal]);
                if group.is_empty() {
                    continue;
                }
                match self.ask(&group)? {
                    GroupAnswer::SmtWitness(run) => {
                        self.groups.push(group);
                        return Ok(Some(run));
                    }
                    GroupAnswer::Nothing => self.exclude(&group),
                    GroupAnswer::Unknown(why) => self.split(group, &why),
                }
            }
            let open: Vec<usize> = (0..self.goals.len()).filter(|goal| self.open[*goal]).collect();
            if open.is_empty() || self.steps() >= most_steps {
                return Ok(None);
            }
            self.add_step();
            self.groups.push(open);
        }
    }

    /// Closes a goal.
    pub fn close(&mut self, goal: usize) {
        self.open[goal] = false;
    }

    /// The open goals, by index.
    pub fn open(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.goals.len()).filter(|goal| self.open[*goal])
    }

    /// The present length of runs.
    pub fn steps(&self) -> usize {
        self.unrolling.steps()
    }

    /// The shortest length for which a goal is undecided, and why.
    pub fn undecided(&self, goal: usize) -> Option<&(usize, String)> {
        self.undecided[goal].as_ref()
    }

    /// The work units spent.
    pub fn work(&self) -> u64 {
        self.unrolling.smt.work()
    }

    /// Closes a goal that is known to be unreachable, and asserts its negation in every step.
    pub fn never(&mut self, goal: usize) {
        self.open[goal] = false;
        self.never.push(goal);
        for step in 0..self.steps() {
            self.assert_never(goal, step);
        }
    }

    fn assert_never(&mut self, goal: usize, step: usize) {
        let term = self.unrolling.goal(&self.goals[goal], step);
        self.unrolling.smt.assert(&format!("(not {term})"));
    }

    /// Adds a step, with a definition for every open goal that says whether it is reached by then.
    fn add_step(&mut self) {
        self.unrolling.add_step();
        let step = self.steps() - 1;
        for index in 0..self.never.len() {
            self.assert_never(self.never[index], step);
        }
        let goals = self.goals.iter().enumerate().filter(|(index, _)| self.open[*index]);
        for (index, goal) in goals {
            let here = self.unrolling.goal(goal, step);
            // With prophecies, an earlier step may depend on the length of the run.
            let earlier = !self.unrolling.cone.prophecies.is_empty() && step > 0;
            let reached = if earlier { format!("(or g{index}_{} {here})", step - 1) } else { here };
            self.unrolling.smt.command(&format!("(define-fun g{index}_{step} () Bool {reached})"));
        }
        let prophecies: Vec<usize> =
            self.unrolling.cone.prophecies.iter().map(|prophecy| prophecy.input).collect();
        let ends = prophecies.iter().map(|input| format!("(not i{input}_{step})"));
        self.unrolling.literal(&format!("last_{step}"), ends);
    }

    fn ask(&mut self, group: &[usize]) -> Result<GroupAnswer, Error> {
        let step = self.steps() - 1;
        let names: Vec<String> = group.iter().map(|goal| format!("g{goal}_{step}")).collect();
        let any = format!("(or {} false)", names.join(" "));
        let literal = self.unrolling.literal(&format!("q{}", self.queries), [any]);
        self.queries += 1;
        let assumptions = [literal, format!("last_{step}")];
        match self.unrolling.smt.check(&assumptions, Some(self.limits.work))? {
            Answer::Unsat => Ok(GroupAnswer::Nothing),
            Answer::Unknown => {
                let reason = self.unrolling.smt.reason();
                Ok(GroupAnswer::Unknown(self.limits.reason(reason, &self.unrolling.cone)))
            }
            Answer::Sat => match self.read(group, &names) {
                Err(SmtError::Irrational) => Ok(GroupAnswer::Unknown(
                    "z3 found only a run with irrational numbers".to_owned(),
                )),
                run => Ok(GroupAnswer::SmtWitness(run?)),
            },
        }
    }

    /// Reads the witness from the model, and closes the goals that it reaches.
    fn read(&mut self, group: &[usize], names: &[String]) -> Result<SmtWitness, SmtError> {
        let values = self.unrolling.smt.values(names)?;
        let inputs = self.unrolling.inputs()?;
        let truths = group.iter().zip(values).filter(|(_, value)| *value == Value::Bool(true));
        let reached: Vec<usize> = truths.map(|(goal, _)| *goal).collect();
        if reached.is_empty() {
            return Err(SmtError::Garbled("a run to a goal reaches none".to_owned()));
        }
        for goal in &reached {
            self.open[*goal] = false;
        }
        Ok(SmtWitness { inputs, reached })
    }

    /// Asserts that no run of this length reaches the group, a lemma for longer runs. Not with prophecies:
    /// there this step may differ when it is not the last.
    fn exclude(&mut self, group: &[usize]) {
        if self.unrolling.cone.prophecies.is_empty() {
            let step = self.steps() - 1;
            for goal in group {
                self.unrolling.smt.assert(&format!("(not g{goal}_{step})"));
            }
        }
    }

    fn split(&mut self, mut group: Vec<usize>, why: &str) {
        if let [goal] = *group {
            let steps = self.steps();
            self.undecided[goal].get_or_insert_with(|| (steps, why.to_owned()));
            return;
        }
        let second = group.split_off(group.len() / 2);
        self.groups.extend([second, group]);
    }
}

/// The answer to a query about a group of goals.
enum GroupAnswer {
    SmtWitness(SmtWitness),
    Nothing,
    Unknown(String),
}

fn check_prophecies(system: &System, prophecies: &[SmtProphecy]) -> Result<(), Error> {
    let is_sound = |prophecy: &SmtProphecy| {
        let input = system.inputs.get(prophecy.input);
        input.is_some_and(|input| system.graph.sort(input.node) == Sort::Bool)
            && system.graph.check(prophecy.node) == Ok(Sort::Bool)
    };
    match prophecies.iter().position(|prophecy| !is_sound(prophecy)) {
        Some(wrong) => Err(Error::SmtProphecy(wrong)),
        None => Ok(()),
    }
}

fn check_start(system: &System, start: &SmtStart) -> Result<(), Error> {
    let SmtStart::State(state) = start else { return Ok(()) };
    let mut pairs = state.iter().zip(&system.latches);
    let fits = pairs.all(|(value, latch)| system.graph.sort(latch.node).holds(value));
    if fits && state.len() == system.latches.len() { Ok(()) } else { Err(Error::State) }
}

#[cfg(test)]
mod tests;
