//! Replay: what is recorded, what is skipped, and what is missing.

use super::*;
use crate::Formulas;
use obligato_model::{TestCase, Variable};
use proptest::prelude::*;

fn suite(inputs: &[(&str, &str)], steps: &[&[&str]]) -> Suite {
    let inputs: Vec<Variable> = inputs
        .iter()
        .map(|(name, kind)| Variable { name: (*name).to_owned(), kind: kind.parse().unwrap() })
        .collect();
    let cell = |(text, input): (&&str, &Variable)| {
        (!text.is_empty()).then(|| Value::parse(text, &input.kind).unwrap())
    };
    let steps = steps.iter().map(|step| step.iter().zip(&inputs).map(cell).collect()).collect();
    let tests = vec![TestCase { name: "t1".to_owned(), steps }];
    Suite { inputs, tests }
}

/// The values seen, as `1T(3,4)` for condition 1 being true on 3 and 4.
fn replay(text: &str, suite: &Suite) -> Result<String, ReplayError> {
    let bound = Formulas::parse("f", text).unwrap().bind(&suite.inputs).unwrap();
    let recording = bound.replay(suite)?;
    let events = recording.tests.iter().flat_map(|test| &test.events).map(|event| {
        let RecordedEvent::Evaluated(ConditionEvaluation { condition, value, operands }) = event
        else {
            panic!("{event:?}");
        };
        let letter = if *value { 'T' } else { 'F' };
        let operands = operands.as_ref().map(|pair| format!("({},{})", pair.0, pair.1));
        format!("{}{letter}{}", condition.index() + 1, operands.unwrap_or_default())
    });
    Ok(events.collect::<Vec<_>>().join(" "))
}

#[test]
fn conditions_are_recorded_in_order_with_operands_and_without_what_is_skipped() {
    let suite = suite(&[("a", "bool"), ("x", "int")], &[&["T", "9"], &["F", "10"]]);
    assert_eq!(replay("a && x >= 10\nx != 9", &suite).unwrap(), "1T 2F(9,10) 3F(9,9) 1F 3T(10,9)");
    assert_eq!(replay("a and 10 > x", &suite).unwrap(), "1T 2T(10,9) 1F 2F(10,10)");
    assert_eq!(replay("true || a", &suite).unwrap(), "1T 1T");
}

#[test]
fn a_skipped_condition_does_not_need_its_cell() {
    let suite = suite(&[("a", "bool"), ("x", "int")], &[&["F", ""]]);
    assert_eq!(replay("a && x >= 10", &suite).unwrap(), "1F");
}

#[test]
fn a_cell_that_is_needed_and_empty_is_named_with_test_and_step() {
    let suite = suite(&[("a", "bool"), ("x", "int")], &[&["T", "1"], &["T", ""]]);
    assert_eq!(
        replay("a && x >= 10", &suite).unwrap_err().to_string(),
        "test 't1', step 2: column 'x' has no value, but `x >= 10` needs it"
    );
}

#[test]
fn a_nan_compares_with_nothing() {
    let suite = suite(&[("x", "double")], &[&["NaN"]]);
    let events = replay("x < 1 || x >= 1 || x != 1", &suite).unwrap();
    assert_eq!(events.split(' ').map(|one| &one[..2]).collect::<Vec<_>>(), ["1F", "2F", "3T"]);
}

#[test]
fn a_suite_with_other_inputs_is_refused() {
    let bound = Formulas::parse("f", "a").unwrap();
    let bound = bound.bind(&suite(&[("a", "bool")], &[]).inputs).unwrap();
    let other = suite(&[("b", "bool")], &[&["T"]]);
    assert_eq!(bound.replay(&other), Err(ReplayError::OtherInputs));
    let mut narrow = suite(&[("a", "bool")], &[]);
    narrow.tests[0].steps.push(Step::new());
    assert!(matches!(bound.replay(&narrow), Err(ReplayError::NoValue { .. })));
}

#[test]
fn a_test_is_run_step_by_step() {
    let suite = suite(&[("a", "bool")], &[&["T"], &["F"], &[""], &["T"]]);
    let bound = Formulas::parse("f", "a\n!a").unwrap().bind(&suite.inputs).unwrap();
    let mut steps = Vec::new();
    let outcome = bound.replay_test(&suite.tests[0], |events| -> Result<(), ReplayError> {
        steps.push(events.len());
        Ok(())
    });
    assert_eq!(steps, [2, 2], "each step is handed over by itself");
    assert!(matches!(outcome, Err(ReplayError::NoValue { step: 3, .. })), "{outcome:?}");
}

/// A decision over the columns v0 … v5, some of them several times.
fn decisions() -> impl Strategy<Value = String> {
    let leaf = (0..6_u8).prop_map(|index| format!("v{index}"));
    leaf.prop_recursive(5, 40, 3, |inner| {
        let signs = vec!["&&", "||", "and", "or", "xor", "==", "=>"];
        prop_oneof![
            inner.clone().prop_map(|one| format!("!({one})")),
            (inner.clone(), prop::sample::select(signs), inner.clone())
                .prop_map(|(left, sign, right)| format!("({left}) {sign} ({right})")),
            (inner.clone(), inner.clone(), inner)
                .prop_map(|(a, b, c)| format!("(({a}) ? ({b}) : ({c}))")),
        ]
    })
}

proptest! {
    #[test]
    fn a_replay_records_what_the_tree_evaluates(
        text in decisions(),
        cells in prop::collection::vec(any::<bool>(), 6),
    ) {
        let formulas = Formulas::parse("f", &text).unwrap();
        let inputs: Vec<Variable> = (0..6)
            .map(|index| Variable { name: format!("v{index}"), kind: Type::Bool })
            .collect();
        let step: Step = cells.iter().map(|cell| Some(Value::Bool(*cell))).collect();
        let tests = vec![TestCase { name: "t".to_owned(), steps: vec![step] }];
        let bound = formulas.bind(&inputs).unwrap();
        let recording = bound.replay(&Suite { inputs, tests }).unwrap();
        let conditions = bound.program.conditions();
        let values: Vec<bool> = conditions
            .iter()
            .map(|condition| cells[condition.text[1..].parse::<usize>().unwrap()])
            .collect();
        let tree = &bound.program.decisions()[0].tree;
        let evaluation = tree.evaluate(&values);
        let mut seen = vec![None; conditions.len()];
        for event in &recording.tests[0].events {
            let RecordedEvent::Evaluated(one) = event else { panic!() };
            seen[one.condition.index()] = Some(one.value);
        }
        let expected: Vec<Option<bool>> =
            (0..conditions.len()).map(|ordinal| evaluation.value(ordinal)).collect();
        prop_assert_eq!(seen, expected);
        // The outcome follows from what was recorded alone.
        let known: Vec<bool> = expected_or_false(&evaluation);
        prop_assert_eq!(tree.evaluate(&known).outcome, evaluation.outcome);
    }
}

fn expected_or_false(evaluation: &obligato_model::Evaluation) -> Vec<bool> {
    (0..evaluation.conditions()).map(|at| evaluation.value(at).unwrap_or(false)).collect()
}
