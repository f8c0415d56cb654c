//! Effects in lanes against slow references, on every public model.
//!
//! Tags are carried forwards here, in sets, as the papers say it; conditions are stuck one by
//! one in the exact evaluator.

mod support;

use std::collections::BTreeSet;

use obligato_criteria::Vectors;
use obligato_lustre::lowering::Lowered;
use obligato_model::{ConditionId, Observability, TestCase, Value};
use obligato_system::{Binary, CheckKind, Evaluator, NodeId, Term};
use support::{measure, models, random_tests};

type Tags = BTreeSet<(ConditionId, bool)>;

/// How many steps of a test count: those before the first violated assertion.
fn counted(lowered: &Lowered, test: &TestCase) -> usize {
    let mut evaluator = Evaluator::new(&lowered.system);
    let checks = lowered.system.checks.iter();
    let assertions: Vec<_> = checks.filter(|check| check.kind == CheckKind::Assertion).collect();
    for (index, step) in test.steps.iter().enumerate() {
        let inputs: Vec<Value> = step.iter().flatten().cloned().collect();
        evaluator.step(&inputs).expect("numbers stay small");
        let holds = |node| evaluator.value(node) == Some(&Value::Bool(true));
        if !assertions.iter().all(|check| holds(check.node)) {
            return index;
        }
    }
    test.steps.len()
}

/// The tags that reach an output (Whalen et al., table II; You et al., table I).
fn tags_seen(lowered: &Lowered, test: &TestCase, strict: bool) -> Tags {
    let graph = &lowered.system.graph;
    let conditions = lowered.tapped_conditions();
    let mut active = vec![None; graph.taps().len()];
    for occurrence in lowered.decisions.iter().flat_map(|site| &site.occurrences) {
        for tap in occurrence.taps.iter().flatten() {
            active[tap.index()] = Some(occurrence.active);
        }
    }
    let mut evaluator = Evaluator::new(&lowered.system);
    let mut held = vec![Tags::new(); lowered.system.latches.len()];
    let mut seen = Tags::new();
    for step in &test.steps[..counted(lowered, test)] {
        let inputs: Vec<Value> = step.iter().flatten().cloned().collect();
        evaluator.step(&inputs).expect("numbers stay small");
        let value = |node: NodeId| evaluator.value(node).expect("evaluated").clone();
        let holds = |node: NodeId| value(node) == Value::Bool(true);
        let mut tags: Vec<Tags> = Vec::new();
        for node in graph.nodes() {
            let of = |node: NodeId| tags[node.index()].clone();
            let union = |nodes: &[NodeId]| nodes.iter().flat_map(|node| of(*node)).collect();
            let own: Tags = match graph.term(node) {
                Term::Constant(_) | Term::Input(_) => Tags::new(),
                Term::Latch(index) => held[index as usize].clone(),
                Term::Binary(Binary::And, a, b) => match (holds(a), holds(b)) {
                    (true, true) => union(&[a, b]),
                    (true, false) => of(b),
                    (false, true) => of(a),
                    (false, false) => Tags::new(),
                },
                Term::Binary(Binary::Or, a, b) => match (holds(a), holds(b)) {
                    (false, false) => union(&[a, b]),
                    (false, true) => of(b),
                    (true, false) => of(a),
                    (true, true) => Tags::new(),
                },
                Term::Ite(test, a, b) => {
                    let taken = if holds(test) { a } else { b };
                    if strict && value(a) == value(b) { of(taken) } else { union(&[test, taken]) }
                }
                Term::Unary(_, a) => of(a),
                Term::Binary(_, a, b) => union(&[a, b]),
                Term::Tap(tap, a) => {
                    let mut own = of(a);
                    // Conditions of properties have taps too, but no obligations.
                    if let Some(condition) = conditions[tap.index()]
                        && active[tap.index()].is_some_and(holds)
                    {
                        own.insert((condition, holds(a)));
                    }
                    own
                }
            };
            tags.push(own);
        }
        for output in &lowered.system.outputs {
            seen.extend(tags[output.node.index()].iter().copied());
        }
        for (latch, held) in lowered.system.latches.iter().zip(&mut held) {
            held.clone_from(&tags[latch.next.index()]);
        }
    }
    seen
}

/// The outputs of a run with a condition stuck.
fn outputs(lowered: &Lowered, test: &TestCase, stuck: Option<(ConditionId, bool)>) -> Vec<Value> {
    let mut evaluator = Evaluator::new(&lowered.system);
    if let Some((condition, value)) = stuck {
        for tap in lowered.taps(condition) {
            evaluator.force(tap, Value::Bool(value)).expect("a Boolean tap");
        }
    }
    let mut shown = Vec::new();
    for step in &test.steps[..counted(lowered, test)] {
        let inputs: Vec<Value> = step.iter().flatten().cloned().collect();
        evaluator.step(&inputs).expect("numbers stay small");
        let outputs = lowered.system.outputs.iter();
        shown.extend(outputs.map(|output| evaluator.value(output.node).expect("there").clone()));
    }
    shown
}

fn measured_tags(measured: &obligato_replay::Measured, semantics: Observability) -> Tags {
    let observed = measured.evidence.observed(semantics).expect("watched for");
    [false, true]
        .into_iter()
        .flat_map(|value| {
            let conditions = observed.conditions[usize::from(value)].iter();
            conditions.map(move |index| (ConditionId::new(index), value))
        })
        .collect()
}

/// Models that are small enough for the slow references.
fn small_models() -> impl Iterator<Item = (String, Lowered)> {
    models().into_iter().filter(|(_, lowered)| lowered.system.graph.len() < 6000)
}

#[test]
fn tags_go_backwards_as_far_as_sets_of_tags_go_forwards() {
    let mut observed = 0;
    for (name, lowered) in small_models() {
        let tests = random_tests(&lowered, 3, 8, 77);
        let measured = measure(&lowered, &tests, Vectors::Drop);
        for (test, measured) in tests.iter().zip(&measured) {
            for (semantics, strict) in [(Observability::Strict, true), (Observability::Tags, false)]
            {
                let expected = tags_seen(&lowered, test, strict);
                observed += expected.len();
                let found = measured_tags(measured, semantics);
                assert_eq!(found, expected, "{name}, {}, {semantics:?}", test.name);
            }
        }
    }
    assert!(observed > 1000 || models().is_empty(), "only {observed} effects were compared");
}

#[test]
fn conditions_stuck_in_lanes_show_what_they_show_one_by_one() {
    let mut compared = 0;
    for (name, lowered) in small_models() {
        if lowered.program.conditions().len() > 400 {
            continue;
        }
        let tests = random_tests(&lowered, 2, 6, 5);
        let measured = measure(&lowered, &tests, Vectors::Drop);
        for (test, measured) in tests.iter().zip(&measured) {
            let found = measured_tags(measured, Observability::Exact);
            let plain = outputs(&lowered, test, None);
            for condition in (0..lowered.program.conditions().len()).map(ConditionId::new) {
                for value in [false, true] {
                    let differs = outputs(&lowered, test, Some((condition, !value))) != plain;
                    let text = &lowered.program.condition(condition).text;
                    let seen = found.contains(&(condition, value));
                    assert_eq!(seen, differs, "{name}, {}, {text} being {value}", test.name);
                    compared += usize::from(differs);
                }
            }
        }
    }
    assert!(compared > 100 || models().is_empty(), "only {compared} effects were compared");
}
