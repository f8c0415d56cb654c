//! Answers as z3 prints them, and some that no solver should print.

use super::*;

fn split(stream: &str) -> Vec<String> {
    let mut splitter = Splitter::default();
    stream.bytes().filter_map(|byte| splitter.next(byte)).map(Result::unwrap).collect()
}

#[test]
fn answers_end_with_their_line_or_their_parenthesis() {
    let stream = "sat\n((x 1)\n (|a ) b| (- 2)))\n\n(error \"a (\"\"b\"\n) unknown\n";
    let expected = ["sat", "((x 1)\n (|a ) b| (- 2)))", "(error \"a (\"\"b\"\n)", "unknown"];
    assert_eq!(split(stream), expected);
}

#[test]
fn an_answer_that_is_not_text_is_an_error() {
    let mut splitter = Splitter::default();
    assert_eq!(splitter.next(0xff), None);
    assert!(matches!(splitter.next(b'\n'), Some(Err(SmtError::Garbled(_)))));
}

#[test]
fn errors_are_told_from_answers() {
    assert_eq!(error("(error \"line 1: unknown constant x\")"), Some("line 1: unknown constant x"));
    assert_eq!(error("unsupported"), Some("unsupported"));
    assert_eq!(error("sat"), None);
    assert_eq!(error("((error 1))"), None);
}

#[test]
fn information_is_what_follows_the_keyword() {
    assert_eq!(info("(:rlimit 4563)"), Some("4563"));
    assert_eq!(
        info("(:reason-unknown \"(incomplete \"\"x\"\")\")"),
        Some("(incomplete \"\"x\"\")")
    );
    assert_eq!(info("(:rlimit)"), None);
    assert_eq!(info("sat"), None);
}

#[test]
fn items_are_the_parts_of_the_outermost_list() {
    let model = "(model\n (define-fun f ((x Int)) Bool (< x 1))\n |a b| \"( s\")";
    let expected = ["model", "(define-fun f ((x Int)) Bool (< x 1))", "|a b|", "\"( s\""];
    assert_eq!(items(model).unwrap(), expected);
    assert_eq!(items("()").unwrap(), [""; 0]);
    for broken in ["", "x", "(x", "(x))", ")("] {
        assert_eq!(items(broken), None, "{broken}");
    }
}

#[test]
fn values_are_exact_whatever_their_size() {
    let answer = "((b true) (i (- 100000000000000000000000001)) (r (- (/ 1.0 3.0)))
                   (d 12.50) (x #x0F) (y #b101) (|a b| (/ (- 7.0) 2.0)))";
    let ratio = |above: i64, below: i64| {
        Value::Real(Rational::from_parts_signed(above.into(), below.into()))
    };
    let large = -(Integer::from(10).pow(26)) - Integer::ONE;
    let expected = [
        Value::Bool(true),
        Value::Int(large),
        ratio(-1, 3),
        ratio(25, 2),
        Value::int(15),
        Value::int(5),
        ratio(-7, 2),
    ];
    assert_eq!(values(answer).unwrap(), expected);
}

#[test]
fn what_is_no_value_is_refused_by_its_kind() {
    let irrational = "((s (root-obj (+ (^ x 2) (- 2)) 1)))";
    assert_eq!(values(irrational), Err(Unreadable::Irrational));
    let wrong =
        ["((s x))", "((s))", "((s 1 2))", "((s (/ 1.0 0.0)))", "((s (- 1 2)))", "((s (1)))", "(s)"];
    for answer in wrong {
        assert_eq!(values(answer), Err(Unreadable::Unknown), "{answer}");
    }
}

#[test]
fn a_deeply_nested_answer_does_not_recurse() {
    let depth = 200_001;
    let answer = format!("((x {}1{}))", "(- ".repeat(depth), ")".repeat(depth));
    assert_eq!(split(&answer).len(), 1);
    assert_eq!(values(&answer).unwrap(), [Value::int(-1)]);
}
