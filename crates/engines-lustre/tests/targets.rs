//! Events as Booleans against what measuring sees, on random tests of every public model.
#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]

mod support;

use obligato_engines_lustre::ledger::happened;
use obligato_engines_lustre::targets::{Cause, kill, lockstep};
use obligato_engines_lustre::{Effect, Event, EventId, Targets};
use obligato_lustre::lowering::{Options, lower_mutants};
use obligato_lustre::mutation::{Mutant, mutants, sample};
use obligato_lustre_replay::mutation::{MutantRunner, Oracle, Until, compile};
use obligato_model::{MutantId, Observability, Strength};
use support::{Subject, ever_holds, ever_true, models, small_models};

fn subjects(most_nodes: usize) -> Vec<Subject> {
    small_models().into_iter().chain(models(most_nodes)).collect()
}

#[test]
fn the_boolean_of_an_event_holds_in_some_step_of_a_test_exactly_if_it_was_measured() {
    let (mut compared, mut seen, mut ahead) = (0, 0, 0);
    for subject in subjects(usize::MAX) {
        let program = &subject.lowered.program;
        let events = subject.events();
        let targets = Targets::new(&subject.lowered, &subject.observed(), &events).unwrap();
        let tests = subject.some_tests(77);
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
fn an_event_needs_a_system_of_its_own_only_if_it_compares_two_runs() {
    let subject = small_models().swap_remove(0);
    let mut events = subject.events();
    events.intern(Event::Killed(Strength::Weak, MutantId::new(0)));
    let targets = Targets::new(&subject.lowered, &subject.observed(), &events).unwrap();
    for (index, event) in events.all().iter().enumerate() {
        let compares = matches!(event, Event::Killed(..))
            || Effect::of(event).is_some_and(|effect| effect.semantics == Observability::Exact);
        assert_eq!(targets.node(EventId::new(index)).is_none(), compares, "{event:?}");
    }
    let inputs = &targets.system.inputs;
    assert_eq!(inputs[..targets.model_inputs], subject.lowered.system.inputs[..]);
    let inputs_of_prophecies = targets.prophecies.iter().map(|prophecy| prophecy.input);
    assert!(inputs_of_prophecies.eq(targets.model_inputs..inputs.len()));
}

#[test]
fn the_monitor_of_an_effect_says_in_some_step_that_it_happened_exactly_if_it_was_measured() {
    let (mut compared, mut seen) = (0, [0; 6]);
    for subject in subjects(6000) {
        let program = &subject.lowered.program;
        let events = subject.events();
        let effects: Vec<(&Event, Effect)> =
            events.all().iter().filter_map(|event| Some((event, Effect::of(event)?))).collect();
        let tests = subject.some_tests(5);
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
    let mut counted = Kills::default();
    for subject in subjects(6000) {
        let chosen = sample(&mutants(&subject.model), 40, 3);
        for oracle in [Oracle::Outputs, Oracle::Maximum] {
            compare_kills(&subject, &chosen, &oracle, &mut counted);
        }
    }
    let Kills { compared, killed, faulted, only_weakly } = counted;
    assert!(compared > 300 && killed > 30 && faulted > 10 && only_weakly > 10, "{counted:?}");
}

#[test]
fn a_mutant_diverges_in_every_test_that_kills_it_and_in_lockstep_with_any_others() {
    let (mut killed, mut diverged, mut kept_step) = (0, 0, 0);
    for subject in subjects(3000) {
        let Subject { name, text, model, .. } = &subject;
        let chosen = sample(&mutants(model), 20, 5);
        let system = lower_mutants(model, name, text, &Options::default(), &chosen).unwrap();
        let compared = Oracle::Outputs.compared(&system).unwrap();
        let together = lockstep(&system, Strength::Strong, &compared).unwrap();
        let program = compile(&system, &compared).unwrap();
        let mut runner = MutantRunner::new(&program, &system, &compared).unwrap();
        let tests = subject.some_tests(29);
        let kills = runner.run(&tests, Until::SuiteEnd).unwrap();
        let measured = subject.measure(&tests);
        for (index, test) in tests.iter().enumerate() {
            if measured[index].exhausted.is_some() {
                continue;
            }
            for (position, mutant) in chosen.iter().enumerate() {
                let leaves_step =
                    ever_holds(&together.system, together.divergences[position], test);
                let is_killed = kills.tests[index].kills(position);
                assert!(leaves_step || !is_killed, "{name}, {}, {mutant:?}", test.name);
                killed += usize::from(is_killed);
                diverged += usize::from(leaves_step);
                kept_step += usize::from(!leaves_step);
            }
        }
    }
    assert!(killed > 30 && diverged > killed && kept_step > 30, "{killed} {diverged} {kept_step}");
}

/// How many pairs of a test and a mutant there were of each kind.
#[derive(Debug, Default)]
struct Kills {
    compared: usize,
    killed: usize,
    faulted: usize,
    only_weakly: usize,
}

fn compare_kills(subject: &Subject, chosen: &[Mutant], oracle: &Oracle, counted: &mut Kills) {
    let Subject { name, text, model, .. } = subject;
    let system = lower_mutants(model, name, text, &Options::default(), chosen).unwrap();
    let compared = oracle.compared(&system).unwrap();
    let tests = subject.some_tests(17);
    let program = compile(&system, &compared).unwrap();
    let mut runner = MutantRunner::new(&program, &system, &compared).unwrap();
    let kills = runner.run(&tests, Until::SuiteEnd).unwrap();
    let measured = subject.measure(&tests);
    for (position, mutant) in chosen.iter().enumerate() {
        let [strong, weak] = [Strength::Strong, Strength::Weak]
            .map(|strength| kill(&system, position, strength, &compared).unwrap());
        for (index, test) in tests.iter().enumerate() {
            if measured[index].exhausted.is_some() {
                continue;
            }
            let ran = &kills.tests[index];
            let strongly = ran.kills(position);
            let weakly = strongly || ran.weak.contains(position);
            let what = format!("{name}, {}, {mutant:?}", test.name);
            assert_eq!(ever_holds(&strong.system, strong.happened, test), strongly, "{what}");
            assert_eq!(ever_holds(&weak.system, weak.happened, test), weakly, "{what}");
            counted.compared += 1;
            counted.killed += usize::from(strongly);
            counted.faulted += usize::from(ran.faulted.contains(position));
            counted.only_weakly += usize::from(weakly && !strongly);
        }
    }
}
