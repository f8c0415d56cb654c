//! Bounded search: runs to any of many goals, shortest first.
//!
//! All open goals are asked for together, one step deeper each time no run of the present length gets to
//! any. When z3 cannot tell for a group of goals, its halves are tried; a goal that stays undecided by
//! itself is set aside at this length and asked for again at the next.

use obligato_model::Value;
use obligato_solver::{Answer, Smt, SmtError};
use obligato_transition_system::{Sort, System};

use super::cone::{Cone, Tie};
use super::goal::Goal;
use super::unrolling::{Start, Unrolling};
use super::{Error, Limits, check_goals};

/// A run that gets somewhere.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    /// The inputs of each step, as values of their types.
    pub inputs: Vec<Vec<Value>>,
    /// The goals that the last step reaches, or with ties any step, by their index, ascending.
    pub reached: Vec<usize>,
}

/// A search in progress.
#[derive(Debug)]
pub struct Search<'s> {
    unrolling: Unrolling<'s>,
    goals: Vec<Goal>,
    /// Is the goal still looked for?
    open: Vec<bool>,
    /// For each goal the shortest length of runs for which it is undecided, and why.
    undecided: Vec<Option<(usize, String)>>,
    /// Groups of goals that are still to be asked for at the present length.
    groups: Vec<Vec<usize>>,
    /// Goals that no run ever reaches.
    never: Vec<usize>,
    queries: usize,
    limits: Limits,
}

impl<'s> Search<'s> {
    /// A search that has not begun.
    pub fn new(
        system: &'s System,
        goals: &[Goal],
        ties: &[Tie],
        start: Start,
        limits: &Limits,
    ) -> Result<Self, Error> {
        check_goals(system, goals)?;
        check_ties(system, ties)?;
        check_start(system, &start)?;
        let cone = Cone::new(system, goals.iter().map(|goal| goal.node(system)), ties);
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
    pub fn next_run(&mut self, most_steps: usize) -> Result<Option<Run>, Error> {
        loop {
            while let Some(mut group) = self.groups.pop() {
                group.retain(|goal| self.open[*goal]);
                if group.is_empty() {
                    continue;
                }
                match self.ask(&group)? {
                    Found::Run(run) => {
                        self.groups.push(group);
                        return Ok(Some(run));
                    }
                    Found::Nothing => self.exclude(&group),
                    Found::Unknown(why) => self.split(group, &why),
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

    /// Looks for a goal no longer.
    pub fn close(&mut self, goal: usize) {
        self.open[goal] = false;
    }

    /// The goals that are still looked for, by their index.
    pub fn open(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.goals.len()).filter(|goal| self.open[*goal])
    }

    /// The length of the runs that are looked at.
    pub fn steps(&self) -> usize {
        self.unrolling.steps()
    }

    /// The shortest length of runs for which it is not known whether they reach a goal, and why.
    pub fn undecided(&self, goal: usize) -> Option<&(usize, String)> {
        self.undecided[goal].as_ref()
    }

    /// The units of work spent.
    pub fn work(&self) -> u64 {
        self.unrolling.smt.work()
    }

    /// Tells the search that a goal is never reached in any run. It is looked for no longer, and the
    /// others profit.
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

    /// Adds a step, and in it for every open goal whether it is reached by then.
    fn add_step(&mut self) {
        self.unrolling.add_step();
        let step = self.steps() - 1;
        for index in 0..self.never.len() {
            self.assert_never(self.never[index], step);
        }
        let goals = self.goals.iter().enumerate().filter(|(index, _)| self.open[*index]);
        for (index, goal) in goals {
            let here = self.unrolling.goal(goal, step);
            // With ties, what happens in an earlier step may depend on how long the run is.
            let earlier = !self.unrolling.cone.ties.is_empty() && step > 0;
            let reached = if earlier { format!("(or g{index}_{} {here})", step - 1) } else { here };
            self.unrolling.smt.command(&format!("(define-fun g{index}_{step} () Bool {reached})"));
        }
        let ties: Vec<usize> = self.unrolling.cone.ties.iter().map(|tie| tie.input).collect();
        let ends = ties.iter().map(|input| format!("(not i{input}_{step})"));
        self.unrolling.literal(&format!("last_{step}"), ends);
    }

    fn ask(&mut self, group: &[usize]) -> Result<Found, Error> {
        let step = self.steps() - 1;
        let names: Vec<String> = group.iter().map(|goal| format!("g{goal}_{step}")).collect();
        let any = format!("(or {} false)", names.join(" "));
        let literal = self.unrolling.literal(&format!("q{}", self.queries), [any]);
        self.queries += 1;
        let assumptions = [literal, format!("last_{step}")];
        match self.unrolling.smt.check(&assumptions, Some(self.limits.work))? {
            Answer::Unsat => Ok(Found::Nothing),
            Answer::Unknown => {
                let reason = self.unrolling.smt.reason();
                Ok(Found::Unknown(self.limits.reason(reason, &self.unrolling.cone)))
            }
            Answer::Sat => match self.read(group, &names) {
                Err(SmtError::Irrational) => {
                    Ok(Found::Unknown("z3 found only a run with irrational numbers".to_owned()))
                }
                run => Ok(Found::Run(run?)),
            },
        }
    }

    /// Reads the run that was found, and closes what it reaches.
    fn read(&mut self, group: &[usize], names: &[String]) -> Result<Run, SmtError> {
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
        Ok(Run { inputs, reached })
    }

    /// No run of this length gets to the group, which is good to know for longer ones. With ties it
    /// says nothing about them: there this step is not the last.
    fn exclude(&mut self, group: &[usize]) {
        if self.unrolling.cone.ties.is_empty() {
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

/// What came of asking for a group of goals.
enum Found {
    Run(Run),
    Nothing,
    Unknown(String),
}

fn check_ties(system: &System, ties: &[Tie]) -> Result<(), Error> {
    let is_sound = |tie: &Tie| {
        let input = system.inputs.get(tie.input);
        input.is_some_and(|input| system.graph.sort(input.node) == Sort::Bool)
            && system.graph.check(tie.node) == Ok(Sort::Bool)
    };
    match ties.iter().position(|tie| !is_sound(tie)) {
        Some(wrong) => Err(Error::Tie(wrong)),
        None => Ok(()),
    }
}

fn check_start(system: &System, start: &Start) -> Result<(), Error> {
    let Start::State(state) = start else { return Ok(()) };
    let mut pairs = state.iter().zip(&system.latches);
    let fits = pairs.all(|(value, latch)| system.graph.sort(latch.node).holds(value));
    if fits && state.len() == system.latches.len() { Ok(()) } else { Err(Error::State) }
}

#[cfg(test)]
mod tests;
