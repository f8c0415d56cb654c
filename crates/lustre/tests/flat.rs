//! Systems printed as flat nodes, read back and run side by side with what they were made from.
#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]

#[path = "runs/inputs.rs"]
mod inputs;
mod programs;
mod support;

use inputs::Inputs;
use obligato_lustre::flat::{Dialect, Flat, FlatNode, Trap, print_flat};
use obligato_lustre::lowering::{Lowered, Options, Scalars, lower};
use obligato_lustre::{analyse, analysis};
use obligato_lustre_syntax::{Diagnostic, parse};
use obligato_model::{Type, Value};
use obligato_transition_system::{CheckKind, Evaluator, NodeId};
use programs::Generator;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use support::{models, render};

fn lowered(text: &[u8], main: Option<&str>) -> Result<Lowered, Vec<Diagnostic>> {
    let model = analyse(parse(text)?.program, &analysis::Options { main })?;
    lower(&model, "m.lus", text, &Options::default())
}

/// A trap on every Boolean that the model names, which is as good as any.
fn traps(lowered: &Lowered) -> Vec<Trap> {
    let named = lowered.variables.iter().filter(|one| one.kind == Type::Bool);
    named
        .map(|one| Trap {
            name: format!("never_{}", one.name),
            title: one.name.clone(),
            remarks: Vec::new(),
            event: one.node,
        })
        .collect()
}

fn flat(lowered: &Lowered, dialect: Dialect) -> Result<Flat, String> {
    let labels = Scalars::new(lowered).all().map(|(name, one)| (one.node, name)).collect();
    let node = FlatNode {
        system: &lowered.system,
        name: "main",
        preamble: vec!["A model.".to_owned()],
        labels,
        traps: traps(lowered),
    };
    print_flat(&node, dialect).map_err(|lacks| lacks.what)
}

/// What a person sees of a step: outputs by number, traps, and whether an assertion is violated.
fn seen(run: &Evaluator<'_>, lowered: &Lowered, traps: &[NodeId], turned: bool) -> String {
    let outputs = lowered.system.outputs.iter().map(|output| output.node);
    let values: Vec<String> = outputs.map(|node| run.value(node).unwrap().to_string()).collect();
    let traps = traps.iter().map(|node| run.value(*node) == Some(&Value::Bool(turned)));
    let traps: Vec<bool> = traps.collect();
    let asserted = lowered.system.checks.iter().filter(|one| one.kind == CheckKind::Assertion);
    let holds = asserted.map(|one| run.value(one.node)).all(|one| one == Some(&Value::Bool(true)));
    format!("{values:?} {traps:?} {holds}")
}

/// Runs a model and its flat form on the same inputs.
fn compare(name: &str, original: &Lowered, dialect: Dialect, steps: usize) {
    let Ok(flat) = flat(original, dialect) else { return };
    let copy = lowered(flat.text.as_bytes(), None).unwrap_or_else(|why| {
        panic!("{name}: {}\n{}", render(name, flat.text.as_bytes(), &why), flat.text)
    });
    let properties: Vec<NodeId> = flat
        .properties
        .iter()
        .map(|name| copy.variables.iter().find(|one| one.name == *name).unwrap().node)
        .collect();
    let events: Vec<NodeId> = traps(original).iter().map(|trap| trap.event).collect();
    let mut inputs = Inputs::new(&original.system, 7);
    let mut run = Evaluator::new(&original.system);
    let mut again = Evaluator::new(&copy.system);
    for step in 0..steps {
        let row = inputs.next(&run);
        let numbers = original.system.encode_inputs(&row).unwrap();
        let kinds = copy.system.inputs.iter().map(|input| &input.kind);
        let same = numbers.into_iter().zip(kinds);
        let same: Vec<Value> = same
            .map(|(value, kind)| obligato_transition_system::sort::decode(kind, value))
            .collect();
        if run.step(&row).is_err() || again.step(&same).is_err() {
            return;
        }
        let (expected, found) =
            (seen(&run, original, &events, true), seen(&again, &copy, &properties, false));
        assert_eq!(expected, found, "{name}, step {step}, in\n{}", flat.text);
    }
}

#[test]
fn every_model_does_the_same_when_it_is_flat() {
    for (name, text) in models() {
        let main = name.ends_with("syntax-test.lus").then_some("Y");
        let Ok(original) = lowered(&text, main) else { continue };
        for dialect in [Dialect::Kind2, Dialect::JKind] {
            compare(&name, &original, dialect, 25);
        }
    }
}

#[test]
fn random_programs_do_the_same_when_they_are_flat() {
    let config = Config { cases: 120, failure_persistence: None, ..Config::default() };
    let rng = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
    let mut runner = TestRunner::new_with_rng(config, rng);
    runner
        .run(&vec(any::<u16>(), 0..1000), |choices| {
            let text = Generator::program(choices);
            let original = lowered(text.as_bytes(), None).unwrap();
            for dialect in [Dialect::Kind2, Dialect::JKind] {
                compare(&text, &original, dialect, 10);
            }
            Ok(())
        })
        .unwrap();
}

#[test]
fn machine_integers_are_refused_by_name_where_they_are_not_known() {
    let text = b"node f(a: int8) returns (y: bool); let y = a > (int8 5); tel";
    let original = lowered(text, None).unwrap();
    assert_eq!(
        flat(&original, Dialect::JKind).unwrap_err(),
        "the machine integer 'a' of type int8"
    );
    assert!(flat(&original, Dialect::Kind2).unwrap().text.contains("(int8 5) < a"));
}
