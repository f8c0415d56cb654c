//! The questions that IC3 puts to a solver: what can happen in one step from the states of a level.
//!
//! Two solvers hold one step each. In the first, latches are the constants of the initial state; in the second
//! they are free, and every lemma is guarded by the activator of its level. Activators imply
//! those of higher levels, so one assumption chooses a level. Gates are encoded when a question first needs them.

use obligato_circuit::{Circuit, Lit};
use obligato_solver::{Answer, Engine, Literal, Solver};

use super::cone::Cone;
use super::cube::{Cube, next_of};
use super::lemmas::Lemmas;
use super::meter::{Ended, Meter};
use crate::frame::Frame;

/// Clauses that excluded a cube for one question stay behind. With so many of them the solver is made anew.
const MOST_LEFT_BEHIND: usize = 500;

/// Where a step starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum From {
    /// At any state of the level.
    Anywhere,
    /// At a state of the level outside of the cube that is entered.
    Outside,
}

/// What all solvers are made of.
#[derive(Clone, Debug)]
pub struct Setting<'a> {
    pub circuit: &'a Circuit,
    pub cone: &'a Cone,
    /// Clauses that hold in every step of every run.
    pub known: Vec<Vec<Lit>>,
}

/// One step in a solver.
#[derive(Debug)]
struct Step {
    solver: Solver,
    frame: Frame,
}

/// Steps from every level.
#[derive(Debug)]
pub struct Steps<'a> {
    setting: Setting<'a>,
    initial: Step,
    later: Step,
    /// The activators of levels 1 and up.
    activators: Vec<Literal>,
    /// How many clauses no question will use again.
    left_behind: usize,
    /// The guard of the last question's own clause. It is released with the next question: until then the
    /// answer may be read, and adding a clause would end that.
    released: Option<Literal>,
    /// The level of the last question.
    asked: usize,
}

impl<'a> Steps<'a> {
    /// Steps from all levels that there are.
    pub fn new(setting: Setting<'a>, lemmas: &Lemmas, meter: &Meter) -> Self {
        let mut initial = Step::new(meter);
        let truth = initial.solver.variable();
        initial.solver.add(&[truth]);
        for latch in setting.circuit.latches() {
            if setting.cone.contains(latch.gate) {
                initial.frame.set(latch.gate, truth.negated_if(!latch.initial));
            }
        }
        initial.constrain(&setting);
        let mut later = Step::new(meter);
        later.constrain(&setting);
        let activators = Vec::new();
        let mut steps =
            Self { setting, initial, later, activators, left_behind: 0, released: None, asked: 0 };
        steps.take_over(lemmas);
        steps
    }

    /// One more level.
    pub fn raise(&mut self) {
        let activator = self.later.solver.variable();
        if let Some(below) = self.activators.last() {
            self.later.solver.add(&[!*below, activator]);
        }
        self.activators.push(activator);
    }

    /// Excludes a cube at a level and below.
    pub fn exclude(&mut self, level: usize, cube: &Cube) {
        let mut clause = vec![!self.activators[level - 1]];
        clause.extend(self.later.now(self.setting.circuit, cube).map(|literal| !literal));
        self.later.solver.add(&clause);
    }

    /// Replaces the solver of later steps when too much has been left behind in it.
    pub fn renew_if_worn(&mut self, lemmas: &Lemmas, meter: &Meter) {
        if self.left_behind < MOST_LEFT_BEHIND {
            return;
        }
        self.left_behind = 0;
        self.released = None;
        self.later = Step::new(meter);
        self.later.constrain(&self.setting);
        self.activators.clear();
        self.take_over(lemmas);
    }

    fn take_over(&mut self, lemmas: &Lemmas) {
        for level in 1..=lemmas.top() {
            self.raise();
            for cube in lemmas.at(level) {
                self.exclude(level, cube);
            }
        }
    }

    /// Can this literal hold in a step from a state of this level?
    pub fn can_hold(&mut self, level: usize, lit: Lit, meter: &mut Meter) -> Result<bool, Ended> {
        let circuit = self.setting.circuit;
        let mut assumptions = self.begin(level);
        assumptions.push(self.step_mut().literal(circuit, lit));
        self.ask(&assumptions, meter)
    }

    /// Can a step from a state of this level enter the cube? The cube must not contain the initial state.
    pub fn can_enter(
        &mut self,
        level: usize,
        cube: &Cube,
        from: From,
        meter: &mut Meter,
    ) -> Result<bool, Ended> {
        let circuit = self.setting.circuit;
        let mut assumptions = self.begin(level);
        // The initial state is outside of every cube that is asked for.
        let guard = (from == From::Outside && level > 0).then(|| self.later.solver.variable());
        if let Some(guard) = guard {
            let mut outside = vec![!guard];
            outside.extend(self.later.now(circuit, cube).map(|literal| !literal));
            self.later.solver.add(&outside);
            assumptions.push(guard);
        }
        for lit in cube.lits() {
            assumptions.push(self.step_mut().literal(circuit, next_of(circuit, *lit)));
        }
        let answer = self.ask(&assumptions, meter);
        self.left_behind += usize::from(guard.is_some());
        self.released = guard;
        answer
    }

    /// The part of the cube that could not be entered, after a question answered with no.
    pub fn core(&mut self, cube: &Cube) -> Cube {
        let circuit = self.setting.circuit;
        let step = self.step_mut();
        let mut core = step.solver.core();
        core.sort_unstable();
        cube.filtered(|lit| {
            let literal = step.frame.known(next_of(circuit, lit));
            literal.is_some_and(|literal| core.binary_search(&literal).is_ok())
        })
    }

    /// The value of a literal that the last question, answered with yes, depends on.
    pub fn value(&self, lit: Lit) -> bool {
        let step = if self.asked == 0 { &self.initial } else { &self.later };
        step.frame.known(lit).is_some_and(|literal| step.solver.value(literal))
    }

    /// The inputs of the circuit in the step just found.
    pub fn inputs(&self) -> Vec<bool> {
        self.setting.circuit.inputs().iter().map(|gate| self.value(Lit::of(*gate))).collect()
    }

    fn step_mut(&mut self) -> &mut Step {
        if self.asked == 0 { &mut self.initial } else { &mut self.later }
    }

    /// Starts a question about a level: the assumptions that choose it.
    fn begin(&mut self, level: usize) -> Vec<Literal> {
        self.asked = level;
        if let Some(guard) = self.released.take() {
            self.later.solver.add(&[!guard]);
        }
        level.checked_sub(1).map(|index| self.activators[index]).into_iter().collect()
    }

    fn ask(&mut self, assumptions: &[Literal], meter: &mut Meter) -> Result<bool, Ended> {
        let most = meter.left()?;
        let solver = &mut self.step_mut().solver;
        let before = solver.conflicts();
        let answer = solver.solve(assumptions, Some(most));
        meter.spend(solver.conflicts() - before);
        match answer {
            Answer::Sat => Ok(true),
            Answer::Unsat => Ok(false),
            Answer::Unknown => Err(meter.reason()),
        }
    }
}

impl Step {
    fn new(meter: &Meter) -> Self {
        Self { solver: Solver::new(Engine::Batsat, meter.stop()), frame: Frame::new() }
    }

    /// Adds what holds in every step.
    fn constrain(&mut self, setting: &Setting<'_>) {
        for lit in &setting.cone.constraints {
            let literal = self.literal(setting.circuit, *lit);
            self.solver.add(&[literal]);
        }
        for clause in &setting.known {
            let clause: Vec<Literal> =
                clause.iter().map(|lit| self.literal(setting.circuit, *lit)).collect();
            self.solver.add(&clause);
        }
    }

    fn literal(&mut self, circuit: &Circuit, lit: Lit) -> Literal {
        self.frame.literal(circuit, &mut self.solver, lit)
    }

    /// The literals of a cube in the state that the step starts from.
    fn now<'b>(
        &'b mut self,
        circuit: &'b Circuit,
        cube: &'b Cube,
    ) -> impl Iterator<Item = Literal> + 'b {
        cube.lits().iter().map(|lit| self.literal(circuit, *lit))
    }
}
