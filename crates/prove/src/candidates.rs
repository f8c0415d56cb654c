//! Candidate invariants from simulation.
//!
//! Latches that were constant in all runs, latches that were always equal or always different, and pairs of latch values that never
//! occurred together (van Eijk, "Sequential equivalence checking based on structural similarities", 2000; Case et al., "Automated
//! extraction of inductive invariants to aid model checking", FMCAD 2007); and [idle words](idle). Simulation proves
//! none of them: [induction](crate::induction) keeps those that are inductive.

mod idle;

use obligato_circuit::{Circuit, GateId, Lit};
use obligato_solver::Stop;
use rustc_hash::FxHashMap;

use crate::ic3::cone::reached_from;
use crate::run::{Run, evaluate, initial_state, is_allowed, next_state};
use crate::simulate::RandomRuns;

/// Candidate invariants over the literals of a circuit.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Candidates {
    /// Classes of at least two literals that may be equal. A class that begins with [`Lit::FALSE`] lists literals that may be
    /// constant.
    pub classes: Vec<Vec<Lit>>,
    /// Clauses.
    pub clauses: Vec<Vec<Lit>>,
}

/// What the caller knows of a circuit.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Hints<'h> {
    /// The latches of each word.
    pub words: Vec<Vec<GateId>>,
    /// Runs that reach more than random ones do.
    pub runs: &'h [Run],
}

/// Limits of the simulation and of the number of candidates.
#[derive(Clone, Debug)]
pub struct SimulationLimits {
    /// The number of simulated steps.
    pub steps: usize,
    /// The same seed gives the same runs.
    pub seed: u64,
    /// The most latches of which pairs are compared.
    pub most_paired: usize,
    /// The most clauses over pairs.
    pub most_clauses: usize,
    /// The most candidates about idle words.
    pub most_idle: usize,
    /// Ends the simulation early: steps of large circuits take long.
    pub stop: Stop,
}

impl Default for SimulationLimits {
    fn default() -> Self {
        let stop = Stop::never();
        Self { steps: 256, seed: 0, most_paired: 800, most_clauses: 2_000, most_idle: 500, stop }
    }
}

impl Candidates {
    /// Candidates over the latches in the cone of `roots`.
    pub fn from_simulation(
        circuit: &Circuit,
        roots: &[Lit],
        hints: &Hints<'_>,
        limits: &SimulationLimits,
    ) -> Self {
        let constraints = circuit.constraints().iter();
        let matters = reached_from(circuit, roots.iter().chain(constraints).copied());
        let latches = circuit.latches().iter().map(|latch| latch.gate);
        let lits: Vec<Lit> = latches.filter(|gate| matters[*gate as usize]).map(Lit::of).collect();
        let Some(signatures) = Signatures::observe(circuit, &lits, hints.runs, limits) else {
            return Self::default();
        };
        let mut equal = signatures.classes();
        let mut clauses = signatures.pairs(&equal, limits);
        clauses.extend(idle::clauses(circuit, &signatures, &equal, &hints.words, limits));
        equal.retain(|class| class.len() > 1);
        let plain = |class: Vec<Signed>| class.into_iter().map(|one| one.lit).collect();
        Self { classes: equal.into_iter().map(plain).collect(), clauses }
    }
}

/// The values of literals in every step of every run, a bit each.
struct Signatures {
    signatures: Vec<Signed>,
    /// The bits that belong to a step of a run.
    allowed: Vec<u64>,
}

/// A literal with its signature, false in bits that belong to no step.
#[derive(Clone, Debug)]
struct Signed {
    lit: Lit,
    bits: Vec<u64>,
}

impl Signatures {
    /// Signatures of each literal or its negation, whichever is false in the first step. `None` if no
    /// run has a first step, or the stop is due.
    fn observe(
        circuit: &Circuit,
        lits: &[Lit],
        known: &[Run],
        limits: &SimulationLimits,
    ) -> Option<Self> {
        let mut runs = RandomRuns::new(circuit, limits.seed);
        let mut allowed: Vec<u64> = Vec::new();
        let mut signatures: Vec<Signed> = std::iter::once(Lit::FALSE)
            .chain(lits.iter().copied())
            .map(|lit| Signed { lit, bits: Vec::new() })
            .collect();
        for _ in 0..limits.steps {
            if limits.stop.is_due() {
                return None;
            }
            allowed.extend(runs.allowed());
            for one in &mut signatures {
                one.bits.extend(runs.value(one.lit));
            }
            runs.step();
        }
        for states in states_of(circuit, known).chunks(u64::BITS as usize) {
            let word = |is: &dyn Fn(&Vec<bool>) -> bool| {
                states.iter().rev().fold(0, |word, state| word << 1 | u64::from(is(state)))
            };
            allowed.push(word(&|_| true));
            for one in &mut signatures {
                let value = |state: &Vec<bool>| state[one.lit.gate() as usize];
                one.bits.push(word(&|state| value(state) != one.lit.is_negated()));
            }
        }
        let first = allowed.iter().position(|word| *word != 0)?;
        let bit = allowed[first].trailing_zeros();
        for one in &mut signatures {
            let flip = one.bits[first] >> bit & 1 == 1;
            one.lit = one.lit.negated_if(flip);
            for (word, allowed) in one.bits.iter_mut().zip(&allowed) {
                *word = if flip { !*word } else { *word } & allowed;
            }
        }
        Some(Self { signatures, allowed })
    }

    /// The signature of a literal, if there is one.
    fn of(&self, lit: Lit) -> Option<Vec<u64>> {
        let known = self.signatures.iter().find(|one| one.lit.gate() == lit.gate())?;
        if known.lit == lit {
            return Some(known.bits.clone());
        }
        Some(known.bits.iter().zip(&self.allowed).map(|(bits, allowed)| !bits & allowed).collect())
    }

    /// Literals that were always equal, in order; the first class is that of false.
    fn classes(&self) -> Vec<Vec<Signed>> {
        let mut classes: Vec<Vec<Signed>> = Vec::new();
        let mut class_of: FxHashMap<&[u64], usize> = FxHashMap::default();
        for one in &self.signatures {
            let class = *class_of.entry(&one.bits).or_insert(classes.len());
            if class == classes.len() {
                classes.push(Vec::new());
            }
            classes[class].push(one.clone());
        }
        classes
    }

    /// Clauses over pairs of varying literals that were never both false, ordered by how unlikely that
    /// is for independent literals.
    fn pairs(&self, classes: &[Vec<Signed>], limits: &SimulationLimits) -> Vec<Vec<Lit>> {
        let varying: Vec<&Signed> =
            classes.iter().skip(1).map(|class| &class[0]).take(limits.most_paired).collect();
        let total: u64 = self.allowed.iter().map(|word| u64::from(word.count_ones())).sum();
        let trues: Vec<u64> = varying
            .iter()
            .map(|one| one.bits.iter().map(|word| u64::from(word.count_ones())).sum())
            .collect();
        let mut found = Vec::new();
        for (index, first) in varying.iter().enumerate() {
            for (other, second) in varying.iter().enumerate().take(index) {
                for (first_is, second_is) in self.never_together(first, second) {
                    let count = |trues: u64, is: bool| if is { trues } else { total - trues };
                    let expected = u128::from(count(trues[index], first_is))
                        * u128::from(count(trues[other], second_is));
                    let clause = [first.lit.negated_if(first_is), second.lit.negated_if(second_is)];
                    found.push((std::cmp::Reverse(expected), clause));
                }
            }
        }
        found.sort_unstable();
        found.into_iter().take(limits.most_clauses).map(|(_, clause)| clause.to_vec()).collect()
    }

    /// The pairs of values that two literals never had together.
    fn never_together(&self, a: &Signed, b: &Signed) -> Vec<(bool, bool)> {
        const PAIRS: [(bool, bool); 4] =
            [(false, false), (false, true), (true, false), (true, true)];
        let mut seen = [false; 4];
        for ((a, b), allowed) in a.bits.iter().zip(&b.bits).zip(&self.allowed) {
            let words = [!a & !b & allowed, !a & b, a & !b, a & b];
            for (seen, word) in seen.iter_mut().zip(words) {
                *seen |= word != 0;
            }
            if seen == [true; 4] {
                return Vec::new();
            }
        }
        PAIRS.into_iter().zip(seen).filter(|(_, seen)| !seen).map(|(pair, _)| pair).collect()
    }
}

/// The values of all gates in every step of these runs.
fn states_of(circuit: &Circuit, runs: &[Run]) -> Vec<Vec<bool>> {
    let mut states = Vec::new();
    for run in runs {
        let mut state = initial_state(circuit);
        for inputs in &run.steps {
            let values = evaluate(circuit, &state, inputs);
            if !is_allowed(circuit, &values) {
                break;
            }
            state = next_state(circuit, &values);
            states.push(values);
        }
    }
    states
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::explicit_state::{circuits, explore};
    use crate::run::value;
    use proptest::prelude::*;

    #[test]
    fn constants_copies_and_a_one_hot_ring_become_candidates() {
        let mut circuit = Circuit::new();
        let go = circuit.input();
        // A token goes round three places; a copy of the first, negated; a latch that is never set.
        let ring = [true, false, false].map(|initial| circuit.latch(initial));
        let copy = circuit.latch(false);
        let never = circuit.latch(false);
        let moved: Vec<Lit> =
            (0..3).map(|place| circuit.choose(go, ring[(place + 2) % 3], ring[place])).collect();
        for (place, next) in moved.iter().enumerate() {
            circuit.set_next(place, *next);
        }
        circuit.set_next(3, !moved[0]);
        let set = circuit.and(never, go);
        circuit.set_next(4, set);
        let mined = Candidates::from_simulation(
            &circuit,
            &[copy, never, ring[2]],
            &Hints::default(),
            &SimulationLimits::default(),
        );
        assert_eq!(mined.classes, [vec![Lit::FALSE, never], vec![!ring[0], copy]]);
        for pair in [[ring[1], ring[0]], [ring[2], ring[0]], [ring[2], ring[1]]] {
            assert!(mined.clauses.contains(&pair.map(|lit| !lit).to_vec()), "{mined:?}");
        }
        assert!(!mined.clauses.iter().flatten().any(|lit| lit.gate() == never.gate()));
        let none = Candidates::from_simulation(
            &circuit,
            &[go],
            &Hints::default(),
            &SimulationLimits::default(),
        );
        assert_eq!(none, Candidates::default(), "no latch matters");
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(200))]

        #[test]
        fn every_invariant_over_two_latches_is_a_candidate(circuit in circuits()) {
            let explored = explore(&circuit);
            let latches: Vec<Lit> =
                circuit.latches().iter().map(|latch| Lit::of(latch.gate)).collect();
            let mined = Candidates::from_simulation(&circuit, &latches, &Hints::default(), &SimulationLimits::default());
            prop_assume!(!explored.steps.is_empty());
            let always = |lits: &[Lit]| {
                explored.steps.iter().all(|step| lits.iter().any(|lit| value(step, *lit)))
            };
            let equal = |a: Lit, b: Lit| mined.classes.iter().any(|class| {
                (class.contains(&a) && class.contains(&b)) || (class.contains(&!a) && class.contains(&!b))
            });
            for first in latches.iter().flat_map(|lit| [*lit, !*lit]) {
                let is_true = equal(first, Lit::TRUE);
                prop_assert!(is_true || !always(&[first]));
                for second in latches.iter().flat_map(|lit| [*lit, !*lit]) {
                    // Through the representatives of the classes.
                    let stands_for = |lit: Lit| {
                        let class = mined.classes.iter().find(|class| class.contains(&lit) || class.contains(&!lit));
                        class.map_or(lit, |class| class[0].negated_if(!class.contains(&lit)))
                    };
                    let [a, b] = [stands_for(first), stands_for(second)];
                    let mined = a == Lit::TRUE || b == Lit::TRUE || a == !b
                        || mined.clauses.contains(&vec![a, b])
                        || mined.clauses.contains(&vec![b, a]);
                    prop_assert!(mined || !always(&[first, second]), "{:?} or {:?}", first, second);
                }
            }
        }
    }
}
