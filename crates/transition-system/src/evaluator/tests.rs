//! Runs by hand.

use super::*;
use crate::system::{Initial, SystemBuilder};
use crate::term::Binary;
use obligato_model::Type;

/// Counts up by the input, and shows whether three was passed.
fn counter() -> System {
    let mut builder = SystemBuilder::new();
    let by = builder.add_input("by", Type::Int).unwrap();
    let count = builder.add_latch("count", Type::Int, Initial::Value(Value::int(0))).unwrap();
    let graph = builder.graph();
    let next = graph.binary(Binary::Add, count, by).unwrap();
    let three = graph.constant(crate::Sort::Int, Value::int(3)).unwrap();
    let passed = graph.binary(Binary::Less, three, next).unwrap();
    let tap = graph.tap(passed).unwrap();
    let shown = graph.tap_node(tap);
    builder.set_next(count, next).unwrap();
    builder.add_output("passed", Type::Bool, shown).unwrap();
    builder.finish().unwrap()
}

#[test]
fn a_run_carries_its_state_from_step_to_step() {
    let system = counter();
    let mut evaluator = Evaluator::new(&system);
    let mut passed = Vec::new();
    for by in [1, 2, 1, -5] {
        evaluator.step(&[Value::int(by)]).unwrap();
        passed.push(evaluator.output(0).unwrap());
    }
    assert_eq!(passed, [false, false, true, false].map(Value::Bool));
    assert_eq!(evaluator.state(), [Value::int(-1)]);
}

#[test]
fn a_forced_tap_sticks() {
    let system = counter();
    let mut evaluator = Evaluator::new(&system);
    evaluator.force(TapId::new(0), Value::Bool(true)).unwrap();
    evaluator.step(&[Value::int(0)]).unwrap();
    assert_eq!(evaluator.output(0), Some(Value::Bool(true)));
}

#[test]
fn wrong_inputs_and_wrong_forces_are_refused() {
    let system = counter();
    let mut evaluator = Evaluator::new(&system);
    let message = |result: Result<(), Error>| result.unwrap_err().to_string();
    assert_eq!(message(evaluator.step(&[])), "0 values for the inputs, where 1 are needed");
    assert_eq!(
        message(evaluator.step(&[Value::Bool(true)])),
        "true is not a value of type int, which 'by' has"
    );
    assert_eq!(
        message(evaluator.force(TapId::new(0), Value::int(1))),
        "1 is not a value of type bool"
    );
    assert_eq!(message(evaluator.force(TapId::new(7), Value::int(1))), "there is no tap 7, only 1");
}

#[test]
fn a_run_goes_on_from_a_state_as_it_would_have_gone_on() {
    let system = counter();
    let mut whole = Evaluator::new(&system);
    whole.step(&[Value::int(2)]).unwrap();
    let mut later = Evaluator::from_state(&system, whole.state().to_vec()).unwrap();
    whole.step(&[Value::int(3)]).unwrap();
    later.step(&[Value::int(3)]).unwrap();
    assert_eq!(later.state(), whole.state());
    assert_eq!(later.output(0), Some(Value::Bool(true)));
    let message = |state| Evaluator::from_state(&system, state).unwrap_err().to_string();
    assert_eq!(message(vec![]), "0 values for the latches, where 1 are needed");
    assert_eq!(
        message(vec![Value::Bool(true)]),
        "true is not a value of type int, which 'count' has"
    );
}
