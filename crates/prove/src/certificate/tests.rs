//! Good certificates pass, and each kind of broken one is refused for the right reason.

use proptest::prelude::*;

use super::text::{LineError, TextError, parse, print};
use super::*;
use crate::explicit_state::{all_bits, circuits};
use crate::{ic3, run};

const ENGINES: [Engine; 2] = [Engine::Cadical, Engine::Batsat];

/// Two latches that are never true together: one of them starts, and they change places when asked to.
/// A third one keeps the last request.
fn exchange() -> (Circuit, [Lit; 3]) {
    let mut circuit = Circuit::new();
    let ask = circuit.input();
    let [left, right, asked] = [true, false, false].map(|initial| circuit.latch(initial));
    let to_left = circuit.choose(ask, right, left);
    let to_right = circuit.choose(ask, left, right);
    for (latch, next) in [to_left, to_right, ask].into_iter().enumerate() {
        circuit.set_next(latch, next);
    }
    (circuit, [left, right, asked])
}

fn fault(
    circuit: &Circuit,
    bads: &[Lit],
    clauses: &[&[Lit]],
    k: usize,
) -> Option<CertificateError> {
    let clauses = clauses.iter().map(|clause| clause.to_vec()).collect();
    let invariant = Invariant { clauses, k };
    let [cadical, batsat] =
        ENGINES.map(|engine| check(circuit, bads, &invariant, engine, &Stop::never()).err());
    assert_eq!(cadical, batsat);
    batsat
}

#[test]
fn an_invariant_is_accepted_and_each_way_to_break_it_is_named() {
    let (mut circuit, [left, right, asked]) = exchange();
    let both = circuit.and(left, right);
    let exclusive: &[Lit] = &[!left, !right];
    assert_eq!(fault(&circuit, &[both], &[exclusive], 1), None);
    // A clause is missing.
    assert_eq!(fault(&circuit, &[both], &[], 1), Some(CertificateError::NotExcluded { bad: 0 }));
    // One bad too many.
    assert_eq!(
        fault(&circuit, &[both, left], &[exclusive], 1),
        Some(CertificateError::NotExcluded { bad: 1 })
    );
    // A literal is flipped: not so at first, or not for long.
    let flipped: &[Lit] = &[!left, right];
    let not_initial = CertificateError::NotInitial { clause: 0, step: 0 };
    assert_eq!(fault(&circuit, &[both], &[flipped, exclusive], 1), Some(not_initial));
    let short_lived: &[Lit] = &[left, !right];
    let not_inductive = CertificateError::NotInductive { clause: 1 };
    assert_eq!(fault(&circuit, &[both], &[exclusive, short_lived], 1), Some(not_inductive));
    // A literal less: true at first, and not kept.
    assert_eq!(
        fault(&circuit, &[both], &[&[!right]], 1),
        Some(CertificateError::NotInductive { clause: 0 })
    );
    // Nonsense.
    assert_eq!(
        fault(&circuit, &[both], &[&[]], 1),
        Some(CertificateError::NotInitial { clause: 0, step: 0 })
    );
    assert_eq!(fault(&circuit, &[Lit::of(99)], &[], 1), Some(CertificateError::NoSuchGate(99)));
    assert_eq!(fault(&circuit, &[both], &[exclusive], 0), Some(CertificateError::Steps(0)));
    assert_eq!(
        fault(&circuit, &[asked], &[&[!asked]], 1),
        Some(CertificateError::NotInductive { clause: 0 })
    );
}

#[test]
fn induction_over_two_steps_is_not_taken_for_induction_over_one() {
    // What the second latch holds from the start shows in the first one a step later.
    let mut circuit = Circuit::new();
    let [shown, kept] = [false, false].map(|initial| circuit.latch(initial));
    circuit.set_next(0, kept);
    assert_eq!(
        fault(&circuit, &[shown], &[&[!shown]], 1),
        Some(CertificateError::NotInductive { clause: 0 })
    );
    assert_eq!(fault(&circuit, &[shown], &[&[!shown]], 2), None);
    // The second one of the first two steps counts too.
    circuit.set_next(1, Lit::TRUE);
    let late = CertificateError::NotInitial { clause: 0, step: 1 };
    assert_eq!(fault(&circuit, &[], &[&[!kept]], 2), Some(late));
}

#[test]
fn a_certificate_reads_back_and_is_about_its_circuit() {
    let (mut circuit, [left, right, _]) = exchange();
    let both = circuit.and(left, right);
    let names = ["main.left", "main.right[0] \\ \n", "asked"].map(str::to_owned);
    let certificate = Certificate {
        circuit: fingerprint(&circuit),
        bads: vec![Bad { name: "both at\nonce".to_owned(), lit: both }],
        invariant: Invariant { clauses: vec![vec![!left, !right]], k: 1 },
    };
    let text = print(&certificate, &circuit, &names);
    assert_eq!(parse(&text, &circuit, &names).as_ref(), Ok(&certificate));
    assert_eq!(certificate.check(&circuit, Engine::Cadical, &Stop::never()), Ok(()));
    let (other, _) = exchange();
    let refused = certificate.check(&other, Engine::Cadical, &Stop::never());
    assert_eq!(refused, Err(CertificateError::OtherCircuit));
}

#[test]
fn a_wrong_line_is_named_with_the_reason() {
    let (circuit, _) = exchange();
    let names = ["left", "right", "right"].map(str::to_owned);
    let text = "obligato-proof 1\ncircuit 00ff\nsteps 1\nlatch 1 left\ngate 2 3\nbad 1 it\nclause -1 2\nend\n";
    assert!(parse(text, &circuit, &names).is_ok());
    let wrong =
        |from: &str, to: &str| parse(&text.replace(from, to), &circuit, &names).unwrap_err();
    let expected = |line, what| TextError { line, reason: LineError::Expected(what) };
    let because = |line, reason| TextError { line, reason };
    assert_eq!(wrong("proof 1", "proof 2"), because(1, LineError::Version("2".to_owned())));
    assert_eq!(wrong("obligato-", ""), expected(1, "'obligato-proof' and a version"));
    assert_eq!(wrong("00ff", "x"), expected(2, "'circuit' and 16 hexadecimal digits"));
    assert_eq!(wrong("steps 1", "steps one"), expected(3, "'steps' and a number"));
    assert_eq!(wrong("1 left", "1 top"), because(4, LineError::NoSuchLatch("top".to_owned())));
    assert_eq!(
        wrong("1 left", "1 right"),
        because(4, LineError::AmbiguousLatch("right".to_owned()))
    );
    assert_eq!(wrong("gate 2 3", "gate 3 3"), expected(5, "the next number, counted from 1"));
    assert_eq!(wrong("gate 2 3", "gate 2 99"), because(5, LineError::NoSuchGate(99)));
    assert_eq!(wrong("-1 2", "-1 3"), expected(7, "the number of a latch or gate above"));
    assert_eq!(wrong("-1 2", "-1 0"), expected(7, "the number of a latch or gate above"));
    assert_eq!(wrong("end", "fin"), expected(8, "'bad', 'clause' or 'end'"));
    assert_eq!(wrong("end\n", ""), because(8, LineError::Ends));
    assert_eq!(wrong(text, ""), because(1, LineError::Ends));
}

/// The verdict on an invariant of one step, by going through all states and inputs.
fn expected(circuit: &Circuit, bad: Lit, invariant: &Invariant) -> Option<CertificateError> {
    let steps_from = |state: &[bool]| -> Vec<Vec<bool>> {
        let steps = all_bits(circuit.inputs().len());
        let steps = steps.map(|inputs| run::evaluate(circuit, state, &inputs));
        steps.filter(|values| run::is_allowed(circuit, values)).collect()
    };
    let violated = |values: &Vec<bool>| {
        let is_false = |clause: &Vec<Lit>| !clause.iter().any(|lit| run::value(values, *lit));
        invariant.clauses.iter().position(is_false)
    };
    let first = steps_from(&run::initial_state(circuit));
    if let Some(clause) = first.iter().filter_map(violated).min() {
        return Some(CertificateError::NotInitial { clause, step: 0 });
    }
    let mut steps: Vec<Vec<bool>> =
        all_bits(circuit.latches().len()).flat_map(|state| steps_from(&state)).collect();
    steps.retain(|values| invariant.holds(values));
    let after = steps.iter().flat_map(|values| steps_from(&run::next_state(circuit, values)));
    if let Some(clause) = after.filter_map(|values| violated(&values)).min() {
        return Some(CertificateError::NotInductive { clause });
    }
    let is_bad = steps.iter().any(|values| run::value(values, bad));
    is_bad.then_some(CertificateError::NotExcluded { bad: 0 })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn proofs_pass_and_broken_ones_are_judged_as_by_going_through_all_states(
        circuit in circuits(),
        chosen: prop::sample::Index,
        flipped: prop::sample::Index,
    ) {
        for code in 0..2 * circuit.len() as u32 {
            let bad = Lit::from_code(code);
            let limits = ic3::Ic3Limits { work: 100_000, levels: 1000, stop: Stop::never() };
            let ic3::Ic3Outcome::Proved(invariant) =
                ic3::prove(&circuit, bad, &Invariant::new(), &limits)
            else {
                continue;
            };
            let judged = |invariant: &Invariant| {
                check(&circuit, &[bad], invariant, Engine::Batsat, &Stop::never()).err()
            };
            prop_assert_eq!(judged(&invariant), None);
            if invariant.clauses.is_empty() {
                continue;
            }
            let clause = chosen.index(invariant.clauses.len());
            let mut less = invariant.clone();
            less.clauses.remove(clause);
            let mut other = invariant;
            let literal = flipped.index(other.clauses[clause].len());
            other.clauses[clause][literal] = !other.clauses[clause][literal];
            for broken in [less, other] {
                prop_assert_eq!(judged(&broken), expected(&circuit, bad, &broken));
            }
        }
    }
}
