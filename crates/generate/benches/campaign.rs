//! Campaigns on the public models, beside what the JKind-based public tool does on them (figures of the
//! collection's own README: wall seconds and what is left unknown; its obligations are counted otherwise).
//!
//! ```text
//! cargo bench -p obligato-generate --bench campaign [-- MODEL…]
//! ```
#![allow(clippy::print_stdout, reason = "a benchmark prints")]

#[path = "../tests/support/mod.rs"]
mod support;

use std::env;
use std::time::{Duration, Instant};

use obligato_generate::properties::{Fate, properties, prove};
use obligato_generate::{Budget, Outcome, Phase, Request, Status, run};
use obligato_lustre::lowering::Lowered;
use obligato_model::Criterion;
use obligato_solver::Stop;

/// A model, a criterion, seconds to stay under, and what the public tool needs and leaves.
const CAMPAIGNS: [(&str, &str, u64, &str); 7] = [
    ("kind2/microwave.lus", "mcdc", 3, "21 s, 0 left"),
    ("kind2/microwave.lus", "omcdc", 10, "62 s, 409 of 1034 left"),
    ("steering-framework/infusion_manager.lus", "mcdc", 12, "126 s, 0 left"),
    ("steering-framework/infusion_manager.lus", "omcdc", 60, "159 s, 1484 of 1818 left"),
    ("kind2/DockingExample.lus", "mcdc", 60, "154 s, 2618 of 3621 left"),
    ("kind2/DockingExample.lus", "omcdc", 300, "not reached"),
    ("kind2/GPCA_State_machine.kind.lus", "mcdc", 600, "not reached"),
];

/// A model with properties, and what JKind and Kind 2 say: valid and invalid ones.
const PROOFS: [(&str, usize, usize); 5] = [
    ("jkind/microwave.mcdc.lus", 26, 441),
    ("jkind/microwave.kind.lus", 13, 0),
    ("kind2/microwave.lus", 10, 0),
    ("jkind/pilot_flying.lus", 8, 0),
    ("kind2/DA1.kind.lus", 9, 2),
];

fn main() {
    let wanted: Vec<String> = env::args().skip(1).filter(|word| !word.starts_with('-')).collect();
    let is_wanted = |path: &str| wanted.is_empty() || wanted.iter().any(|word| path.contains(word));
    for (path, valid, invalid) in PROOFS.iter().filter(|(path, ..)| is_wanted(path)) {
        if let Some(lowered) = support::public_model(path) {
            decide(path, &lowered, *valid, *invalid);
        }
    }
    for (path, criterion, goal, public) in CAMPAIGNS.iter().filter(|(path, ..)| is_wanted(path)) {
        if let Some(lowered) = support::public_model(path) {
            let criterion: Criterion = criterion.parse().expect("a criterion");
            resolve(path, &lowered, criterion, *goal, public);
        }
    }
}

fn decide(path: &str, lowered: &Lowered, valid: usize, invalid: usize) {
    let start = Instant::now();
    let budget = Budget::Time(Duration::from_mins(1));
    let stop = Stop::never();
    let found = prove(lowered, &properties(lowered), budget, 2, &stop, &mut |_: &Status| {});
    let verdicts = found.expect("it can be decided").verdicts;
    let count = |is: fn(&Fate) -> bool| verdicts.iter().filter(|one| is(&one.fate)).count();
    println!(
        "{path:42} prove  {:5.1} s  {} valid ({valid}), {} invalid ({invalid}), {} unknown",
        start.elapsed().as_secs_f64(),
        count(|fate| matches!(fate, Fate::Valid(_))),
        count(|fate| matches!(fate, Fate::Invalid(_))),
        count(|fate| matches!(fate, Fate::Unknown(_))),
    );
}

fn resolve(path: &str, lowered: &Lowered, criterion: Criterion, goal: u64, public: &str) {
    let start = Instant::now();
    let outcome = campaign(lowered, criterion, &Phase::MAKERS, goal);
    let tally = outcome.assessment.tally(criterion);
    println!(
        "{path:42} {criterion:6} {:5.1} s  {} covered, {} uncoverable, {} unresolved; {} tests, \
         longest {}; public tool: {public}",
        start.elapsed().as_secs_f64(),
        tally.covered,
        tally.uncoverable,
        tally.unresolved,
        outcome.tests.len(),
        outcome.tests.iter().map(|made| made.test.steps.len()).max().unwrap_or(0),
    );
    // Paper 000, table V: one way of solving against the other, without any random test before.
    let alone = |phase| {
        let start = Instant::now();
        let outcome = campaign(lowered, criterion, &[phase], goal.min(30));
        (start.elapsed().as_secs_f64(), outcome.assessment.tally(criterion).covered)
    };
    let (incremental, complete) = (alone(Phase::Incremental), alone(Phase::Complete));
    println!(
        "{:49} alone: incremental {:.1} s for {}, complete {:.1} s for {} (time ratio {:.2})",
        "",
        incremental.0,
        incremental.1,
        complete.0,
        complete.1,
        incremental.0 / complete.0,
    );
}

fn campaign(lowered: &Lowered, criterion: Criterion, phases: &[Phase], seconds: u64) -> Outcome {
    let request = Request {
        lowered,
        observed: lowered.system.outputs.iter().map(|output| output.node).collect(),
        criteria: vec![criterion],
        tests: Vec::new(),
        phases: phases.to_vec(),
        budget: Budget::Time(Duration::from_secs(seconds)),
        seed: 1,
        threads: 2,
    };
    run(&request, &Stop::never(), &mut |_: &Status| {}).expect("the campaign runs")
}
