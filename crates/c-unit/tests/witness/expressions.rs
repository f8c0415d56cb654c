//! Random functions that decide something, and random tests of them.

use std::fmt::Write as _;

use obligato_model::Random;

use crate::suite::Rows;

/// How many functions a file has, each with one random decision.
const FUNCTIONS: usize = 80;
/// How many tests there are: too few for every condition.
const TESTS: usize = 12;
const MOST_CONDITIONS: usize = 7;

const LEAVES: &[&str] = &[
    "a",
    "b",
    "p",
    "q",
    "!a",
    "!p",
    "a > 1",
    "b <= 2",
    "a == b",
    "a != b + 1",
    "(a & 1)",
    "same(b)",
    "(a += 0)",
    "(q ? a : b)",
    "x > 0.5",
];

/// Where a decision may stand.
const CONTEXTS: &[&str] = &[
    "if (E) return 1; return 0;",
    "int n = E; return n;",
    "return E;",
    "return E ? 3 : 4;",
    "return same(E);",
    "int n = 0; while (E) { if (n++ > 2) break; a--; } return n;",
    "int n = 0; do n++; while (n < 3 && (E)); return n;",
    "int n = 0; for (int i = 0; E; i++) { a += i; if (i > 2) break; n++; } return n;",
    "_Bool both = E; return both;",
    "static const int table[2] = { 3, 5 }; return table[E];",
];

/// A file with a function `subject` that calls all others, and its tests.
pub fn draw(seed: u64) -> (String, Rows) {
    let mut random = Random::for_purpose(seed, "decisions for a witness");
    let mut text = String::from("static int same(int x) { return x; }\n");
    let mut calls = String::new();
    for number in 0..FUNCTIONS {
        let count = 2 + random.below(MOST_CONDITIONS - 1);
        let expression = draw_expression(&mut random, count);
        let body = CONTEXTS[random.below(CONTEXTS.len())].replace('E', &expression);
        let _ = writeln!(
            text,
            "static int f{number}(int a, int b, _Bool p, _Bool q, double x) {{ {body} }}"
        );
        let _ = write!(calls, " + f{number}(a, b, p, q, x)");
    }
    let _ = writeln!(
        text,
        "int subject(int a, int b, _Bool p, _Bool q, double x) {{ return 0{calls}; }}"
    );
    let rows = (0..TESTS).map(|_| {
        let mut row = Vec::new();
        for name in ["a", "b"] {
            row.push((name.to_owned(), ["-1", "0", "1", "2", "3"][random.below(5)].to_owned()));
        }
        for name in ["p", "q"] {
            row.push((name.to_owned(), (random.below(2) == 1).to_string()));
        }
        row.push(("x".to_owned(), ["0.0", "0.75", "nan"][random.below(3)].to_owned()));
        vec![row]
    });
    let rows = rows.collect();
    (text, rows)
}

/// An expression with so many conditions. Every part of one is in parentheses.
fn draw_expression(random: &mut Random, count: usize) -> String {
    if count == 1 {
        return LEAVES[random.below(LEAVES.len())].to_owned();
    }
    let left = 1 + random.below(count - 1);
    let (left, right) = (draw_expression(random, left), draw_expression(random, count - left));
    let operator = ["&&", "||"][random.below(2)];
    // clang takes no `!` around a part of a decision.
    let not = if random.below(16) == 0 { "!" } else { "" };
    format!("{not}({left} {operator} {right})")
}
