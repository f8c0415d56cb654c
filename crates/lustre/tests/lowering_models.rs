//! Every model of the collection, lowered: a table of what it has, and its runs against the
//! reference.
#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]

mod reference;
mod runs;
mod support;

use std::fmt::Write as _;

use obligato_lustre::analysis::{self, Model, analyse};
use obligato_lustre::lowering::{Lowered, Options, lower};
use obligato_lustre_syntax::{Diagnostic, parse, print};
use obligato_transition_system::CheckKind;
use runs::{compare, compare_lowered, compare_undefined, load};
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

/// The steps that a model gets.
const STEPS: usize = 1000;

/// The models that get fewer, as the reference is slow on thousands of calls.
const BUDGETS: [(&str, usize); 1] = [("jkind/sudoku.lus", 200)];

#[test]
fn every_lowered_model_runs_like_the_reference() {
    let run = move || {
        let mut compared = 0;
        for (name, _, model, lowered) in lowered() {
            let Ok(lowered) = lowered else { continue };
            let budget = BUDGETS.iter().find(|(slow, _)| *slow == name);
            let steps = budget.map_or(STEPS, |(_, steps)| *steps);
            let run = compare(&name, &model, &lowered, name.len() as u64, steps);
            compare_undefined(&name, &model, &lowered, name.len() as u64, steps.min(20));
            println!("{name}: {run:?}");
            assert_eq!(run.steps, steps, "{name}: a number exceeded the size limit");
            compared += 1;
        }
        compared
    };
    // The reference recurses.
    let thread = std::thread::Builder::new().stack_size(1 << 29).spawn(run).unwrap();
    let compared = thread.join().unwrap();
    assert!(compared == 0 || compared >= 37, "{compared} models compared");
}

#[test]
fn every_model_runs_the_same_after_printing() {
    for (name, text, model, lowered) in lowered() {
        let Ok(lowered) = lowered else { continue };
        let main = model.text(model.main_node().name.symbol);
        let printed = print(&parse(&text).unwrap().program);
        let (_, again) = load(&name, printed.as_bytes(), Some(main))
            .unwrap_or_else(|why| panic!("{}", render(&name, printed.as_bytes(), &why)));
        compare_lowered(&name, &lowered, &again, 200);
    }
}
