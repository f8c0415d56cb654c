//! One step of a circuit as clauses.
//!
//! A [`StepEncoding`] is the Tseitin encoding of one step in a solver. Gates get their variable and clauses on
//! demand, so the solver holds only the cones of the literals in its queries.

use obligato_circuit::{Circuit, Gate, GateId, Lit};
use obligato_solver::{Literal, Solver};

/// A step of a circuit in a solver. Inputs and latches are variables unless
/// [`set`](Self::set) made them something else first.
#[derive(Clone, Debug, Default)]
pub struct StepEncoding {
    /// By gate.
    literals: Vec<Option<Literal>>,
}

impl StepEncoding {
    /// An encoding without gates.
    pub fn new() -> Self {
        Self::default()
    }

    /// Maps a gate to a literal of the solver, for example a latch to its next-state literal in the step
    /// before. The gate must not be encoded yet.
    pub fn set(&mut self, gate: GateId, literal: Literal) {
        let slot = self.slot(gate);
        debug_assert!(slot.is_none(), "gate {gate} has its literal already");
        *slot = Some(literal);
    }

    /// The literal of a gate, if it is encoded.
    pub fn known(&self, lit: Lit) -> Option<Literal> {
        let literal = self.literals.get(lit.gate() as usize).copied().flatten()?;
        Some(literal.negated_if(lit.is_negated()))
    }

    /// The solver's literal for a literal of the circuit; encodes its cone.
    pub fn literal(&mut self, circuit: &Circuit, solver: &mut Solver, lit: Lit) -> Literal {
        let mut open = vec![lit.gate()];
        while let Some(gate) = open.last().copied() {
            if self.slot(gate).is_some() {
                open.pop();
                continue;
            }
            let Gate::And(a, b) = circuit.gate(gate) else {
                open.pop();
                let literal = solver.variable();
                if circuit.gate(gate) == Gate::False {
                    solver.add(&[!literal]);
                }
                *self.slot(gate) = Some(literal);
                continue;
            };
            match (self.known(a), self.known(b)) {
                (Some(a), Some(b)) => {
                    open.pop();
                    let both = solver.dependent_variable();
                    solver.add(&[!both, a]);
                    solver.add(&[!both, b]);
                    solver.add(&[both, !a, !b]);
                    *self.slot(gate) = Some(both);
                }
                (known, _) => open.push(if known.is_none() { a.gate() } else { b.gate() }),
            }
        }
        self.known(lit).expect("invariant: just encoded")
    }

    fn slot(&mut self, gate: GateId) -> &mut Option<Literal> {
        let index = gate as usize;
        if index >= self.literals.len() {
            self.literals.resize(index + 1, None);
        }
        &mut self.literals[index]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use obligato_solver::{Answer, Engine, Stop};

    #[test]
    fn the_clauses_of_a_gate_mean_what_the_gate_does() {
        let mut circuit = Circuit::new();
        let operands = [circuit.input(), circuit.input()];
        let differ = circuit.xor(operands[0], operands[1]);
        let mut solver = Solver::new(Engine::Batsat, &Stop::never());
        let mut encoding = StepEncoding::new();
        let [x, y] = operands.map(|lit| encoding.literal(&circuit, &mut solver, lit));
        let z = encoding.literal(&circuit, &mut solver, differ);
        for (first, second) in [(false, false), (false, true), (true, false), (true, true)] {
            let inputs = [x.negated_if(!first), y.negated_if(!second)];
            assert_eq!(solver.solve(&inputs, None), Answer::Sat);
            assert_eq!(solver.value(z), first != second);
        }
    }

    #[test]
    fn a_deep_circuit_does_not_recurse() {
        let mut circuit = Circuit::new();
        let mut last = circuit.input();
        for _ in 0..200_000 {
            let next = circuit.input();
            last = !circuit.and(last, next);
        }
        let mut solver = Solver::new(Engine::Batsat, &Stop::never());
        StepEncoding::new().literal(&circuit, &mut solver, last);
        assert_eq!(solver.variables(), 400_001);
    }
}
