//! Unrollings against runs that are made step by step.

use super::*;
use crate::explicit_state::{circuits, explore, runs_with_prophecies, with_random_prophecies};
use crate::run::value;
use proptest::prelude::*;

const ENGINES: [Engine; 2] = [Engine::Cadical, Engine::Batsat];

/// A shift register behind an input.
fn shift_register(length: usize) -> (Circuit, Vec<Lit>) {
    let mut circuit = Circuit::new();
    let input = circuit.input();
    let latches: Vec<Lit> = (0..length).map(|_| circuit.latch(false)).collect();
    let held = std::iter::once(input).chain(latches.iter().copied());
    for (latch, next) in held.take(length).enumerate().collect::<Vec<_>>() {
        circuit.set_next(latch, next);
    }
    (circuit, latches)
}

#[test]
fn a_long_chain_of_latches_is_followed_through_the_steps_and_only_as_far_as_asked() {
    let (circuit, latches) = shift_register(20_000);
    let mut unrolling = Unrolling::new(&circuit, Engine::Batsat, Start::Initial, &Stop::never());
    (0..300).for_each(|_| unrolling.push());
    let before = unrolling.solver().variables();
    let last = unrolling.literal(299, latches[298]);
    assert_eq!(unrolling.solver().variables(), before + 1, "the input of the first step");
    assert_eq!(unrolling.solve(&[last], None), Answer::Sat);
    assert_eq!(unrolling.value(0, Lit::of(circuit.inputs()[0])), Some(true));
    let never = unrolling.literal(299, latches[299]);
    assert_eq!(never, unrolling.literal(0, Lit::FALSE), "a constant, without a clause");
}

#[test]
fn a_state_can_be_assumed() {
    let (circuit, latches) = shift_register(3);
    let mut unrolling = Unrolling::new(&circuit, Engine::Batsat, Start::Free, &Stop::never());
    (0..2).for_each(|_| unrolling.push());
    let last = unrolling.literal(1, latches[2]);
    for held in [false, true] {
        let mut assumptions = unrolling.begins_in(&[!held, held, !held]);
        assert_eq!(assumptions.len(), 1, "the others do not matter");
        assumptions.push(last);
        let expected = if held { Answer::Sat } else { Answer::Unsat };
        assert_eq!(unrolling.solve(&assumptions, None), expected);
    }
}

#[test]
fn what_is_known_holds_in_every_step_of_a_run_from_anywhere() {
    let (circuit, latches) = shift_register(3);
    let known = Invariant { clauses: vec![vec![!latches[0], latches[1]]], k: 1 };
    let mut unrolling =
        Unrolling::new(&circuit, Engine::Batsat, Start::Free, &Stop::never()).assuming(&known);
    (0..2).for_each(|_| unrolling.push());
    let [before, now] =
        [(0, latches[0]), (1, latches[1])].map(|(step, lit)| unrolling.literal(step, lit));
    let known_before = unrolling.literal(0, latches[1]);
    unrolling.commit(1);
    assert_eq!(unrolling.solve(&[before, !known_before], None), Answer::Unsat);
    let input = unrolling.literal(0, Lit::of(circuit.inputs()[0]));
    assert_eq!(unrolling.solve(&[input, !now], None), Answer::Unsat, "the step after as well");
    assert_eq!(unrolling.solve(&[before, now], None), Answer::Sat);
}

#[test]
fn constraints_bind_the_steps_of_a_run_and_no_others() {
    let mut circuit = Circuit::new();
    let late = circuit.latch(false);
    circuit.set_next(0, Lit::TRUE);
    circuit.constrain(!late);
    for engine in ENGINES {
        let mut unrolling = Unrolling::new(&circuit, engine, Start::Initial, &Stop::never());
        (0..3).for_each(|_| unrolling.push());
        assert_eq!(unrolling.solve(&unrolling.horizon(0), None), Answer::Sat, "{engine:?}");
        assert_eq!(unrolling.solve(&unrolling.horizon(1), None), Answer::Unsat, "{engine:?}");
        unrolling.commit(1);
        assert_eq!(unrolling.solve(&[], None), Answer::Unsat, "{engine:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn every_literal_can_be_shown_exactly_in_the_steps_in_which_some_run_shows_it(
        circuit in circuits(),
        engine in prop_oneof![Just(Engine::Cadical), Just(Engine::Batsat)],
    ) {
        let explored = explore(&circuit);
        let mut unrolling = Unrolling::new(&circuit, engine, Start::Initial, &Stop::never());
        for step in 0..3 {
            unrolling.push();
            for code in 0..2 * circuit.len() as u32 {
                let lit = Lit::from_code(code);
                let literal = unrolling.literal(step, lit);
                let [exists, ends] = unrolling.horizon(step);
                let answer = unrolling.solve(&[exists, ends, literal], None);
                if explored.first(lit) == Some(step) {
                    prop_assert_eq!(answer, Answer::Sat);
                }
                if answer == Answer::Sat {
                    prop_assert!(unrolling.run(step).reaches(&circuit, lit));
                    prop_assert!(explored.first(lit).is_some_and(|first| first <= step));
                }
            }
        }
    }

    #[test]
    fn prophecy_inputs_hold_the_value_of_the_next_step_and_nothing_at_the_end(
        circuit in circuits(),
        prophecies in prop::collection::vec(any::<(u32, u32)>(), 1..=2),
        order in any::<[u8; 2]>(),
    ) {
        prop_assume!(circuit.inputs().len() < 2);
        let (circuit, prophecies) = with_random_prophecies(circuit, &prophecies);
        let mut unrolling =
            Unrolling::new(&circuit, Engine::Batsat, Start::Initial, &Stop::never()).with_prophecies(&prophecies);
        (0..4).for_each(|_| unrolling.push());
        // Whatever horizon was asked for before.
        for last in order.map(|drawn| usize::from(drawn % 4)).into_iter().chain(0..4) {
            let runs = runs_with_prophecies(&circuit, &prophecies, last + 1);
            for code in 0..2 * circuit.len() as u32 {
                let lit = Lit::from_code(code);
                let step = code as usize % (last + 1);
                let literal = unrolling.literal(step, lit);
                let [exists, ends] = unrolling.horizon(last);
                let answer = unrolling.solve(&[exists, ends, literal], None);
                let expected = runs.iter().any(|run| value(&run[step], lit));
                prop_assert_eq!(answer == Answer::Sat, expected, "{:?} at {} of {}", lit, step, last);
            }
        }
    }
}
