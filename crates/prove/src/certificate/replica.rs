//! Copies of a circuit's step for the check: every gate that matters, in one scan.
//!
//! Engines encode gates on demand and in their own ways. The check shares none of that, so a mistake there is not
//! repeated here.

use obligato_circuit::{Circuit, Gate, GateId, LatchBit, Lit};
use obligato_solver::{Literal, Solver};

/// The gates that a check is about.
#[derive(Debug)]
pub struct Part<'a> {
    circuit: &'a Circuit,
    /// Ascending, so that operands come first.
    gates: Vec<GateId>,
}

/// One step in a solver. The constraints of the circuit hold in it.
#[derive(Debug)]
pub struct Replica {
    /// By gate; none for gates that do not matter.
    literals: Vec<Option<Literal>>,
}

/// The state in which a step starts.
#[derive(Clone, Copy, Debug)]
pub enum Start<'a> {
    /// The first of all.
    Initial,
    /// Any.
    Free,
    /// The one in which another step ends.
    After(&'a Replica),
}

impl<'a> Part<'a> {
    /// What the constraints and these literals depend on, now or by way of latches.
    pub fn new(circuit: &'a Circuit, roots: impl IntoIterator<Item = Lit>) -> Self {
        let mut open: Vec<Lit> = circuit.constraints().iter().copied().chain(roots).collect();
        let mut matters = vec![false; circuit.len()];
        matters[0] = true;
        while let Some(lit) = open.pop() {
            let gate = lit.gate();
            if !std::mem::replace(&mut matters[gate as usize], true) {
                match circuit.gate(gate) {
                    Gate::And(a, b) => open.extend([a, b]),
                    Gate::Latch(index) => open.push(circuit.latches()[index as usize].next),
                    Gate::Input(_) | Gate::False => {}
                }
            }
        }
        let gates = (0..circuit.len() as GateId).filter(|gate| matters[*gate as usize]).collect();
        Self { circuit, gates }
    }

    /// Adds a step to a solver.
    pub fn replica(&self, solver: &mut Solver, start: Start<'_>) -> Replica {
        let mut replica = Replica { literals: vec![None; self.circuit.len()] };
        for gate in &self.gates {
            let literal = match (self.circuit.gate(*gate), start) {
                (Gate::False, _) => constant(solver, false),
                (Gate::Latch(index), Start::Initial) => constant(solver, self.latch(index).initial),
                (Gate::Latch(index), Start::After(before)) => {
                    before.literal(self.latch(index).next)
                }
                (Gate::Input(_), _) | (Gate::Latch(_), Start::Free) => solver.variable(),
                (Gate::And(a, b), _) => {
                    let (a, b) = (replica.literal(a), replica.literal(b));
                    let both = solver.variable();
                    solver.add(&[!both, a]);
                    solver.add(&[!both, b]);
                    solver.add(&[both, !a, !b]);
                    both
                }
            };
            replica.literals[*gate as usize] = Some(literal);
        }
        for constraint in self.circuit.constraints() {
            solver.add(&[replica.literal(*constraint)]);
        }
        replica
    }

    fn latch(&self, index: u32) -> LatchBit {
        self.circuit.latches()[index as usize]
    }
}

impl Replica {
    /// The solver's literal for a literal that matters.
    pub fn literal(&self, lit: Lit) -> Literal {
        let literal = self.literals[lit.gate() as usize].expect("invariant: part of the check");
        literal.negated_if(lit.is_negated())
    }

    /// A clause of the circuit, in this step.
    pub fn clause(&self, lits: &[Lit]) -> Vec<Literal> {
        lits.iter().map(|lit| self.literal(*lit)).collect()
    }
}

fn constant(solver: &mut Solver, value: bool) -> Literal {
    let literal = solver.variable();
    solver.add(&[literal.negated_if(!value)]);
    literal
}
