//! Tests of what is a decision and what is a condition.

use obligato_model::{Integer, Node as TreeNode, Role, Type, Value};

use crate::analysis::{Model, NodeDecision, Options, Purpose, analyse};
use obligato_lustre_syntax::parse;

fn model(text: &str) -> Model {
    let parsed = parse(text.as_bytes()).expect("a model that parses");
    analyse(parsed.program, &Options::default()).expect("a model without errors")
}

/// A decision as its text and the texts of its conditions, `*` before a constant one.
fn shown(model: &Model, text: &str, decision: &NodeDecision) -> String {
    let at = |id| {
        let span = model.program.expr_span(id);
        text[span.start as usize..span.end as usize].to_owned()
    };
    let conditions: Vec<_> = decision
        .conditions
        .iter()
        .map(|condition| {
            let mark = if condition.constant.is_some() { "*" } else { "" };
            format!("{mark}{}", at(condition.expr))
        })
        .collect();
    let role = if decision.role == Role::Control { "control " } else { "" };
    let nested = if decision.nested_in.is_some() { "nested " } else { "" };
    format!("{nested}{role}{}: {}", at(decision.root), conditions.join(" | "))
}

fn decisions(text: &str) -> Vec<String> {
    let model = model(text);
    let main = model.main_node();
    main.decisions.iter().map(|decision| shown(&model, text, decision)).collect()
}

#[test]
fn the_fragment_of_the_paper_on_strict_tags_has_a_decision_per_equation() {
    // Section II of the paper on incremental generation; all are Boolean.
    let found = decisions(
        "node main(in1, in2, in3: bool) returns (out: bool);
         var v1, v2, v3, v4: bool;
         let
           v1 = (false -> (pre in1));
           v2 = (v1 and in2);
           v3 = (false -> (pre v2));
           v4 = (if in3 then v2 else v3);
           out = (false -> (pre v4));
         tel;",
    );
    assert_eq!(
        found,
        [
            "false -> (pre in1): false -> (pre in1)",
            "nested pre in1: pre in1",
            "nested in1: in1",
            "v1 and in2: v1 | in2",
            "false -> (pre v2): false -> (pre v2)",
            "nested pre v2: pre v2",
            "nested v2: v2",
            "if in3 then v2 else v3: in3 | v2 | v3",
            "false -> (pre v4): false -> (pre v4)",
            "nested pre v4: pre v4",
            "nested v4: v4",
        ]
    );
}

#[test]
fn the_test_of_an_if_with_other_arms_is_a_control_decision() {
    let found = decisions(
        "node main(a, b: bool; x: int) returns (y: int);
         let
           y = if a and not b then x else (if x > 3 then 1 else 2);
         tel;",
    );
    assert_eq!(found, ["control a and not b: a | b", "control x > 3: x > 3"]);
}

#[test]
fn boolean_equality_is_an_operator_and_other_equality_a_condition() {
    let found = decisions(
        "node main(a, b: bool; x, y: int) returns (c: bool);
         let c = (a = (x = y)) <> (b xor x <> 1 => a); tel;",
    );
    assert_eq!(found[0], "(a = (x = y)) <> (b xor x <> 1 => a): a | x = y | b | x <> 1 | a");
    assert_eq!(found.len(), 1);
}

#[test]
fn what_is_boolean_inside_a_condition_is_nested_in_it() {
    let text = "node f(p: bool; n: int) returns (q: bool); let q = p; tel;
         node main(a, b, c: bool; v: bool^3) returns (o: bool);
         let
           o = c or f(a and b, if a or b then 1 else 2) and v[if c then 0 else 1];
         tel;";
    let model = model(text);
    let main = model.main_node();
    let found: Vec<_> =
        main.decisions.iter().map(|d| (shown(&model, text, d), d.nested_in)).collect();
    let call = "f(a and b, if a or b then 1 else 2)";
    let index = "v[if c then 0 else 1]";
    let expected = [
        (format!("c or {call} and {index}: c | {call} | {index}"), None),
        ("nested a and b: a | b".to_owned(), Some((0, 1))),
        ("nested control a or b: a | b".to_owned(), Some((0, 1))),
        ("nested control c: c".to_owned(), Some((0, 2))),
    ];
    assert_eq!(found, expected);
}

#[test]
fn clocks_of_calls_are_control_decisions_and_their_defaults_are_values() {
    let found = decisions(
        "node f(p: bool) returns (q: bool); let q = p; tel;
         node main(a, b: bool) returns (o, p: bool);
         let
           o = condact(a or b, f(not a), true);
           p = (activate f every a initial default b restart every not b)(a);
         tel;",
    );
    assert_eq!(found[0], "condact(a or b, f(not a), true): condact(a or b, f(not a), true)");
    assert_eq!(
        found[1..3],
        ["nested control a or b: a | b".to_owned(), "nested not a: a".to_owned()]
    );
    let rest: Vec<_> = found[4..].iter().map(String::as_str).collect();
    assert_eq!(
        rest,
        ["nested control not b: b", "nested control a: a", "nested b: b", "nested a: a"]
    );
}

#[test]
fn constants_are_marked_and_a_literal_alone_decides_only_in_an_if() {
    let found = decisions(
        "const limit = 3; const on: bool = limit > 2;
         node main(a: bool) returns (o, p: bool; x: int);
         let
           o = true;
           p = a and on and (limit = 4 or true);
           x = if true then 1 else 2;
         tel;",
    );
    assert_eq!(
        found,
        ["a and on and (limit = 4 or true): a | *on | *limit = 4 | *true", "control true: *true",]
    );
}

#[test]
fn comparisons_of_numbers_carry_their_type_and_constants() {
    let model = model(
        "const top = 3; type t = enum { A, B };
         node main(s: subrange [0, 3] of int; x: int; r: real; m: uint8; e: t) returns (o: bool);
         let o = s = top and s < 9 and x > s and r <= 1.5 and m <> (uint8 255) and e = A; tel;",
    );
    let relations: Vec<_> = model.main_node().decisions[0]
        .conditions
        .iter()
        .map(|condition| condition.relation.clone().map(|r| (r.kind.to_string(), r.right)))
        .collect();
    let real = Value::parse("1.5", &Type::Real).unwrap();
    let int = |n: i32| Some(Value::Int(Integer::from(n)));
    assert_eq!(
        relations,
        [
            Some(("subrange [0, 3]".to_owned(), int(3))),
            Some(("int".to_owned(), int(9))),
            Some(("int".to_owned(), None)),
            Some(("real".to_owned(), Some(real))),
            Some(("uint8".to_owned(), int(255))),
            None,
        ]
    );
}

#[test]
fn asserts_properties_and_contracts_are_told_from_equations() {
    let model = model(
        "node main(a, b: bool) returns (c: bool);
         (*@contract assume a or b; *)
         let
           c = a;
           assert not a;
           --%PROPERTY b => c;
         tel;",
    );
    let purposes: Vec<_> = model.main_node().decisions.iter().map(|d| d.purpose).collect();
    let expected = [Purpose::Equation, Purpose::Assert, Purpose::Property, Purpose::Contract];
    assert_eq!(purposes, expected);
}

#[test]
fn a_thousand_conditions_and_a_hundred_thousand_negations_make_one_decision_each() {
    let many = vec!["a"; 1000].join(" and ");
    let text = format!(
        "node main(a: bool) returns (x, y: bool);
         let x = {many}; y = {} a; tel;",
        "not ".repeat(100_000)
    );
    let model = model(&text);
    let [wide, deep] = &model.main_node().decisions[..] else { panic!("two decisions") };
    assert_eq!(wide.conditions.len(), 1000);
    assert_eq!(deep.conditions.len(), 1);
    assert!(matches!(deep.tree.node(deep.tree.root()), TreeNode::Not(_)));
}
