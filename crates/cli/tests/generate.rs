//! `obligato generate`: what is made, kept, written and refused.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;

use serde_json::Value;

mod support;

use support::{Bench, assert_golden, cabin};

/// The JSON that a command prints.
#[track_caller]
fn json(bench: &Bench, arguments: &str) -> Value {
    serde_json::from_str(&bench.succeed(&format!("{arguments} --format json"))).unwrap()
}

/// Has an obligation that no test covers.
const NEVER: &str = "\
node never(a, b: bool) returns (o: bool);
let
  o = (a and not a) or b;
tel
";

const WITH_ASSERTION: &str = "\
node main(a, b: bool) returns (o: bool);
let
  assert a or b;
  o = a and b;
tel
";

#[test]
fn a_session_prints_as_its_golden_files_say() {
    let bench = cabin();
    for (name, arguments) in [
        ("generate.txt", "generate cabin.lus --budget 100000 --no-store"),
        (
            "generate_missing.txt",
            "generate cabin.lus --tests cabin.csv --criterion mcdc,bvc,omcdc --budget 100000 -o new.csv",
        ),
        (
            "generate_open.txt",
            "generate cabin.lus --budget 0 --tests cabin.csv --no-store --engine random",
        ),
    ] {
        assert_golden(name, &bench.succeed(arguments));
    }
}

#[test]
fn the_stored_suite_covers_what_the_summary_says_when_it_is_measured() {
    let bench = cabin();
    let said = json(&bench, "generate cabin.lus --tests cabin.csv --criterion mcdc,bvc,omcdc");
    let measured = bench.succeed(
        "measure cabin.lus --tests .obligato/suite.json --criterion mcdc,bvc,omcdc --no-store \
         --format json",
    );
    let measured: Value = serde_json::from_str(&measured).unwrap();
    assert_eq!(measured["obligations"], said["obligations"]);
    let stored: Value = serde_json::from_str(&bench.read(".obligato/result.json")).unwrap();
    assert_eq!(stored["obligations"], said["obligations"]);
    for criterion in said["criteria"].as_array().unwrap() {
        assert_eq!(criterion["unresolved"], 0, "{criterion}");
    }
}

#[test]
fn given_tests_come_first_and_keep_what_they_cover() {
    let bench = cabin();
    let measured: Value = serde_json::from_str(
        &bench.succeed("measure cabin.lus --tests cabin.csv --no-store --format json"),
    )
    .unwrap();
    let made = json(&bench, "generate cabin.lus --tests cabin.csv -o new.csv");
    let names: Vec<&str> = made["tests"]
        .as_array()
        .unwrap()
        .iter()
        .map(|test| test["name"].as_str().unwrap())
        .collect();
    assert_eq!(names[..2], ["warm up", "too long"]);
    assert_eq!(made["phases"][0]["phase"], "given");
    assert_eq!(made["phases"][0]["tests"], 2);
    let of = |result: &Value| result["obligations"].as_array().unwrap().clone();
    for (before, after) in of(&measured).iter().zip(of(&made)) {
        if before["verdict"] == "covered" {
            let tests = after["tests"].as_array().unwrap();
            let kept = before["tests"].as_array().unwrap().iter().all(|test| tests.contains(test));
            assert!(kept, "{before} {after}");
        }
    }
    let new = bench.read("new.csv");
    assert!(!new.contains("warm up") && new.contains("# g1\n"), "{new}");
}

#[test]
fn nothing_is_made_for_a_suite_that_has_everything() {
    let bench = cabin();
    bench.succeed("generate cabin.lus -o all.csv --no-store");
    let text = bench.succeed("generate cabin.lus --tests all.csv -o none.json --no-store");
    assert!(text.contains("\nNo new test is needed\n"), "{text}");
    assert!(bench.read("none.json").contains("\"tests\": []"));
}

#[test]
fn a_new_test_has_a_name_that_no_given_one_has() {
    let suite = "a,b\n# g1\ntrue,true\n\n# g3\ntrue,true\n";
    let model = "node m(a, b: bool) returns (o: bool); let o = a and b; tel\n";
    let bench = Bench::new(&[("m.lus", model), ("s.csv", suite)]);
    let made = json(&bench, "generate m.lus --tests s.csv");
    let names: Vec<&Value> =
        made["tests"].as_array().unwrap().iter().map(|test| &test["name"]).collect();
    assert!(names.len() > 2);
    assert_eq!(names[..3], ["g1", "g3", "g2"]);
    assert!(names[3..].iter().all(|name| !names[..3].contains(name)));
}

#[test]
fn the_same_seed_and_work_give_the_same_bytes_on_any_number_of_threads() {
    let run = |seed: u32, threads: u32| {
        let bench = cabin();
        let text = bench.succeed(&format!(
            "generate cabin.lus --criterion mcdc,bvc --budget 100000 --seed {seed} \
             --threads {threads} --list -o new.csv"
        ));
        let files = ["new.csv", ".obligato/suite.json", ".obligato/result.json"];
        (text, files.map(|name| bench.read(name)))
    };
    assert_eq!(run(7, 1), run(7, 3));
    assert_ne!(run(7, 1).1[0], run(8, 1).1[0]);
}

#[test]
fn new_tests_are_written_with_the_outputs_of_the_model_in_every_format() {
    let bench = cabin();
    for name in ["new.csv", "new.json", "new.rif"] {
        let text = bench.succeed(&format!("generate cabin.lus --no-store -o {name}"));
        assert!(text.contains(&format!("\nWritten: {name}, with the outputs")), "{text}");
        let again = format!("Next: obligato run cabin.lus --tests {name} ");
        assert!(text.contains(&again), "{text}");
        bench.succeed(&format!("run cabin.lus --tests {name} --quiet --fail-on-fault"));
        let measured = bench.succeed(&format!("measure cabin.lus --tests {name} --no-store -q"));
        assert!(measured.contains("mcdc (masking)       28  "), "{measured}");
    }
    assert!(
        bench.read("new.csv").starts_with("cold,door_open,reset,wanted,measured,heating,warning\n")
    );
}

#[test]
fn superfluous_new_tests_can_be_left_out() {
    let bench = cabin();
    let all = json(&bench, "generate cabin.lus --budget 100000 --no-store");
    let few = json(&bench, "generate cabin.lus --budget 100000 --no-store --reduce -o few.csv");
    let count = |made: &Value| made["tests"].as_array().unwrap().len();
    assert!(0 < count(&few) && count(&few) <= count(&all));
    assert_eq!(few["criteria"], all["criteria"]);
    assert_eq!(bench.read("few.csv").matches("# g").count(), count(&few));
    let text = bench.succeed("reduce cabin.lus --tests few.csv --algorithm exact --quiet");
    let least = format!("exact      {:>6}", count(&few));
    assert!(text.contains(&least), "{text}");
}

#[test]
fn unresolved_obligations_have_an_exit_code_of_their_own_when_asked_for() {
    let bench = Bench::new(&[("never.lus", NEVER)]);
    let random = "generate never.lus --engine random --no-store";
    let text = bench.succeed(random);
    assert!(text.contains("\nUnresolved:\n"), "{text}");
    bench.run(&format!("{random} --fail-on-unresolved"), 4);
    cabin().succeed("generate cabin.lus --fail-on-unresolved --no-store");
}

#[test]
fn only_what_is_asked_for_is_printed_when_quiet() {
    let text = cabin().succeed("generate cabin.lus --quiet --no-store");
    assert_eq!(text.lines().count(), 2, "{text}");
}

#[test]
fn faults_that_new_tests_find_are_said() {
    let model = "node m(a: bool; n: int) returns (o: int); var c: bool;\n\
                 let c = a and n > 3; o = if c then 1 else 8 div (if a then 0 else 1); tel\n";
    let bench = Bench::new(&[("m.lus", model)]);
    let text = bench.succeed("generate m.lus --no-store");
    assert!(text.contains("! m.lus:2:"), "{text}");
    assert!(text.contains("a division by zero in "), "{text}");
}

#[test]
fn no_new_test_violates_an_assertion() {
    let bench = Bench::new(&[("m.lus", WITH_ASSERTION)]);
    bench.succeed("generate m.lus --no-store -o new.csv");
    let rows = bench.read("new.csv");
    assert!(rows.lines().count() > 2);
    assert!(!rows.lines().any(|row| row.starts_with("false,false")), "{rows}");
}

#[test]
fn a_given_test_that_violates_an_assertion_is_none_of_the_model() {
    let suite = "a,b\n# fine\nT,F\n\n# outside\nT,T\nF,F\n";
    let bench = Bench::new(&[("m.lus", WITH_ASSERTION), ("s.csv", suite)]);
    let said = bench.complaint("generate m.lus --tests s.csv");
    let expected = "obligato: error: m.lus:3:10: test 'outside' of s.csv violates an assertion at \
                    step 1, in main: ";
    assert!(said.starts_with(expected), "{said}");
}

#[test]
fn what_cannot_be_done_is_refused_in_words() {
    let bench = cabin();
    fs::write(bench.0.path().join("file"), "").unwrap();
    for (arguments, expected) in [
        ("--criterion mutation --inline", "mutants are faults in the text of a model, and an "),
        ("--mutants 0", "invalid value '0' for '--mutants <N>': "),
        (
            "--budget 10d",
            "invalid value '10d' for '--budget <BUDGET>': a time ends in ms, s, m or h",
        ),
        ("--budget soon", "invalid value 'soon' for '--budget <BUDGET>': it starts with a whole"),
        ("--threads 0", "invalid value '0' for '--threads <N>': expected a number from 1 to 1024"),
        ("--engine fuzz", "invalid value 'fuzz' for '--engine <E>'"),
        ("--from csv", "missing --tests <SUITE>; "),
        ("--observe lokced", "cabin.lus: there is no variable 'lokced' to observe; "),
        ("-o new.txt", "'new.txt' does not say what kind of suite to write; let its name end in"),
        ("--store file", "'file' is not a directory; "),
    ] {
        let said = bench.complaint(&format!("generate cabin.lus {arguments}"));
        assert!(said.starts_with(&format!("obligato: error: {expected}")), "{said}");
    }
    let output = bench.output("generate cabin.lus -o nowhere/new.csv");
    assert_eq!(output.status.code(), Some(1));
    assert!(output.stdout.is_empty());
}

/// What the stored result says: for each obligation of a criterion its id and its verdict.
fn verdicts(bench: &Bench, criterion: &str) -> Vec<(String, String)> {
    let result: Value = serde_json::from_str(&bench.read(".obligato/result.json")).unwrap();
    let obligations = result["obligations"].as_array().unwrap().iter();
    let word = |one: &Value| one.as_str().unwrap().to_owned();
    obligations
        .filter(|one| one["criterion"] == criterion)
        .map(|one| (word(&one["id"]), word(&one["verdict"])))
        .collect()
}

#[test]
fn mutants_are_obligations_with_the_ids_and_the_ends_that_mutate_gives_them() {
    let bench = cabin();
    let asked = "--criterion mcdc,mutation --mutants 60 --budget 4000000";
    let text = bench.succeed(&format!("generate cabin.lus --tests cabin.csv {asked} -o new.csv"));
    assert!(text.contains("\nScore, mutation (strong): "), "{text}");
    assert!(text.contains("A sample of 60 of "), "{text}");
    let generated = verdicts(&bench, "mutation");
    let suite = "--tests .obligato/suite.json --count 60 --format json";
    let mutated: Value =
        serde_json::from_str(&bench.succeed(&format!("mutate cabin.lus {suite}"))).unwrap();
    let mutated = mutated["mutants"].as_array().unwrap();
    assert_eq!(generated.len(), mutated.len());
    for ((id, verdict), mutant) in generated.iter().zip(mutated) {
        assert_eq!(mutant["id"], id.as_str());
        let is_killed = ["killed", "faulted"].map(Value::from).contains(&mutant["fate"]);
        assert_eq!(verdict == "covered", is_killed, "{id}");
    }
    let count = |wanted: &str| generated.iter().filter(|(_, verdict)| verdict == wanted).count();
    assert!(count("covered") > 0 && count("uncoverable") > 0, "{generated:?}");
    assert_eq!(count("unresolved"), 0);
    assert!(!verdicts(&bench, "mcdc").is_empty());
}

#[test]
fn superfluous_tests_go_only_if_every_mutant_stays_killed() {
    let bench = cabin();
    let asked =
        "generate cabin.lus --criterion mutation,mutation:weak --mutants 40 --budget 4000000";
    bench.succeed(asked);
    let before = [verdicts(&bench, "mutation"), verdicts(&bench, "mutation:weak")];
    assert!(before.iter().all(|verdicts| verdicts.len() == 40));
    bench.succeed(&format!("{asked} --reduce"));
    assert_eq!(before, [verdicts(&bench, "mutation"), verdicts(&bench, "mutation:weak")]);
}

/// What `->`, `when` and `condact` discard holds where it counts for nothing, and never else.
const DISCARDED: &str = "\
node keep(b: bool) returns (c: bool);
let
  c = b;
tel;
node main(a, go: bool) returns (y: int; ok, sampled, kept: bool);
var
  part: bool when go;
let
  y = 7;
  ok = true -> (a or pre y = 0);
  part = (y = 7 and not go) when go;
  sampled = merge go (true -> part) (false -> false when not go);
  kept = condact(go, keep(a and not go), true);
tel;
";

#[test]
fn nothing_that_is_discarded_covers_anything() {
    let bench = Bench::new(&[("m.lus", DISCARDED), ("t.csv", "a,go\ntrue,false\nfalse,true\n")]);
    let measured = bench.succeed("measure m.lus --tests t.csv --criterion condition");
    let missing = [
        "condition 2 `pre y = 0` is true",
        // The call takes its argument while `go` holds.
        "condition 1 `a` is true",
    ];
    for what in missing {
        assert!(measured.contains(what), "{what}: {measured}");
    }
    let criteria = "--criterion condition --criterion mcdc --criterion omcdc --criterion bvc --criterion decision";
    let json = bench.succeed(&format!("generate m.lus {criteria} --format json"));
    let report: Value = serde_json::from_str(&json).unwrap();
    let obligations = report["obligations"].as_array().unwrap();
    let verdict = |goal: &str| {
        let of = |one: &&Value| one["text"].as_str().is_some_and(|it| it.contains(goal));
        let found = obligations.iter().find(of).unwrap_or_else(|| panic!("{goal}: {report}"));
        found["verdict"].as_str().unwrap().to_owned()
    };
    for never in ["`pre y = 0` is true", "`y = 7 and not go` is true", "`a and not go` is true"] {
        assert_eq!(verdict(never), "uncoverable", "{never}: {report}");
    }
    assert!(obligations.iter().all(|one| one["verdict"] != "unresolved"), "{report}");
}
