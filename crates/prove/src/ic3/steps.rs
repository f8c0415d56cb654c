//! The queries of IC3: single steps from the states of a frame.
//!
//! Two solvers hold one step each. In the first, latches are the constants of the initial state; in the second
//! they are free, and every lemma is guarded by the activation literal of its frame. Activation literals imply
//! those of higher frames, so one assumption selects a frame. Gates are encoded on demand.

use obligato_circuit::{Circuit, Lit};
use obligato_solver::{Answer, Engine, Literal, Solver};

use super::cone::Cone;
use super::cube::{Cube, next_of};
use super::frames::Frames;
use super::meter::{NoAnswer, WorkMeter};
use crate::step_encoding::StepEncoding;

/// Temporary clauses stay in the solver after their query. With so many of them it is rebuilt.
const MOST_TEMPORARY: usize = 500;

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
    encoding: StepEncoding,
}

/// Steps from every level.
#[derive(Debug)]
pub struct Steps<'a> {
    setting: Setting<'a>,
    initial: Step,
    later: Step,
    /// The activators of levels 1 and up.
    activators: Vec<Literal>,
    /// The number of released temporary clauses.
    temporary: usize,
    /// The guard of the last query's temporary clause. The next query releases it: adding a clause earlier would invalidate
    /// the model.
    released: Option<Literal>,
    /// The frame of the last query.
    asked: usize,
}

impl<'a> Steps<'a> {
    /// Steps from all levels that there are.
    pub fn new(setting: Setting<'a>, frames: &Frames, meter: &WorkMeter) -> Self {
        let mut initial = Step::new(meter);
        let truth = initial.solver.variable();
        initial.solver.add(&[truth]);
        for latch in setting.circuit.latches() {
            if setting.cone.contains(latch.gate) {
                initial.encoding.set(latch.gate, truth.negated_if(!latch.initial));
            }
        }
        initial.constrain(&setting);
        let mut later = Step::new(meter);
        later.constrain(&setting);
        let activators = Vec::new();
        let mut steps =
            Self { setting, initial, later, activators, temporary: 0, released: None, asked: 0 };
        steps.take_over(frames);
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

    /// Rebuilds the solver of later steps when it has too many temporary clauses.
    pub fn rebuild_if_cluttered(&mut self, frames: &Frames, meter: &WorkMeter) {
        if self.temporary < MOST_TEMPORARY {
            return;
        }
        self.temporary = 0;
        self.released = None;
        self.later = Step::new(meter);
        self.later.constrain(&self.setting);
        self.activators.clear();
        self.take_over(frames);
    }

    fn take_over(&mut self, frames: &Frames) {
        for level in 1..=frames.top() {
            self.raise();
            for cube in frames.at(level) {
                self.exclude(level, cube);
            }
        }
    }

    /// Can this literal hold in a step from a state of this level?
    pub fn can_hold(
        &mut self,
        level: usize,
        lit: Lit,
        meter: &mut WorkMeter,
    ) -> Result<bool, NoAnswer> {
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
        meter: &mut WorkMeter,
    ) -> Result<bool, NoAnswer> {
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
        self.temporary += usize::from(guard.is_some());
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
            let literal = step.encoding.known(next_of(circuit, lit));
            literal.is_some_and(|literal| core.binary_search(&literal).is_ok())
        })
    }

    /// The value of a literal that the last question, answered with yes, depends on.
    pub fn value(&self, lit: Lit) -> bool {
        let step = if self.asked == 0 { &self.initial } else { &self.later };
        step.encoding.known(lit).is_some_and(|literal| step.solver.value(literal))
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

    fn ask(&mut self, assumptions: &[Literal], meter: &mut WorkMeter) -> Result<bool, NoAnswer> {
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
    fn new(meter: &WorkMeter) -> Self {
        Self { solver: Solver::new(Engine::Batsat, meter.stop()), encoding: StepEncoding::new() }
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
        self.encoding.literal(circuit, &mut self.solver, lit)
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
