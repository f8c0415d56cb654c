//! Mutants of small models: every one is killed or proved equivalent, by tests that do what they are said to.

use super::*;
use crate::proofs::Checked;
use obligato_campaign::{Budget, Status};
use obligato_lustre::lowering::{Options, lower};
use obligato_lustre::mutation::Mutant;
use obligato_lustre::{Model, analyse, mutation};
use obligato_lustre_replay::{Oracle, Until};
use obligato_lustre_syntax::parse;
use obligato_model::{Assumption, Criterion, Limit, Spent, TestCase};

/// All mutants of a model, and what tells them from it.
fn experiment<'a>(
    model: &'a Model,
    text: &'a str,
    mutants: &'a [Mutant],
) -> MutationExperiment<'a> {
    MutationExperiment {
        model,
        path: "m.lus",
        bytes: text.as_bytes(),
        options: Options::default(),
        mutants,
        oracle: &Oracle::Outputs,
    }
}

/// All mutants of a model, searched for with so much work.
fn request(text: &str, work: u64, threads: usize) -> (Vec<Mutant>, KillOutcome) {
    let program = parse(text.as_bytes()).unwrap().program;
    let model = analyse(program, &obligato_lustre::Options::default()).unwrap();
    let mutants = mutation::mutants(&model);
    let bag = kill_with(&model, text, &mutants, Strength::Strong, work, threads);
    (mutants, bag)
}

/// All mutants of a model, searched for until nothing is open.
fn kill_all(model: &Model, text: &str, strength: Strength, mutants: &[Mutant]) -> KillOutcome {
    kill_with(model, text, mutants, strength, 10_000_000, 2)
}

fn kill_with(
    model: &Model,
    text: &str,
    mutants: &[Mutant],
    strength: Strength,
    work: u64,
    threads: usize,
) -> KillOutcome {
    let lowered = lower(model, "m.lus", text.as_bytes(), &Options::default()).unwrap();
    let subject = Survivors {
        experiment: experiment(model, text, mutants),
        lowered: &lowered,
        mutants: (0..mutants.len()).collect(),
        strength,
    };
    let request = KillRequest {
        subject,
        criteria: vec![Criterion::Mutation(strength)],
        given: vec![TestCase { name: "k2".to_owned(), steps: Vec::new() }],
        phases: Phase::OF_MODELS.to_vec(),
        budget: Budget::Work(work),
        seed: 1,
        threads,
        shard: None,
    };
    kill(&request, &Stop::never(), &mut |_: &Status| {}).unwrap()
}

/// Needs a combination that chance does not find, and has two conditions of which one is idle.
const VAULT: &str = "\
node vault(a, b: int; go: bool) returns (open: bool; idle: bool);
let
  open = go and a = 74205 and b = a + 1;
  idle = go or (go and b > 3);
tel
";

fn is_equivalent(conclusion: &Conclusion) -> bool {
    matches!(conclusion, Conclusion::Refuted(_))
}

#[test]
fn every_mutant_is_killed_by_a_test_or_proved_equivalent() {
    let (mutants, bag) = request(VAULT, 10_000_000, 2);
    assert_eq!(bag.conclusions.len(), mutants.len());
    let is_open = |one: &Option<Conclusion>| matches!(one, Some(Conclusion::Open(_)));
    assert!(!bag.conclusions.iter().any(is_open), "{:?}", bag.conclusions);
    assert!(bag.conclusions.contains(&None));
    assert!(bag.conclusions.iter().flatten().any(is_equivalent));
    let by = |phase: Phase| bag.tests.iter().filter(|made| made.phase == phase).count();
    assert!(by(Phase::Random) > 0 && by(Phase::Prove) > 0);
}

#[test]
fn the_tests_kill_what_they_are_said_to_kill() {
    let (mutants, bag) = request(VAULT, 10_000_000, 1);
    let program = parse(VAULT.as_bytes()).unwrap().program;
    let model = analyse(program, &obligato_lustre::Options::default()).unwrap();
    let experiment = experiment(&model, VAULT, &mutants);
    let tests: Vec<TestCase> = bag.tests.iter().map(|made| made.test.clone()).collect();
    let kills = experiment.run(&tests, Until::SuiteEnd, &mut |_| {}).unwrap();
    for (mutant, verdict) in bag.conclusions.iter().enumerate() {
        assert_eq!(kills.status(mutant).is_killed(), verdict.is_none(), "{mutant}: {verdict:?}");
    }
}

#[test]
fn the_same_work_gives_the_same_answer_on_any_number_of_threads() {
    let [one, three] = [1, 3].map(|threads| request(VAULT, 50_000, threads).1);
    assert_eq!(one.conclusions, three.conclusions);
    assert_eq!(one.tests, three.tests);
}

#[test]
fn names_of_given_tests_are_not_given_again() {
    let (_, bag) = request(VAULT, 10_000_000, 2);
    let names: Vec<&str> = bag.tests.iter().map(|made| made.test.name.as_str()).collect();
    assert!(names.len() > 1 && names[..2] == ["k1", "k3"], "{names:?}");
}

#[test]
fn no_test_violates_an_assertion() {
    let text = "node m(a, b: bool) returns (o: bool); let assert a or b; o = a and b; tel\n";
    let (_, bag) = request(text, 1_000_000, 2);
    let inside = |test: &TestCase| {
        test.steps.iter().all(|step| step.iter().flatten().any(|value| value.to_string() == "true"))
    };
    assert!(!bag.tests.is_empty() && bag.tests.iter().all(|made| inside(&made.test)));
    // With both false excluded, `or` can be told from `and` but `xor` from `or` cannot be always.
    assert!(bag.conclusions.iter().flatten().any(is_equivalent));
}

#[test]
fn what_is_not_decided_says_what_stood_in_the_way() {
    let (_, bag) = request(VAULT, 0, 1);
    assert!(bag.tests.is_empty());
    let limit = Limit::Spent(Spent::Work(0));
    assert!(bag.conclusions.iter().all(|one| *one == Some(Conclusion::Open(limit.clone()))));
}

/// A counter that never gets past 5, and latches: a mutant that diverges only beyond is equivalent, and so is
/// one that holds something else where nothing is shown.
const COUNTER: &str = "\
node counter(tick: bool) returns (full: bool);
var n, idle: int;
let
  n = 0 -> if tick and pre n < 5 then pre n + 1 else if pre n > 7 then 3 else pre n;
  idle = 0 -> if pre n > 5 then pre idle + 1 else 2 * pre idle;
  full = n = 5 or idle > 3;
tel
";

#[test]
fn what_is_proved_equivalent_is_checked_from_the_model_and_the_positions_of_mutants() {
    for (text, strength) in
        [(VAULT, Strength::Strong), (COUNTER, Strength::Strong), (COUNTER, Strength::Weak)]
    {
        let program = parse(text.as_bytes()).unwrap().program;
        let model = analyse(program, &obligato_lustre::Options::default()).unwrap();
        let mutants = mutation::mutants(&model);
        let bag = kill_all(&model, text, strength, &mutants);
        let experiment = experiment(&model, text, &mutants);
        let (checked, mut proved) = check(&experiment, &bag.proofs, &Stop::never()).unwrap();
        let holds = |checked: &Checked| matches!(checked, Checked::Holds(_));
        assert!(checked.iter().all(holds), "{checked:?}");
        proved.sort_unstable();
        // Those that only z3 could prove say so.
        let is_certified = |mutant: &usize| match &bag.conclusions[*mutant] {
            Some(Conclusion::Refuted(proof)) => {
                !proof.assumptions.contains(&Assumption::Uncertified)
            }
            _ => false,
        };
        let equivalent: Vec<usize> = (0..mutants.len()).filter(is_certified).collect();
        assert_eq!(proved, equivalent);
        assert!(!proved.is_empty());
    }
}

#[test]
fn a_proof_about_one_mutant_proves_nothing_about_another() {
    let program = parse(COUNTER.as_bytes()).unwrap().program;
    let model = analyse(program, &obligato_lustre::Options::default()).unwrap();
    let mutants = mutation::mutants(&model);
    let bag = kill_all(&model, COUNTER, Strength::Strong, &mutants);
    let killed = bag.conclusions.iter().position(Option::is_none).unwrap();
    let experiment = experiment(&model, COUNTER, &mutants);
    for mut proof in bag.proofs {
        proof.events = vec![killed; proof.events.len()];
        let (checked, proved) = check(&experiment, &[proof], &Stop::never()).unwrap();
        assert!(matches!(&checked[..], [Checked::Refused(_)]), "{checked:?}");
        assert!(proved.is_empty());
    }
}
