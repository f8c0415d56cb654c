//! Decisions read from text: places, columns, and every way to go wrong.

use super::*;
use obligato_model::{Type, Variable};
use proptest::prelude::*;

fn parse(text: &str) -> Result<Formulas, FormulaError> {
    Formulas::parse("f.decisions", text)
}

fn complaint(text: &str) -> String {
    parse(text).unwrap_err().to_string()
}

#[test]
fn each_line_is_a_decision_except_blank_ones_and_comments() {
    let formulas = parse("\u{feff}# first\n\n  a && b\r\n\t# second\nx < 3").unwrap();
    let places: Vec<String> =
        formulas.decisions.iter().map(|decision| decision.span.to_string()).collect();
    assert_eq!(places, ["3:3-3:9", "5:1-5:6"]);
}

#[test]
fn conditions_stand_where_their_text_does_also_after_other_scripts() {
    let formulas = parse(" größe && [ x == y ] || z").unwrap();
    let found: Vec<String> =
        formulas.conditions().map(|one| format!("{} {}", one.span, one.text)).collect();
    assert_eq!(found, ["1:2-1:7 größe", "1:13-1:19 x == y", "1:25-1:26 z"]);
}

#[test]
fn columns_are_listed_once_with_their_use() {
    let formulas = parse("a && x < 3\na || 2.5 <= x").unwrap();
    let columns: Vec<String> = formulas
        .columns()
        .iter()
        .map(|column| format!("{} {} {}", column.name, column.used_as, column.first_use))
        .collect();
    assert_eq!(columns, ["a Boolean 1:1", "x number 1:6"]);
}

#[test]
fn a_name_used_both_ways_is_refused_and_both_places_are_named() {
    assert_eq!(
        complaint("a && b\nc || a > 3"),
        "f.decisions:2:6: column 'a' is used as a number here, but as a Boolean at 1:1"
    );
}

#[test]
fn what_is_no_decision_is_refused_with_its_place_and_line() {
    for (text, expected) in [
        ("", "f.decisions:1:1: there is no decision here"),
        ("# only\n\n", "f.decisions:1:1: there is no decision here"),
        ("a\n  a && (b", "f.decisions:2:8: this parenthesis is never closed"),
        ("ä &&", "f.decisions:1:5: expected a condition here, not the end"),
        ("a && 1", "f.decisions:1:6: '1' is a number, not a condition"),
        ("a && [ x < 0x1 ]", "f.decisions:1:12: '0x1' is neither a number nor the name"),
        ("[f(x) > 1]", "f.decisions:1:2: 'f(x)' is neither"),
    ] {
        let message = complaint(text);
        assert!(message.starts_with(expected), "{text}: {message}");
    }
    assert_eq!(parse("a\n  a && (b").unwrap_err().line, "  a && (b");
}

#[test]
fn decisions_of_the_command_line_count_as_lines_and_have_no_comments() {
    let decisions = ["a".to_owned(), " # b".to_owned()];
    let error = Formulas::parse_each(&decisions).unwrap_err();
    assert_eq!(error.to_string(), "<command line>:2:2: '#' means nothing in a decision");
    let blank = Formulas::parse_each(&[String::new()]).unwrap_err();
    assert!(blank.to_string().starts_with("<command line>:1:1: expected a condition"));
}

#[test]
fn untyped_columns_become_what_their_use_asks_for() {
    let formulas = parse("a && x < y && [y == z] && i > 3 && h > 1.5").unwrap();
    let guessed = |name: &str, kind| Variable { name: name.to_owned(), kind };
    let inputs = [
        guessed("a", Type::Int),
        guessed("x", Type::Int),
        guessed("y", Type::Int),
        guessed("z", Type::Real),
        guessed("i", Type::Bool),
        guessed("h", Type::Int),
        guessed("unused", Type::Int),
    ];
    let kinds: Vec<String> =
        formulas.retype(&inputs).iter().map(|input| input.kind.to_string()).collect();
    assert_eq!(kinds, ["bool", "real", "real", "real", "int", "real", "int"]);
}

#[test]
fn a_hundred_thousand_conditions_on_a_line_are_read_in_one_walk() {
    let text = vec!["ä < 10"; 100_000].join(" && ");
    let formulas = parse(&text).unwrap();
    let last = formulas.conditions().last().unwrap();
    assert_eq!(last.span.end.column as usize, text.chars().count() + 1);
}

proptest! {
    #[test]
    fn no_text_makes_the_reader_panic(text in "(?s).{0,60}") {
        let _ = parse(&text);
    }

    #[test]
    fn no_text_of_the_grammars_own_signs_does_either(
        text in "[ab12ä.<>=!&|^()\\[\\]?:# \\-\n]{0,60}"
    ) {
        let _ = parse(&text);
        let _ = Formulas::parse_each(&[text]);
    }
}
