//! The unrolling of a circuit over several steps, in one solver.
//!
//! An [`Unrolling`] has a [`StepEncoding`] per step; a latch in one step is the literal of its `next` in the
//! step before. It encodes gates on demand, and propagates the constants of the initial state without clauses.
//!
//! A query is about runs of a certain length, its [horizon](Unrolling::horizon), which may be shorter
//! than the unrolling: constraints bind the steps of the run and no others.
//!
//! **Prophecy variables** (Abadi and Lamport, "The existence of refinement mappings", 1991) are inputs whose value predicts the
//! next step: a prophecy input equals a given literal of the next step, and is false in the last step of the run. So `observed
//! later`, a free input within one step of a circuit, gets its meaning from the rest of the run. No latch and no constraint may
//! depend on a prophecy input, so prophecies restrict no run: they have exactly one value in each, computed from its last step backwards.

use obligato_circuit::{Circuit, Gate, GateId, LatchBit, Lit};
use obligato_solver::{Answer, Engine, Literal, Solver, Stop};
use rustc_hash::FxHashMap;

use crate::invariant::Invariant;
use crate::run::Run;
use crate::step_encoding::StepEncoding;

/// The states in which runs start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Start {
    /// The initial state.
    Initial,
    /// Any state, unless a query assumes one.
    Free,
}

/// A prophecy variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Prophecy {
    /// The gate of the input.
    pub input: GateId,
    /// The literal whose value in the next step the input predicts.
    pub predicts: Lit,
}

/// The unrolled steps of a circuit in a solver.
#[derive(Debug)]
pub struct Unrolling<'c> {
    circuit: &'c Circuit,
    solver: Solver,
    start: Start,
    /// A literal that is true.
    truth: Literal,
    /// Constraints of every step of a run.
    required: Vec<Lit>,
    /// Clauses of a known invariant, added to every step to help the solver.
    known: Vec<Vec<Lit>>,
    /// By input gate: the literal that it predicts.
    prophecies: FxHashMap<GateId, Lit>,
    /// By gate: does it depend on a prophecy input of the same step? Empty without prophecies.
    depends_on_prophecy: Vec<bool>,
    steps: Vec<Step>,
    /// Prophecies to connect now.
    unconnected: Vec<OpenProphecy>,
    /// Prophecies of the last step, connected when another step is pushed.
    pending: Vec<OpenProphecy>,
}

#[derive(Debug)]
struct Step {
    encoding: StepEncoding,
    /// True if the run continues after this step.
    continues: Literal,
}

/// A prophecy input whose predicted literal in the next step is not encoded yet.
#[derive(Debug)]
struct OpenProphecy {
    step: usize,
    input: Literal,
    lit: Lit,
}

impl<'c> Unrolling<'c> {
    /// An unrolling without steps.
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
            prophecies: FxHashMap::default(),
            depends_on_prophecy: Vec::new(),
            steps: Vec::new(),
            unconnected: Vec::new(),
            pending: Vec::new(),
        }
    }

    /// Makes inputs prophecies, on which no latch and no constraint may depend. Call it before [`push`](Self::push).
    #[must_use]
    pub fn with_prophecies(mut self, prophecies: &[Prophecy]) -> Self {
        debug_assert!(self.steps.is_empty(), "existing steps would miss the prophecies");
        let predicted = prophecies.iter().map(|prophecy| (prophecy.input, prophecy.predicts));
        self.prophecies.extend(predicted);
        self.depends_on_prophecy = gates_above(self.circuit, self.prophecies.keys().copied());
        let nexts = self.circuit.latches().iter().map(|latch| latch.next);
        let mut matters = nexts.chain(self.required.iter().copied());
        debug_assert!(
            !matters.any(|lit| self.depends_on_prophecy(lit)),
            "a run depends on its prophecies"
        );
        self
    }

    /// Adds a constraint to every step of a run. Call it before [`push`](Self::push).
    #[must_use]
    pub fn requiring(mut self, lit: Lit) -> Self {
        debug_assert!(self.steps.is_empty(), "existing steps would miss the constraint");
        self.required.push(lit);
        self
    }

    /// Adds a known invariant to every step, which helps the solver. Call it before [`push`](Self::push).
    #[must_use]
    pub fn assuming(mut self, invariant: &Invariant) -> Self {
        debug_assert!(self.steps.is_empty(), "existing steps would miss the clauses");
        self.known.extend_from_slice(&invariant.clauses);
        self
    }

    /// Adds clauses to a step, for all runs that have this step.
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

    /// The states in which runs start.
    pub fn start(&self) -> Start {
        self.start
    }

    /// How many steps there are.
    pub fn steps(&self) -> usize {
        self.steps.len()
    }

    /// Does a literal depend on a prophecy input, and so on later steps?
    pub fn depends_on_prophecy(&self, lit: Lit) -> bool {
        self.depends_on_prophecy
            .get(lit.gate() as usize)
            .is_some_and(|depends_on_prophecy| *depends_on_prophecy)
    }

    /// Adds a step.
    pub fn push(&mut self) {
        let step = self.steps.len();
        let exists = self.exists(step);
        let continues = self.solver.variable();
        self.solver.add(&[!continues, exists]);
        self.steps.push(Step { encoding: StepEncoding::new(), continues });
        self.unconnected.append(&mut self.pending);
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
        [self.exists(last), !self.steps[last].continues]
    }

    /// From now on, every run has this step.
    pub fn commit(&mut self, step: usize) {
        let exists = self.exists(step);
        self.solver.add(&[exists]);
    }

    /// The solver's literal for a literal of the circuit in a step; encodes its cone.
    pub fn literal(&mut self, step: usize, lit: Lit) -> Literal {
        let literal = self.encode(step, lit);
        self.connect();
        literal
    }

    /// Is there a run under the assumptions? Spends at most `most_conflicts`. Without a [horizon](Self::horizon) among
    /// the assumptions, the run may have any length.
    pub fn solve(&mut self, assumptions: &[Literal], most_conflicts: Option<u64>) -> Answer {
        self.solver.solve(assumptions, most_conflicts)
    }

    /// Assumptions: the first step starts in this state. Latches that are not encoded do not occur.
    pub fn begins_in(&self, state: &[bool]) -> Vec<Literal> {
        let Some(first) = self.steps.first() else { return Vec::new() };
        let literal = |(latch, held): (&LatchBit, &bool)| {
            first.encoding.known(Lit::of(latch.gate).negated_if(!held))
        };
        self.circuit.latches().iter().zip(state).filter_map(literal).collect()
    }

    /// The value of a literal in the last model, if it is encoded.
    pub fn value(&self, step: usize, lit: Lit) -> Option<bool> {
        Some(self.solver.value(self.steps[step].encoding.known(lit)?))
    }

    /// The run of the last model, up to a step. Inputs that are not encoded are false.
    pub fn run(&self, last: usize) -> Run {
        let inputs = |step| {
            let value = |gate: &GateId| self.value(step, Lit::of(*gate)).unwrap_or(false);
            self.circuit.inputs().iter().map(value).collect()
        };
        Run { steps: (0..=last).map(inputs).collect() }
    }

    /// The solver, for more clauses and its statistics.
    pub fn solver(&mut self) -> &mut Solver {
        &mut self.solver
    }

    /// True if the step is part of the run.
    fn exists(&self, step: usize) -> Literal {
        step.checked_sub(1).map_or(self.truth, |before| self.steps[before].continues)
    }

    /// Encodes the cone of a literal. Leaves the prophecy inputs in it unconnected.
    fn encode(&mut self, step: usize, lit: Lit) -> Literal {
        let mut open = vec![(step, lit.gate())];
        while let Some((step, gate)) = open.last().copied() {
            match self.define(step, gate) {
                Ok(()) => drop(open.pop()),
                Err(needed) => open.push(needed),
            }
        }
        self.steps[step].encoding.known(lit).expect("invariant: just encoded")
    }

    /// Encodes a gate, or returns a gate that has to be encoded first.
    fn define(&mut self, step: usize, gate: GateId) -> Result<(), (usize, GateId)> {
        if self.steps[step].encoding.known(Lit::of(gate)).is_some() {
            return Ok(());
        }
        let operand =
            |step: usize, lit: Lit| self.steps[step].encoding.known(lit).ok_or((step, lit.gate()));
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
        self.steps[step].encoding.set(gate, literal);
        Ok(())
    }

    fn input(&mut self, step: usize, gate: GateId) -> Literal {
        let input = self.solver.variable();
        if let Some(lit) = self.prophecies.get(&gate).copied() {
            self.solver.add(&[!input, self.steps[step].continues]);
            let prophecy = OpenProphecy { step, input, lit };
            if step + 1 < self.steps.len() { &mut self.unconnected } else { &mut self.pending }
                .push(prophecy);
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

    /// Equates unconnected prophecies with the literals they predict, until encoding those brings up no more.
    fn connect(&mut self) {
        while let Some(OpenProphecy { step, input, lit }) = self.unconnected.pop() {
            let continues = self.steps[step].continues;
            let later = self.encode(step + 1, lit);
            self.solver.add(&[!continues, !input, later]);
            self.solver.add(&[!continues, input, !later]);
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
