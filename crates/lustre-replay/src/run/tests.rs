//! Runs of small systems, against the exact evaluator and by hand.

use obligato_model::{Integer, Step};
use obligato_transition_system::{
    Binary, Check, CheckKind, Evaluator, Initial, Sort, System, SystemBuilder, lanes,
};
use proptest::prelude::*;

use super::*;
use crate::batch::LANES;

/// A sum that must stay below 10, of inputs that must not be negative and are asserted not to be.
fn adder() -> System {
    let mut builder = SystemBuilder::new();
    let x = builder.add_input("x", Type::Int).unwrap();
    let zero = Initial::Value(Value::int(0));
    let sum = builder.add_latch("sum", Type::Int, zero).unwrap();
    let graph = builder.graph();
    let next = graph.binary(Binary::Add, sum, x).unwrap();
    let ten = graph.constant(Sort::Int, Value::int(10)).unwrap();
    let nothing = graph.constant(Sort::Int, Value::int(0)).unwrap();
    let small = graph.binary(Binary::Less, next, ten).unwrap();
    let negative = graph.binary(Binary::Less, x, nothing).unwrap();
    let asserted = graph.not(negative).unwrap();
    let fine = graph.and(small, asserted).unwrap();
    builder.set_next(sum, next).unwrap();
    builder.add_output("total", Type::Int, next).unwrap();
    for (node, kind) in [(fine, CheckKind::Property), (asserted, CheckKind::Assertion)] {
        builder.add_check(Check { node, kind, label: String::new(), origin: 0 }).unwrap();
    }
    builder.finish().unwrap()
}

fn test(values: &[i64]) -> TestCase {
    let steps = values.iter().map(|value| vec![Some(Value::int(*value))]).collect();
    TestCase { name: String::new(), steps }
}

fn run(system: &System, tests: &[TestCase]) -> Vec<Trace> {
    let program = LaneProgram::new(system, &lanes::LaneOptions::default()).unwrap();
    let shown: Vec<TracedNode> = system
        .outputs
        .iter()
        .map(|output| TracedNode { node: output.node, kind: output.kind.clone() })
        .collect();
    Runner::new(&program, &shown).run(tests).unwrap()
}

#[test]
fn tests_of_different_lengths_run_side_by_side() {
    let traces = run(&adder(), &[test(&[1, 2, 3]), test(&[]), test(&[4])]);
    let totals: Vec<Vec<String>> = traces
        .iter()
        .map(|trace| trace.steps.iter().map(|step| step[0].to_string()).collect())
        .collect();
    assert_eq!(totals, [vec!["1", "3", "6"], vec![], vec!["4"]]);
}

#[test]
fn a_check_fails_once_per_test() {
    let traces = run(&adder(), &[test(&[9, 1, 1, 1])]);
    assert_eq!(traces[0].failures, [Failure { step: 1, check: 0 }]);
}

#[test]
fn after_a_violated_assertion_nothing_counts() {
    // A negative input violates the property in the same step.
    let traces = run(&adder(), &[test(&[-1, 99]), test(&[10, -1, -1])]);
    assert_eq!(traces[0].failures, [Failure { step: 0, check: 1 }]);
    let both = [Failure { step: 0, check: 0 }, Failure { step: 1, check: 1 }];
    assert_eq!(traces[1].failures, both);
}

#[test]
fn a_step_of_the_wrong_width_or_type_is_refused() {
    let system = adder();
    let program = LaneProgram::new(&system, &lanes::LaneOptions::default()).unwrap();
    let mut runner = Runner::new(&program, &[]);
    for step in [vec![], vec![Some(Value::Bool(true))]] {
        let steps: Vec<Step> = vec![step];
        assert!(runner.run(&[TestCase { name: String::new(), steps }]).is_err());
    }
}

#[test]
fn a_number_out_of_all_proportion_ends_its_test_and_no_other() {
    let mut builder = SystemBuilder::new();
    let x = builder.add_input("x", Type::Int).unwrap();
    let one = Initial::Value(Value::int(1));
    let power = builder.add_latch("power", Type::Int, one).unwrap();
    let square = builder.graph().binary(Binary::Multiply, power, power).unwrap();
    let next = builder.graph().binary(Binary::Add, square, x).unwrap();
    builder.set_next(power, next).unwrap();
    builder.add_output("power", Type::Int, next).unwrap();
    let system = builder.finish().unwrap();
    let traces = run(&system, &[test(&[1; 60]), test(&[0; 60])]);
    let step = traces[0].exhausted.unwrap();
    assert_eq!(traces[0].steps.len(), step);
    assert!(step < 60);
    assert_eq!((traces[1].exhausted, traces[1].steps.len()), (None, 60));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn a_batch_shows_what_each_test_shows_alone(
        inputs in prop::collection::vec(prop::collection::vec(-20i64..40, 0..8), 1..LANES + 1),
    ) {
        let system = adder();
        let tests: Vec<TestCase> = inputs.iter().map(|values| test(values)).collect();
        for (test, trace) in tests.iter().zip(run(&system, &tests)) {
            let mut evaluator = Evaluator::new(&system);
            for (step, found) in test.steps.iter().zip(&trace.steps) {
                let values: Vec<Value> = step.iter().flatten().cloned().collect();
                evaluator.step(&values).unwrap();
                prop_assert_eq!(evaluator.value(system.outputs[0].node).unwrap(), &found[0]);
            }
            prop_assert_eq!(trace.steps.len(), test.steps.len());
        }
    }
}

#[test]
fn values_beyond_machine_words_are_exact() {
    let large = Integer::from(i64::MAX);
    let traces = run(&adder(), &[test(&[i64::MAX, i64::MAX])]);
    assert_eq!(traces[0].steps[1], [Value::Int(&large + &large)]);
}
