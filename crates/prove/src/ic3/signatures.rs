//! Candidates for equal gates, by their values in simulation.

use obligato_circuit::{Circuit, GateId, Lit};
use rustc_hash::FxHashMap;

use crate::simulate::RandomRuns;

/// The steps that are simulated, of all runs at once.
const STEPS: usize = 64;
/// The same seed gives the same runs.
const SEED: u64 = 0;

/// What gates were in every step that was seen, as a number. Gates with the same number may be equal; of gates with
/// different numbers one was true and the other false.
#[derive(Debug)]
pub struct Signatures {
    /// By gate: for the gate, or its negation, whichever was false in the first step.
    numbers: Vec<u64>,
    /// By gate: was it true in the first step?
    flipped: Vec<bool>,
    /// The first gate that was asked about, of all that have the same number.
    first: FxHashMap<u64, GateId>,
    asked: Vec<GateId>,
}

impl Signatures {
    /// Of all gates in random runs. None if no run has a first step.
    pub fn observe(circuit: &Circuit) -> Option<Self> {
        let mut runs = RandomRuns::new(circuit, SEED);
        let word = runs.allowed().iter().position(|word| *word != 0)?;
        let bit = runs.allowed()[word].trailing_zeros();
        let gates = || (0..circuit.len() as GateId).map(Lit::of);
        let flipped: Vec<bool> = gates().map(|lit| runs.value(lit)[word] >> bit & 1 == 1).collect();
        let mut numbers = vec![0; circuit.len()];
        for _ in 0..STEPS {
            let allowed = runs.allowed();
            for ((number, lit), flipped) in numbers.iter_mut().zip(gates()).zip(&flipped) {
                for (value, allowed) in runs.value(lit.negated_if(*flipped)).iter().zip(allowed) {
                    *number = mixed(*number, value & allowed);
                }
            }
            runs.step();
        }
        Some(Self { numbers, flipped, first: FxHashMap::default(), asked: Vec::new() })
    }

    /// The gate that was asked about first of those that may be equal to this one or its negation; as a
    /// literal that may be equal to the gate. None if there is none: then it is this one from now on.
    pub fn equal_before(&mut self, gate: GateId) -> Option<Lit> {
        let first = *self.first.entry(self.numbers[gate as usize]).or_insert(gate);
        if first == gate {
            self.asked.push(gate);
            return None;
        }
        let flip = self.flipped[first as usize] != self.flipped[gate as usize];
        Some(Lit::of(first).negated_if(flip))
    }

    /// Tells gates apart by one more step, with their values in it.
    pub fn refine(&mut self, values: &[bool]) {
        for ((number, flipped), value) in self.numbers.iter_mut().zip(&self.flipped).zip(values) {
            *number = mixed(*number, u64::from(value != flipped));
        }
        self.first.clear();
        for gate in &self.asked {
            self.first.entry(self.numbers[*gate as usize]).or_insert(*gate);
        }
    }
}

/// Another number for every sequence of words, but for accidents: those cost a question.
fn mixed(number: u64, word: u64) -> u64 {
    (number.rotate_left(5) ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15)
}
