//! Large and deeply nested models: no pass recurses on nesting, none is quadratic.

mod support;

use std::fmt::Write as _;

use obligato_lustre::analysis::{Extent, Model, Options, analyse};
use obligato_lustre_syntax::parse;
use support::render;

fn analysed(text: &str) -> Model {
    parse(text.as_bytes())
        .and_then(|parsed| analyse(parsed.program, &Options::default()))
        .unwrap_or_else(|why| panic!("{}", render("large", text.as_bytes(), &why[..1])))
}

#[test]
fn a_hundred_thousand_equations_in_reverse_are_put_in_order() {
    let count = 100_000;
    let mut text = String::from("node main(a: int) returns (x0: int);\nvar\n");
    for index in 1..=count {
        let _ = writeln!(text, "  x{index}: int;");
    }
    text += "let\n";
    for index in 0..count {
        let _ = writeln!(text, "  x{index} = if x{} > {index} then a else 0;", index + 1);
    }
    let _ = writeln!(text, "  x{count} = a;\ntel;");
    let model = analysed(&text);
    let main = model.main_node();
    assert_eq!(main.definitions.len(), count + 1);
    assert_eq!(model.variable_name(main.definitions[0].variable), format!("x{count}"));
    assert_eq!(main.decisions.len(), count);
    let program = model.program_of_sources("large.lus", text.as_bytes(), Extent::Equations);
    assert_eq!(program.decisions().len(), count);
}

#[test]
fn the_copies_of_what_has_type_parameters_are_limited() {
    let mut text = String::new();
    for level in 0..20 {
        let next = level + 1;
        let _ = writeln!(
            text,
            "node n{level}<<T>>(x: T) returns (y: bool);\n\
             let y = n{next}<<T^1>>([x]) and n{next}<<[T, int]>>({{x, 1}}); tel;"
        );
    }
    text += "node n20<<T>>(x: T) returns (y: bool); let y = true; tel;\n\
             node main(x: int) returns (y: bool); let y = n0<<int>>(x); tel;";
    let parsed = parse(text.as_bytes()).unwrap();
    let why = analyse(parsed.program, &Options::default()).unwrap_err();
    assert_eq!(why[0].message, "there are too many copies of what has type parameters");
}

#[test]
fn a_copy_may_nest_as_deep_as_its_original() {
    let depth = 50_000;
    let text = format!(
        "node f<<T>>(x: T; a: bool) returns (y: bool); let y = {}a{}; tel;\n\
         node main(x: int; a: bool) returns (y: bool); let y = f<<int>>(x, a); tel;",
        "(a xor ".repeat(depth),
        ")".repeat(depth)
    );
    assert_eq!(analysed(&text).nodes[0].decisions[0].conditions.len(), depth + 1);
}

#[test]
fn a_hundred_thousand_levels_of_each_construct_are_analysed() {
    let depth = 100_000;
    let nested = |open: &str, inner: &str, close: &str| {
        format!("{}{inner}{}", open.repeat(depth), close.repeat(depth))
    };
    let values = [
        nested("(not ", "a", ")"),
        nested("(if a then ", "b", " else a)"),
        nested("f(", "a", ")"),
        nested("(true -> pre ", "a", ")"),
        nested("(if f(", "a", ") then a else b)"),
        nested("(a = ", "b", ")"),
        nested("(0 < (if ", "a", " then 1 else 2))"),
    ];
    for value in values {
        let text = format!(
            "node f(x: bool) returns (y: bool); let y = x; tel;\n\
             node main(a, b: bool) returns (o: bool); let o = {value}; tel;\n"
        );
        let model = analysed(&text);
        assert!(!model.main_node().decisions.is_empty());
    }
}

#[test]
fn a_chain_of_twenty_thousand_nodes_is_analysed() {
    let mut text = String::from("node n0(a: int) returns (b: int); let b = a; tel;\n");
    for index in 1..20_000 {
        let called = index - 1;
        let _ = writeln!(
            text,
            "node n{index}(a: int) returns (b: int); let b = n{called}(a) + 1; tel;"
        );
    }
    let model = analysed(&text);
    assert_eq!(model.text(model.main_node().name.symbol), "n19999");
    assert_eq!(model.node(model.node_order[0]).instantaneous, [[0]]);
}
