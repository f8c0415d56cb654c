//! IC3 against the explicit exploration of small circuits, and on circuits whose answers are known.

use obligato_solver::{Engine, Stop};
use proptest::prelude::*;

use super::*;
use crate::certificate::check;
use crate::explicit_state::{circuits, explore};

fn plenty() -> Ic3Limits {
    Ic3Limits { work: 1_000_000, levels: 10_000, stop: Stop::never() }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    #[test]
    fn every_literal_is_reached_or_proved_unreachable_as_exploring_says(circuit in circuits()) {
        let explored = explore(&circuit);
        for code in 0..2 * circuit.len() as u32 {
            let bad = Lit::from_code(code);
            match prove(&circuit, bad, &Invariant::new(), &plenty()) {
                Ic3Outcome::Proved(invariant) => {
                    prop_assert_eq!(explored.first(bad), None, "{:?}", bad);
                    prop_assert!(explored.steps.iter().all(|step| invariant.holds(step)));
                }
                Ic3Outcome::Reached(run) => {
                    prop_assert!(run.reaches(&circuit, bad));
                    prop_assert!(explored.first(bad).is_some_and(|step| step < run.steps.len()));
                }
                Ic3Outcome::Unknown(reason) => prop_assert!(false, "{:?}: {}", bad, reason),
            }
        }
    }

    #[test]
    fn what_proofs_leave_serves_later_ones_and_is_an_invariant_all_together(circuit in circuits()) {
        let explored = explore(&circuit);
        let mut known = Invariant::new();
        let mut bads = Vec::new();
        for code in 0..2 * circuit.len() as u32 {
            let bad = Lit::from_code(code);
            match prove(&circuit, bad, &known, &plenty()) {
                Ic3Outcome::Proved(more) => {
                    known.extend(more);
                    bads.push(bad);
                }
                outcome => prop_assert!(matches!(outcome, Ic3Outcome::Reached(_)), "{:?}", outcome),
            }
            prop_assert_eq!(bads.contains(&bad), explored.first(bad).is_none(), "{:?}", bad);
        }
        let verdict = check(&circuit, &bads, &known, Engine::Cadical, &Stop::never());
        prop_assert_eq!(verdict, Ok(()));
    }

    #[test]
    fn questions_on_one_trace_go_on_where_they_ended_and_are_answered_as_exploring_says(
        circuit in circuits(),
        work in 1_u64..40,
    ) {
        let explored = explore(&circuit);
        let (mut known, mut trace, mut bads) = (Invariant::new(), Ic3Trace::new(), Vec::new());
        // Backwards, so that later questions have smaller cones, and larger ones.
        for code in (0..2 * circuit.len() as u32).rev().step_by(3).chain(0..2 * circuit.len() as u32) {
            let bad = Lit::from_code(code);
            // A question may take more than a slice allows, so slices grow.
            let mut slices = (work..).map(|work| Ic3Limits { work, ..plenty() });
            let outcome = loop {
                let limits = slices.next().expect("without end");
                match prove_on(&circuit, bad, &known, &mut trace, &limits).0 {
                    Ic3Outcome::Unknown(reason) => prop_assert_eq!(reason, NoAnswer::Work),
                    outcome => break outcome,
                }
            };
            match outcome {
                Ic3Outcome::Proved(invariant) => {
                    // Only sometimes told what it has proved: the trace knows.
                    if code % 2 == 0 {
                        known.extend(invariant.clone());
                    }
                    bads.push(bad);
                    let verdict = check(&circuit, &bads, &invariant, Engine::Cadical, &Stop::never());
                    prop_assert_eq!(verdict, Ok(()));
                }
                outcome => prop_assert!(matches!(outcome, Ic3Outcome::Reached(_)), "{:?}", outcome),
            }
            prop_assert_eq!(bads.contains(&bad), explored.first(bad).is_none(), "{:?}", bad);
        }
    }
}

#[test]
fn a_circuit_without_any_run_is_swept_to_itself_and_its_proofs_say_why() {
    let mut circuit = Circuit::new();
    let inputs: Vec<Lit> = (0..3).map(|_| circuit.input()).collect();
    let latch = circuit.latch(false);
    circuit.set_next(0, Lit::FALSE);
    let bad = circuit.and(inputs[1], inputs[2]);
    let never = circuit.and(inputs[0], latch);
    circuit.constrain(never);
    let mut trace = Ic3Trace::new();
    for bad in [!never, bad] {
        // Slices so small that the circuit is swept before there is an answer.
        let mut slices = (1..).map(|work| Ic3Limits { work, ..plenty() });
        let outcome = loop {
            let limits = slices.next().expect("without end");
            match prove_on(&circuit, bad, &Invariant::new(), &mut trace, &limits).0 {
                Ic3Outcome::Unknown(_) => {}
                outcome => break outcome,
            }
        };
        let Ic3Outcome::Proved(invariant) = outcome else { panic!("{bad:?}: {outcome:?}") };
        let verdict = check(&circuit, &[bad], &invariant, Engine::Cadical, &Stop::never());
        assert_eq!(verdict, Ok(()), "{bad:?}");
    }
    assert!(trace.swept.is_some());
}
