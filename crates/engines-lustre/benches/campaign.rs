//! Campaigns on the public models, beside what the JKind-based public tool does on them (figures of the
//! collection's own README: wall seconds and what is left unknown; its obligations are counted otherwise).
//!
//! ```text
//! cargo bench -p obligato-engines-lustre --bench campaign [-- MODEL…]
//! ```
//!
//! Goals are wall seconds on two idle cores, and what may be left. A campaign gets that time and no more. On a machine
//! that does other things as well, processor time says more than wall time.
#![allow(clippy::print_stdout, reason = "a benchmark prints")]

#[path = "../tests/support/mod.rs"]
mod support;
#[path = "campaign/usage.rs"]
mod usage;

use std::env;
use std::time::Duration;

use obligato_criteria::grounds;
use obligato_engines_lustre::properties::{PropertyStatus, properties, prove};
use obligato_engines_lustre::{Budget, ModelUnderTest, Outcome, Phase, Request, Status, run};
use obligato_lustre::lowering::Lowered;
use obligato_model::{Criterion, TestId};
use obligato_reduce::{Problem, greedy};
use obligato_solver::Stop;

use support::judged::{Judged, judged};
use usage::Usage;

/// A model, a criterion, seconds to stay under, how many of a thousand may be left, and what the public tool needs and leaves.
type Goal = (&'static str, &'static str, u64, usize, &'static str);

const CAMPAIGNS: [Goal; 7] = [
    ("kind2/microwave.lus", "mcdc", 3, 0, "21 s, 0 left"),
    ("kind2/microwave.lus", "omcdc", 10, 0, "62 s, 409 of 1034 left"),
    ("steering-framework/infusion_manager.lus", "mcdc", 12, 0, "126 s, 0 left"),
    ("steering-framework/infusion_manager.lus", "omcdc", 60, 0, "159 s, 1484 of 1818 left"),
    ("kind2/DockingExample.lus", "mcdc", 60, 0, "154 s, 2618 of 3621 left"),
    ("kind2/DockingExample.lus", "omcdc", 300, 10, "not reached"),
    ("kind2/GPCA_State_machine.kind.lus", "mcdc", 600, 1000, "not reached"),
];

/// A model with properties, and what JKind and Kind 2 say: valid and invalid ones, and how long the quicker one takes.
const PROOFS: [(&str, usize, usize, &str); 5] = [
    ("jkind/microwave.mcdc.lus", 26, 441, "goal 5 s; JKind 13.1 s"),
    ("jkind/microwave.kind.lus", 13, 0, "JKind 8.2 s"),
    ("kind2/microwave.lus", 10, 0, "Kind 2 5.5 s"),
    ("jkind/pilot_flying.lus", 8, 0, "JKind 10.2 s"),
    ("kind2/DA1.kind.lus", 9, 2, "Kind 2 36 s"),
];

/// The most seconds for an engine alone.
const MOST_ALONE: u64 = 30;

fn main() {
    let wanted: Vec<String> = env::args().skip(1).filter(|word| !word.starts_with('-')).collect();
    let is_wanted = |path: &str| wanted.is_empty() || wanted.iter().any(|word| path.contains(word));
    for (path, valid, invalid, other) in PROOFS.iter().filter(|(path, ..)| is_wanted(path)) {
        if let Some(lowered) = support::public_model(path) {
            decide(path, &lowered, [*valid, *invalid], other);
        }
    }
    for goal in CAMPAIGNS.iter().filter(|(path, ..)| is_wanted(path)) {
        if let Some(lowered) = support::public_model(goal.0) {
            resolve(&lowered, goal);
        }
    }
}

fn decide(path: &str, lowered: &Lowered, known: [usize; 2], other: &str) {
    let usage = Usage::start();
    let budget = Budget::Time(Duration::from_mins(1));
    let stop = Stop::never();
    let found = prove(lowered, &properties(lowered), budget, 2, &stop, &mut |_: &Status| {});
    let verdicts = found.expect("it can be decided").verdicts;
    let count =
        |is: fn(&PropertyStatus) -> bool| verdicts.iter().filter(|one| is(&one.status)).count();
    println!(
        "{path:42} prove  {usage}  {} valid (known {}), {} invalid ({}), {} unknown; {other}",
        count(|status| matches!(status, PropertyStatus::Valid(_))),
        known[0],
        count(|status| matches!(status, PropertyStatus::Invalid(_))),
        known[1],
        count(|status| matches!(status, PropertyStatus::Unknown(_))),
    );
}

fn resolve(lowered: &Lowered, (path, criterion, goal, may_be_left, public): &Goal) {
    let criterion: Criterion = criterion.parse().expect("a criterion");
    let request_for = |phases: &[Phase], seconds| request(lowered, criterion, phases, seconds);
    let whole = request_for(&Phase::OF_MODELS, *goal);
    let usage = Usage::start();
    let outcome = campaign(&whole);
    let used = usage.to_string();
    let judgement = judged(&whole, &outcome);
    let tally = judgement.assessment.tally(criterion);
    let total = tally.covered + tally.uncoverable + tally.open();
    let is_reached = 1000 * tally.open() <= *may_be_left * total;
    println!(
        "{path:42} {criterion:6} {used}  {} covered, {} uncoverable, {} unresolved of {total}",
        tally.covered,
        tally.uncoverable,
        tally.open(),
    );
    println!(
        "{:49} {}; goal {goal} s, {may_be_left} in 1000 left; public tool {public}",
        "",
        if is_reached { "reached" } else { "not reached" },
    );
    println!("{:49} {}", "", suite_in_words(lowered, &outcome, &judgement));
    compare(lowered, criterion, (*goal).min(MOST_ALONE), path);
}

/// Each engine alone and all together, with the same budget: what is covered, uncoverable and left. All together are to be at
/// least as good as each alone. (Paper 000, table V, compares incremental and complete without any random test before.)
fn compare(lowered: &Lowered, criterion: Criterion, seconds: u64, path: &str) {
    let all = std::iter::once(("auto", Phase::OF_MODELS.to_vec()));
    let alone = Phase::OF_MODELS.map(|phase| (phase.name(), vec![phase]));
    let mut settled = Vec::new();
    for (name, phases) in all.chain(alone) {
        let request = request(lowered, criterion, &phases, seconds);
        let usage = Usage::start();
        let outcome = campaign(&request);
        let used = usage.to_string();
        let tally = judged(&request, &outcome).assessment.tally(criterion);
        println!(
            "{path:42} {name:12} {used}  {} covered, {} uncoverable, {} unresolved",
            tally.covered,
            tally.uncoverable,
            tally.open(),
        );
        settled.push((name, tally.covered + tally.uncoverable));
    }
    let (_, together) = settled[0];
    let better = settled.iter().filter(|(_, alone)| *alone > together);
    let better: Vec<&str> = better.map(|(name, _)| *name).collect();
    let is_reached = if better.is_empty() { "reached" } else { "not reached" };
    println!("{:49} auto as good as each alone: {is_reached} {}", "", better.join(", "));
}

/// How many tests there are and how long they are, before and after superfluous ones are left out.
fn suite_in_words(lowered: &Lowered, outcome: &Outcome, judgement: &Judged) -> String {
    let length = |index: usize| outcome.tests[index].test.steps.len();
    let in_words = |tests: &[usize]| {
        let mut lengths: Vec<usize> = tests.iter().map(|index| length(*index)).collect();
        lengths.sort_unstable();
        let at = |index: usize| lengths.get(index).copied().unwrap_or(0);
        let (median, longest) = (at(lengths.len() / 2), lengths.last().copied().unwrap_or(0));
        let all: usize = lengths.iter().sum();
        format!("{} tests, {all} steps (median {median}, longest {longest})", lengths.len())
    };
    let all: Vec<usize> = (0..outcome.tests.len()).collect();
    let grounds = grounds(&lowered.program, &judgement.assessment, &judgement.evidence);
    let kept = greedy::reduce(&Problem::new(outcome.tests.len(), &grounds));
    let kept: Vec<usize> = kept.into_iter().map(TestId::index).collect();
    format!("{}; reduced to {}", in_words(&all), in_words(&kept))
}

fn request<'l>(
    lowered: &'l Lowered,
    criterion: Criterion,
    phases: &[Phase],
    seconds: u64,
) -> Request<'l> {
    Request {
        subject: ModelUnderTest {
            lowered,
            observed: lowered.system.outputs.iter().map(|output| output.node).collect(),
        },
        criteria: vec![criterion],
        given: Vec::new(),
        phases: phases.to_vec(),
        budget: Budget::Time(Duration::from_secs(seconds)),
        seed: 1,
        threads: 2,
        shard: None,
    }
}

fn campaign<'l>(request: &Request<'l>) -> Outcome<'l> {
    run(request, &Stop::never(), &mut |_: &Status| {}).expect("the campaign runs")
}
