//! IC3 on circuits whose answers are known, with every proof checked and every run replayed.

use obligato_circuit::Lit;
use obligato_prove::certificate::check;
use obligato_prove::ic3::{Ic3Limits, Ic3Outcome, NoAnswer, prove};
use obligato_prove::{Invariant, Run};
use obligato_solver::{Engine, Stop};

#[path = "support/circuits.rs"]
mod circuits;

use circuits::Case;

fn limits(work: u64, levels: usize) -> Ic3Limits {
    Ic3Limits { work, levels, stop: Stop::never() }
}

fn answer(case: &Case, known: &Invariant) -> Result<Invariant, Run> {
    match prove(&case.circuit, case.bad, known, &limits(1_000_000, 10_000)) {
        Ic3Outcome::Proved(invariant) => Ok(invariant),
        Ic3Outcome::Reached(run) => Err(run),
        Ic3Outcome::Unknown(reason) => panic!("{}: {reason}", case.name),
    }
}

#[test]
fn known_answers_are_found_with_proofs_that_pass_and_runs_that_replay() {
    for case in circuits::small_cases() {
        match answer(&case, &Invariant::new()) {
            Ok(proof) => {
                assert_eq!(case.steps, None, "{}", case.name);
                let verdict =
                    check(&case.circuit, &[case.bad], &proof, Engine::Cadical, &Stop::never());
                assert_eq!(verdict, Ok(()), "{}", case.name);
            }
            Err(run) => {
                assert!(case.steps.is_some_and(|steps| steps <= run.steps.len()), "{}", case.name);
                assert!(run.reaches(&case.circuit, case.bad), "{}", case.name);
            }
        }
    }
}

#[test]
fn the_same_question_gets_the_same_answer() {
    for case in circuits::small_cases() {
        let first = answer(&case, &Invariant::new());
        assert_eq!(first, answer(&case, &Invariant::new()), "{}", case.name);
    }
}

#[test]
fn what_a_proof_leaves_makes_the_same_proof_again_immediate() {
    for case in circuits::small_cases() {
        if let Ok(proof) = answer(&case, &Invariant::new()) {
            // Nothing has to be learned any more.
            let again = answer(&case, &proof).expect("proved before");
            assert_eq!(again.clauses, Vec::<Vec<Lit>>::new(), "{}", case.name);
            let limits = limits(1000, 10);
            let outcome = prove(&case.circuit, case.bad, &proof, &limits);
            assert_eq!(outcome, Ic3Outcome::Proved(again), "{}", case.name);
        }
    }
}

#[test]
fn limits_end_the_work_and_are_named() {
    let case = circuits::fifo(3);
    let ended = |limits: Ic3Limits| prove(&case.circuit, case.bad, &Invariant::new(), &limits);
    assert_eq!(ended(limits(3, 1000)), Ic3Outcome::Unknown(NoAnswer::Work));
    assert_eq!(ended(limits(1_000_000, 1)), Ic3Outcome::Unknown(NoAnswer::Levels));
    let stop = Stop::never();
    stop.request();
    assert_eq!(
        ended(Ic3Limits { stop, ..limits(1000, 1000) }),
        Ic3Outcome::Unknown(NoAnswer::Stopped)
    );
}

#[test]
fn constraints_elsewhere_are_kept_by_runs_and_can_rule_them_out() {
    // An input must follow a latch that turns on in the third step, and nobody else reads them.
    let mut case = circuits::shift_register(4);
    let circuit = &mut case.circuit;
    let [first, second] = [4, 5].map(|_| circuit.latch(false));
    circuit.set_next(4, Lit::TRUE);
    circuit.set_next(5, first);
    let follows = circuit.input();
    let same = circuit.equal(follows, second);
    circuit.constrain(same);
    let run = answer(&case, &Invariant::new()).expect_err("reachable");
    assert!(run.reaches(&case.circuit, case.bad));
    assert_eq!(
        run.steps.iter().map(|step| step[1]).collect::<Vec<_>>(),
        [false, false, true, true, true]
    );
    // Now no run takes more than two steps.
    case.circuit.constrain(!second);
    case.circuit.constrain(follows);
    let proof = answer(&case, &Invariant::new()).expect("unreachable");
    let verdict = check(&case.circuit, &[case.bad], &proof, Engine::Cadical, &Stop::never());
    assert_eq!(verdict, Ok(()));
}
