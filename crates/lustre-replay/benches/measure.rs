//! What measuring costs: 500 tests of 20 steps on public models, per criterion, as seconds and as
//! a ratio to only simulating them. `cargo bench --bench measure -- microwave` takes one model.
#![allow(clippy::print_stdout, reason = "a benchmark prints its figures")]

#[path = "../tests/support/mod.rs"]
mod support;

use std::time::Instant;

use obligato_criteria::{Evidence, Vectors, judge, plan};
use obligato_lustre::lowering::Lowered;
use obligato_lustre_replay::{Batch, LANES, Measurement, Meter, Watch};
use obligato_model::{Criterion, Independence, Observability, TestCase, Verdict, Watched};
use obligato_transition_system::lanes::{self, WORDS};
use obligato_transition_system::{LaneProgram, Simulator};
use support::{models, random_tests};

fn main() {
    let wanted = ["microwave.lus", "infusion_manager.lus", "DockingExample.lus"];
    let named: Vec<String> =
        std::env::args().skip(1).filter(|word| !word.starts_with('-')).collect();
    let chosen = |name: &str| named.is_empty() || named.iter().any(|word| name.contains(word));
    for (name, lowered) in models() {
        if wanted.contains(&name.as_str()) && chosen(&name) {
            measure_model(&name, &lowered);
        }
    }
}

fn measure_model(name: &str, lowered: &Lowered) {
    let tests = random_tests(lowered, 500, 23, 1);
    println!(
        "{name}: {} conditions, {} nodes, {} tests",
        lowered.program.conditions().len(),
        lowered.system.graph.len(),
        tests.len()
    );
    let plain = best(|| simulate(lowered, &tests));
    println!("  {:<28} {:>8.1} ms", "simulation alone", plain * 1e3);
    let criteria = [
        Criterion::Statement,
        Criterion::Decision,
        Criterion::Mcdc(Independence::Masking),
        Criterion::Mcdc(Independence::UniqueCause),
        Criterion::Bvc,
        Criterion::Omcdc(Observability::Tags),
        Criterion::Omcdc(Observability::Strict),
        Criterion::Omcdc(Observability::Exact),
        Criterion::Obvc(Observability::Strict),
        Criterion::Obvc(Observability::Exact),
    ];
    for criterion in criteria {
        let mut covered = 0;
        let seconds = best(|| covered = measure_suite(lowered, &tests, criterion));
        println!(
            "  {:<28} {:>8.1} ms {:>7.1}x, {covered} covered",
            format!("{criterion:?}"),
            seconds * 1e3,
            seconds / plain
        );
    }
}

/// The best of three runs, as the others are disturbed.
fn best(mut run: impl FnMut()) -> f64 {
    let timed = |_| {
        let start = Instant::now();
        run();
        start.elapsed().as_secs_f64()
    };
    (0..3).map(timed).fold(f64::INFINITY, f64::min)
}

fn simulate(lowered: &Lowered, tests: &[TestCase]) {
    let program = LaneProgram::new(&lowered.system, &lanes::LaneOptions::default()).expect("sound");
    let mut simulator = Simulator::<WORDS>::new(&program);
    for some in tests.chunks(LANES) {
        let batch = Batch::new(some);
        simulator.reset();
        for step in 0..batch.steps() {
            batch.apply(step, &mut simulator).expect("the tests fit");
            simulator.step();
        }
    }
}

/// Everything from the lowered model to verdicts.
fn measure_suite(lowered: &Lowered, tests: &[TestCase], criterion: Criterion) -> usize {
    let (effects, boundaries) = match criterion {
        Criterion::Omcdc(semantics) => (vec![semantics], false),
        Criterion::Obvc(semantics) => (vec![semantics], true),
        _ => (Vec::new(), false),
    };
    let vectors = Vectors::needed_by(&[criterion]);
    let watched = Watched { effects: effects.clone(), kills: Vec::new() };
    let watch = Watch { effects, boundaries, vectors, ..Watch::outputs(lowered) };
    let measurement = Measurement::new(lowered, watch).expect("sound");
    let compiled = measurement.compile().expect("sound");
    let mut meter = Meter::new(&measurement, &compiled);
    let mut evidence = Evidence::new(&lowered.program, watched, vectors);
    for some in tests.chunks(LANES) {
        for measured in meter.measure(some).expect("the tests fit") {
            evidence.add(measured.evidence);
        }
    }
    let assessment =
        judge(&lowered.program, plan(&lowered.program, &[criterion]), &evidence).expect("sound");
    let covered = |verdict: &&Verdict| matches!(verdict, Verdict::Covered { .. });
    assessment.verdicts.iter().filter(covered).count()
}
