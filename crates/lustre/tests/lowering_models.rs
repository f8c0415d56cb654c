//! Every model of the collection, lowered: a table of what it has, and its runs against the
//! reference.
#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]

mod reference;
mod support;

use std::collections::BTreeMap;
use std::env;
use std::fmt::Write as _;

use obligato_lustre::analysis::{self, Model, analyse};
use obligato_lustre::lowering::{Lowered, Options, lower};
use obligato_lustre::{Diagnostic, parse};
use obligato_model::Value;
use obligato_system::lanes;
use obligato_system::{CheckKind, Evaluator, Simulator};
use reference::{Reference, V};
use support::inputs::Random;
use support::{assert_golden, crate_directory, models, render};

fn analysed(text: &[u8], main: Option<&str>) -> Result<Model, Vec<Diagnostic>> {
    parse(text).and_then(|parsed| analyse(parsed.program, &analysis::Options { main }))
}

type Outcome = Result<Lowered, Vec<Diagnostic>>;

/// The models that can be analysed, each with its lowering.
fn lowered() -> Vec<(String, Vec<u8>, Model, Outcome)> {
    let mut all = Vec::new();
    for (name, text) in models() {
        let main = name.ends_with("syntax-test.lus").then_some("Y");
        if let Ok(model) = analysed(&text, main) {
            let lowered = lower(&model, &name, &text, &Options::default());
            all.push((name, text, model, lowered));
        }
    }
    all
}

fn summary(lowered: &Lowered) -> String {
    let system = &lowered.system;
    let count = |kind| system.checks.iter().filter(|check| check.kind == kind).count();
    format!(
        "{} instances, {} inputs, {} outputs, {} latches ({} unguarded), {} nodes, {} decisions, \
         {} conditions, {} taps; {} assertions, {} properties, {} divisions, {} subranges, \
         {} indices; {} assumptions",
        lowered.instances.len(),
        system.inputs.len(),
        system.outputs.len(),
        system.latches.len(),
        system.unguarded().count(),
        system.graph.len(),
        lowered.program.decisions().len(),
        lowered.program.conditions().len(),
        system.graph.taps().len(),
        count(CheckKind::Assertion),
        count(CheckKind::Property),
        count(CheckKind::DivisionByZero),
        count(CheckKind::Subrange),
        count(CheckKind::Index),
        lowered.assumptions.len(),
    )
}

#[test]
fn every_analysed_model_is_lowered_or_refused_as_the_table_says() {
    let all = lowered();
    if all.is_empty() {
        return;
    }
    let mut table = String::new();
    for (name, text, _, lowered) in &all {
        match lowered {
            Ok(lowered) => {
                let _ = writeln!(table, "{name}: {}", summary(lowered));
            }
            Err(diagnostics) => {
                let _ = writeln!(table, "{name}: refused\n{}", render(name, text, diagnostics));
            }
        }
    }
    assert_golden(&crate_directory().join("tests/golden/lowering.txt"), &table);
}

#[test]
fn every_decision_of_every_instance_has_a_root_and_a_tap_per_condition() {
    for (name, _, _, lowered) in lowered() {
        let Ok(lowered) = lowered else { continue };
        assert_eq!(lowered.program.functions().len(), lowered.instances.len(), "{name}");
        for (decision, site) in lowered.program.decisions().iter().zip(&lowered.decisions) {
            assert!(!site.occurrences.is_empty(), "{name}: {}", decision.text);
            for occurrence in &site.occurrences {
                assert_eq!(occurrence.taps.len(), decision.tree.conditions(), "{name}");
                assert!(occurrence.taps.iter().all(Option::is_some), "{name}: {}", decision.text);
            }
        }
    }
}

fn scalar(value: &Value) -> V {
    match value {
        Value::Bool(value) => V::Bool(*value),
        Value::Int(value) => V::Int(value.clone()),
        Value::Real(value) => V::Real(value.clone()),
        other => panic!("{other} is no value of a sort"),
    }
}

/// Runs one model; gives the number of steps compared.
fn compare(name: &str, model: &Model, lowered: &Lowered, steps: usize) -> usize {
    let Some(mut reference) = Reference::new(model) else { return 0 };
    let system = &lowered.system;
    let main = model.main_node();
    // The reference shows outputs first, then all definitions of the main node.
    let mut shown: Vec<_> = system.outputs.iter().map(|output| output.node).collect();
    for definition in &main.definitions {
        let scalars = lowered
            .variables
            .iter()
            .filter(|named| named.instance.index() == 0 && named.variable == definition.variable);
        shown.extend(scalars.map(|named| named.node));
    }
    let of_main = |check: &obligato_system::Check| {
        lowered.origins[check.origin as usize].instance.index() == 0
    };
    let properties: Vec<_> = system
        .checks
        .iter()
        .filter(|check| check.kind == CheckKind::Property && of_main(check))
        .collect();
    let options = lanes::Options { observe: shown.clone(), ..lanes::Options::default() };
    let program = lanes::Program::new(system, &options).unwrap();
    let mut simulator = Simulator::<1>::new(&program);
    let mut evaluator = Evaluator::new(system);
    let mut random = Random(name.len() as u64);
    for step in 0..steps {
        let inputs = random.step(system);
        if evaluator.step(&inputs).is_err() {
            return step;
        }
        let named = system.inputs.iter().map(|input| input.name.clone()).zip(inputs.clone());
        let (values, holds) = reference.step(named.collect::<BTreeMap<_, _>>());
        for (index, value) in inputs.iter().enumerate() {
            simulator.set_input(index, 5, value).unwrap();
        }
        simulator.step();
        assert_eq!(values.len(), shown.len(), "{name}");
        for (position, (value, node)) in values.iter().zip(&shown).enumerate() {
            let found = evaluator.value(*node).unwrap();
            let who = || {
                let by = lowered.variables.iter().find(|named| named.node == *node);
                by.map_or_else(String::new, |named| named.name.clone())
            };
            assert_eq!(scalar(found), *value, "{name}, step {step}, {position} {}", who());
            assert_eq!(*found, simulator.value(*node, 5).unwrap(), "{name}, step {step}, lanes");
        }
        assert_eq!(holds.len(), properties.len(), "{name}");
        for (holds, check) in holds.into_iter().zip(&properties) {
            let found = evaluator.value(check.node).unwrap();
            assert_eq!(*found, Value::Bool(holds), "{name}, step {step}, {}", check.label);
        }
    }
    steps
}

#[test]
fn every_lowered_model_runs_like_the_reference() {
    let steps = env::var("REFERENCE_STEPS").ok().and_then(|steps| steps.parse().ok());
    let steps = steps.unwrap_or(200);
    let run = move || {
        let mut compared = 0;
        for (name, _, model, lowered) in lowered() {
            let Ok(lowered) = lowered else { continue };
            let done = compare(&name, &model, &lowered, steps);
            println!("{name}: {done} steps");
            compared += usize::from(done > 0);
        }
        compared
    };
    // The reference recurses.
    let thread = std::thread::Builder::new().stack_size(1 << 29).spawn(run).unwrap();
    let compared = thread.join().unwrap();
    assert!(compared == 0 || compared >= 30, "{compared} models compared");
}
