//! Certificates that hold, that do not, and that try to get around the questions.

use obligato_model::Type;
use obligato_transition_system::Binary;

use super::super::sample::{Sketch, limits};
use super::super::{SmtOutcome, SmtProof, invariant};
use super::*;

/// Two counters, one twice as fast; is the slow one ahead? It never is.
fn race() -> (System, Goal) {
    let mut sketch = Sketch::default();
    let when = sketch.input(Type::Bool);
    let slow = sketch.counter(0, 1, Some(when));
    let fast = sketch.counter(0, 2, Some(when));
    let goal = Goal::Node(sketch.binary(Binary::Less, fast, slow));
    (sketch.finish(), goal)
}

fn certificate(definitions: &str) -> String {
    format!("obligato-invariant 1\nargument 0 latch2\nargument 1 latch3\n{definitions}\nend\n")
}

fn refusal(text: &str) -> Option<String> {
    let (system, goal) = race();
    check(text, &system, &goal, &limits()?).err().map(|fault| fault.to_string())
}

#[test]
fn what_was_found_is_confirmed_from_its_text() {
    let (system, goal) = race();
    let Some(limits) = limits() else { return };
    let outcome = invariant(&system, &goal, 0, &limits).unwrap();
    let SmtOutcome::Proved(SmtProof::Invariant(text)) = outcome else { panic!("{outcome:?}") };
    assert!(is_certificate(&text) && !is_certificate("obligato-proof 1\n"), "{text}");
    let checker = if Smt::start_checker(&limits.stop).is_ok() {
        InvariantChecker::Cvc5
    } else {
        InvariantChecker::Z3
    };
    assert_eq!(check(&text, &system, &goal, &limits), Ok(checker));
}

#[test]
fn what_is_no_invariant_is_refused_for_what_it_lacks() {
    let Some(_) = limits() else { return };
    let claimed = |body: &str| {
        refusal(&certificate(&format!("(define-fun inv ((x Int) (y Int)) Bool {body})")))
    };
    assert_eq!(claimed("(and (<= 0 x) (<= x y))"), None);
    for (body, lacks) in [
        ("(and (< 0 x) (<= x y))", "true initially"),
        ("(and (<= 0 x) (<= x y) (< x 9))", "kept by every step"),
        ("(<= (- 1) y)", "exclude what never happens"),
        ("(< nobody 3)", "'z3' refused a command"),
    ] {
        let refused = claimed(body).unwrap_or_default();
        assert!(refused.contains(lacks), "{body}: {refused}");
    }
}

#[test]
fn what_could_make_the_questions_easier_is_no_certificate() {
    let Some(_) = limits() else { return };
    let inv = "(define-fun inv ((x Int) (y Int)) Bool true)";
    for text in [
        format!("{inv}\n(assert false)"),
        format!("{inv} (define-fun < ((x Int) (y Int)) Bool false)"),
        format!("{inv})(assert false"),
        "(define-fun inv ((x Int) (y Int)) Bool (and true ;\n)) (assert false) (and ;\n))"
            .to_owned(),
        "(define-fun inv ((x Int) (y Int)) Bool (= \")\" \"\"))".to_owned(),
        format!("{inv} (exit)"),
        format!("stray {inv}"),
    ] {
        let refused = refusal(&certificate(&text)).unwrap_or_default();
        assert!(refused.starts_with("line 4: expected definitions"), "{text}: {refused}");
    }
}

#[test]
fn damaged_text_is_refused_with_its_line() {
    let Some(_) = limits() else { return };
    let whole = certificate("(define-fun inv ((x Int) (y Int)) Bool (and (<= 0 x) (<= x y)))");
    assert_eq!(refusal(&whole), None);
    let other = "it is about another model, other criteria or other observed variables";
    for (text, expected) in [
        (whole.replace("invariant 1", "invariant 2"), "line 1: expected 'obligato-invariant 1'"),
        (whole.replace("argument 1", "argument one"), "line 3: expected the number of a latch"),
        (whole.replace("latch3", "latch4"), other),
        (whole.replace("argument 1 latch3\n", ""), other),
        (whole.replace("end\n", ""), "line 5: expected 'end'"),
        (String::new(), "line 1: expected 'obligato-invariant 1'"),
    ] {
        assert_eq!(refusal(&text).as_deref(), Some(expected), "{text}");
    }
    for end in (0..whole.len() - 1).step_by(7) {
        assert!(refusal(&whole[..end]).is_some(), "{}", &whole[..end]);
    }
}
