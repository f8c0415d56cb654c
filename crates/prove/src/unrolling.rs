//! Several steps of a circuit in a row, in one solver.
//!
//! An [`Unrolling`] has a [`Frame`] per step; what a latch holds in one is what its `next` was in the
//! one before. Like a frame it encodes only what somebody asks for, and constants of the initial state go as
//! far as they reach without a clause.
//!
//! A query is about runs of a certain length, its [horizon](Unrolling::horizon), which may be shorter
//! than what was encoded so far: constraints bind the steps of the run and no others.
//!
//! **Ties** make an input of a step foretell the next one: a tied input equals a literal of the step
//! after, and is false in the last step of the run. So `seen later`, an input for one step of a circuit,
//! becomes what is seen later in the run. Ties only tell and never interfere: no latch and no constraint may depend
//! on a tied input, so every run has exactly one reading of them, from its last step backwards.

use obligato_circuit::{Circuit, Gate, GateId, LatchBit, Lit};
use obligato_solver::{Answer, Engine, Literal, Solver, Stop};
use rustc_hash::FxHashMap;

use crate::frame::Frame;
use crate::invariant::Invariant;
use crate::run::Run;

/// The states that runs begin in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Start {
    /// The initial one.
    Initial,
    /// Any, unless a query assumes one.
    Free,
}

/// The gate of an input, and the literal it is in the step after.
pub type Tie = (GateId, Lit);

/// Steps of a circuit in a solver.
#[derive(Debug)]
pub struct Unrolling<'c> {
    circuit: &'c Circuit,
    solver: Solver,
    start: Start,
    /// A literal that is true.
    truth: Literal,
    /// What has to hold in every step of a run.
    required: Vec<Lit>,
    /// What does hold in every step of a run.
    known: Vec<Vec<Lit>>,
    ties: FxHashMap<GateId, Lit>,
    /// By gate: does it depend on a tied input of the same step? Without ties, of no length.
    foretells: Vec<bool>,
    steps: Vec<Step>,
    /// To be connected now.
    loose: Vec<LooseTie>,
    /// Those of the last step, to be connected when there is another.
    waiting: Vec<LooseTie>,
}

#[derive(Debug)]
struct Step {
    frame: Frame,
    /// Does the run go on after this step?
    goes_on: Literal,
}

/// A tied input that is not yet connected to the step after its own.
#[derive(Debug)]
struct LooseTie {
    step: usize,
    input: Literal,
    lit: Lit,
}

impl<'c> Unrolling<'c> {
    /// No step yet.
    pub fn new(circuit: &'c Circuit, engine: Engine, start: Start, stop: &Stop) -> Self {
        let mut solver = Solver::new(engine, stop);
        let truth = solver.variable();
        solver.add(&[truth]);
        let required = circuit.constraints().to_vec();
        Self {
            circuit,
            solver,
            start,
            truth,
            required,
            known: Vec::new(),
            ties: FxHashMap::default(),
            foretells: Vec::new(),
            steps: Vec::new(),
            loose: Vec::new(),
            waiting: Vec::new(),
        }
    }

    /// Ties inputs on which no latch and no constraint depends. Before there are steps.
    #[must_use]
    pub fn with_ties(mut self, ties: &[Tie]) -> Self {
        debug_assert!(self.steps.is_empty(), "the steps there are would miss the ties");
        self.ties.extend(ties.iter().copied());
        self.foretells = gates_above(self.circuit, self.ties.keys().copied());
        let nexts = self.circuit.latches().iter().map(|latch| latch.next);
        let mut matters = nexts.chain(self.required.iter().copied());
        debug_assert!(
            !matters.any(|lit| self.foretells(lit)),
            "a run depends on what it foretells"
        );
        self
    }

    /// One more thing that holds in every step of a run, like a constraint. Before there are steps.
    #[must_use]
    pub fn requiring(mut self, lit: Lit) -> Self {
        debug_assert!(self.steps.is_empty(), "the steps there are would miss the requirement");
        self.required.push(lit);
        self
    }

    /// Helps the solver by what is known of every step. Before there are steps.
    #[must_use]
    pub fn knowing(mut self, invariant: &Invariant) -> Self {
        debug_assert!(self.steps.is_empty(), "the steps there are would miss the clauses");
        self.known.extend_from_slice(&invariant.clauses);
        self
    }

    /// Clauses hold in a step of every run that has it.
    pub fn assert(&mut self, step: usize, clauses: &[Vec<Lit>]) {
        let exists = self.exists(step);
        for clause in clauses {
            let literals = clause.iter().map(|lit| self.literal(step, *lit));
            let clause: Vec<Literal> = literals.chain([!exists]).collect();
            self.solver.add(&clause);
        }
    }

    /// The circuit.
    pub fn circuit(&self) -> &'c Circuit {
        self.circuit
    }

    /// The states that runs begin in.
    pub fn start(&self) -> Start {
        self.start
    }

    /// How many steps there are.
    pub fn steps(&self) -> usize {
        self.steps.len()
    }

    /// Does a literal depend on a tied input, and so on later steps?
    pub fn foretells(&self, lit: Lit) -> bool {
        self.foretells.get(lit.gate() as usize).is_some_and(|foretells| *foretells)
    }

    /// Adds a step.
    pub fn push(&mut self) {
        let step = self.steps.len();
        let exists = self.exists(step);
        let goes_on = self.solver.variable();
        self.solver.add(&[!goes_on, exists]);
        self.steps.push(Step { frame: Frame::new(), goes_on });
        self.loose.append(&mut self.waiting);
        self.connect();
        for index in 0..self.required.len() {
            let required = self.literal(step, self.required[index]);
            self.solver.add(&[!exists, required]);
        }
        let known = std::mem::take(&mut self.known);
        self.assert(step, &known);
        self.known = known;
    }

    /// Assumptions: the run ends with this step.
    pub fn horizon(&self, last: usize) -> [Literal; 2] {
        [self.exists(last), !self.steps[last].goes_on]
    }

    /// From now on, every run has this step.
    pub fn commit(&mut self, step: usize) {
        let exists = self.exists(step);
        self.solver.add(&[exists]);
    }

    /// The solver's literal for a literal of the circuit in a step, with all that defines it.
    pub fn literal(&mut self, step: usize, lit: Lit) -> Literal {
        let literal = self.encode(step, lit);
        self.connect();
        literal
    }

    /// Is there a run in which the assumptions hold? At most so many conflicts are spent. With no
    /// [horizon](Self::horizon) among the assumptions it may have any length.
    pub fn solve(&mut self, assumptions: &[Literal], most_conflicts: Option<u64>) -> Answer {
        self.solver.solve(assumptions, most_conflicts)
    }

    /// Assumptions: the first step begins in this state, as far as anyone has asked for it.
    pub fn begins_in(&self, state: &[bool]) -> Vec<Literal> {
        let Some(first) = self.steps.first() else { return Vec::new() };
        let literal = |(latch, held): (&LatchBit, &bool)| {
            first.frame.known(Lit::of(latch.gate).negated_if(!held))
        };
        self.circuit.latches().iter().zip(state).filter_map(literal).collect()
    }

    /// The value of a literal in the run just found, unless nobody has asked for it.
    pub fn value(&self, step: usize, lit: Lit) -> Option<bool> {
        Some(self.solver.value(self.steps[step].frame.known(lit)?))
    }

    /// The inputs of the run just found, up to a step. Those that nobody has asked for are false.
    pub fn run(&self, last: usize) -> Run {
        let inputs = |step| {
            let value = |gate: &GateId| self.value(step, Lit::of(*gate)).unwrap_or(false);
            self.circuit.inputs().iter().map(value).collect()
        };
        Run { steps: (0..=last).map(inputs).collect() }
    }

    /// The solver, for more clauses and for what it says of its work.
    pub fn solver(&mut self) -> &mut Solver {
        &mut self.solver
    }

    /// Is the step part of the run?
    fn exists(&self, step: usize) -> Literal {
        step.checked_sub(1).map_or(self.truth, |before| self.steps[before].goes_on)
    }

    /// Defines a literal. Tied inputs in its cone are left loose.
    fn encode(&mut self, step: usize, lit: Lit) -> Literal {
        let mut open = vec![(step, lit.gate())];
        while let Some((step, gate)) = open.last().copied() {
            match self.define(step, gate) {
                Ok(()) => drop(open.pop()),
                Err(needed) => open.push(needed),
            }
        }
        self.steps[step].frame.known(lit).expect("invariant: just encoded")
    }

    /// Defines a gate, or says which other one has to be defined first.
    fn define(&mut self, step: usize, gate: GateId) -> Result<(), (usize, GateId)> {
        if self.steps[step].frame.known(Lit::of(gate)).is_some() {
            return Ok(());
        }
        let operand =
            |step: usize, lit: Lit| self.steps[step].frame.known(lit).ok_or((step, lit.gate()));
        let literal = match self.circuit.gate(gate) {
            Gate::False => !self.truth,
            Gate::Input(_) => self.input(step, gate),
            Gate::Latch(index) => {
                let latch = self.circuit.latches()[index as usize];
                match step.checked_sub(1) {
                    Some(before) => operand(before, latch.next)?,
                    None if self.start == Start::Free => self.solver.variable(),
                    None => self.truth.negated_if(!latch.initial),
                }
            }
            Gate::And(a, b) => {
                let (a, b) = (operand(step, a)?, operand(step, b)?);
                self.conjunction(a, b)
            }
        };
        self.steps[step].frame.set(gate, literal);
        Ok(())
    }

    fn input(&mut self, step: usize, gate: GateId) -> Literal {
        let input = self.solver.variable();
        if let Some(lit) = self.ties.get(&gate).copied() {
            self.solver.add(&[!input, self.steps[step].goes_on]);
            let tie = LooseTie { step, input, lit };
            if step + 1 < self.steps.len() { &mut self.loose } else { &mut self.waiting }.push(tie);
        }
        input
    }

    fn conjunction(&mut self, a: Literal, b: Literal) -> Literal {
        if a == b || b == self.truth {
            return a;
        }
        if a == self.truth {
            return b;
        }
        if a == !b || a == !self.truth || b == !self.truth {
            return !self.truth;
        }
        let both = self.solver.variable();
        self.solver.add(&[!both, a]);
        self.solver.add(&[!both, b]);
        self.solver.add(&[both, !a, !b]);
        both
    }

    /// Connects loose ties to the steps after theirs, and those that this brings up.
    fn connect(&mut self) {
        while let Some(LooseTie { step, input, lit }) = self.loose.pop() {
            let goes_on = self.steps[step].goes_on;
            let later = self.encode(step + 1, lit);
            self.solver.add(&[!goes_on, !input, later]);
            self.solver.add(&[!goes_on, input, !later]);
        }
    }
}

/// By gate: is it one of these inputs, or does it depend on one in the same step?
fn gates_above(circuit: &Circuit, inputs: impl Iterator<Item = GateId>) -> Vec<bool> {
    let mut above = vec![false; circuit.len()];
    inputs.for_each(|input| above[input as usize] = true);
    for (index, gate) in circuit.gates().iter().enumerate() {
        if let Gate::And(a, b) = gate {
            above[index] = above[a.gate() as usize] || above[b.gate() as usize];
        }
    }
    above
}

#[cfg(test)]
mod tests;
