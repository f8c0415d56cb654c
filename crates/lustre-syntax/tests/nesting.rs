//! Nesting 100,000 deep in every construct that nests: it works, and nothing recurses.

mod support;

use obligato_lustre_syntax::{parse, print};
use support::render;

const DEEP: usize = 100_000;

fn nested(open: &str, inside: &str, close: &str) -> String {
    format!("{}{inside}{}", open.repeat(DEEP), close.repeat(DEEP))
}

fn in_equation(value: &str) -> String {
    format!("node n() returns ();\nlet\n  x = {value};\ntel;\n")
}

/// Parses, prints, parses what is printed, and prints the same again.
fn assert_works(name: &str, text: &str) {
    let shown = |text: &str, why: &[_]| render(name, text.as_bytes(), why);
    let parsed = parse(text.as_bytes()).unwrap_or_else(|why| panic!("{}", shown(text, &why)));
    let printed = print(&parsed.program);
    let again = parse(printed.as_bytes()).unwrap_or_else(|why| panic!("{}", shown(&printed, &why)));
    assert!(print(&again.program) == printed, "{name} prints differently the second time");
    assert_eq!(parsed.program.exprs().len(), again.program.exprs().len(), "{name}");
}

#[test]
fn expressions_nest_100_000_deep() {
    for (name, open, inside, close) in [
        ("parentheses", "(", "x", ")"),
        ("not", "not ", "x", ""),
        ("pre", "pre(", "x", ")"),
        ("negation", "-(", "x", ")"),
        ("if condition", "if ", "x", " then y else z"),
        ("if branch", "if x then ", "y", " else z"),
        ("else branch", "if x then y else ", "z", ""),
        ("array", "[", "1", "]"),
        ("tuple", "{1, ", "2", "}"),
        ("list", "(1, ", "2", ")"),
        ("call", "f(", "x", ")"),
        ("static call", "f<<int>>(", "x", ")"),
        ("at most one", "#(a, ", "b", ")"),
        ("condact", "condact(c, f(", "x", "), 0)"),
        ("activate", "(activate f every ", "x", ")(y)"),
        ("restart", "(restart f every ", "x", ")(y)"),
        ("record", "T { f = ", "x", " }"),
        ("index", "a[", "i", "]"),
        ("index of index", "", "a", "[0]"),
        ("field of field", "", "a", ".f"),
        ("assignment", "a[", "i", " := 0]"),
        ("assigned value", "a[i := ", "x", "]"),
        ("field update", "r{f := ", "x", "}"),
        ("with", "(r with .f = ", "x", ")"),
        ("slice", "a[0 .. ", "i", "]"),
        ("merge", "merge(c; ", "x", "; y)"),
        ("merge cases", "merge c (A -> ", "x", ")"),
        ("delay", "fby(", "x", ", 1, 0)"),
        ("when", "(", "x", ") when c"),
        ("quantifier", "forall (i: int) ", "x", ""),
        ("cast", "real(", "x", ")"),
        ("machine cast", "uint8 (", "x", ")"),
        ("arrow", "0 -> ", "x", ""),
        ("sum to the right", "1 + (", "x", ")"),
        ("sum to the left", "(", "x", " + 1)"),
        ("implication", "a => ", "b", ""),
        ("repetition", "(", "a", ")^1"),
    ] {
        assert_works(name, &in_equation(&nested(open, inside, close)));
    }
}

#[test]
fn types_nest_100_000_deep() {
    for (name, open, close) in [
        ("tuple", "[", "]"),
        ("power", "", "^2"),
        ("array", "", "[2]"),
        ("static arguments", "t<<", ">>"),
    ] {
        assert_works(name, &format!("type t = {};\n", nested(open, "int", close)));
    }
}

#[test]
fn blocks_nest_100_000_deep() {
    for (name, open, inside, close) in [
        ("if", "if c then\n", "x = 1;\n", "fi\n"),
        ("else", "if c then x = 1; else\n", "x = 2;\n", "fi\n"),
        ("frame", "frame (x) let\n", "x = 1;\n", "tel\n"),
        ("automaton", "automaton state A: let\n", "x = 1;\n", "tel returns x;\n"),
    ] {
        let items = nested(open, inside, close);
        assert_works(name, &format!("node n() returns ();\nlet\n{items}tel;\n"));
    }
}

#[test]
fn long_lists_work_as_well() {
    let names: Vec<String> = (0..DEEP).map(|index| format!("v{index}")).collect();
    let sum = names.join(" + ");
    let list = names.join(", ");
    assert_works("sum", &in_equation(&sum));
    assert_works("arguments", &in_equation(&format!("f({list})")));
    assert_works("targets", &format!("node n() returns ();\nlet\n  {list} = f();\ntel;\n"));
    let locals = format!("node n() returns ({list}: int);\nvar\n  {list}: int;\nlet\ntel;\n");
    assert_works("locals", &locals);
    assert_works("chain", &in_equation(&names.join(" -> ")));
}

/// What is nested but never closed gives an error, at any depth.
#[test]
fn brackets_that_never_close_give_an_error() {
    for open in
        ["(", "[", "{", "f(", "if ", "not ", "a[", "T { f = ", "merge(c; ", "(activate f every "]
    {
        let text = format!("node n() returns ();\nlet\n  x = {}", open.repeat(DEEP));
        assert!(parse(text.as_bytes()).is_err(), "{open}");
    }
    for open in ["[", "t<<"] {
        assert!(parse(format!("type t = {}", open.repeat(DEEP)).as_bytes()).is_err(), "{open}");
    }
    for open in ["if c then ", "frame (x) let ", "automaton state A let "] {
        let text = format!("node n() returns ();\nlet\n{}", open.repeat(DEEP));
        assert!(parse(text.as_bytes()).is_err(), "{open}");
    }
    let comments = "(* ".repeat(DEEP);
    assert!(parse(comments.as_bytes()).is_err());
    assert!(parse(format!("{comments}*)").as_bytes()).is_ok());
}

#[test]
fn nesting_beyond_the_limit_gives_an_error_that_says_so() {
    let text = in_equation(&"(".repeat(1_000_001));
    let messages = parse(text.as_bytes()).unwrap_err();
    assert_eq!(messages[0].message, "expressions are nested more than 1000000 deep here");
    let types = "int^(forall (i: ".repeat(1000);
    let messages = parse(format!("type t = {types}").as_bytes()).unwrap_err();
    assert_eq!(messages[0].message, "types and expressions hold each other more than 64 deep here");
}

#[test]
fn a_file_that_is_too_large_is_refused_and_a_large_one_is_read() {
    let large = vec![b' '; 100 << 20];
    assert!(parse(&large).is_ok());
    let mut comment = b"--".to_vec();
    comment.resize(100 << 20, b'x');
    assert!(parse(&comment).is_ok());
    let too_large = vec![b' '; (256 << 20) + 1];
    let messages = parse(&too_large).unwrap_err();
    assert_eq!(messages[0].message, "the file has 268435457 bytes; 268435456 is the most");
}

#[test]
fn a_file_with_too_many_equations_is_refused() {
    let text = "node n() returns ();\nlet\n".to_owned() + &"x=x;".repeat((1 << 22) + 1) + "tel;\n";
    let messages = parse(text.as_bytes()).unwrap_err();
    assert_eq!(messages.len(), 1);
    let expected = "the file has more than 4194304 equations; reading stops here";
    assert_eq!(messages[0].message, expected);
}
