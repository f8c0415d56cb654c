//! All reachable steps against long random suites, on models with few states.
//!
//! Random tests of a small model show all that can happen, so exploring and measuring check each
//! other in both directions.
#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]

mod support;

use obligato_engines_lustre::ledger::happened;
use obligato_engines_lustre::{Effect, Event, EventId, Events, Targets};
use support::explore::explore;
use support::{Subject, models, small_models};

/// A small model has at most so many states.
const STATES: usize = 500;
/// And so many choices in each.
const CHOICES: usize = 300;

/// A cabin of few temperatures that is not reset for ever, so that its states are few too.
fn cabin() -> Subject {
    let text = include_str!("../../../examples/cabin.lus")
        .replace("wanted, measured: int", "wanted, measured: subrange [0, 1] of int")
        .replace("--%MAIN;", "assert true -> not (reset and pre warning); --%MAIN;");
    Subject::new("cabin", text.as_bytes()).unwrap()
}

/// The models that are small.
fn subjects() -> impl Iterator<Item = Subject> {
    let all = small_models().into_iter().chain([cabin()]).chain(models(500));
    all.filter(|subject| explore(&subject.lowered.system, STATES, CHOICES).is_some())
}

/// Can the effect happen in a reachable step? `None` if its monitor is not small.
fn effect_is_reachable(subject: &Subject, effect: Effect) -> Option<bool> {
    let monitored = effect.monitor(&subject.lowered, &subject.observed()).unwrap();
    let explored = explore(&monitored.system, STATES, CHOICES)?;
    Some(explored.is_ever(monitored.happened))
}

/// The events for which it is known whether they can happen in a reachable step.
fn explored_events(subject: &Subject) -> Vec<(Event, bool)> {
    let (mut found, mut plain) = (Vec::new(), Events::default());
    for event in subject.events().all() {
        if let Some(effect) = Effect::of(event) {
            let reachable = effect_is_reachable(subject, effect);
            found.extend(reachable.map(|reachable| (event.clone(), reachable)));
        } else {
            plain.intern(event.clone());
        }
    }
    let targets = Targets::new(&subject.lowered, &subject.observed(), &plain).unwrap();
    let explored = explore(&targets.system, STATES, CHOICES).unwrap();
    for (index, event) in plain.all().iter().enumerate() {
        let node = targets.node(EventId::new(index)).unwrap();
        found.push((event.clone(), explored.is_ever(node)));
    }
    found
}

/// A crossing that random tests do not find.
const PUZZLE: &str = "farmer.lus";

#[test]
fn random_tests_of_a_small_model_show_just_what_can_happen_in_a_reachable_step() {
    let (mut can, mut cannot) = (0, 0);
    for subject in subjects() {
        let program = &subject.lowered.program;
        let measured = subject.measure(&subject.random_tests(100, 120, 3));
        for (event, reachable) in explored_events(&subject) {
            let shown = measured.iter().any(|test| happened(program, &event, &test.evidence));
            let missed = reachable && !shown && subject.name == PUZZLE;
            assert!(shown == reachable || missed, "{}, {event:?}: {reachable}", subject.name);
            can += usize::from(reachable);
            cannot += usize::from(!reachable);
        }
    }
    assert!(can > 600 && cannot > 200, "{can} and {cannot}");
}

#[test]
fn an_effect_that_cannot_be_seen_whatever_follows_cannot_be_seen() {
    let (mut settled, mut left) = (0, 0);
    for subject in subjects() {
        let mut events = Events::default();
        for event in subject.events().all().iter().filter(|event| Effect::of(event).is_some()) {
            events.intern(event.clone());
        }
        let targets = Targets::new(&subject.lowered, &subject.observed(), &events).unwrap();
        // What is seen later is free here.
        let Some(explored) = explore(&targets.system, STATES, 4096) else { continue };
        for (index, event) in events.all().iter().enumerate() {
            let (effect, node) = (Effect::of(event).unwrap(), targets.node(EventId::new(index)));
            let Some((node, reachable)) = node.zip(effect_is_reachable(&subject, effect)) else {
                continue;
            };
            let may_be = explored.is_ever(node);
            assert!(may_be || !reachable, "{}: {event:?}", subject.name);
            settled += usize::from(!may_be);
            left += usize::from(may_be && !reachable);
        }
    }
    assert!(settled > 30 && left > 3, "{settled} need no look at what follows, {left} do");
}
