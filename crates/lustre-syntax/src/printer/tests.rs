//! Tests of the printer: parentheses, layout, comments.

use crate::{parse, print};

fn printed(text: &str) -> String {
    let parsed = parse(text.as_bytes()).unwrap_or_else(|why| panic!("{text}: {why:#?}"));
    print(&parsed.program)
}

fn printed_expression(text: &str) -> String {
    let file = format!("node n() returns ();\nlet\n  x = {text};\ntel;\n");
    let printed = printed(&file);
    let start = printed.find("  x = ").expect("an equation on one line") + 6;
    printed[start..].split(";\ntel").next().expect("an end").to_owned()
}

#[test]
fn parentheses_that_change_nothing_go() {
    for (text, expected) in [
        ("((a))", "a"),
        ("(a * b) + (c)", "a * b + c"),
        ("a and (b and c)", "a and (b and c)"),
        ("(a and b) and c", "a and b and c"),
        ("a => (b => c)", "a => b => c"),
        ("(a => b) => c", "(a => b) => c"),
        ("0 -> (if a then b else c)", "0 -> if a then b else c"),
        ("(if a then b else c) + 1", "(if a then b else c) + 1"),
        ("1 + (if a then b else c)", "1 + (if a then b else c)"),
        ("(a => if a then b else c) -> d", "a => (if a then b else c) -> d"),
        ("pre (x)", "pre x"),
        ("(pre x)[i]", "(pre x)[i]"),
        ("not (not a)", "not not a"),
        ("(a when c) when d", "a when c when d"),
        ("real x + real (y)", "real(x) + real(y)"),
    ] {
        assert_eq!(printed_expression(text), expected, "{text}");
    }
}

#[test]
fn what_the_dialects_read_differently_gets_parentheses() {
    for (text, expected) in [
        ("-a div b", "(-a) div b"),
        ("-(a div b)", "-(a div b)"),
        ("a - (-b)", "a - (-b)"),
        ("-(-a)", "-(-a)"),
        ("uint8 a", "uint8 a"),
        ("(uint8 a) + 1", "(uint8 a) + 1"),
        ("uint8 a + 1", "uint8 (a + 1)"),
        ("-2 * x", "-2 * x"),
    ] {
        assert_eq!(printed_expression(text), expected, "{text}");
    }
}

#[test]
fn each_dialect_keeps_its_notation() {
    for text in [
        "a[i := 1]",
        "r{f := 1}",
        "(r with .f[i] = 1)",
        "merge(c; a; b when not c)",
        "merge c (A -> a when A(c)) (B -> b when B(c))",
        "(activate n every c initial default 0, 1)(a)",
        "(activate (restart n every r) every c)(a)",
        "(restart n every r)(a)",
        "condact(c, (restart n every r)(a), 0)",
        "fby(x, 2, 0)",
        "x fby y",
        "#(a, b, c)",
        "{1, 2.0}",
        "[1, 2] ^ 3",
        "a[1 .. 2]",
        "t.%0",
        "f<<int; 3>>(x)",
        "forall (i, j: int; k: bool) p(i, j, k)",
        "T { f = 1; g = 2 }",
        "T { r with f = 1 }",
        "::mode and ::contract::mode",
        "current x",
        "!a",
        "last x",
    ] {
        assert_eq!(printed_expression(text), text);
    }
}

#[test]
fn comments_stay_with_what_they_are_about() {
    let text = "\
-- header

-- about n
node n(
  -- first
  a: int;
  b: int -- moves on
) returns (x, y: int); -- after
(*@contract
  -- why
  assume a > 0; -- really
*)
var
  v: int; -- local
let
  x = a; -- one

  /* two */
  y = b + -- inside
    1;
  -- last
tel; -- end
-- closing
";
    assert_eq!(
        printed(text),
        "\
-- header

-- about n
node n(
  -- first
  a: int;
  b: int
)
returns (
  -- moves on
  x, y: int
);
(*@contract
  -- after
  -- why
  assume a > 0; -- really
*)
var
  v: int; -- local
let
  x = a; -- one

  /* two */
  -- inside
  y = b + 1;
  -- last
tel; -- end

-- closing
"
    );
}

#[test]
fn what_is_too_long_is_broken_at_its_outermost_operators() {
    let names: Vec<String> = (0..8).map(|index| format!("condition_number_{index}")).collect();
    let text = format!(
        "node n() returns ();\nlet\n  x = if {} then f({}) else 0;\ntel;\n",
        names.join(" and "),
        names.join(", ")
    );
    let printed = printed(&text);
    assert!(printed.lines().all(|line| line.len() <= 100), "{printed}");
    assert!(printed.contains("\n      then f(\n          condition_number_0,\n"), "{printed}");
}

#[test]
fn a_file_without_declarations_keeps_its_comments() {
    assert_eq!(printed("-- only this\n"), "-- only this\n");
    assert_eq!(printed(""), "");
}
