//! Candidates about idle words: a word has its initial value unless the model is in certain modes.
//!
//! Timers and counters of state machines behave so. A mode is a conjunction of one or two literals over latches that
//! are not part of a wide word. Each candidate takes one clause per bit of the word; its converse, that
//! the word is not idle in a mode, is a single long clause. IC3 would learn them one by one.

use std::cmp::Reverse;

use obligato_circuit::{Circuit, GateId, Lit};

use super::{Signatures, Signed, SimulationLimits};

/// Words with fewer latches may encode modes.
const WIDE: usize = 6;
/// The most latches that are used for modes.
const MOST_MODES: usize = 48;
/// The most words.
const MOST_WORDS: usize = 64;

/// A wide word.
struct Word {
    /// By bit: true if it differs from its initial value.
    moved: Vec<Lit>,
    /// The signature of their disjunction.
    bits: Vec<u64>,
}

/// A literal that may encode a mode, and the signature of its negation.
struct Mode {
    lit: Lit,
    absent: Vec<u64>,
}

/// Clauses: words are idle, or are not, in modes of up to two literals; ordered by how unlikely the observation is if
/// word and mode were independent.
pub(super) fn clauses(
    circuit: &Circuit,
    signatures: &Signatures,
    classes: &[Vec<Signed>],
    words: &[Vec<GateId>],
    limits: &SimulationLimits,
) -> Vec<Vec<Lit>> {
    let is_wide = |word: &&Vec<GateId>| word.len() >= WIDE;
    let wide: Vec<GateId> = words.iter().filter(is_wide).flatten().copied().collect();
    let words = words.iter().filter(is_wide).take(MOST_WORDS);
    let words: Vec<Word> = words.filter_map(|word| Word::new(circuit, signatures, word)).collect();
    let lits = classes.iter().skip(1).map(|class| class[0].lit);
    let lits = lits.filter(|lit| !wide.contains(&lit.gate()));
    let modes = lits.take(MOST_MODES).flat_map(|lit| [lit, !lit]);
    let modes: Vec<Mode> = modes.filter_map(|lit| Mode::new(signatures, lit)).collect();
    let mut found = Vec::new();
    for (index, Word { bits, .. }) in words.iter().enumerate() {
        let idle: Vec<u64> =
            signatures.allowed.iter().zip(bits).map(|(allowed, moved)| allowed & !moved).collect();
        for (is_idle, otherwise) in [(true, bits), (false, &idle)] {
            for (expected, modes) in excluding(&modes, otherwise) {
                found.push((Reverse(expected), index, is_idle, modes));
            }
        }
    }
    found.sort_unstable();
    let chosen = found.into_iter().take(limits.most_idle);
    let found = chosen.flat_map(|(_, index, is_idle, modes)| {
        let moved = &words[index].moved;
        if is_idle {
            moved.iter().map(|lit| [modes.as_slice(), &[!*lit]].concat()).collect()
        } else {
            vec![[modes.as_slice(), moved].concat()]
        }
    });
    found.collect()
}

impl Word {
    /// The word of these latches, unless it never changes.
    fn new(circuit: &Circuit, signatures: &Signatures, latches: &[GateId]) -> Option<Self> {
        let of = circuit.latches().iter().filter(|latch| latches.contains(&latch.gate));
        let moved: Vec<Lit> =
            of.map(|latch| Lit::of(latch.gate).negated_if(latch.initial)).collect();
        let mut bits = vec![0; signatures.allowed.len()];
        for lit in &moved {
            for (bits, more) in bits.iter_mut().zip(signatures.of(*lit)?) {
                *bits |= more;
            }
        }
        (count(&bits) > 0).then_some(Self { moved, bits })
    }
}

impl Mode {
    /// A mode whose literal is false sometimes.
    fn new(signatures: &Signatures, lit: Lit) -> Option<Self> {
        let absent = signatures.of(!lit)?;
        (count(&absent) > 0).then_some(Self { lit, absent })
    }
}

/// Modes of one or two literals, one of which was true whenever `something` was; each with the number of violations to expect
/// if they were independent.
fn excluding(modes: &[Mode], something: &[u64]) -> Vec<(u128, Vec<Lit>)> {
    let weight = u128::from(count(something));
    let (mut found, mut partly) = (Vec::new(), Vec::new());
    for mode in modes {
        let left = both(&mode.absent, something);
        if count(&left) == 0 {
            found.push((weight * u128::from(count(&mode.absent)), vec![mode.lit]));
        } else {
            partly.push((mode, left));
        }
    }
    for (index, (first, left)) in partly.iter().enumerate() {
        for (second, _) in &partly[..index] {
            if left.iter().zip(&second.absent).any(|(left, absent)| left & absent != 0) {
                continue;
            }
            let neither = count(&both(&first.absent, &second.absent));
            if neither > 0 {
                found.push((weight * u128::from(neither), vec![first.lit, second.lit]));
            }
        }
    }
    found
}

fn both(a: &[u64], b: &[u64]) -> Vec<u64> {
    a.iter().zip(b).map(|(a, b)| a & b).collect()
}

fn count(bits: &[u64]) -> u64 {
    bits.iter().map(|word| u64::from(word.count_ones())).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::candidates::{Candidates, Hints};

    /// A counter of six bits that counts while both modes are on, and is set to zero while they are not.
    #[test]
    fn a_counter_is_idle_where_it_does_not_count() {
        let mut circuit = Circuit::new();
        let [on, go] = [(); 2].map(|()| circuit.input());
        let modes = [(); 2].map(|()| circuit.latch(false));
        circuit.set_next(0, on);
        circuit.set_next(1, go);
        let counts = circuit.and(on, go);
        let bits: Vec<Lit> = (0..6).map(|_| circuit.latch(false)).collect();
        let mut carry = Lit::TRUE;
        for (index, bit) in bits.iter().enumerate() {
            let [with, without] = [circuit.and(*bit, !carry), circuit.and(!*bit, carry)];
            let next = circuit.or(with, without);
            let kept = circuit.and(counts, next);
            circuit.set_next(2 + index, kept);
            carry = circuit.and(carry, *bit);
        }
        let words = vec![bits.iter().map(|bit| bit.gate()).collect()];
        let hints = Hints { words, runs: &[] };
        let mined =
            Candidates::from_simulation(&circuit, &bits, &hints, &SimulationLimits::default());
        assert!(!mined.clauses.is_empty());
        let roots: Vec<Lit> = bits.iter().chain(&modes).copied().collect();
        let mined =
            Candidates::from_simulation(&circuit, &roots, &hints, &SimulationLimits::default());
        for mode in modes {
            for bit in &bits {
                assert!(mined.clauses.contains(&vec![mode, !*bit]), "{mined:?}");
            }
        }
    }
}
