//! Which nodes are found to be equal, and which are not.

use obligato_model::Type;
use obligato_transition_system::{Binary, Initial, SystemBuilder};

use super::*;

fn zero() -> Initial {
    Initial::Value(Value::int(0))
}

#[test]
fn latches_that_are_given_the_same_are_one_through_any_number_of_steps() {
    let mut builder = SystemBuilder::new();
    let x = builder.add_input("x", Type::Int).expect("an input");
    let mut latch = |name: &str| builder.add_latch(name, Type::Int, zero()).expect("a latch");
    let (pre, same) = (latch("pre"), latch("same"));
    let (pre_pre, same_pre) = (latch("pre pre"), latch("same pre"));
    for (latch, next) in [(pre, x), (same, x), (pre_pre, pre), (same_pre, same)] {
        builder.set_next(latch, next).expect("a next value");
    }
    let graph = builder.graph();
    let first = graph.binary(Binary::Add, pre, same_pre).expect("a sum");
    let second = graph.binary(Binary::Add, pre_pre, same).expect("a sum");
    let tap = graph.tap(second).expect("a tap");
    let tap = graph.tap_node(tap);
    let classes = Classes::new(&builder.finish().expect("a system"));
    assert_eq!([pre, same].map(|node| classes.first(node)), [pre; 2]);
    assert_eq!([pre_pre, same_pre].map(|node| classes.first(node)), [pre_pre; 2]);
    assert_eq!([first, second, tap].map(|node| classes.first(node)), [first; 3]);
}

#[test]
fn latches_with_other_first_values_or_sorts_stay_apart() {
    let mut builder = SystemBuilder::new();
    let one = Initial::Value(Value::int(1));
    let mut latch = |name: &str, kind: Type, initial: Initial| {
        let latch = builder.add_latch(name, kind, initial).expect("a latch");
        builder.set_next(latch, latch).expect("a next value");
        latch
    };
    let a = latch("a", Type::Int, zero());
    let b = latch("b", Type::Int, one);
    let c = latch("c", Type::Machine(obligato_model::Signedness::Signed, 8), zero());
    let undefined = latch("d", Type::Int, Initial::Undefined);
    let classes = Classes::new(&builder.finish().expect("a system"));
    // A latch that holds what it holds is its first value, and an undefined one may be anything.
    let all = [a, b, c, undefined];
    assert_eq!(all.map(|node| classes.first(node)), all);
}

#[test]
fn counters_of_different_steps_are_parted() {
    let mut builder = SystemBuilder::new();
    let latches =
        ["a", "b"].map(|name| builder.add_latch(name, Type::Int, zero()).expect("a latch"));
    for (latch, step) in latches.iter().zip([1, 2]) {
        let step = builder.graph().constant(Sort::Int, Value::int(step)).expect("a constant");
        let next = builder.graph().binary(Binary::Add, *latch, step).expect("a sum");
        builder.set_next(*latch, next).expect("a next value");
    }
    let classes = Classes::new(&builder.finish().expect("a system"));
    assert_eq!(latches.map(|node| classes.first(node)), latches);
}
