//! What a builder and `validate` refuse.

use super::*;
use crate::term::Binary;

fn message<T: std::fmt::Debug>(result: Result<T, Error>) -> String {
    result.unwrap_err().to_string()
}

fn toggle() -> SystemBuilder {
    let mut builder = SystemBuilder::new();
    let state = builder.add_latch("state", Type::Bool, Initial::Undefined).unwrap();
    let next = builder.graph().not(state).unwrap();
    builder.set_next(state, next).unwrap();
    builder.add_output("out", Type::Bool, state).unwrap();
    builder
}

#[test]
fn an_unguarded_latch_starts_at_zero_and_is_reported() {
    let system = toggle().finish().unwrap();
    assert_eq!(system.unguarded().collect::<Vec<_>>(), [0]);
    assert_eq!(system.initial_state(), [Value::Bool(false)]);
}

#[test]
fn a_builder_refuses_wrong_pieces() {
    let mut builder = toggle();
    let state = builder.graph().latches()[0];
    let count = builder.add_input("count", Type::Int).unwrap();
    assert_eq!(message(builder.set_next(state, state)), "latch 'state' has two next values");
    assert_eq!(
        message(builder.set_next(state, count)),
        "'state' has type bool, but what defines it is of type int"
    );
    assert_eq!(message(builder.set_next(count, count)), "node 2 is not a latch");
    assert_eq!(
        message(builder.add_output("shown", Type::Real, count)),
        "'shown' has type real, but what defines it is of type int"
    );
    assert_eq!(
        message(builder.add_input("half", Type::Float32)),
        "type float has no place in a transition system"
    );
    let initial = Initial::Value(Value::int(300));
    let byte: Type = "int8".parse().unwrap();
    assert_eq!(
        message(builder.add_latch("byte", byte, initial)),
        "300 is not a value of type int8, which 'byte' has"
    );
    let check = Check {
        node: count,
        kind: CheckKind::Assertion,
        label: "count is small".to_owned(),
        origin: 0,
    };
    assert_eq!(
        message(builder.add_check(check)),
        "'count is small' has type bool, but what defines it is of type int"
    );
}

#[test]
fn a_whole_system_grows_and_keeps_what_it_has() {
    let whole = toggle().finish().unwrap();
    let mut builder = SystemBuilder::grow(whole.clone());
    let held = builder.add_latch("held", Type::Bool, Initial::Undefined).unwrap();
    assert_eq!(message(builder.clone().finish()), "latch 'held' has no next value");
    let state = whole.latches[0].node;
    assert_eq!(message(builder.set_next(state, held)), "latch 'state' has two next values");
    builder.set_next(held, state).unwrap();
    let grown = builder.finish().unwrap();
    assert_eq!(grown.latches[..1], whole.latches[..]);
    assert_eq!(grown.outputs, whole.outputs);
}

#[test]
fn an_unfinished_system_is_refused() {
    let mut builder = toggle();
    builder.add_latch("open", Type::Int, Initial::Undefined).unwrap();
    assert_eq!(message(builder.finish()), "latch 'open' has no next value");
    let mut builder = toggle();
    builder.add_output("out", Type::Bool, NodeId::new(0)).unwrap();
    assert_eq!(message(builder.finish()), "'out' is declared twice");
    let mut builder = toggle();
    builder.graph().input(Sort::Int);
    assert_eq!(message(builder.finish()), "0 values for inputs, where 1 are needed");
}

#[test]
fn a_system_that_was_changed_is_checked_again() {
    let whole = toggle().finish().unwrap();
    let mut system = whole.clone();
    system.latches[0].node = system.latches[0].next;
    assert_eq!(message(system.validate()), "'state' does not stand for its own node");
    let mut system = whole.clone();
    system.latches[0].initial = Initial::Value(Value::int(1));
    assert_eq!(message(system.validate()), "1 is not a value of type bool, which 'state' has");
    let mut system = whole;
    let one = system.graph.constant(Sort::Int, Value::int(1)).unwrap();
    system.outputs[0].node = one;
    assert_eq!(
        message(system.validate()),
        "'out' has type bool, but what defines it is of type int"
    );
    system.outputs[0].node = NodeId::new(1000);
    assert_eq!(message(system.validate()), "node 1000 is not in the graph");
}

#[test]
fn derived_comparisons_are_exchanged_operands() {
    let mut builder = SystemBuilder::new();
    let x = builder.add_input("x", Type::Int).unwrap();
    let y = builder.add_input("y", Type::Int).unwrap();
    let graph = builder.graph();
    let less = graph.binary(Binary::Less, x, y).unwrap();
    assert_ne!(graph.binary(Binary::Less, y, x).unwrap(), less);
    assert_eq!(
        graph.implies(less, less).ok().and_then(|node| graph.as_constant(node).cloned()),
        Some(Value::Bool(true))
    );
}
