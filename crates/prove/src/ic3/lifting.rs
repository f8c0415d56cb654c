//! From a step of one state to the same step of many states.
//!
//! A solver's model gives every latch a value, and most of them do not matter. Walking back from what has to
//! hold, a gate that is true needs both operands, and one that is false needs only one that is
//! false; the latches met on the way are those that matter. With the same inputs, every state that agrees on
//! them takes the step too. This is the justification of circuit-based solvers, in place of the ternary
//! simulation of Eén, Mishchenko and Brayton ("Efficient Implementation of Property Directed
//! Reachability", FMCAD 2011): linear in what is visited, whatever the number of latches.

use obligato_circuit::{Circuit, Gate, GateId, Lit};

use super::cone::Cone;
use super::cube::Cube;

/// What lifting remembers of a circuit.
#[derive(Debug)]
pub struct Lifting {
    /// By gate: how many latches it reads, counted by ways; nothing is to be justified where it is 0.
    weights: Vec<u32>,
    /// By gate: the last walk that justified it.
    justified_in: Vec<u32>,
    walk: u32,
    /// Gates whose value has to be justified.
    open: Vec<GateId>,
    /// Gates with two false operands, looked at last: by then one of them may be justified anyway.
    choices: Vec<GateId>,
}

impl Lifting {
    /// Lifting in this part of a circuit.
    pub fn new(circuit: &Circuit, cone: &Cone) -> Self {
        let mut weights = vec![0_u32; circuit.len()];
        for (index, gate) in circuit.gates().iter().enumerate() {
            if cone.contains(index as GateId) {
                weights[index] = match gate {
                    Gate::And(a, b) => {
                        weights[a.gate() as usize].saturating_add(weights[b.gate() as usize])
                    }
                    Gate::Latch(_) => 1,
                    Gate::Input(_) | Gate::False => 0,
                };
            }
        }
        let justified_in = vec![0; circuit.len()];
        Self { weights, justified_in, walk: 0, open: Vec::new(), choices: Vec::new() }
    }

    /// The latches that make the roots what they are, whatever the others hold. `value` reads the step's
    /// model: inputs keep their values.
    pub fn lift(
        &mut self,
        circuit: &Circuit,
        roots: impl IntoIterator<Item = Lit>,
        value: impl Fn(Lit) -> bool,
    ) -> Cube {
        self.walk += 1;
        let mut lits = Vec::new();
        roots.into_iter().for_each(|root| self.require(root));
        while let Some(gate) = self.open.pop().or_else(|| self.choices.pop()) {
            match circuit.gate(gate) {
                Gate::And(a, b) if value(Lit::of(gate)) => {
                    self.require(a);
                    self.require(b);
                }
                Gate::And(a, b) => match (value(a), value(b)) {
                    (false, true) => self.require(a),
                    (true, _) => self.require(b),
                    (false, false) => self.choose(gate, a, b),
                },
                Gate::Latch(_) => lits.push(Lit::of(gate).negated_if(!value(Lit::of(gate)))),
                Gate::Input(_) | Gate::False => {}
            }
        }
        Cube::new(lits)
    }

    /// Puts a gate on the list, once.
    fn require(&mut self, lit: Lit) {
        let gate = lit.gate() as usize;
        if self.weights[gate] > 0 && self.justified_in[gate] != self.walk {
            self.justified_in[gate] = self.walk;
            self.open.push(lit.gate());
        }
    }

    /// Requires one of two operands that are false: none if one needs no latch or is justified already, and
    /// otherwise, when everything else is done, the lighter one.
    fn choose(&mut self, gate: GateId, a: Lit, b: Lit) {
        let free = |lit: Lit| {
            let index = lit.gate() as usize;
            self.weights[index] == 0 || self.justified_in[index] == self.walk
        };
        if free(a) || free(b) {
            return;
        }
        if !self.open.is_empty() {
            self.choices.push(gate);
            return;
        }
        let lighter = self.weights[a.gate() as usize] <= self.weights[b.gate() as usize];
        self.require(if lighter { a } else { b });
    }
}
