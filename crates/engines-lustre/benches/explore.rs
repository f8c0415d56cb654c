//! What directed exploration covers and costs, against plain random tests of as many steps.
//! `cargo bench --bench explore -- microwave` takes one model; a number is the limit in steps, 300,000
//! unless told, and `directed` leaves the plain tests out.
#![allow(clippy::print_stdout, reason = "a benchmark prints its figures")]

#[path = "../tests/support/mod.rs"]
mod support;

use std::time::Instant;

use obligato_criteria::{Vectors, plan};
use obligato_engines_lustre::explore::{Explorer, PreparedModel};
use obligato_engines_lustre::ledger::{Ledger, Standing};
use obligato_lustre::lowering::Lowered;
use obligato_lustre_replay::{LANES, Measurement, Meter, Watch, random_suite};
use obligato_model::{Criterion, Independence, Observability, Plan, Random, TestCase};
use obligato_solver::Stop;

const MODELS: [&str; 8] = [
    "kind2/microwave.lus",
    "steering-framework/infusion_manager.lus",
    "kind2/DockingExample.lus",
    "kind2/GPCA_State_machine.kind.lus",
    "jkind/mode_logic.kind.lus",
    "jkind/active_standby.kind.lus",
    "jkind/pilot_flying.lus",
    "kind2/DA1.kind.lus",
];

/// How long plain random tests are.
const PLAIN_STEPS: usize = 50;

fn main() {
    let words: Vec<String> =
        std::env::args().skip(1).filter(|word| !word.starts_with('-')).collect();
    let (numbers, mut named): (Vec<_>, Vec<_>) =
        words.into_iter().partition(|word| word.parse::<usize>().is_ok());
    let steps = numbers.first().and_then(|word| word.parse().ok()).unwrap_or(300_000);
    let alone = named.iter().position(|word| word == "directed").map(|at| named.remove(at));
    for path in MODELS {
        let chosen = named.is_empty() || named.iter().any(|word| path.contains(word.as_str()));
        if chosen && let Some(lowered) = support::public_model(path) {
            println!("{path}: {} nodes", lowered.system.graph.len());
            for criterion in
                [Criterion::Mcdc(Independence::Masking), Criterion::Omcdc(Observability::Strict)]
            {
                let steps = explore(&lowered, criterion, steps);
                if alone.is_none() {
                    test_plainly(&lowered, criterion, steps);
                }
            }
        }
    }
}

fn watch(lowered: &Lowered, criterion: Criterion) -> Watch {
    let effects = match criterion {
        Criterion::Omcdc(semantics) => vec![semantics],
        _ => Vec::new(),
    };
    Watch { effects, vectors: Vectors::needed_by(&[criterion]), ..Watch::outputs(lowered) }
}

/// Explores, and gives how many steps that took.
fn explore(lowered: &Lowered, criterion: Criterion, steps: usize) -> usize {
    let plan = plan(&lowered.program, &[criterion]);
    let measurement = Measurement::new(lowered, watch(lowered, criterion)).expect("sound");
    let compiled = measurement.compile().expect("sound");
    let mut ledger = Ledger::new(&lowered.program, &plan);
    let start = Instant::now();
    let prepared = PreparedModel::new(lowered).expect("sound");
    let mut explorer = Explorer::new(&prepared, Meter::new(&measurement, &compiled), 1);
    let mut kept_steps = 0;
    let keep = |_: &Ledger<'_>, test: TestCase, _| kept_steps += test.steps.len();
    let done = explorer.explore(&mut ledger, steps, &Stop::never(), keep).expect("sound");
    println!(
        "  {criterion:?}: {} of {} covered in {:.2} s, {:?} after {} tests, {} steps; {} tests of {} \
         steps kept, {} states{}",
        covered(&ledger, &plan),
        plan.obligations.len(),
        start.elapsed().as_secs_f64(),
        done.ended,
        done.tests,
        done.steps,
        done.kept,
        kept_steps,
        explorer.states().len(),
        if done.is_starved() { ", starved" } else { "" },
    );
    done.steps
}

/// The same with plain random tests.
fn test_plainly(lowered: &Lowered, criterion: Criterion, steps: usize) {
    let plan = plan(&lowered.program, &[criterion]);
    let measurement = Measurement::new(lowered, watch(lowered, criterion)).expect("sound");
    let compiled = measurement.compile().expect("sound");
    let mut meter = Meter::new(&measurement, &compiled);
    let mut ledger = Ledger::new(&lowered.program, &plan);
    let start = Instant::now();
    let tests = (steps / PLAIN_STEPS).max(1);
    let suite = random_suite(lowered, tests, PLAIN_STEPS, &mut Random::new(1)).expect("sound");
    for some in suite.tests.chunks(LANES) {
        for measured in meter.measure(some).expect("sound") {
            ledger.record(&measured.evidence);
        }
    }
    println!(
        "    plain tests: {} covered in {:.2} s by {} tests, {} dropped",
        covered(&ledger, &plan),
        start.elapsed().as_secs_f64(),
        suite.tests.len(),
        suite.dropped,
    );
}

fn covered(ledger: &Ledger<'_>, plan: &Plan) -> usize {
    let is_covered = |at: &usize| ledger.standing(*at) == Standing::Covered;
    (0..plan.obligations.len()).filter(is_covered).count()
}
