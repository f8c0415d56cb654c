//! Trees: their text, their layout and their evaluation.

use super::*;
use proptest::prelude::*;

fn tree(text: &str) -> BoolTree {
    parse(text).unwrap_or_else(|error| panic!("{text}: {error}")).tree
}

fn conditions(text: &str) -> Vec<&str> {
    let parsed = parse(text).unwrap();
    parsed.conditions.into_iter().map(|range| &text[range]).collect()
}

#[test]
fn both_languages_spell_the_same_operators() {
    for (one, other) in [
        ("a & b | c", "(a and b) or c"),
        ("a ^ b", "a xor b"),
        ("a == b", "a = b"),
        ("a != b", "a <> b"),
        ("!a", "not a"),
        ("a => b => c", "a => (b => c)"),
        ("a ? b : c ? d : e", "a ? b : (c ? d : e)"),
        ("if a then b else c or d", "if a then b else (c or d)"),
        ("a || b && c", "a || (b && c)"),
        ("a && b == c", "a && (b == c)"),
        ("!a == b", "(!a) == b"),
        ("a and if b then c else d", "a and (if b then c else d)"),
        ("a ? if b then c else d : e", "a ? (if b then c else d) : e"),
    ] {
        assert_eq!(tree(one), tree(other), "{one}");
    }
}

#[test]
fn short_and_full_circuit_are_different_trees() {
    assert_ne!(tree("a && b"), tree("a & b"));
    assert_ne!(tree("a ? b : c"), tree("if a then b else c"));
}

#[test]
fn comparisons_are_conditions_and_boolean_equality_is_an_operator() {
    assert_eq!(conditions("x >= 10 && ok"), ["x >= 10", "ok"]);
    assert_eq!(conditions("x == -3 || 0 != y"), ["x == -3", "0 != y"]);
    assert_eq!(conditions("a == b"), ["a", "b"]);
    assert_eq!(conditions("[x == y] && [f(a, b)]"), ["x == y", "f(a, b)"]);
    assert_eq!(conditions("a=>b"), ["a", "b"]);
    assert_eq!(conditions("x<y and p.len>=q.len"), ["x<y", "p.len>=q.len"]);
}

#[test]
fn a_text_that_is_no_decision_is_refused_where_it_goes_wrong() {
    for (text, offset, part) in [
        ("", 0, "not the end"),
        ("a &&", 4, "not the end"),
        ("a b", 2, "expected an operator"),
        ("&& a", 0, "expected a condition"),
        ("(a", 0, "never closed"),
        ("a)", 1, "closes no parenthesis"),
        ("a ? b", 2, "no ':'"),
        ("a : b", 2, "no '?'"),
        ("if a then b", 5, "no 'else'"),
        ("if a else b", 5, "no 'then'"),
        ("(if a) then b", 5, "closes no parenthesis"),
        ("a # b", 2, "'#'"),
        ("[", 0, "no ']'"),
        ("[ ]", 0, "no condition in these brackets"),
        ("()", 1, "expected a condition"),
        ("a && -b", 5, "'-'"),
        ("a && !x < 1", 6, "in parentheses"),
        ("\u{e9} && \u{1f600}", 6, "'\u{1f600}'"),
    ] {
        let error = parse(text).unwrap_err();
        assert_eq!(error.offset, offset, "{text}: {error}");
        assert!(error.reason.contains(part), "{text}: {error}");
    }
}

#[test]
fn nesting_a_hundred_thousand_deep_is_read_printed_and_evaluated() {
    let depth = 100_000;
    let text = format!("{}a{}", "!(".repeat(depth), ")".repeat(depth));
    let deep = tree(&text);
    assert!(deep.evaluate(&[true]).outcome);
    assert_eq!(tree(&deep.to_string()), deep);
    let right = format!("{}z{}", "(a && ".repeat(depth), ")".repeat(depth));
    assert_eq!(tree(&right).conditions(), depth + 1);
}

#[test]
fn short_circuit_skips_what_cannot_matter() {
    let decision = tree("a && (b || c)");
    let rows: Vec<String> = [[false, true, true], [true, true, true], [true, false, true]]
        .iter()
        .map(|values| decision.evaluate(values).to_string())
        .collect();
    assert_eq!(rows, ["F-- -> F", "TT- -> T", "TFT -> T"]);
    let full = tree("a and (b or c)");
    assert_eq!(full.evaluate(&[false, true, true]).to_string(), "FTT -> F");
    let choice = tree("a ? b : c");
    assert_eq!(choice.evaluate(&[true, false, true]).to_string(), "TF- -> F");
}

#[test]
fn the_conditions_of_a_subtree_are_a_range() {
    let decision = tree("(a || b) && (c || d)");
    let Node::Binary(_, left, right) = decision.node(decision.root()) else { panic!() };
    assert_eq!(decision.conditions_of(left), 0..2);
    assert_eq!(decision.conditions_of(right), 2..4);
}

#[test]
fn a_builder_refuses_what_is_no_tree() {
    assert_eq!(TreeBuilder::new().finish(), Err(MalformedTree));
    let mut two = TreeBuilder::new();
    two.condition();
    assert_eq!(two.binary(Operator::Xor), Err(MalformedTree));
}

proptest! {
    #[test]
    fn no_text_makes_the_parser_panic(text in "[a-c01<>=!&|^()\\[\\]?: .-]{0,40}") {
        let _ = parse(&text);
    }

    #[test]
    fn a_tree_prints_as_it_is_read(text in "[abc&|^!()?:= ]{0,24}") {
        if let Ok(parsed) = parse(&text) {
            prop_assert_eq!(tree(&parsed.tree.to_string()), parsed.tree);
        }
    }
}
