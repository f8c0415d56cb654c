//! Single constructs as they are written, and names that cannot stay.

use obligato_model::{Signedness, Type, Value};
use obligato_transition_system::{Binary, Initial, Machine, Sort, SystemBuilder};

use super::*;

/// The lines of the body, without indentation.
fn body(system: &System, dialect: Dialect) -> Vec<String> {
    let node =
        FlatNode { system, name: "f", preamble: Vec::new(), labels: Vec::new(), traps: Vec::new() };
    let text = print_flat(&node, dialect).expect("the dialect has words for it").text;
    let (_, body) = text.split_once("--%MAIN;\n").expect("a body");
    let lines = body.lines().map(|line| line.trim().to_owned());
    lines.filter(|line| !line.is_empty() && line != "tel;").collect()
}

/// A system with one output, an operation on two inputs of a type.
fn operation(kind: &Type, operation: Binary) -> System {
    let mut builder = SystemBuilder::new();
    let a = builder.add_input("a", kind.clone()).expect("a scalar");
    let b = builder.add_input("b", kind.clone()).expect("a scalar");
    let result = builder.graph().binary(operation, a, b).expect("sorts fit");
    builder.add_output("y", kind.clone(), result).expect("sorts fit");
    builder.finish().expect("complete")
}

#[test]
fn a_division_by_zero_is_zero_as_in_simulation() {
    let lines = body(&operation(&Type::Int, Binary::Div), Dialect::Kind2);
    assert_eq!(lines, ["y = if b = 0 then 0 else (a div b);"]);
}

#[test]
fn jkind_is_not_asked_to_divide_by_a_negative_constant() {
    let mut builder = SystemBuilder::new();
    let a = builder.add_input("a", Type::Int).expect("a scalar");
    let divisor = builder.graph().constant(Sort::Int, Value::int(-3)).expect("an integer");
    for (name, operation) in [("q", Binary::Div), ("r", Binary::Mod)] {
        let result = builder.graph().binary(operation, a, divisor).expect("sorts fit");
        builder.add_output(name, Type::Int, result).expect("sorts fit");
    }
    let system = builder.finish().expect("complete");
    assert_eq!(body(&system, Dialect::JKind), ["q = -(a div 3);", "r = (a mod 3);"]);
    assert_eq!(body(&system, Dialect::Kind2), ["q = a div (-3);", "r = a mod (-3);"]);
}

#[test]
fn what_kind_2_has_no_operator_for_is_made_of_others() {
    let kind = Type::Machine(Signedness::Unsigned, 8);
    let lines = body(&operation(&kind, Binary::BitXor), Dialect::Kind2);
    assert_eq!(lines, ["y = (a || b) && (!(a && b));"]);
}

#[test]
fn machine_integers_change_their_sign_by_way_of_integers() {
    let mut builder = SystemBuilder::new();
    let kind = |signedness| Type::Machine(signedness, 8);
    let a = builder.add_input("a", kind(Signedness::Signed)).expect("a scalar");
    let to = Machine::new(Signedness::Unsigned, 8).expect("8 bits");
    let wrapped =
        builder.graph().unary(obligato_transition_system::Unary::Wrap(to), a).expect("sorts fit");
    builder.add_output("y", kind(Signedness::Unsigned), wrapped).expect("sorts fit");
    let system = builder.finish().expect("complete");
    assert_eq!(body(&system, Dialect::Kind2), ["y = uint8 (int(a));"]);
}

#[test]
fn a_latch_without_a_first_value_starts_as_in_simulation() {
    let mut builder = SystemBuilder::new();
    let a = builder.add_input("a", Type::Bool).expect("a scalar");
    let latch = builder.add_latch("l@9", Type::Bool, Initial::Undefined).expect("a scalar");
    builder.set_next(latch, a).expect("sorts fit");
    builder.add_output("y", Type::Bool, latch).expect("sorts fit");
    let system = builder.finish().expect("complete");
    assert_eq!(body(&system, Dialect::JKind), ["l = false -> pre a;", "y = l;"]);
}

#[test]
fn names_that_cannot_stay_are_listed_at_the_top() {
    let mut builder = SystemBuilder::new();
    let a = builder.add_input("msg.x[0]", Type::Bool).expect("a scalar");
    let b = builder.add_input("set", Type::Enumeration(vec!["map".into(), "On".into()]));
    assert!(b.is_ok());
    builder.add_output("y", Type::Bool, a).expect("sorts fit");
    let system = builder.finish().expect("complete");
    let node = FlatNode {
        system: &system,
        name: "f",
        preamble: vec!["Top.".to_owned()],
        labels: Vec::new(),
        traps: Vec::new(),
    };
    let kind2 = print_flat(&node, Dialect::Kind2).expect("words").text;
    let expected = "\
-- Top.
-- here map_2, there map
-- here msg_x_0, there msg.x[0]
-- here set_2, there set

type enum_1 = enum {map_2, On};
node f(
  msg_x_0: bool;
  set_2: enum_1
) returns (
";
    assert!(kind2.starts_with(expected), "{kind2}");
    let jkind = print_flat(&node, Dialect::JKind).expect("words");
    assert_eq!(jkind.renamed, [("msg.x[0]".to_owned(), "msg_x_0".to_owned())]);
}
