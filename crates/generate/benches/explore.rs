//! What directed exploration covers and costs, against plain random tests of as many steps.
//! `cargo bench --bench explore -- microwave` takes one model; a number is the limit in seconds, 2
//! unless told.
#![allow(clippy::print_stdout, reason = "a benchmark prints its figures")]

#[path = "../tests/support/mod.rs"]
mod support;

use std::time::{Duration, Instant};

use obligato_criteria::{Vectors, plan};
use obligato_generate::explore::{Explorer, Terrain};
use obligato_generate::ledger::{Ledger, Standing};
use obligato_lustre::lowering::Lowered;
use obligato_model::{Criterion, Independence, Observability, Plan, Random};
use obligato_replay::{LANES, Measurement, Meter, Watch, random_suite};
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
    let (numbers, named): (Vec<_>, Vec<_>) =
        words.into_iter().partition(|word| word.parse::<f64>().is_ok());
    let seconds = numbers.first().and_then(|word| word.parse().ok()).unwrap_or(2.0);
    for path in MODELS {
        let chosen = named.is_empty() || named.iter().any(|word| path.contains(word.as_str()));
        if chosen && let Some(lowered) = support::public_model(path) {
            println!("{path}: {} nodes", lowered.system.graph.len());
            for criterion in
                [Criterion::Mcdc(Independence::Masking), Criterion::Omcdc(Observability::Strict)]
            {
                compare(&lowered, criterion, Duration::from_secs_f64(seconds));
            }
        }
    }
}

fn compare(lowered: &Lowered, criterion: Criterion, limit: Duration) {
    let plan = plan(&lowered.program, &[criterion]);
    let effects = match criterion {
        Criterion::Omcdc(semantics) => vec![semantics],
        _ => Vec::new(),
    };
    let vectors = Vectors::needed_by(&[criterion]);
    let watch = Watch { effects, vectors, ..Watch::outputs(lowered) };
    let measurement = Measurement::new(lowered, watch).expect("sound");
    let compiled = measurement.compile().expect("sound");
    let start = Instant::now();
    let terrain = Terrain::new(lowered).expect("sound");
    let prepared = start.elapsed();
    let mut explorer = Explorer::new(&terrain, Meter::new(&measurement, &compiled), 1);
    let mut ledger = Ledger::new(&lowered.program, &plan);
    let stop = Stop::never().by(start + limit);
    let (mut kept, mut kept_steps) = (0, 0);
    let done = explorer.explore(&mut ledger, usize::MAX, &stop, |test, _| {
        kept += 1;
        kept_steps += test.steps.len();
    });
    let done = done.expect("sound");
    println!(
        "  {criterion:?}: {} obligations\n    directed {:5} covered, {kept} tests of {kept_steps} steps kept, {:.2} s ({:.0} ms to prepare), {:?} after {} tests, {} steps, {} cut; {} states",
        plan.obligations.len(),
        covered(&ledger, &plan),
        start.elapsed().as_secs_f64(),
        prepared.as_secs_f64() * 1e3,
        done.ended,
        done.tests,
        done.steps,
        done.cut,
        explorer.states().len(),
    );
    let start = Instant::now();
    let mut plain = Ledger::new(&lowered.program, &plan);
    let tests = (done.steps / PLAIN_STEPS).max(1);
    let mut random = Random::new(1);
    let suite = random_suite(lowered, tests, PLAIN_STEPS, &mut random).expect("sound");
    let mut meter = Meter::new(&measurement, &compiled);
    for some in suite.tests.chunks(LANES) {
        for measured in meter.measure(some).expect("sound") {
            plain.record(&measured.evidence);
        }
    }
    println!(
        "    plain    {:5} covered, {} tests, {} dropped, {:.2} s",
        covered(&plain, &plan),
        suite.tests.len(),
        suite.dropped,
        start.elapsed().as_secs_f64()
    );
}

fn covered(ledger: &Ledger<'_>, plan: &Plan) -> usize {
    let is_covered = |at: &usize| ledger.standing(*at) == Standing::Covered;
    (0..plan.obligations.len()).filter(is_covered).count()
}
