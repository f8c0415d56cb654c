//! Simulation of a circuit: one run, or 64 bit-parallel runs, each with one bit of every word.

use std::ops::{BitAnd, Not};

use crate::circuit::{Circuit, Gate, Lit};

/// The values of all gates in one step; `latch` and `input` give the values of those, by index.
pub fn evaluate<Bits>(
    circuit: &Circuit,
    latch: impl Fn(usize) -> Bits,
    mut input: impl FnMut(usize) -> Bits,
) -> Vec<Bits>
where
    Bits: Copy + Default + BitAnd<Output = Bits> + Not<Output = Bits>,
{
    let mut values: Vec<Bits> = Vec::with_capacity(circuit.len());
    for gate in circuit.gates() {
        values.push(match *gate {
            Gate::False => Bits::default(),
            Gate::Input(index) => input(index as usize),
            Gate::Latch(index) => latch(index as usize),
            Gate::And(a, b) => value(&values, a) & value(&values, b),
        });
    }
    values
}

/// The value of a literal, where those of gates are these.
#[inline]
pub fn value<Bits: Copy + Not<Output = Bits>>(values: &[Bits], lit: Lit) -> Bits {
    let value = values[lit.gate() as usize];
    if lit.is_negated() { !value } else { value }
}

/// 64 runs of a circuit.
#[derive(Clone, Debug)]
pub struct Simulation {
    state: Vec<u64>,
    gates: Vec<u64>,
}

impl Simulation {
    /// Runs in the initial state.
    pub fn new(circuit: &Circuit) -> Self {
        let initial = |bit: bool| if bit { u64::MAX } else { 0 };
        Self {
            state: circuit.latches().iter().map(|latch| initial(latch.initial)).collect(),
            gates: Vec::new(),
        }
    }

    /// The state before the next step.
    pub fn state(&self) -> &[u64] {
        &self.state
    }

    /// Takes a step; `input` gives the values of inputs, by index.
    pub fn step(&mut self, circuit: &Circuit, input: impl FnMut(usize) -> u64) {
        self.gates = evaluate(circuit, |latch| self.state[latch], input);
        let next: Vec<u64> = circuit.latches().iter().map(|latch| self.value(latch.next)).collect();
        self.state = next;
    }

    /// The value of a literal in the last step.
    pub fn value(&self, lit: Lit) -> u64 {
        value(&self.gates, lit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_bit_of_a_word_is_a_run_of_its_own() {
        let mut circuit = Circuit::new();
        let (flip, held) = (circuit.input(), circuit.latch(true));
        let next = circuit.xor(flip, held);
        circuit.set_next(0, next);
        let mut runs = Simulation::new(&circuit);
        runs.step(&circuit, |_| 0b01);
        assert_eq!((runs.value(held) & 0b11, runs.state()[0] & 0b11), (0b11, 0b10));
        runs.step(&circuit, |_| 0b10);
        assert_eq!((runs.value(!held) & 0b11, runs.state()[0] & 0b11), (0b01, 0b00));
    }
}
