//! Models lowered from text and run on rows of inputs, for traces computed by hand.
#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]

use obligato_lustre::analysis::{self, analyse};
use obligato_lustre::lowering::{Lowered, Options, lower};
use obligato_lustre_syntax::{Diagnostic, parse};
use obligato_model::Value;
use obligato_transition_system::{CheckKind, Evaluator};

pub fn try_lowering(text: &str) -> Result<Lowered, Vec<Diagnostic>> {
    let parsed = parse(text.as_bytes())?;
    let model = analyse(parsed.program, &analysis::Options::default())?;
    lower(&model, "m.lus", text.as_bytes(), &Options::default())
}

pub fn lowered(text: &str) -> Lowered {
    try_lowering(text).unwrap_or_else(|why| panic!("{why:#?}"))
}

/// A value as a trace shows it.
pub fn show(value: &Value) -> String {
    match value {
        Value::Bool(true) => "T".to_owned(),
        Value::Bool(false) => "F".to_owned(),
        other => other.to_string(),
    }
}

pub fn read(lowered: &Lowered, row: &str) -> Vec<Value> {
    let values = row.split_whitespace().zip(&lowered.interface.inputs);
    values
        .map(|(text, input)| match text {
            "T" => Value::Bool(true),
            "F" => Value::Bool(false),
            text => Value::parse(text, &input.kind).unwrap(),
        })
        .collect()
}

/// Runs a model on rows of inputs; gives a row of the named scalars of the main node per step.
pub fn run(lowered: &Lowered, rows: &[&str], shown: &[&str]) -> Vec<String> {
    let node = |name: &&str| {
        let found = lowered.variables.iter().find(|v| v.instance.index() == 0 && v.name == **name);
        found.unwrap_or_else(|| panic!("no variable {name}")).node
    };
    let nodes: Vec<_> = shown.iter().map(node).collect();
    let mut evaluator = Evaluator::new(&lowered.system);
    let row = |row: &&str| {
        evaluator.step(&read(lowered, row)).unwrap();
        let values = nodes.iter().map(|node| show(evaluator.value(*node).unwrap()));
        values.collect::<Vec<_>>().join(" ")
    };
    rows.iter().map(row).collect()
}

/// Which checks of a kind fail at each step.
pub fn failures(lowered: &Lowered, kind: CheckKind, rows: &[&str]) -> Vec<usize> {
    let mut evaluator = Evaluator::new(&lowered.system);
    let failed = |row: &&str| {
        evaluator.step(&read(lowered, row)).unwrap();
        let checks = lowered.system.checks.iter().filter(|check| check.kind == kind);
        checks.filter(|c| *evaluator.value(c.node).unwrap() == Value::Bool(false)).count()
    };
    rows.iter().map(failed).collect()
}
