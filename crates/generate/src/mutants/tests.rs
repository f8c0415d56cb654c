//! Mutants of small models: every one is killed or proved equivalent, by tests that do what they are said to.

use super::*;
use obligato_lustre::lowering::{Options, lower};
use obligato_lustre::{analyse, mutation, parse};
use obligato_replay::Oracle;

/// All mutants of a model, hunted with so much work.
fn hunt(text: &str, work: u64, threads: usize) -> (Vec<Mutant>, Bag) {
    let program = parse(text.as_bytes()).unwrap().program;
    let model = analyse(program, &obligato_lustre::Options::default()).unwrap();
    let lowered = lower(&model, "m.lus", text.as_bytes(), &Options::default()).unwrap();
    let mutants = mutation::mutants(&model);
    let experiment = Experiment {
        model: &model,
        path: "m.lus",
        bytes: text.as_bytes(),
        options: Options::default(),
        mutants: &mutants,
        oracle: &Oracle::Outputs,
    };
    let hunt = Hunt {
        experiment,
        lowered: &lowered,
        survivors: (0..mutants.len()).collect(),
        taken: vec!["k2".to_owned()],
        budget: Budget::Work(work),
        seed: 1,
        threads,
    };
    let bag = kill(&hunt, &Stop::never(), &mut |_: &Status| {}).unwrap();
    (mutants, bag)
}

/// Needs a combination that chance does not find, and has two conditions of which one is idle.
const VAULT: &str = "\
node vault(a, b: int; go: bool) returns (open: bool; idle: bool);
let
  open = go and a = 74205 and b = a + 1;
  idle = go or (go and b > 3);
tel
";

#[test]
fn every_mutant_is_killed_by_a_test_or_proved_equivalent() {
    let (mutants, bag) = hunt(VAULT, 10_000_000, 2);
    assert_eq!(bag.fates.len(), mutants.len());
    let is_open = |fate: &Fate| matches!(fate, Fate::Open(_));
    assert!(!bag.fates.iter().any(is_open), "{:?}", bag.fates);
    assert!(bag.fates.contains(&Fate::Killed));
    assert!(bag.fates.iter().any(|fate| matches!(fate, Fate::Equivalent(_))));
    let by = |phase: Phase| bag.tests.iter().filter(|made| made.phase == phase).count();
    assert!(by(Phase::Random) > 0 && by(Phase::Prove) > 0);
}

#[test]
fn the_tests_kill_what_they_are_said_to_kill() {
    let (mutants, bag) = hunt(VAULT, 10_000_000, 1);
    let program = parse(VAULT.as_bytes()).unwrap().program;
    let model = analyse(program, &obligato_lustre::Options::default()).unwrap();
    let experiment = Experiment {
        model: &model,
        path: "m.lus",
        bytes: VAULT.as_bytes(),
        options: Options::default(),
        mutants: &mutants,
        oracle: &Oracle::Outputs,
    };
    let tests: Vec<TestCase> = bag.tests.iter().map(|made| made.test.clone()).collect();
    let kills = experiment.run(&tests, Until::SuiteEnd, &mut |_| {}).unwrap();
    for (mutant, fate) in bag.fates.iter().enumerate() {
        assert_eq!(kills.fate(mutant).is_killed(), *fate == Fate::Killed, "{mutant}: {fate:?}");
    }
}

#[test]
fn the_same_work_gives_the_same_answer_on_any_number_of_threads() {
    let [one, three] = [1, 3].map(|threads| hunt(VAULT, 50_000, threads).1);
    assert_eq!(one.fates, three.fates);
    assert_eq!(one.tests, three.tests);
}

#[test]
fn names_of_given_tests_are_not_given_again() {
    let (_, bag) = hunt(VAULT, 10_000_000, 2);
    let names: Vec<&str> = bag.tests.iter().map(|made| made.test.name.as_str()).collect();
    assert!(names.len() > 1 && names[..2] == ["k1", "k3"], "{names:?}");
}

#[test]
fn no_test_violates_an_assertion() {
    let text = "node m(a, b: bool) returns (o: bool); let assert a or b; o = a and b; tel\n";
    let (_, bag) = hunt(text, 1_000_000, 2);
    let inside = |test: &TestCase| {
        test.steps.iter().all(|step| step.iter().flatten().any(|value| value.to_string() == "true"))
    };
    assert!(!bag.tests.is_empty() && bag.tests.iter().all(|made| inside(&made.test)));
    // With both false excluded, `or` can be told from `and` but `xor` from `or` cannot be always.
    assert!(bag.fates.iter().any(|fate| matches!(fate, Fate::Equivalent(_))));
}

#[test]
fn what_is_not_decided_says_what_stood_in_the_way() {
    let (_, bag) = hunt(VAULT, 0, 1);
    assert!(bag.tests.is_empty());
    let limit = Limit::Bound("work".to_owned(), 0);
    assert!(bag.fates.iter().all(|fate| *fate == Fate::Open(limit.clone())));
}
