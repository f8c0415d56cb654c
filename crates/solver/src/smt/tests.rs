//! Sessions with z3, and with programs that behave badly.

use std::time::{Duration, Instant};

use super::*;
use obligato_model::Rational;

/// A session, unless z3 is not installed.
fn session(stop: &Stop) -> Option<Smt> {
    match Smt::start(stop, 512) {
        Err(SmtError::Absent) => {
            println!("skipped: there is no z3 in PATH");
            None
        }
        started => Some(started.unwrap()),
    }
}

/// A session with something else.
fn impostor(script: &str, stop: &Stop) -> Smt {
    let arguments = ["-c".to_owned(), script.to_owned()];
    Smt::over(Process::start("sh", &arguments, stop).unwrap(), 512)
}

fn names<const N: usize>(names: [&str; N]) -> Vec<String> {
    names.map(str::to_owned).to_vec()
}

#[test]
fn a_session_finds_models_and_refutations_in_scopes() {
    let Some(mut smt) = session(&Stop::never()) else { return };
    smt.command("(declare-const x Int)(declare-const r Real)(declare-const b (_ BitVec 8))");
    smt.assert("(and (< 6 (* 3 x)) (< (* 3 x) 10) (= (* 3.0 r) (- 1.0)) (= b #xff))");
    assert_eq!(smt.check(&[], None), Ok(Answer::Sat));
    let third = Rational::from_parts_signed((-1).into(), 3.into());
    let expected = [Value::int(3), Value::Real(third), Value::int(255)];
    assert_eq!(smt.values(&names(["x", "r", "b"])).unwrap(), expected);
    smt.push();
    smt.assert("(< x 3)");
    assert_eq!(smt.check(&[], None), Ok(Answer::Unsat));
    smt.pop();
    assert_eq!(smt.check(&[], None), Ok(Answer::Sat));
    assert!(smt.work() > 0);
}

#[test]
fn assumptions_that_cannot_hold_together_are_named() {
    let Some(mut smt) = session(&Stop::never()) else { return };
    smt.command("(declare-const x Int)(declare-const p Bool)(declare-const q Bool)");
    smt.assert("(=> p (< x 0))");
    smt.assert("(=> q (> x 0))");
    smt.command("(declare-const z Bool)");
    let assumptions = names(["p", "z", "q"]);
    assert_eq!(smt.check(&assumptions, None), Ok(Answer::Unsat));
    let mut core = smt.core().unwrap();
    core.sort();
    assert_eq!(core, ["p", "q"]);
    assert_eq!(smt.check(&names(["p", "(not q)"]), None), Ok(Answer::Sat));
    assert_eq!(smt.values(&[]), Ok(Vec::new()));
}

#[test]
fn a_spent_limit_is_unknown_and_costs_the_same_every_time() {
    let spend = || {
        let mut smt = session(&Stop::never())?;
        smt.command("(declare-const x (_ BitVec 40))(declare-const y (_ BitVec 40))");
        // A product of two primes.
        smt.assert(
            "(and (= (bvmul x y) #x00c70c9b11) (bvugt x #x0000000001) (bvugt y #x0000000001))",
        );
        assert_eq!(smt.check(&[], Some(20_000)), Ok(Answer::Unknown));
        assert_eq!(smt.reason(), &Reason::Limit);
        Some(smt.work())
    };
    assert_eq!(spend(), spend());
}

#[test]
fn a_wrong_command_is_an_error_from_then_on() {
    let Some(mut smt) = session(&Stop::never()) else { return };
    smt.assert("(< nobody 3)");
    let error = smt.check(&[], None).unwrap_err();
    assert!(matches!(&error, SmtError::Refused(message) if message.contains("nobody")), "{error}");
    smt.pop();
    assert_eq!(smt.check(&[], None), Err(error));
}

#[test]
fn a_deadline_ends_a_query_that_does_not_look_at_its_limit() {
    let Some(mut smt) = session(&Stop::never().by(Instant::now() + Duration::from_millis(300)))
    else {
        return;
    };
    smt.command("(declare-const x Int)(declare-const y Int)(declare-const z Int)");
    smt.assert("(= (* x x x) (+ 33 (* y y y) (* z z z)))");
    assert_eq!(smt.check(&[], None), Err(SmtError::Stopped));
    assert_eq!(smt.check(&[], None), Err(SmtError::Stopped));
}

#[test]
fn a_request_to_stop_ends_a_query() {
    let stop = Stop::never();
    let mut smt = impostor("exec sleep 60", &stop);
    let helper = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(50));
        stop.request();
    });
    assert_eq!(smt.check(&[], None), Err(SmtError::Stopped));
    helper.join().unwrap();
}

#[test]
fn an_irrational_number_is_told_apart() {
    let Some(mut smt) = session(&Stop::never()) else { return };
    smt.command("(declare-const r Real)");
    smt.assert("(= (* r r) 2.0)");
    assert_eq!(smt.check(&[], None), Ok(Answer::Sat));
    assert_eq!(smt.values(&names(["r"])), Err(SmtError::Irrational));
    assert_eq!(smt.check(&[], None), Ok(Answer::Sat));
}

#[test]
fn too_much_memory_is_an_error_of_its_own() {
    let mut smt = impostor("echo '(error \"out of memory\")'", &Stop::never());
    assert_eq!(smt.check(&[], None), Err(SmtError::Memory(512)));
}

#[test]
fn a_program_that_ends_is_an_error_with_its_status() {
    for script in ["exit 3", "echo sat; exit 3"] {
        let mut smt = impostor(script, &Stop::never());
        let error = smt.check(&[], None).unwrap_err();
        assert!(matches!(&error, SmtError::Died(status) if status.contains('3')), "{error}");
        assert_eq!(smt.check(&[], None), Err(error));
    }
}

#[test]
fn a_program_that_talks_nonsense_is_an_error() {
    for script in ["while :; do echo maybe; done", "while :; do echo 'sat'; done"] {
        let mut smt = impostor(script, &Stop::never());
        assert!(matches!(smt.check(&[], None), Err(SmtError::Garbled(_))), "{script}");
    }
}

#[test]
fn a_script_that_reads_nothing_and_leaves_a_child_behind_blocks_nobody() {
    let mut smt =
        impostor("sleep 2; exit", &Stop::never().by(Instant::now() + Duration::from_millis(50)));
    for _ in 0..100_000 {
        smt.command("(declare-const a_rather_long_name_to_fill_the_pipe Int)");
    }
    assert_eq!(smt.check(&[], None), Err(SmtError::Stopped));
}

#[test]
fn a_missing_program_is_said_so() {
    let error = Process::start("no-such-solver", &[], &Stop::never()).unwrap_err();
    assert_eq!(error, SmtError::Absent);
    assert!(error.to_string().contains("obligato doctor"));
}

#[test]
fn a_checker_answers_without_counting() {
    let mut smt =
        match Smt::start_checker(&Stop::never().by(Instant::now() + Duration::from_mins(1))) {
            Err(SmtError::Absent) => return println!("skipped: there is no cvc5 in PATH"),
            started => started.unwrap(),
        };
    smt.command("(declare-const x Int)(declare-const p Bool)");
    smt.assert("(=> p (< x x))");
    assert_eq!(smt.check(&names(["p"]), Some(10)), Ok(Answer::Unsat));
    assert_eq!(smt.check(&[], Some(20)), Ok(Answer::Sat));
    assert_eq!(smt.work(), 0);
    smt.assert("(< nobody 3)");
    assert!(matches!(smt.check(&[], None), Err(SmtError::Refused(_) | SmtError::Died(_))));
}

#[test]
fn a_model_is_a_list_of_definitions() {
    let Some(mut smt) = session(&Stop::never()) else { return };
    smt.command("(declare-const p Bool)");
    smt.assert("p");
    assert_eq!(smt.check(&[], None), Ok(Answer::Sat));
    let model = smt.model().unwrap();
    assert_eq!(model.len(), 1);
    assert!(model[0].starts_with("(define-fun p () Bool"), "{}", model[0]);
}
