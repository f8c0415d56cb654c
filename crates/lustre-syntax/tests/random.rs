//! Random programs survive printing; random text never breaks the parser.
//!
//! A program is made as a tree and written with parentheses around every expression, so
//! that no precedence can hide a difference: what is parsed is the tree that was made.

mod support;

use obligato_lustre_syntax::{Severity, Source, parse, print};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use support::{assert_round_trip, models};

fn name() -> impl Strategy<Value = String> {
    let words = [
        "a",
        "b",
        "x1",
        "state",
        "last",
        "check",
        "in",
        "mode",
        "end",
        "reachable",
        "any",
        "frame",
        "INITIALLY~0",
        "set",
        "fi",
        "match",
        "initial",
        "E1",
    ];
    select(words.to_vec()).prop_map(str::to_owned)
}

fn leaf() -> impl Strategy<Value = String> {
    let literals = ["true", "false", "0", "17", "0xFF", "3.14", ".5", "1e-3", "0x1.8p3"];
    prop_oneof![
        select(literals.to_vec()).prop_map(str::to_owned),
        name(),
        name().prop_map(|name| format!("::{name}::m")),
        name().prop_map(|name| format!("last {name}")),
    ]
}

fn simple_type() -> impl Strategy<Value = String> {
    let types =
        ["bool", "int", "real", "uint8", "int64", "t", "[int, bool]", "int^3", "real[2][3]"];
    prop_oneof![
        select(types.to_vec()).prop_map(str::to_owned),
        (0..9u32).prop_map(|n| format!("subrange [-{n}, {n} + 1] of int")),
        Just("t<<int; 3>>^(n + 1)".to_owned()),
    ]
}

fn clock() -> impl Strategy<Value = String> {
    prop_oneof![
        Just("true".to_owned()),
        name(),
        name().prop_map(|name| format!("not {name}")),
        (name(), name()).prop_map(|(value, clock)| format!("{value}({clock})")),
    ]
}

/// An expression in parentheses.
fn expression() -> impl Strategy<Value = String> {
    leaf().prop_map(|leaf| format!("({leaf})")).prop_recursive(6, 64, 4, |inner| {
        let unary = ["not", "-", "!", "pre", "current", "int", "real", "floor", "uint16", "int8"];
        let binary = [
            "->", "fby", "=>", "or", "xor", "and", "<", "<=", ">", ">=", "=", "<>", "+", "-", "*",
            "/", "div", "mod", "||", "&&", "lsh", "rsh", "^",
        ];
        let e = move || inner.clone();
        let list = || vec(e(), 1..4).prop_map(|list| list.join(", "));
        let call = || (name(), vec(e(), 0..3)).prop_map(|(f, list)| (f, list.join(", ")));
        prop_oneof![
            4 => (select(unary.to_vec()), e()).prop_map(|(op, a)| format!("{op} {a}")),
            8 => (e(), select(binary.to_vec()), e()).prop_map(|(a, op, b)| format!("{a} {op} {b}")),
            4 => (e(), e(), e()).prop_map(|(a, b, c)| format!("if {a} then {b} else {c}")),
            1 => list().prop_map(|list| format!("[{list}]")),
            1 => list().prop_map(|list| format!("{{{list}}}")),
            1 => list().prop_map(|list| format!("#({list})")),
            1 => (e(), list()).prop_map(|(a, list)| format!("({a}, {list})")),
            2 => call().prop_map(|(f, list)| format!("{f}({list})")),
            1 => call().prop_map(|(f, list)| format!("{f}<<int; 3; [t, bool]>>({list})")),
            1 => (call(), e()).prop_map(|((f, list), r)| format!("(restart {f} every {r})({list})")),
            1 => (call(), e()).prop_map(|((f, list), c)| format!("(activate {f} every {c})({list})")),
            1 => (call(), e(), e(), list()).prop_map(|((f, list), r, c, d)| {
                format!("(activate (restart {f} every {r}) every {c} initial default {d})({list})")
            }),
            1 => (e(), call(), list()).prop_map(|(c, (f, a), d)| format!("condact({c}, {f}({a}), {d})")),
            1 => (e(), e()).prop_map(|(a, i)| format!("{a}[{i}]")),
            1 => (e(), e(), e()).prop_map(|(a, i, j)| format!("{a}[{i} .. {j}]")),
            1 => (e(), name()).prop_map(|(a, f)| format!("{a}.{f}")),
            1 => e().prop_map(|a| format!("{a}.%1")),
            1 => (e(), e(), e()).prop_map(|(a, i, v)| format!("{a}[{i} := {v}]")),
            1 => (e(), name(), e()).prop_map(|(a, f, v)| format!("{a}{{{f} := {v}}}")),
            1 => (e(), name(), e(), e()).prop_map(|(a, f, i, v)| format!("({a} with .{f}[{i}] = {v})")),
            1 => (name(), e(), e()).prop_map(|(t, a, b)| format!("{t} {{ f = {a}; g = {b} }}")),
            1 => (name(), name(), e()).prop_map(|(t, r, a)| format!("{t} {{ {r} with f = {a} }}")),
            1 => (e(), clock()).prop_map(|(a, clock)| format!("{a} when {clock}")),
            1 => (name(), e(), e()).prop_map(|(c, a, b)| format!("merge({c}; {a}; {b})")),
            1 => (name(), e(), e()).prop_map(|(c, a, b)| format!("merge {c} (A -> {a}) (true -> {b})")),
            1 => (simple_type(), e()).prop_map(|(t, a)| format!("forall (i, j: {t}; k: bool) {a}")),
            1 => (simple_type(), e()).prop_map(|(t, a)| format!("exists (i: {t}) {a}")),
            1 => (e(), e(), e()).prop_map(|(a, n, d)| format!("fby({a}, {n}, {d})")),
        ]
        .prop_map(|text| format!("({text})"))
    })
}

fn group() -> impl Strategy<Value = String> {
    (vec(name(), 1..3), simple_type(), proptest::option::weighted(0.2, clock())).prop_map(
        |(names, kind, clock)| {
            let clock = clock.map_or(String::new(), |clock| format!(" when {clock}"));
            format!("{}: {kind}{clock}", names.join(", "))
        },
    )
}

fn groups() -> impl Strategy<Value = String> {
    vec(group(), 0..3).prop_map(|groups| groups.join("; "))
}

fn comment() -> impl Strategy<Value = String> {
    let comments =
        ["", "", "", "", "-- c\n", "\n-- d\n\n-- e\n", "/* f */ ", "(* g\n h *)", "\n\n"];
    select(comments.to_vec()).prop_map(str::to_owned)
}

fn item() -> impl Strategy<Value = String> {
    let simple = prop_oneof![
        4 => (name(), expression()).prop_map(|(x, e)| format!("{x} = {e};")),
        1 => (name(), name(), expression()).prop_map(|(x, y, e)| format!("({x}, {y}[i]) = {e};")),
        1 => expression().prop_map(|e| format!("() = {e};")),
        1 => expression().prop_map(|e| format!("assert {e};")),
        1 => expression().prop_map(|e| format!("--%PROPERTY {e};")),
        1 => (expression(), expression()).prop_map(|(e, p)| format!("check \"t\" {e} provided {p};")),
        1 => expression().prop_map(|e| format!("check reachable {e} from 2 within 5;")),
        1 => Just("--%MAIN\n".to_owned()),
        1 => name().prop_map(|x| format!("--%IVC {x}, y;")),
        1 => name().prop_map(|x| format!("--%REALIZABLE {x};")),
    ];
    let commented =
        (comment(), simple, comment()).prop_map(|(a, item, b)| format!("{a}{item} {b}"));
    commented.prop_recursive(3, 12, 3, |inner| {
        let body = vec(inner, 1..3).prop_map(|items| items.join("\n"));
        let body = move || body.clone();
        prop_oneof![
            (expression(), body()).prop_map(|(c, a)| format!("if {c} then {a} fi\n")),
            (expression(), body(), expression(), body(), body())
                .prop_map(|(c, a, d, b, e)| format!("if {c} then {a} elsif {d} then {b} else {e} fi\n")),
            (name(), body()).prop_map(|(x, a)| format!("frame ({x}, y) y = 0; let {a} tel\n")),
            (name(), expression(), body(), expression()).prop_map(|(s, c, a, d)| format!(
                "automaton initial state {s}: unless if {c} restart {s} var v: int; let {a} tel \
                 until if {d} resume A elsif {c} restart B else resume {s} end state A returns x, y;\n"
            )),
        ]
    })
}

fn contract() -> impl Strategy<Value = String> {
    let clause = prop_oneof![
        expression().prop_map(|e| format!("assume \"a\" {e};")),
        expression().prop_map(|e| format!("weakly guarantee {e};")),
        (name(), expression(), expression())
            .prop_map(|(m, r, e)| format!("mode {m} (require {r}; ensure \"e\" {e};);")),
        (name(), simple_type(), expression()).prop_map(|(x, t, e)| format!("var {x}: {t} = {e};")),
        (name(), expression()).prop_map(|(c, e)| format!("const {c} = {e};")),
        (name(), expression()).prop_map(|(c, e)| format!("import {c}({e}) returns (x, y);")),
    ];
    vec((comment(), clause), 1..4).prop_map(|clauses| {
        let clauses = clauses.into_iter().map(|(comment, clause)| format!("{comment}{clause}"));
        clauses.collect::<Vec<_>>().join("\n")
    })
}

fn declaration() -> impl Strategy<Value = String> {
    let node = (
        groups(),
        groups(),
        proptest::option::of(contract()),
        vec(group(), 0..3),
        vec(item(), 0..5),
    )
        .prop_map(|(inputs, outputs, contract, locals, items)| {
            let contract =
                contract.map_or(String::new(), |text| format!("(*@contract {text} *)\n"));
            let locals: String = locals.iter().map(|group| format!("var {group};\n")).collect();
            let items = items.join("\n");
            format!("node n({inputs}) returns ({outputs});\n{contract}{locals}let\n{items}\ntel;\n")
        });
    prop_oneof![
        4 => node,
        1 => simple_type().prop_map(|t| format!("type t, u = {t};\n")),
        1 => group().prop_map(|g| format!("type r = struct {{ {g}; h: int }};\n")),
        1 => Just("type e<<t; u>> = enum { A, B };\ntype free;\n".to_owned()),
        1 => expression().prop_map(|e| format!("const c = {e}; d: int = {e};\n")),
        1 => Just("const a, b: int;\ninclude \"other.lus\"\n".to_owned()),
        1 => (groups(), groups()).prop_map(|(i, o)| format!("function imported f({i}) returns ({o});\n")),
        1 => (groups(), groups()).prop_map(|(i, o)| format!("opaque function g<<t>>({i}) returns ({o});\n")),
        1 => (groups(), contract()).prop_map(|(i, c)| format!("contract k({i}) returns (); let {c} tel\n")),
        1 => Just("node n = m<<int^3; t>>;\n".to_owned()),
    ]
}

fn program() -> impl Strategy<Value = String> {
    vec((comment(), declaration()), 1..4).prop_map(|parts| {
        parts.into_iter().map(|(comment, declaration)| comment + &declaration).collect()
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn random_expressions_parse_to_the_same_tree_after_printing(text in expression()) {
        assert_round_trip("random", format!("const c = {text};").as_bytes());
    }

    #[test]
    fn random_programs_parse_to_the_same_tree_after_printing(text in program()) {
        assert_round_trip("random", text.as_bytes());
    }

    #[test]
    fn random_token_soup_never_breaks_the_parser(words in vec(select(WORDS.to_vec()), 0..200)) {
        never_breaks(words.join(" ").as_bytes());
    }

    #[test]
    fn random_bytes_never_break_the_parser(bytes in vec(any::<u8>(), 0..300)) {
        never_breaks(&bytes);
    }
}

#[test]
fn random_changes_of_the_models_never_break_the_parser() {
    // A small generator of our own: the models are too large to be values of a strategy.
    let mut state = 0x9E37_79B9_7F4A_7C15_u64;
    let mut random = move |below: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        usize::try_from(state % below as u64).expect("below a usize")
    };
    for (_, original) in models().into_iter().filter(|(_, text)| text.len() < 60_000) {
        for _ in 0..20 {
            let mut text = original.clone();
            for _ in 0..=random(4) {
                let at = random(text.len());
                let end = (at + random(30)).min(text.len());
                match random(4) {
                    0 => drop(text.drain(at..end)),
                    1 => text[at] = u8::try_from(random(256)).expect("a byte"),
                    2 => {
                        let word = WORDS[random(WORDS.len())];
                        text.splice(at..at, word.bytes());
                    }
                    _ => text.truncate(text.len() - random(text.len() / 4 + 1)),
                }
                if text.is_empty() {
                    break;
                }
            }
            never_breaks(&text);
        }
    }
}

/// Whatever the text: a tree that prints and parses again, or errors with places in the text.
fn never_breaks(text: &[u8]) {
    match parse(text) {
        Ok(parsed) => {
            let printed = print(&parsed.program);
            assert!(parse(printed.as_bytes()).is_ok(), "{printed}");
        }
        Err(diagnostics) => {
            let source = Source::new(text);
            assert!(diagnostics.iter().any(|one| one.severity == Severity::Error));
            for diagnostic in &diagnostics {
                assert!(diagnostic.span.end as usize <= text.len(), "{diagnostic:?}");
                assert!(
                    source.position(diagnostic.span.start).line as usize <= source.line_count()
                );
            }
        }
    }
}

const WORDS: &[&str] = &[
    "node",
    "function",
    "type",
    "const",
    "var",
    "let",
    "tel",
    "returns",
    "assert",
    "contract",
    "imported",
    "n",
    "x",
    "int",
    "bool",
    "real",
    "uint8",
    "subrange",
    "of",
    "struct",
    "enum",
    "if",
    "then",
    "else",
    "fi",
    "elsif",
    "frame",
    "automaton",
    "state",
    "initial",
    "unless",
    "until",
    "restart",
    "resume",
    "activate",
    "every",
    "default",
    "condact",
    "merge",
    "when",
    "pre",
    "not",
    "and",
    "or",
    "xor",
    "->",
    "=>",
    "=",
    "<>",
    "<",
    "<<",
    ">>",
    ">",
    "+",
    "-",
    "*",
    "/",
    "div",
    "mod",
    "^",
    "[",
    "]",
    "(",
    ")",
    "{",
    "}",
    ",",
    ";",
    ":",
    ":=",
    "::",
    ".",
    "..",
    ".%",
    "#",
    "'",
    "@",
    "|",
    "&&",
    "||",
    "!",
    "1",
    "2.5",
    "\"s\"",
    "true",
    "false",
    "forall",
    "exists",
    "with",
    "fby",
    "current",
    "last",
    "check",
    "reachable",
    "provided",
    "mode",
    "require",
    "ensure",
    "assume",
    "guarantee",
    "import",
    "weakly",
    "--%PROPERTY",
    "--%MAIN",
    "--%IVC",
    "\n",
    "\n\n",
    "(*@contract",
    "*)",
    "(*",
    "/*",
    "*/",
    "-- c\n",
    "include",
    "datatype",
    "\0",
    "é",
    "==",
    "?",
];
