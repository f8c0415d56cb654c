//! Events as Booleans against what measuring sees, on random tests of every public model.
#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]

mod support;

use obligato_generate::ledger::happened;
use obligato_generate::targets::{Cause, kill};
use obligato_generate::{Effect, Event, EventId, Targets};
use obligato_lustre::lowering::{Options, lower_mutants};
use obligato_lustre::mutation::{mutants, sample};
use obligato_model::Strength;
use obligato_replay::mutation::{MutantRunner, Oracle, Until, compile};
use support::{Subject, ever_holds, ever_true, models};

/// Small models of what the public ones lack: clocks, several occurrences, faults at run time.
const SMALL: [(&str, &str); 5] = [
    (
        "arrays",
        "node main(x: int^3; on: bool) returns (some: bool; count: int);
         var high: bool^3;
         let
           high[i] = x[i] > 2 and (on or x[i] < 5);
           some = high[0] or high[1] xor high[2];
           count = (if some then 1 else 0) + (0 -> pre count);
         tel",
    ),
    (
        "equal arms",
        "node main(a, b, c: bool; n: int) returns (out: bool; sum: int);
         var held: bool;
         let
           held = (if a and b then n > 1 else n >= 2) -> (if a or not b then pre held else c);
           sum = if c xor held then 3 else if a then 3 else n;
           out = false -> pre (held and b);
         tel",
    ),
    (
        "divisions",
        "node main(x: int; y: subrange [0, 3] of int; a: bool) returns (q: int; r: bool);
         let
           assert y > 0 or a;
           q = if a then x else x div y;
           r = (if q > 2 then x mod (y + 1) else 0) = 1 -> pre r and q < 4;
         tel",
    ),
    (
        "calls twice",
        "node edge(x: bool) returns (up: bool);
         let up = x and not (true -> pre x); tel
         node main(a, b: bool) returns (out: bool);
         let out = edge(a) or edge(b and a => b); tel",
    ),
    (
        "sequence",
        "type mode = enum { idle, busy, done };
         node main(go, stop: bool; level: subrange [0, 4] of int) returns (m: mode; alarm: bool);
         var n: subrange [0, 5] of int;
         let
           m = idle -> if pre m = idle and go then busy
                       else if pre m = busy and (stop or pre n >= 3) then done
                       else if pre m = done and not go then idle else pre m;
           n = 0 -> if m = busy and pre n < 5 then pre n + 1 else 0;
           alarm = m = busy and level > 3 and n > 1;
         tel",
    ),
];

fn subjects(most_nodes: usize) -> Vec<Subject> {
    let small = SMALL.iter().map(|(name, text)| {
        Subject::new(name, text.as_bytes()).unwrap_or_else(|| panic!("{name} is no model"))
    });
    small.chain(models(most_nodes)).collect()
}

#[test]
fn the_boolean_of_an_event_holds_in_some_step_of_a_test_exactly_if_it_was_measured() {
    let (mut compared, mut seen, mut ahead) = (0, 0, 0);
    for subject in subjects(20_000) {
        let program = &subject.lowered.program;
        let events = subject.events();
        let targets = Targets::new(&subject.lowered, &subject.observed(), &events).unwrap();
        let tests = subject.random_tests(3, 8, 77);
        for (test, measured) in tests.iter().zip(subject.measure(&tests)) {
            if measured.exhausted.is_some() {
                continue;
            }
            let ever = ever_true(&targets, test);
            for (index, event) in events.all().iter().enumerate() {
                let Some(node) = targets.node(EventId::new(index)) else { continue };
                let expected = happened(program, event, &measured.evidence);
                let name = &subject.name;
                assert_eq!(ever[node.index()], expected, "{name}, {}, {event:?}", test.name);
                compared += 1;
                seen += usize::from(expected);
                ahead += usize::from(expected && targets.looks_ahead(EventId::new(index)));
            }
        }
    }
    assert!(compared > 500 && seen > 100 && ahead > 10, "{ahead} of {seen} of {compared}");
}

#[test]
fn the_monitor_of_an_effect_says_in_some_step_that_it_happened_exactly_if_it_was_measured() {
    let (mut compared, mut seen) = (0, [0; 6]);
    for subject in subjects(6000) {
        let program = &subject.lowered.program;
        let events = subject.events();
        let effects: Vec<(&Event, Effect)> =
            events.all().iter().filter_map(|event| Some((event, Effect::of(event)?))).collect();
        let tests = subject.random_tests(3, 8, 5);
        let measured = subject.measure(&tests);
        // A step that is no divisor of how effects are listed meets all kinds of them.
        let every = (effects.len() / 120 * 2) | 1;
        for (event, effect) in effects.into_iter().step_by(every) {
            let monitored = effect.monitor(&subject.lowered, &subject.observed()).unwrap();
            for (test, measured) in tests.iter().zip(&measured) {
                if measured.exhausted.is_some() {
                    continue;
                }
                let expected = happened(program, event, &measured.evidence);
                let found = ever_holds(&monitored.system, monitored.happened, test);
                assert_eq!(found, expected, "{}, {}, {event:?}", subject.name, test.name);
                compared += 1;
                let boundary = usize::from(matches!(effect.cause, Cause::Boundary(_)));
                seen[3 * boundary + effect.semantics as usize] += usize::from(expected);
            }
        }
    }
    assert!(compared > 300 && seen.iter().all(|seen| *seen > 3), "{seen:?} of {compared}");
}

#[test]
fn the_monitor_of_a_mutant_says_that_it_is_killed_exactly_if_it_was_when_it_ran() {
    let (mut compared, mut killed, mut faulted, mut only_weakly) = (0, 0, 0, 0);
    for subject in subjects(6000) {
        let chosen = sample(&mutants(&subject.model), 40, 3);
        let Subject { name, text, model, .. } = &subject;
        let system = lower_mutants(model, name, text, &Options::default(), &chosen).unwrap();
        let outputs = Oracle::Outputs.compared(&system).unwrap();
        let tests = subject.random_tests(3, 8, 17);
        let program = compile(&system, &outputs).unwrap();
        let mut runner = MutantRunner::new(&program, &system, &outputs).unwrap();
        let kills = runner.run(&tests, Until::SuiteEnd).unwrap();
        let measured = subject.measure(&tests);
        for mutant in 0..chosen.len() {
            let [strong, weak] = [Strength::Strong, Strength::Weak]
                .map(|strength| kill(&system, mutant, strength, &outputs).unwrap());
            for (index, test) in tests.iter().enumerate() {
                if measured[index].exhausted.is_some() {
                    continue;
                }
                let ran = &kills.tests[index];
                let strongly = ran.kills(mutant);
                let weakly = strongly || ran.weak.contains(mutant);
                let what = format!("{name}, {}, {:?}", test.name, chosen[mutant]);
                assert_eq!(ever_holds(&strong.system, strong.happened, test), strongly, "{what}");
                assert_eq!(ever_holds(&weak.system, weak.happened, test), weakly, "{what}");
                compared += 1;
                killed += usize::from(strongly);
                faulted += usize::from(ran.faulted.contains(mutant));
                only_weakly += usize::from(weakly && !strongly);
            }
        }
    }
    let found = [compared, killed, faulted, only_weakly];
    assert!(compared > 300 && found.iter().all(|count| *count > 3), "{found:?}");
}
