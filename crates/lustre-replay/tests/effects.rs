//! Effects in lanes against slow references, on every public model.
//!
//! Tags are carried forwards here, in sets, as the papers say it; conditions are stuck one by
//! one in the exact evaluator.

mod support;
mod tree;

use obligato_criteria::{Vectors, bvc};
use obligato_lustre::lowering::Lowered;
use obligato_model::{ConditionId, Observability, TestCase, Value};
use obligato_transition_system::{Binary, CheckKind, Evaluator, NodeId, Term};
use support::{analysed_models, measure, measure_with, models, random_tests};
use tree::{Tags, Tree};

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

/// The outputs of a run in which a condition is turned around where its operands stand at a
/// boundary, by ordinal.
fn outputs_turned(
    lowered: &Lowered,
    test: &TestCase,
    condition: ConditionId,
    boundary: usize,
) -> Vec<Value> {
    let program = &lowered.program;
    let relation = program.condition(condition).relation.as_ref().expect("it compares");
    let value = bvc::boundaries_of(program, condition)[boundary].value;
    let site = lowered.site(program.condition(condition).decision);
    let occurrence = &site.occurrences[0];
    let (left, right) = occurrence.operands[program.condition(condition).ordinal].expect("kept");
    let mut plain = Evaluator::new(&lowered.system);
    let mut turned = Evaluator::new(&lowered.system);
    let mut shown = Vec::new();
    for step in &test.steps[..counted(lowered, test)] {
        let inputs: Vec<Value> = step.iter().flatten().cloned().collect();
        plain.step(&inputs).expect("numbers stay small");
        let operand = |node| plain.value(node).expect("there");
        let met = bvc::met(relation, operand(left), operand(right), &program.real_step);
        let active = plain.value(occurrence.active) == Some(&Value::Bool(true));
        for tap in lowered.taps(condition) {
            if active && met.contains(&boundary) {
                turned.force(tap, Value::Bool(!value)).expect("a Boolean tap");
            } else {
                turned.release(tap);
            }
        }
        turned.step(&inputs).expect("numbers stay small");
        let outputs = lowered.system.outputs.iter();
        shown.extend(outputs.map(|output| turned.value(output.node).expect("there").clone()));
    }
    shown
}

#[test]
fn conditions_turned_around_at_a_boundary_show_what_they_show_one_by_one() {
    let mut compared = 0;
    for (name, lowered) in small_models() {
        let program = &lowered.program;
        if program.conditions().len() > 400 {
            continue;
        }
        let tests = random_tests(&lowered, 2, 6, 15);
        let measured = measure(&lowered, &tests, Vectors::Drop);
        for (test, measured) in tests.iter().zip(&measured) {
            let observed = measured.evidence.observed(Observability::Exact).expect("watched for");
            let plain = outputs(&lowered, test, None);
            for condition in (0..program.conditions().len()).map(ConditionId::new) {
                let site = lowered.site(program.condition(condition).decision);
                if site.occurrences.len() != 1 {
                    continue;
                }
                for boundary in 0..bvc::boundaries_of(program, condition).len() {
                    let turned = outputs_turned(&lowered, test, condition, boundary);
                    let seen = observed.boundaries.contains(condition, boundary);
                    let text = &program.condition(condition).text;
                    assert_eq!(seen, turned != plain, "{name}, {}, {text}", test.name);
                    compared += usize::from(seen);
                }
            }
        }
    }
    assert!(compared > 30 || models().is_empty(), "only {compared} effects were compared");
}

fn measured_tags(measured: &obligato_lustre_replay::Measured, semantics: Observability) -> Tags {
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

#[test]
fn tags_are_seen_as_the_papers_rules_say_over_the_syntax_tree() {
    let (mut read, mut observed) = (0, 0);
    for (name, _, model, lowered) in analysed_models() {
        if lowered.system.graph.len() > 6000 || !tree::suits(&model, &lowered) {
            continue;
        }
        read += 1;
        let tests = random_tests(&lowered, 3, 8, 3);
        let measured = measure(&lowered, &tests, Vectors::Drop);
        for (test, measured) in tests.iter().zip(&measured) {
            for (semantics, strict) in [(Observability::Strict, true), (Observability::Tags, false)]
            {
                let mut tree = Tree::new(&model, &lowered, strict);
                let steps = &test.steps[..counted(&lowered, test)];
                let expected: Tags = steps.iter().flat_map(|step| tree.step(step)).collect();
                observed += expected.len();
                let found = measured_tags(measured, semantics);
                assert_eq!(found, expected, "{name}, {}, {semantics:?}", test.name);
            }
        }
    }
    let none = models().is_empty();
    assert!(none || read >= 15, "only {read} models were read");
    assert!(none || observed > 1000, "only {observed} effects were compared");
}

/// The text with the condition replaced by a constant.
fn rewritten(text: &str, span: obligato_model::Span, value: bool) -> String {
    let offset = |at: obligato_model::Position| {
        let line = text.split_inclusive('\n').take(at.line as usize - 1);
        let start: usize = line.map(str::len).sum();
        let column = text[start..].chars().take(at.column as usize - 1);
        start + column.map(char::len_utf8).sum::<usize>()
    };
    format!("{}{value}{}", &text[..offset(span.start)], &text[offset(span.end)..])
}

#[test]
fn a_condition_stuck_in_a_lane_is_the_model_with_a_constant_in_its_place() {
    let (mut compared, mut seen) = (0, 0);
    for (name, text, _, lowered) in analysed_models() {
        let program = &lowered.program;
        let Ok(text) = String::from_utf8(text) else { continue };
        if lowered.system.graph.len() > 3000 || program.conditions().is_empty() {
            continue;
        }
        let tests = random_tests(&lowered, 2, 6, 9);
        let measured = measure(&lowered, &tests, Vectors::Drop);
        // A condition of a node that is called once: changing the text changes one instance.
        let once = |function: usize| {
            let node = lowered.instances[function].node;
            lowered.instances.iter().filter(|other| other.node == node).count() == 1
        };
        let every = program.conditions().len().div_ceil(12);
        for index in (0..program.conditions().len()).step_by(every) {
            let condition = program.condition(ConditionId::new(index));
            if !once(program.decision(condition.decision).function.index()) {
                continue;
            }
            for value in [false, true] {
                let changed = rewritten(&text, condition.span, !value);
                // Without a call of a function of which nothing is known an input is gone.
                let inputs = lowered.system.inputs.len();
                let Some(changed) = support::try_model(&name, changed.as_bytes(), None)
                    .filter(|changed| changed.system.inputs.len() == inputs)
                else {
                    continue;
                };
                for (test, measured) in tests.iter().zip(&measured) {
                    let differs =
                        outputs_in(&changed, &lowered, test) != outputs(&lowered, test, None);
                    let found = measured_tags(measured, Observability::Exact);
                    let of_value = found.contains(&(ConditionId::new(index), value));
                    assert_eq!(of_value, differs, "{name}: {} being {value}", condition.text);
                    compared += 1;
                    seen += usize::from(differs);
                }
            }
        }
    }
    let none = models().is_empty();
    assert!(none || compared > 300 && seen > 30, "{seen} of {compared} were seen");
}

/// The outputs of another model in the steps that count in the original.
fn outputs_in(changed: &Lowered, original: &Lowered, test: &TestCase) -> Vec<Value> {
    let steps = test.steps[..counted(original, test)].to_vec();
    let mut evaluator = Evaluator::new(&changed.system);
    let mut shown = Vec::new();
    for step in steps {
        let inputs: Vec<Value> = step.into_iter().flatten().collect();
        evaluator.step(&inputs).expect("numbers stay small");
        let outputs = changed.system.outputs.iter();
        shown.extend(outputs.map(|output| evaluator.value(output.node).expect("there").clone()));
    }
    shown
}

/// Does the decision define a variable, or is it the test of a choice or a part of something else?
fn defines_a_variable(lowered: &Lowered, decision: usize) -> bool {
    let roots = lowered.decisions[decision].occurrences.iter();
    let named = |node: NodeId| lowered.variables.iter().any(|variable| variable.node == node);
    roots.map(|occurrence| occurrence.root).all(named)
}

#[test]
fn with_everything_observed_only_tests_of_equal_arms_tell_observable_mcdc_from_mcdc() {
    let mut compared = 0;
    for (name, lowered) in small_models() {
        let tests = random_tests(&lowered, 8, 6, 21);
        let mut observed: Vec<NodeId> = lowered.variables.iter().map(|it| it.node).collect();
        observed.sort_unstable();
        observed.dedup();
        let effects = vec![Observability::Strict];
        let watch = obligato_lustre_replay::Watch {
            effects,
            observed,
            ..obligato_lustre_replay::Watch::outputs(&lowered)
        };
        for measured in measure_with(&lowered, &tests, watch) {
            let found = measured_tags(&measured, Observability::Strict);
            for (decision, seen) in &measured.evidence.decisions {
                let defines = defines_a_variable(&lowered, decision.index());
                for ordinal in 0..lowered.program.decision(*decision).tree.conditions() {
                    let condition = lowered.program.condition_at(*decision, ordinal);
                    for value in [false, true] {
                        let observed = found.contains(&(condition, value));
                        let shown = seen.showed_at_all(ordinal, value);
                        let text = &lowered.program.condition(condition).text;
                        // What is observed was unmasked, whatever the decision is for.
                        assert!(shown || !observed, "{name}: {text} being {value}");
                        if defines {
                            assert_eq!(observed, shown, "{name}: {text} being {value}");
                            compared += usize::from(shown);
                        }
                    }
                }
            }
        }
    }
    assert!(compared > 1000 || models().is_empty(), "only {compared} were compared");
}
