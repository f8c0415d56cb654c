//! Mutants in lanes against mutants one by one, from their text.
#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]

mod support;

use obligato_lustre::analysis::{self, Model, analyse};
use obligato_lustre::lowering::{Lowered, MutantSystem, Options, lower, lower_mutants};
use obligato_lustre::mutation::{Mutant, mutants, sample};
use obligato_lustre_replay::mutation::{
    Kills, MUTANTS, MutantRunner, MutationExperiment, Oracle, TestKills, Until, compile,
};
use obligato_lustre_syntax::parse;
use obligato_model::{TestCase, Value};
use obligato_test_support::models::texts;
use obligato_transition_system::{CheckKind, Evaluator};
use support::{bool_tests, random_tests};

/// A model with its text.
struct Subject {
    name: String,
    text: Vec<u8>,
    model: Model,
    lowered: Lowered,
}

impl Subject {
    fn new(name: &str, text: &[u8], main: Option<&str>) -> Option<Self> {
        let model = analyse(parse(text).ok()?.program, &analysis::Options { main }).ok()?;
        let lowered = lower(&model, name, text, &Options::default()).ok()?;
        Some(Self { name: name.to_owned(), text: text.to_vec(), model, lowered })
    }

    fn lower(&self, mutants: &[Mutant]) -> MutantSystem {
        let options = Options::default();
        lower_mutants(&self.model, &self.name, &self.text, &options, mutants).unwrap()
    }

    fn experiment<'s>(
        &'s self,
        mutants: &'s [Mutant],
        oracle: &'s Oracle,
    ) -> MutationExperiment<'s> {
        let Self { name: path, text: bytes, model, .. } = self;
        MutationExperiment { model, path, bytes, options: Options::default(), mutants, oracle }
    }

    /// The mutant alone, from its text.
    fn alone(&self, mutant: &Mutant) -> Lowered {
        let file = mutant.apply(&self.model, &self.text);
        let main = self.model.text(self.model.main_node().name.symbol);
        Self::new(&self.name, &file, Some(main)).unwrap().lowered
    }
}

fn subjects() -> Vec<Subject> {
    let load = |(name, text): (String, Vec<u8>)| Subject::new(&name, &text, None);
    texts().into_iter().filter_map(load).collect()
}

fn run(system: &MutantSystem, oracle: &Oracle, tests: &[TestCase]) -> Kills {
    let compared = oracle.compared(system).unwrap();
    let program = compile(system, &compared).unwrap();
    MutantRunner::new(&program, system, &compared).unwrap().run(tests, Until::SuiteEnd).unwrap()
}

/// What a system shows in one step.
#[derive(PartialEq, Eq)]
struct TracedNode {
    outputs: Vec<Value>,
    outside: bool,
    faulty: bool,
}

/// Step by step, until a number exceeded the size limit.
fn shown(lowered: &Lowered, names: &[String], test: &TestCase) -> Vec<TracedNode> {
    let system = &lowered.system;
    let mut evaluator = Evaluator::new(system);
    let mut all = Vec::new();
    for step in &test.steps {
        let value = |name: &String| {
            let position = names.iter().position(|known| known == name).unwrap();
            step[position].clone().unwrap()
        };
        let inputs: Vec<Value> = system.inputs.iter().map(|input| value(&input.name)).collect();
        if evaluator.step(&inputs).is_err() {
            break;
        }
        let fails = |wanted: fn(CheckKind) -> bool| {
            let mut checks = system.checks.iter().filter(|check| wanted(check.kind));
            checks.any(|check| evaluator.value(check.node) == Some(&Value::Bool(false)))
        };
        all.push(TracedNode {
            outputs: (0..system.outputs.len()).map(|at| evaluator.output(at).unwrap()).collect(),
            outside: fails(|kind| kind == CheckKind::Assertion),
            faulty: fails(|kind| !matches!(kind, CheckKind::Assertion | CheckKind::Property)),
        });
    }
    all
}

/// Is the mutant killed by different outputs, and by a fault? `None` if the original faults too
/// or one of them cannot be run to the end.
fn expected(original: &[TracedNode], mutant: &[TracedNode], steps: usize) -> Option<(bool, bool)> {
    for step in 0..steps {
        if original.get(step)?.outside {
            return Some((false, false));
        }
        let (original, mutant) = (&original[step], mutant.get(step)?);
        if original.faulty {
            return None;
        }
        if mutant.faulty {
            return Some((false, true));
        }
        if original.outputs != mutant.outputs {
            return Some((true, false));
        }
    }
    Some((false, false))
}

#[test]
fn lanes_kill_what_mutants_run_alone_from_their_text_show() {
    let (mut compared, mut killed, mut faulted) = (0, 0, 0);
    for subject in subjects() {
        let count = (300_000 / subject.text.len()).clamp(2, 40);
        let chosen = sample(&mutants(&subject.model), count, 3);
        let tests = random_tests(&subject.lowered, 4, 12, 17);
        let kills = run(&subject.lower(&chosen), &Oracle::Outputs, &tests);
        let inputs = subject.lowered.system.inputs.iter();
        let names: Vec<String> = inputs.map(|input| input.name.clone()).collect();
        for (index, mutant) in chosen.iter().enumerate() {
            let alone = subject.alone(mutant);
            for (test, found) in tests.iter().zip(&kills.tests) {
                let original = shown(&subject.lowered, &names, test);
                let mutated = shown(&alone, &names, test);
                let Some(expected) = expected(&original, &mutated, test.steps.len()) else {
                    continue;
                };
                let found = (found.strong.contains(index), found.faulted.contains(index));
                assert_eq!(found, expected, "{}: {mutant:?} by {}", subject.name, test.name);
                compared += 1;
                killed += usize::from(found.0);
                faulted += usize::from(found.1);
            }
        }
    }
    assert!(compared == 0 || compared > 1000 && killed > 100 && faulted > 10);
}

#[test]
fn a_strong_kill_is_a_weak_one_and_a_weak_one_was_executed() {
    for subject in subjects() {
        let chosen = sample(&mutants(&subject.model), 300, 5);
        let tests = random_tests(&subject.lowered, 6, 10, 23);
        let system = subject.lower(&chosen);
        let outputs = run(&system, &Oracle::Outputs, &tests);
        let maximum = run(&system, &Oracle::Maximum, &tests);
        for (outputs, maximum) in outputs.tests.iter().zip(&maximum.tests) {
            let name = &subject.name;
            assert!(outputs.killed().minus(&maximum.killed()).is_empty(), "{name}");
            // The maximum oracle sees the arguments of calls, which no equation defines.
            assert!(outputs.strong.minus(&outputs.weak).is_empty(), "{name}");
            for test in [outputs, maximum] {
                assert!(test.weak.minus(&test.executed).is_empty(), "{name}");
                assert!(test.faulted.minus(&test.executed).is_empty(), "{name}");
            }
        }
    }
}

#[test]
fn it_does_not_matter_who_runs_beside_whom() {
    let text = "node f(a: bool; n: int) returns (s: int);
         let s = (if a then n else 1) -> pre s + (if a then n else -1); tel
         node main(a, b: bool; n, m: int) returns (x: bool; y, z: int);
         let
           x = (a xor b) and (n > m or y < 7) => z <> 3;
           y = f(a and not b, n * m) div (if n = 5 then m else 4);
           z = condact(b, f(a, m), 2) - (0 -> pre y);
         tel";
    let subject = Subject::new("m", text.as_bytes(), None).unwrap();
    let all = mutants(&subject.model);
    assert!(all.len() > 100);
    let tests = random_tests(&subject.lowered, 5, 8, 29);
    // Three times the same, so that they take several rounds and different lanes.
    let thrice = [all.clone(), all.clone(), all.clone()].concat();
    assert!(thrice.len() > MUTANTS);
    let together = run(&subject.lower(&thrice), &Oracle::Maximum, &tests);
    let experiment = subject.experiment(&thrice, &Oracle::Maximum);
    let rounds = experiment.run(&tests, Until::SuiteEnd, &mut |_| ());
    assert_eq!(rounds.unwrap(), together);
    for (index, mutant) in all.iter().enumerate() {
        let alone = run(&subject.lower(std::slice::from_ref(mutant)), &Oracle::Maximum, &tests);
        for (together, alone) in together.tests.iter().zip(&alone.tests) {
            for copy in [index, index + all.len(), index + 2 * all.len()] {
                let of = |test: &TestKills, at| {
                    [&test.executed, &test.weak, &test.strong, &test.faulted]
                        .map(|set| set.contains(at))
                };
                assert_eq!(of(together, copy), of(alone, 0), "{mutant:?}");
            }
        }
    }
}

/// The mutants of a text by their text, each with what a test did: `e`xecuted, `w`eak, `s`trong,
/// `f`aulted.
fn by_text(text: &str, oracle: &Oracle, tests: &[TestCase]) -> Vec<(String, String)> {
    let subject = Subject::new("m", text.as_bytes(), Some("main")).unwrap();
    let all = mutants(&subject.model);
    let kills = run(&subject.lower(&all), oracle, tests).together();
    let sets = [&kills.executed, &kills.weak, &kills.strong, &kills.faulted];
    let describe = |(index, mutant): (usize, &Mutant)| {
        let text = mutant.text(&subject.model, text.as_bytes());
        let marks = sets.iter().zip("ewsf".chars()).filter(|(set, _)| set.contains(index));
        (String::from_utf8(text).unwrap(), marks.map(|(_, mark)| mark).collect())
    };
    all.iter().enumerate().map(describe).collect()
}

fn marks<'a>(found: &'a [(String, String)], text: &str) -> &'a str {
    &found.iter().find(|(known, _)| known == text).unwrap().1
}

#[test]
fn a_difference_that_is_masked_is_a_weak_kill_until_the_oracle_sees_it() {
    let text = "node main(a, b: bool) returns (o: bool); var v: bool;
                let v = not a; o = v and b; tel";
    let tests = bool_tests(&["FF", "TF"]);
    assert_eq!(marks(&by_text(text, &Oracle::Outputs, &tests), "a"), "ew");
    assert_eq!(marks(&by_text(text, &Oracle::Maximum, &tests), "a"), "ews");
    let names = Oracle::Names(vec!["v".to_owned()]);
    assert_eq!(marks(&by_text(text, &names, &tests), "a"), "ews");
    let seen = bool_tests(&["FT"]);
    assert_eq!(marks(&by_text(text, &Oracle::Outputs, &seen), "a"), "ews");
}

#[test]
fn steps_from_a_violated_assertion_on_do_not_count() {
    let text = "node main(a, b: bool) returns (o: bool);
                let assert a; o = b; tel";
    let found = |tests| marks(&by_text(text, &Oracle::Outputs, &bool_tests(tests)), "a").to_owned();
    assert_eq!(found(&["TF"]), "ews");
    assert_eq!(found(&["FT"]), "");
    assert_eq!(found(&["TT FF TF"]), "e");
}

#[test]
fn a_fault_at_run_time_kills_and_is_told_apart() {
    let text = "node main(a, b: bool) returns (o: int); var n: int;
                let n = if a then 2 else 4; o = 8 div n; tel";
    let found = by_text(text, &Oracle::Outputs, &bool_tests(&["TF"]));
    assert_eq!(marks(&found, "0"), "ef");
    assert_eq!(marks(&found, "(8 mod n)"), "ews");
}

#[test]
fn a_call_that_is_never_made_executes_nothing() {
    let text = "node g(x: bool) returns (y: bool); let y = x or (false -> pre y); tel
                node main(a, b: bool) returns (o: bool);
                let o = condact(b, g(a), false); tel";
    let negated = "(x and (false -> pre y))";
    let idle = by_text(text, &Oracle::Maximum, &bool_tests(&["TF FF TF"]));
    assert_eq!(marks(&idle, negated), "");
    let busy = by_text(text, &Oracle::Outputs, &bool_tests(&["TF TT"]));
    assert_eq!(marks(&busy, negated), "ews");
}

#[test]
fn an_unknown_name_is_an_error_and_a_path_names_what_is_inside() {
    let text = "node g(x: bool) returns (y: bool); let y = not x; tel
                node main(a: bool) returns (o: bool); let o = g(a) and a; tel";
    let subject = Subject::new("m", text.as_bytes(), Some("main")).unwrap();
    let system = subject.lower(&mutants(&subject.model));
    let names = |name: &str| Oracle::Names(vec![name.to_owned()]).compared(&system);
    assert_eq!(names("y").unwrap_err().to_string(), "the model has no variable 'y'");
    assert_eq!(names("main/g.y").unwrap().len(), 1);
    assert_eq!(names("o").unwrap(), Oracle::Outputs.compared(&system).unwrap());
}

#[test]
fn the_first_kill_tells_of_every_mutant_what_the_whole_suite_does() {
    for subject in subjects().iter().take(12) {
        let chosen = sample(&mutants(&subject.model), 300, 31);
        // More than one portion, and one that is not full.
        let tests = random_tests(&subject.lowered, 60, 5, 37);
        let oracle = Oracle::Outputs;
        let experiment = subject.experiment(&chosen, &oracle);
        let mut heard = Vec::new();
        let first = experiment.run(&tests, Until::FirstKill, &mut |done| heard.push(done)).unwrap();
        let whole = experiment.run(&tests, Until::SuiteEnd, &mut |_| ()).unwrap();
        for mutant in 0..chosen.len() {
            assert_eq!(first.status(mutant), whole.status(mutant), "{}: {mutant}", subject.name);
            assert_eq!(first.killers(mutant).next(), whole.killers(mutant).next());
        }
        let survivors = chosen.len() - whole.together().killed().len();
        assert!(survivors == 0 || heard == [16, 48, 60], "{heard:?}");
    }
}

#[test]
fn what_blocks_and_automata_add_is_no_part_of_the_maximum_oracle() {
    let text = "node main(a, b: bool) returns (o: bool);
                let
                  automaton Switch
                    state Off: unless if a resume On; let o = b; tel
                    state On: let o = not b; tel
                tel";
    let subject = Subject::new("m", text.as_bytes(), Some("main")).unwrap();
    let system = subject.lower(&mutants(&subject.model));
    let variables = &system.lowered.variables;
    assert!(variables.iter().any(|variable| !variable.written));
    let nodes: Vec<_> = variables.iter().filter(|one| one.written).map(|one| one.node).collect();
    let compared = Oracle::Maximum.compared(&system).unwrap();
    assert!(!compared.is_empty() && compared.iter().all(|one| nodes.contains(&one.node)));
}
