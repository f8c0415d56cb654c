//! Large units.

mod support;

use std::fmt::Write as _;
use std::fs;

use obligato_clang::{BooleanOperators, Syntax, Text};
use support::source;

fn read(content: &str) -> (Text, Syntax) {
    let directory = tempfile::tempdir().expect("a directory");
    fs::write(directory.path().join("unit.c"), content).expect("a file");
    let text = Text::read(&source(directory.path(), "unit.c", &[])).expect("it compiles");
    let syntax = Syntax::parse(&text, BooleanOperators::All).expect("it parses");
    (text, syntax)
}

#[test]
fn a_decision_may_have_a_thousand_conditions_on_one_line() {
    let conditions: Vec<String> = (0..1000).map(|number| format!("values[{number}] > 0")).collect();
    for operator in [" && ", " || ", " & "] {
        let content =
            format!("int f(const int *values) {{ return {}; }}", conditions.join(operator));
        let (text, syntax) = read(&content);
        let [decision] = syntax.functions[0].decisions.as_slice() else { panic!("one decision") };
        assert_eq!(decision.conditions.len(), 1000);
        assert_eq!(decision.tree.conditions(), 1000);
        for (condition, wanted) in decision.conditions.iter().zip(&conditions) {
            assert_eq!(condition.stretch.text, *wanted);
            // The text breaks the line, the user's does not.
            assert_eq!(text.locate(condition.stretch.span).expect("a place").span.start.line, 1);
        }
        let widest = decision.conditions.iter().map(|condition| condition.position.column).max();
        assert!(widest < Some(u32::from(u16::MAX)), "debug information has no such column");
    }
}

#[test]
fn else_if_chains_and_nested_blocks_may_be_long() {
    let mut content = "int f(int a) {\n".to_owned();
    for number in 0..3000 {
        writeln!(content, "if (a == {number}) return {number}; else").expect("a string");
    }
    content += "return -1; }\n";
    let (_, syntax) = read(&content);
    let function = &syntax.functions[0];
    assert_eq!(function.decisions.len(), 3000);
    assert_eq!(function.exits.len(), 3001);
}

#[test]
fn ten_thousand_lines_are_read_in_the_order_of_the_text() {
    let body =
        "    if (a > 3 && b < 2) return 1;\n    while (a && !(b & 4)) a--;\n    return a == b;\n";
    let mut content = String::new();
    for number in 0..2000 {
        writeln!(content, "int f{number}(int a, int b) {{\n{body}}}").expect("a string");
    }
    let (text, syntax) = read(&content);
    assert_eq!(syntax.functions.len(), 2000);
    let decisions = || syntax.functions.iter().flat_map(|function| &function.decisions);
    assert_eq!(decisions().map(|decision| decision.conditions.len()).sum::<usize>(), 10_000);
    let places =
        decisions().map(|decision| text.locate(decision.stretch.span).expect("a place").span);
    assert!(places.map(|span| span.start).is_sorted());
}

#[test]
fn long_chains_of_operators_are_read_or_refused_with_words() {
    let chain = |length: usize| {
        let terms: Vec<String> = (0..length).map(|number| format!("v[{number}]")).collect();
        format!("int f(const int *v) {{ return {}; }}", terms.join(" + "))
    };
    let (_, syntax) = read(&chain(10_000));
    assert_eq!(syntax.functions[0].decisions, []);
    let directory = tempfile::tempdir().expect("a directory");
    fs::write(directory.path().join("unit.c"), chain(200_000)).expect("a file");
    let error = Text::read(&source(directory.path(), "unit.c", &[])).unwrap_err().to_string();
    assert!(error.starts_with("clang-19 broke down on unit.c"), "{error}");
}
