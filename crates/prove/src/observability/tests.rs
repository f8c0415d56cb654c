//! Conditions computed by hand, and those of small circuits against all their runs.

use proptest::collection::vec;
use proptest::prelude::*;

use super::*;
use crate::explicit_state::{circuits, runs_with_prophecies, with_random_prophecies};
use obligato_solver::Stop;

fn compute_from(
    circuit: &Circuit,
    prophecies: &[Prophecy],
    targets: &[Lit],
    known: &Invariant,
    runs: &[Run],
) -> ObservabilityResult {
    let start = ObservabilityConditions::of_runs(circuit, prophecies, runs);
    compute(circuit, prophecies, targets, known, start, &limits())
}

fn limits() -> InductionLimits {
    InductionLimits { most_k: 1, work: 100_000, hard: 10_000, stop: Stop::never() }
}

/// A latch keeps a value that is observable only while a second latch, the enable, is true.
#[test]
fn a_guarded_latch_is_observable_only_while_its_guard_holds() {
    let mut circuit = Circuit::new();
    let (comes_in, opens, later) = (circuit.input(), circuit.input(), circuit.input());
    let (waits, door, stuck) = (circuit.latch(false), circuit.latch(false), circuit.latch(false));
    let stays = circuit.and(waits, !door);
    let next = circuit.or(stays, comes_in);
    circuit.set_next(0, next);
    circuit.set_next(1, opens);
    circuit.set_next(2, stuck);
    // What waits is seen now if the door is open, and later if it stays and is seen then.
    let kept = circuit.and(!door, later);
    let seen = circuit.or(door, kept);
    let prophecies = [Prophecy { input: later.gate(), predicts: seen }];
    let shut = circuit.and(seen, stuck);
    let found = compute_from(&circuit, &prophecies, &[seen, shut], &Invariant::new(), &[]);
    assert_eq!(found.conditions.by_prophecy, [Some(vec![])]);
    assert_eq!(found.excluded, Some(vec![false, false]));
    // With the door only open in states that are known, and a latch that never changes.
    let known = Invariant { clauses: vec![vec![!stuck]], k: 1 };
    let found = compute_from(&circuit, &prophecies, &[seen, shut], &known, &[]);
    assert_eq!(found.conditions.by_prophecy, [Some(vec![!stuck])]);
    assert_eq!(found.excluded, Some(vec![false, true]));
}

/// A ring of latches rotates a value that no output observes: a single step cannot prove that.
#[test]
fn a_ring_without_observer_is_never_observable() {
    let mut circuit = Circuit::new();
    let laters = [(); 3].map(|()| circuit.input());
    let latches = [(); 3].map(|()| circuit.latch(false));
    for (index, _) in latches.iter().enumerate() {
        circuit.set_next(index, latches[(index + 1) % 3]);
    }
    let prophecies: Vec<Prophecy> = (0..3)
        .map(|index| Prophecy { input: laters[index].gate(), predicts: laters[(index + 1) % 3] })
        .collect();
    let found = compute_from(&circuit, &prophecies, &[laters[1]], &Invariant::new(), &[]);
    assert_eq!(found.conditions.by_prophecy, [None, None, None]);
    assert_eq!(found.excluded, Some(vec![true]));
}

#[test]
fn without_budget_nothing_is_claimed() {
    let mut circuit = Circuit::new();
    let later = circuit.input();
    let limits = InductionLimits { work: 1, ..limits() };
    let prophecies = [Prophecy { input: later.gate(), predicts: later }];
    let start = ObservabilityConditions::of_runs(&circuit, &prophecies, &[]);
    let found = compute(&circuit, &prophecies, &[later], &Invariant::new(), start, &limits);
    assert_eq!(found.excluded, None);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn no_run_reaches_what_the_conditions_exclude(
        circuit in circuits(),
        numbers in vec(any::<(u32, u32)>(), 1..=2),
        runs in vec(vec(vec(any::<bool>(), 5), 1..4), 0..3),
    ) {
        let (circuit, prophecies) = with_random_prophecies(circuit, &numbers);
        let runs: Vec<Run> = runs
            .into_iter()
            .map(|steps| Run {
                steps: steps.iter().map(|step| step[..circuit.inputs().len()].to_vec()).collect(),
            })
            .collect();
        let targets: Vec<Lit> = (0..2 * circuit.len() as u32).map(Lit::from_code).collect();
        let found = compute_from(&circuit, &prophecies, &targets, &Invariant::new(), &runs);
        let (conditions, excluded) = (found.conditions, found.excluded.expect("enough work"));
        let steps = if circuit.inputs().len() > 4 { 2 } else { 3 };
        for length in 1..=steps {
            for values in runs_with_prophecies(&circuit, &prophecies, length).concat() {
                for (prophecy, condition) in prophecies.iter().zip(&conditions.by_prophecy) {
                    let keeps = condition.as_ref().is_some_and(|lits| lits.iter().all(|lit| value(&values, *lit)));
                    prop_assert!(keeps || !value(&values, prophecy.predicts));
                }
                for (target, excluded) in targets.iter().zip(&excluded) {
                    prop_assert!(!(*excluded && value(&values, *target)));
                }
            }
        }
    }
}
