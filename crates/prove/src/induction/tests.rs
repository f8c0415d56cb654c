//! Inductions against the explicit state space.

use std::collections::BTreeSet;

use obligato_solver::Stop;
use proptest::prelude::*;

use super::*;
use crate::candidates::{Hints, SimulationLimits};
use crate::explicit_state::{all_bits, circuits, explore};
use crate::run::{evaluate, is_allowed, next_state, value};

fn limits(most_k: usize) -> InductionLimits {
    InductionLimits { most_k, work: 1_000_000, hard: 10_000, stop: Stop::never() }
}

/// Two counters modulo 5 that count together, and whether they differ.
fn twins() -> (Circuit, Lit) {
    let mut circuit = Circuit::new();
    let go = circuit.input();
    let counters = [0, 1].map(|_| [(); 3].map(|()| circuit.latch(false)));
    for (index, bits) in counters.iter().enumerate() {
        let is_last = circuit.all([bits[2], !bits[1], !bits[0]]);
        let mut carry = Lit::TRUE;
        for (place, bit) in bits.iter().enumerate() {
            let sum = circuit.xor(*bit, carry);
            carry = circuit.and(*bit, carry);
            let counted = circuit.and(sum, !is_last);
            let next = circuit.choose(go, counted, *bit);
            circuit.set_next(3 * index + place, next);
        }
    }
    let [first, second] = counters;
    let pairs = first.into_iter().zip(second);
    let differences: Vec<Lit> = pairs.map(|(a, b)| circuit.xor(a, b)).collect();
    let differ = circuit.any(differences);
    (circuit, differ)
}

#[test]
fn two_copies_never_differ_by_candidates_that_equate_their_bits() {
    let (circuit, differ) = twins();
    let without = prove(&circuit, &[differ], &Candidates::default(), &Invariant::new(), &limits(1));
    assert_eq!(without.proved, [Some(1)], "it is inductive by itself");
    let bit = Lit::of(circuit.latches()[0].gate);
    let other = Lit::of(circuit.latches()[3].gate);
    let (mut circuit, _) = twins();
    let only_here = circuit.and(bit, !other);
    let alone =
        prove(&circuit, &[only_here], &Candidates::default(), &Invariant::new(), &limits(1));
    assert_eq!(alone.proved, [None]);
    let candidates = Candidates::from_simulation(
        &circuit,
        &[only_here],
        &Hints::default(),
        &SimulationLimits::default(),
    );
    let helped = prove(&circuit, &[only_here], &candidates, &Invariant::new(), &limits(1));
    assert_eq!(helped.proved, [Some(1)]);
    let known =
        prove(&circuit, &[only_here], &Candidates::default(), &without.invariant, &limits(1));
    assert_eq!(known.proved, [Some(0)], "what another proof has left excludes it at once");
}

#[test]
fn sustain_keeps_the_largest_inductive_part() {
    let (circuit, _) = twins();
    let bit = |index: usize| Lit::of(circuit.latches()[index].gate);
    let pair = |low: usize| vec![vec![!bit(low), bit(low + 3)], vec![bit(low), !bit(low + 3)]];
    let all: Vec<Vec<Lit>> = (0..3).flat_map(pair).collect();
    let sustained = |clauses: &[Vec<Lit>], k| {
        let claimed = Invariant { clauses: clauses.to_vec(), k };
        sustain(&circuit, &claimed, &Invariant::new(), &limits(1)).0
    };
    assert_eq!(sustained(&all, 1).clauses, all, "bit by bit the twins are equal");
    assert_eq!(
        sustained(&all[..2], 2),
        Invariant { clauses: vec![], k: 2 },
        "not the lowest alone"
    );
    let mut wrong = all.clone();
    wrong.push(vec![!bit(0)]);
    assert_eq!(
        sustained(&wrong, 2),
        Invariant { clauses: all, k: 2 },
        "the first bit is set later"
    );
    let none = InductionLimits { work: 1, ..limits(1) };
    let nothing =
        sustain(&circuit, &Invariant { clauses: wrong, k: 2 }, &Invariant::new(), &none).0;
    assert!(nothing.clauses.is_empty(), "without work nothing is known");
}

/// A shift register without input: the last latch is never set.
#[test]
fn the_k_of_a_delay_line_is_its_length() {
    let mut circuit = Circuit::new();
    let latches = [(); 4].map(|()| circuit.latch(false));
    circuit.set_next(0, Lit::FALSE);
    for place in 1..4 {
        circuit.set_next(place, latches[place - 1]);
    }
    let last = [latches[3]];
    let nothing = Candidates::default();
    for (most_k, expected) in [(1, None), (4, Some(4)), (9, Some(4))] {
        let result = prove(&circuit, &last, &nothing, &Invariant::new(), &limits(most_k));
        assert_eq!(result.proved, [expected]);
    }
    let mined = Candidates::from_simulation(
        &circuit,
        &last,
        &Hints::default(),
        &SimulationLimits::default(),
    );
    let result = prove(&circuit, &last, &mined, &Invariant::new(), &limits(9));
    assert_eq!(result.proved, [Some(1)]);
}

#[test]
fn nothing_is_proved_without_budget_or_after_the_stop() {
    let (circuit, differ) = twins();
    let stopped = limits(1);
    stopped.stop.request();
    for limits in [InductionLimits { work: 1, ..limits(1) }, stopped] {
        let result = prove(&circuit, &[differ], &Candidates::default(), &Invariant::new(), &limits);
        assert_eq!((result.proved, result.invariant), (vec![None], Invariant::new()));
    }
}

/// The states at the end of `k` steps in a row that keep the constraints and in which all clauses hold,
/// from any state.
fn states_after(circuit: &Circuit, clauses: &Invariant, k: usize) -> BTreeSet<Vec<bool>> {
    let mut states: BTreeSet<Vec<bool>> = all_bits(circuit.latches().len()).collect();
    for _ in 0..k {
        let steps = allowed_steps(circuit, &states);
        let good = steps.iter().filter(|step| clauses.holds(step));
        states = good.map(|step| next_state(circuit, step)).collect();
    }
    states
}

fn allowed_steps(circuit: &Circuit, states: &BTreeSet<Vec<bool>>) -> Vec<Vec<bool>> {
    let inputs: Vec<Vec<bool>> = all_bits(circuit.inputs().len()).collect();
    let steps = states
        .iter()
        .flat_map(|state| inputs.iter().map(|inputs| evaluate(circuit, state, inputs)));
    steps.filter(|step| is_allowed(circuit, step)).collect()
}

/// The largest part of some clauses of one literal that is inductive over one step, as the definition has it.
fn largest_inductive(circuit: &Circuit, mut lits: Vec<Lit>) -> Vec<Lit> {
    loop {
        let clauses = Invariant { clauses: lits.iter().map(|lit| vec![*lit]).collect(), k: 1 };
        let steps = allowed_steps(circuit, &states_after(circuit, &clauses, 1));
        let before = lits.len();
        lits.retain(|lit| steps.iter().all(|step| value(step, *lit)));
        if lits.len() == before {
            return lits;
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn proved_targets_are_unreachable_and_the_invariant_is_inductive(
        circuit in circuits(),
        with_candidates in any::<bool>(),
        most_k in 1..=4_usize,
        hard in prop_oneof![Just(10_000_u64), Just(1)],
    ) {
        let explored = explore(&circuit);
        let targets: Vec<Lit> = (0..2 * circuit.len() as u32).map(Lit::from_code).collect();
        let candidates = if with_candidates {
            Candidates::from_simulation(&circuit, &targets, &Hints::default(), &SimulationLimits { steps: 3, ..SimulationLimits::default() })
        } else {
            Candidates::default()
        };
        let limits = InductionLimits { hard, ..limits(most_k) };
        let result = prove(&circuit, &targets, &candidates, &Invariant::new(), &limits);
        for (target, proved) in targets.iter().zip(&result.proved) {
            prop_assert!(proved.is_none() || explored.first(*target).is_none(), "{:?}", target);
        }
        prop_assert!(explored.steps.iter().all(|step| result.invariant.holds(step)));
        let after = states_after(&circuit, &result.invariant, result.invariant.k);
        let steps = allowed_steps(&circuit, &after);
        prop_assert!(steps.iter().all(|step| result.invariant.holds(step)));
    }

    #[test]
    fn no_larger_set_of_targets_is_inductive(circuit in circuits()) {
        let explored = explore(&circuit);
        let targets: Vec<Lit> = (0..2 * circuit.len() as u32).map(Lit::from_code).collect();
        let nothing = Candidates::default();
        let result = prove(&circuit, &targets, &nothing, &Invariant::new(), &limits(1));
        let proved = targets.iter().zip(&result.proved).filter(|(_, k)| k.is_some());
        let proved: Vec<Lit> = proved.map(|(target, _)| !*target).collect();
        let begin = targets.iter().filter(|target| explored.first(**target) != Some(0));
        // What is possible nowhere is part of every inductive set.
        prop_assert_eq!(proved, largest_inductive(&circuit, begin.map(|target| !*target).collect()));
    }
}
