//! Whole campaigns: every verdict against exploration of all states, every engine against the others,
//! every proof through the independent check.
#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]

mod support;

use std::time::{Duration, Instant};

use obligato_criteria::plan;
use obligato_engines_lustre::proofs::{Checked, Checker, check};
use obligato_engines_lustre::{
    Budget, Demand, Effect, Event, EventId, Ledger, ModelUnderTest, Outcome, Phase, Request,
    Standing, Status, Targets, run,
};
use obligato_model::{Assessment, Criterion, Verdict};
use obligato_solver::Stop;
use obligato_transition_system::System;
use support::explore::{Explored, explore, explore_undefined};
use support::judged::judged;
use support::{Subject, models, small_models};

const STATES: usize = 3000;
const CHOICES: usize = 300;
const AUTO: [Phase; 4] = Phase::OF_MODELS;

/// Criteria of every kind.
const CRITERIA: [&str; 8] =
    ["statement", "cdc", "mcc", "mcdc", "mcdc:unique-cause", "bvc", "omcdc", "omcdc:tags"];
/// Those that take a system for every obligation.
const EXACT: [&str; 2] = ["omcdc:exact", "obvc"];

fn criteria(names: &[&str]) -> Vec<Criterion> {
    names.iter().map(|name| name.parse().unwrap()).collect()
}

/// What a campaign came to, and the verdicts that follow.
struct Campaign<'s> {
    outcome: Outcome<'s>,
    assessment: Assessment,
}

fn campaign<'s>(
    subject: &'s Subject,
    names: &[&str],
    phases: &[Phase],
    threads: usize,
) -> Campaign<'s> {
    limited(subject, names, phases, threads, 3_000_000)
}

fn limited<'s>(
    subject: &'s Subject,
    names: &[&str],
    phases: &[Phase],
    threads: usize,
    work: u64,
) -> Campaign<'s> {
    let request = Request {
        subject: ModelUnderTest { lowered: &subject.lowered, observed: subject.observed() },
        criteria: criteria(names),
        given: Vec::new(),
        phases: phases.to_vec(),
        budget: Budget::Work(work),
        seed: 7,
        threads,
        shard: None,
    };
    conduct(&request)
}

fn conduct<'s>(request: &Request<'s>) -> Campaign<'s> {
    let outcome = run(request, &Stop::never(), &mut |_: &Status| {}).unwrap();
    let assessment = judged(request, &outcome).assessment;
    Campaign { outcome, assessment }
}

/// Explores all states of a system, from some first ones.
type Explore = fn(&System, usize, usize) -> Option<Explored>;

/// Can the event happen, by exploring all states? `None` if they are too many.
fn explored(subject: &Subject, event: &Event, explore: Explore) -> Option<bool> {
    if let Some(effect) = Effect::of(event) {
        let monitored = effect.monitor(&subject.lowered, &subject.observed()).unwrap();
        let explored = explore(&monitored.system, STATES, CHOICES)?;
        return Some(explored.is_ever(monitored.happened));
    }
    let mut events = obligato_engines_lustre::Events::default();
    let id = events.intern(event.clone());
    let targets = Targets::new(&subject.lowered, &subject.observed(), &events).unwrap();
    Some(explore(&targets.system, STATES, CHOICES)?.is_ever(targets.node(id).unwrap()))
}

/// Holds the verdicts of a campaign against all states of the model; how many were uncoverable.
fn compare(subject: &Subject, names: &[&str], found: &Campaign) -> usize {
    let program = &subject.lowered.program;
    let plan = plan(program, &criteria(names));
    let ledger = Ledger::new(program, &plan);
    let events = ledger.events().all().iter();
    let can: Vec<Option<bool>> = events.map(|event| explored(subject, event, explore)).collect();
    let mut uncoverable = 0;
    for (index, verdict) in found.assessment.verdicts.iter().enumerate() {
        let Demand::Alternatives(ways) = ledger.demand(index) else { continue };
        let way_can =
            |way: &Vec<EventId>| way.iter().map(|at| can[at.index()]).collect::<Option<Vec<_>>>();
        let Some(ways) = ways.iter().map(way_can).collect::<Option<Vec<_>>>() else { continue };
        let coverable = ways.iter().any(|way| way.iter().all(|can| *can));
        let obligation = &found.assessment.plan.obligations[index];
        let at = format!("{}: {} ({})", subject.name, obligation.key, verdict.name());
        match verdict {
            Verdict::Covered { .. } => assert!(coverable, "{at}"),
            Verdict::Uncoverable(_) => {
                assert!(!coverable, "{at}");
                uncoverable += 1;
            }
            _ => panic!("unresolved: {at} {:?}", found.outcome.limit),
        }
    }
    uncoverable
}

fn small() -> impl Iterator<Item = Subject> {
    // What nothing defines may leave an obligation open.
    let all = small_models().into_iter().chain(models(150));
    let all = all.filter(|subject| subject.lowered.system.unguarded().next().is_none());
    all.filter(|subject| explore(&subject.lowered.system, 500, CHOICES).is_some())
}

#[test]
fn every_obligation_of_a_small_model_is_resolved_as_exploring_all_states_says() {
    let (mut uncoverable, mut count) = (0, 0);
    for subject in small() {
        let outcome = campaign(&subject, &CRITERIA, &AUTO, 2);
        uncoverable += compare(&subject, &CRITERIA, &outcome);
        count += 1;
    }
    assert!(uncoverable > 100 && count >= 5, "{uncoverable} in {count}");
}

#[test]
fn effects_under_the_exact_semantics_are_resolved_as_exploring_all_states_says() {
    let mut uncoverable = 0;
    for subject in small().filter(|subject| subject.lowered.system.graph.len() < 120) {
        let outcome = campaign(&subject, &EXACT, &AUTO, 2);
        uncoverable += compare(&subject, &EXACT, &outcome);
    }
    assert!(uncoverable > 10, "{uncoverable}");
}

#[test]
fn no_engine_contradicts_another() {
    for subject in small() {
        let all = campaign(&subject, &["mcdc", "omcdc"], &AUTO, 1);
        for phase in AUTO {
            let one = limited(&subject, &["mcdc", "omcdc"], &[phase], 1, 20_000);
            for (index, verdict) in one.assessment.verdicts.iter().enumerate() {
                let known = all.assessment.verdicts[index].name();
                let agrees = verdict.name() == known || verdict.name() == "unresolved";
                let key = &one.assessment.plan.obligations[index].key;
                assert!(agrees, "{} {phase:?} {key}: {known}, {}", subject.name, verdict.name());
            }
        }
    }
}

#[test]
fn the_same_seed_and_work_give_the_same_suite_on_one_thread_and_on_two() {
    for subject in small() {
        let names = ["mcdc", "omcdc", "bvc"];
        let [one, two] = [1, 2].map(|threads| campaign(&subject, &names, &AUTO, threads));
        assert_eq!(one.outcome.tests, two.outcome.tests, "{}", subject.name);
        assert_eq!(one.assessment, two.assessment, "{}", subject.name);
        assert_eq!(one.outcome.found.proofs, two.outcome.found.proofs, "{}", subject.name);
    }
}

#[test]
fn proofs_are_confirmed_by_a_solver_that_took_no_part_in_them() {
    let (mut held, mut refused) = (0, 0);
    for subject in small() {
        let names = ["mcdc", "omcdc", "omcdc:tags"];
        let found = campaign(&subject, &names, &AUTO, 2);
        let check = |proofs: &[_]| {
            let (lowered, observed) = (&subject.lowered, subject.observed());
            check(lowered, &observed, &criteria(&names), proofs, &Stop::never()).unwrap()
        };
        let book = check(&found.outcome.found.proofs);
        let holds = |proof: &Checked| *proof == Checked::Holds(Checker::Batsat);
        assert!(book.proofs.iter().all(holds), "{:?}", book.proofs);
        held += book.proofs.len();
        let obligations = found.assessment.plan.obligations.iter();
        let ledger = Ledger::new(&subject.lowered.program, &book.plan);
        let claimed = obligations.zip(&found.assessment.verdicts).enumerate();
        let claimed: Vec<_> = claimed
            .filter(|(index, (_, verdict))| {
                matches!(verdict, Verdict::Uncoverable(_))
                    && ledger.standing(*index) != Standing::Settled
            })
            .map(|(_, (obligation, _))| obligation.key.clone())
            .collect();
        assert_eq!(book.uncoverable, claimed, "{}", subject.name);
        // About something else it proves nothing; and without its clauses, often neither.
        for mut proof in found.outcome.found.proofs {
            let mut other = proof.clone();
            other.certificate = proof.certificate.replacen("bad ", "bad -", 1).replace("--", "");
            assert!(matches!(check(&[other]).proofs[0], Checked::Refused(_)), "{}", subject.name);
            let lines: Vec<&str> = proof.certificate.lines().collect();
            let Some(first) = lines.iter().position(|line| line.starts_with("clause")) else {
                continue;
            };
            let kept = lines
                .iter()
                .enumerate()
                .filter(|(at, line)| *at < first || !line.starts_with("clause"));
            proof.certificate = kept.map(|(_, line)| format!("{line}\n")).collect();
            let weaker = check(&[proof]);
            refused += usize::from(matches!(weaker.proofs[0], Checked::Refused(_)));
        }
    }
    assert!(held > 10 && refused >= 3, "{held} and {refused}");
}

#[test]
fn tests_that_are_there_are_kept_and_only_what_is_missing_is_made() {
    let subject = small_models().into_iter().find(|one| one.name == "sequence").unwrap();
    let first = campaign(&subject, &["mcdc"], &AUTO, 2);
    let given = first.outcome.tests.iter().map(|made| made.test.clone()).collect();
    let request = Request {
        subject: ModelUnderTest { lowered: &subject.lowered, observed: subject.observed() },
        criteria: criteria(&["mcdc"]),
        given,
        phases: AUTO.to_vec(),
        budget: Budget::Time(Duration::from_mins(1)),
        seed: 1,
        threads: 2,
        shard: None,
    };
    let again = conduct(&request);
    assert!(again.outcome.tests.is_empty());
    assert_eq!(again.assessment.tally(criteria(&["mcdc"])[0]), {
        first.assessment.tally(criteria(&["mcdc"])[0])
    });
}

#[test]
fn a_model_whose_assertions_exclude_each_other_is_refused_and_nothing_is_proved() {
    let text = "node main(a: bool) returns (y: bool); let assert a; assert not a; y = a; tel";
    let subject = Subject::new("no run", text.as_bytes()).unwrap();
    let request = Request {
        subject: ModelUnderTest { lowered: &subject.lowered, observed: subject.observed() },
        criteria: criteria(&["mcdc"]),
        given: Vec::new(),
        phases: AUTO.to_vec(),
        budget: Budget::Work(1000),
        seed: 1,
        threads: 1,
        shard: None,
    };
    let error = run(&request, &Stop::never(), &mut |_: &Status| {}).unwrap_err();
    assert!(error.to_string().contains("no run at all"), "{error}");
}

/// What happens in the first step, after a restart and before a clock holds depends on what nothing defines.
const UNDEFINED: &str = "\
node keep(b: bool; n: subrange [0, 2] of int) returns (c: bool; m: subrange [0, 2] of int);
let
  c = b and pre c;
  m = if pre m = 2 and b then n else pre m;
tel;
node main(a, go: bool; n: subrange [0, 2] of int) returns (x, y, z, w: bool; m: subrange [0, 2] of int);
var
  c, r: bool;
let
  (c, m) = (restart keep every go)(a, n);
  r = pre r;
  x = (pre a or c) and (r or go);
  y = (r -> false) or (true -> pre a = go);
  z = false -> (r <> pre r or c);
  w = m = 1 and not pre go and r = pre r;
tel;
";

#[test]
fn proofs_hold_for_every_value_that_nothing_defines_and_tests_for_the_default() {
    let subject = Subject::new("undefined.lus", UNDEFINED.as_bytes()).unwrap();
    assert!(subject.lowered.system.unguarded().count() >= 4);
    let (mut covered, mut uncoverable, mut open) = (0, 0, 0);
    for names in [&["cdc", "mcdc", "omcdc", "obvc"][..], &["omcdc:exact"][..]] {
        let outcome = campaign(&subject, names, &AUTO, 1);
        let plan = plan(&subject.lowered.program, &criteria(names));
        let ledger = Ledger::new(&subject.lowered.program, &plan);
        let explored = |explore: Explore| -> Vec<bool> {
            let events = ledger.events().all().iter();
            events.map(|event| explored(&subject, event, explore).unwrap()).collect()
        };
        let [by_default, by_any] = [explore, explore_undefined].map(explored);
        for (index, verdict) in outcome.assessment.verdicts.iter().enumerate() {
            let Demand::Alternatives(ways) = ledger.demand(index) else { continue };
            let can = |can: &[bool]| ways.iter().any(|way| way.iter().all(|at| can[at.index()]));
            let at = format!("{} ({verdict:?})", plan.obligations[index].key);
            match verdict {
                Verdict::Covered { .. } => assert!(can(&by_default), "{at}"),
                Verdict::Uncoverable(_) => assert!(!can(&by_any), "{at}"),
                _ => assert!(!can(&by_default) && can(&by_any), "{at}"),
            }
            match verdict {
                Verdict::Covered { .. } => covered += 1,
                Verdict::Uncoverable(_) => uncoverable += 1,
                _ => open += 1,
            }
        }
    }
    assert!(covered > 50 && uncoverable > 5 && open > 0, "{covered} {uncoverable} {open}");
}

#[test]
fn a_budget_of_time_holds_for_a_decision_with_very_many_conditions() {
    let conditions = 60_000;
    let mut text = "node main(a, b, c, d: bool) returns (o: bool);\nlet\n  o = a".to_owned();
    for at in 1..conditions {
        text += if at % 3 == 0 { "\n  or " } else { "\n  and " };
        text.push(['a', 'b', 'c', 'd'][at % 4]);
    }
    text += ";\ntel;\n";
    let subject = Subject::new("many.lus", text.as_bytes()).unwrap();
    let start = Instant::now();
    let plan = plan(&subject.lowered.program, &criteria(&["mcdc"]));
    let ledger = Ledger::new(&subject.lowered.program, &plan);
    assert_eq!(ledger.open_events().len(), 4 * conditions);
    // Far more than it takes, and far less than any time that grows with the square of the conditions.
    assert!(start.elapsed() < Duration::from_secs(10), "{:?}", start.elapsed());
}

#[test]
fn a_request_to_stop_ends_all_engines_at_once() {
    let subject = small_models().into_iter().find(|one| one.name == "sequence").unwrap();
    let request = Request {
        subject: ModelUnderTest { lowered: &subject.lowered, observed: subject.observed() },
        criteria: criteria(&["mcdc", "omcdc:exact"]),
        given: Vec::new(),
        phases: AUTO.to_vec(),
        budget: Budget::Time(Duration::from_hours(1)),
        seed: 1,
        threads: 2,
        shard: None,
    };
    let stop = Stop::never();
    stop.request();
    let outcome = run(&request, &stop, &mut |_: &Status| {}).unwrap();
    assert!(outcome.tests.is_empty() && outcome.limit.is_some());
}
