//! Bit-parallel random simulation of a circuit: many runs at once, a bit for each.
//!
//! All runs start in the initial state and satisfy the constraints, so every value of a [`RandomRuns`] is
//! reachable. If inputs violate a constraint, those in its support are drawn again; a run that still violates
//! it after some attempts restarts.

use obligato_circuit::{Circuit, Gate, GateId, LatchBit, Lit};
use obligato_model::Random;
use rustc_hash::FxHashSet;

/// Machine words of one bit per run.
const WORDS: usize = 4;
/// How often inputs are drawn again.
const MOST_REDRAWS: usize = 24;
/// The most gates visited to compute the support of constraints. Beyond that, runs that violate a constraint
/// restart without another attempt.
const MOST_VISITS: usize = 10_000_000;

/// A bit of every run.
pub type Lanes = [u64; WORDS];

/// Random runs of a circuit, all in the same step.
#[derive(Clone, Debug)]
pub struct RandomRuns<'c> {
    circuit: &'c Circuit,
    random: Random,
    /// By gate.
    values: Vec<Lanes>,
    constraints: Vec<Constraint>,
    /// The gates in the cones of constraints, operands first.
    constraint_gates: Vec<GateId>,
    /// The runs whose step satisfies the constraints.
    allowed: Lanes,
}

#[derive(Clone, Debug)]
struct Constraint {
    lit: Lit,
    /// Its support: the inputs it depends on.
    inputs: Vec<GateId>,
}

impl<'c> RandomRuns<'c> {
    /// Runs in their first step. The same seed gives the same runs.
    pub fn new(circuit: &'c Circuit, seed: u64) -> Self {
        let random = Random::for_purpose(seed, "simulation of circuits");
        let (constraints, constraint_gates) = dissect_constraints(circuit);
        let allowed = all(false);
        let mut values = vec![allowed; circuit.len()];
        for latch in circuit.latches() {
            values[latch.gate as usize] = all(latch.initial);
        }
        let mut runs = Self { circuit, random, values, constraints, constraint_gates, allowed };
        runs.evaluate();
        runs
    }

    /// The runs that satisfy the constraints in this step; values of the others are meaningless.
    pub fn allowed(&self) -> Lanes {
        self.allowed
    }

    /// The values of a literal in this step.
    pub fn value(&self, lit: Lit) -> Lanes {
        let value = self.values[lit.gate() as usize];
        if lit.is_negated() { value.map(|word| !word) } else { value }
    }

    /// Takes a step. Runs that violated a constraint restart.
    pub fn step(&mut self) {
        let held =
            |latch: &LatchBit| merge(self.allowed, self.value(latch.next), all(latch.initial));
        let held: Vec<Lanes> = self.circuit.latches().iter().map(held).collect();
        for (latch, held) in self.circuit.latches().iter().zip(held) {
            self.values[latch.gate as usize] = held;
        }
        self.evaluate();
    }

    /// Draws inputs and evaluates the step.
    fn evaluate(&mut self) {
        for input in self.circuit.inputs() {
            let value = &mut self.values[*input as usize];
            *value = draw(&mut self.random, *value);
        }
        let mut redraws = 0;
        self.allowed = loop {
            let allowed = self.compute_constraints();
            if allowed == all(true) || redraws == MOST_REDRAWS {
                break allowed;
            }
            self.redraw();
            redraws += 1;
        };
        for gate in 0..self.circuit.len() as GateId {
            self.compute(gate);
        }
    }

    /// The runs that satisfy all constraints.
    fn compute_constraints(&mut self) -> Lanes {
        for index in 0..self.constraint_gates.len() {
            self.compute(self.constraint_gates[index]);
        }
        let kept = |kept, constraint: &Constraint| both(kept, self.value(constraint.lit));
        self.constraints.iter().fold(all(true), kept)
    }

    /// Draws the support of violated constraints again, in the runs that violate them.
    fn redraw(&mut self) {
        for constraint in &self.constraints {
            let kept = self.value(constraint.lit);
            if kept == all(true) {
                continue;
            }
            for input in &constraint.inputs {
                let value = &mut self.values[*input as usize];
                *value = merge(kept, *value, all(true).map(|_| self.random.next()));
            }
        }
    }

    fn compute(&mut self, gate: GateId) {
        if let Gate::And(a, b) = self.circuit.gate(gate) {
            self.values[gate as usize] = both(self.value(a), self.value(b));
        }
    }
}

/// The conjuncts of the constraints, and all gates in their cones.
fn dissect_constraints(circuit: &Circuit) -> (Vec<Constraint>, Vec<GateId>) {
    let mut supports = Supports { circuit, visited: vec![0; circuit.len()], visits: 0 };
    let mut constraints = Vec::new();
    let mut needed = vec![false; circuit.len()];
    let mut parts: Vec<Lit> = circuit.constraints().to_vec();
    let mut taken: FxHashSet<Lit> = FxHashSet::default();
    while let Some(lit) = parts.pop() {
        needed[lit.gate() as usize] = true;
        match circuit.gate(lit.gate()) {
            _ if !taken.insert(lit) => {}
            Gate::And(a, b) if !lit.is_negated() => parts.extend([a, b]),
            _ => constraints.push(Constraint { lit, inputs: supports.inputs_of(lit, taken.len()) }),
        }
    }
    for gate in (0..circuit.len()).rev() {
        if let (true, Gate::And(a, b)) = (needed[gate], circuit.gates()[gate]) {
            needed[a.gate() as usize] = true;
            needed[b.gate() as usize] = true;
        }
    }
    let gates = (0..circuit.len() as GateId).filter(|gate| needed[*gate as usize]);
    (constraints, gates.collect())
}

/// Computes the supports of literals within a step.
struct Supports<'c> {
    circuit: &'c Circuit,
    /// By gate: the number of the literal whose cone visited it last.
    visited: Vec<usize>,
    visits: usize,
}

impl Supports<'_> {
    /// The support of a literal, ascending; empty when the limit of visits is reached. Each literal
    /// has a number of its own.
    fn inputs_of(&mut self, lit: Lit, number: usize) -> Vec<GateId> {
        let mut inputs = Vec::new();
        let mut open = vec![lit.gate()];
        while let Some(gate) = open.pop() {
            if std::mem::replace(&mut self.visited[gate as usize], number) == number {
                continue;
            }
            self.visits += 1;
            if self.visits > MOST_VISITS {
                return Vec::new();
            }
            match self.circuit.gate(gate) {
                Gate::Input(_) => inputs.push(gate),
                Gate::And(a, b) => open.extend([a.gate(), b.gate()]),
                Gate::False | Gate::Latch(_) => {}
            }
        }
        inputs.sort_unstable();
        inputs
    }
}

/// New values of an input: uniform in the first word, mostly the old ones in the second, mostly
/// false in the third, mostly true in the last. States that need an input to stay constant for long are reached so.
fn draw(random: &mut Random, old: Lanes) -> Lanes {
    let [a, b, c] = [(); 3].map(|()| random.next());
    let [even, rarely] = [random.next(), a & b & c];
    [even, (old[1] & !rarely) | (even & rarely), b & c, even | a]
}

/// The same bit in every run.
fn all(value: bool) -> Lanes {
    [u64::from(value).wrapping_neg(); WORDS]
}

fn both(a: Lanes, b: Lanes) -> Lanes {
    std::array::from_fn(|word| a[word] & b[word])
}

/// `first` where the mask is true, `second` elsewhere.
fn merge(mask: Lanes, first: Lanes, second: Lanes) -> Lanes {
    std::array::from_fn(|word| (first[word] & mask[word]) | (second[word] & !mask[word]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::explicit_state::{circuits, explore};
    use crate::run::initial_state;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    #[test]
    fn inputs_are_redrawn_one_constraint_at_a_time() {
        let mut circuit = Circuit::new();
        let inputs: Vec<Lit> = (0..60).map(|_| circuit.input()).collect();
        let pairs: Vec<Lit> = inputs.chunks(2).map(|pair| circuit.and(pair[0], pair[1])).collect();
        let everything = circuit.all(pairs.iter().map(|pair| !*pair));
        circuit.constrain(everything);
        // One in 5600 would be allowed if all inputs were drawn again for each.
        let mut runs = RandomRuns::new(&circuit, 1);
        for _ in 0..20 {
            assert_eq!(runs.allowed(), all(true));
            runs.step();
        }
    }

    #[test]
    fn a_run_without_successor_restarts() {
        let mut circuit = Circuit::new();
        let (go, stuck) = (circuit.input(), circuit.latch(false));
        circuit.set_next(0, go);
        circuit.constrain(!stuck);
        let mut runs = RandomRuns::new(&circuit, 1);
        runs.step();
        let alive = runs.allowed();
        assert!(alive != all(true) && alive != all(false));
        assert_eq!(merge(alive, all(false), runs.value(stuck)), runs.value(stuck));
        runs.step();
        assert!(both(runs.allowed(), alive.map(|word| !word)) != all(false));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(200))]

        #[test]
        fn every_allowed_step_is_reachable(circuit in circuits(), seed in any::<u64>()) {
            let steps: BTreeSet<Vec<bool>> = explore(&circuit).steps.into_iter().collect();
            let mut runs = RandomRuns::new(&circuit, seed);
            for number in 0..10 {
                for lane in 0..64 * WORDS {
                    let bit = |lanes: Lanes| lanes[lane / 64] >> (lane % 64) & 1 == 1;
                    let values: Vec<bool> = (0..circuit.len() as GateId)
                        .map(|gate| bit(runs.value(Lit::of(gate))))
                        .collect();
                    if bit(runs.allowed()) {
                        prop_assert!(steps.contains(&values));
                    }
                    if number == 0 {
                        let latches = circuit.latches().iter();
                        let held: Vec<bool> = latches.map(|latch| values[latch.gate as usize]).collect();
                        prop_assert_eq!(held, initial_state(&circuit));
                    }
                }
                runs.step();
            }
        }
    }
}
