//! IC3 against the explicit exploration of small circuits, and on circuits whose answers are known.

use obligato_solver::{Engine, Stop};
use proptest::prelude::*;

use super::*;
use crate::certificate::check;
use crate::explorer::{circuits, explore};

fn plenty() -> Limits {
    Limits { work: 1_000_000, levels: 10_000, stop: Stop::never() }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    #[test]
    fn every_literal_is_reached_or_proved_unreachable_as_exploring_says(circuit in circuits()) {
        let explored = explore(&circuit);
        for code in 0..2 * circuit.len() as u32 {
            let bad = Lit::from_code(code);
            match prove(&circuit, bad, &Invariant::new(), &plenty()) {
                Outcome::Proved(invariant) => {
                    prop_assert_eq!(explored.first(bad), None, "{:?}", bad);
                    prop_assert!(explored.steps.iter().all(|step| invariant.holds(step)));
                }
                Outcome::Reached(run) => {
                    prop_assert!(run.reaches(&circuit, bad));
                    prop_assert!(explored.first(bad).is_some_and(|step| step < run.steps.len()));
                }
                Outcome::Unknown(reason) => prop_assert!(false, "{:?}: {}", bad, reason),
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
                Outcome::Proved(more) => {
                    known.extend(more);
                    bads.push(bad);
                }
                outcome => prop_assert!(matches!(outcome, Outcome::Reached(_)), "{:?}", outcome),
            }
            prop_assert_eq!(bads.contains(&bad), explored.first(bad).is_none(), "{:?}", bad);
        }
        let verdict = check(&circuit, &bads, &known, Engine::Cadical, &Stop::never());
        prop_assert_eq!(verdict, Ok(()));
    }
}
