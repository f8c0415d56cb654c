//! `obligato report`: what it writes from a store, and stores that it refuses.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;

mod support;

use serde_json::Value;
use support::{Bench, cabin, root};

const ALL: &str = "--html r.html --lcov r.info --cobertura r.xml --json r.json --sarif r.sarif --junit t.xml --markdown r.md";

fn json(bench: &Bench, name: &str) -> Value {
    serde_json::from_str(&bench.read(name)).unwrap()
}

#[test]
fn a_measured_model_is_reported_in_every_format_without_running_again() {
    let bench = cabin();
    bench.succeed("measure cabin.lus --tests cabin.csv --criterion branch,mcdc,omcdc");
    // What is not there cannot run.
    fs::remove_file(bench.0.path().join("cabin.lus")).unwrap();
    fs::remove_file(bench.0.path().join("cabin.csv")).unwrap();
    let said = bench.succeed(&format!("report {ALL}"));
    assert_eq!(said.matches("Written: ").count(), 7, "{said}");
    let report = json(&bench, "r.json");
    assert_eq!(report["kind"], "model");
    assert_eq!(report["criteria"][1]["covered"], 25);
    assert_eq!(report["tests"][0]["outputs"][0][0], serde_json::json!(["heating", "true"]));
    let lost = report["obligations"].as_array().unwrap().iter();
    let lost: Vec<&Value> = lost.filter(|one| one.get("lost").is_some()).collect();
    assert_eq!(lost.len(), 1);
    assert_eq!(
        lost[0]["lost"][0],
        "too long, step 5: masked by `not reset` being false in `(pre warning or pre locked) and not reset` \
         at cabin.lus:19:21"
    );
    assert!(bench.read("r.info").contains("MCDC:17,3,t,0,0,cold"));
    assert!(bench.read("r.html").contains("demand = (cold or measured \\u003c wanted)"));
}

#[test]
fn a_measured_unit_is_reported_with_its_fault() {
    let read = |name: &str| fs::read_to_string(root().join("examples").join(name)).unwrap();
    let bench = Bench::new(&[("valve.c", &read("valve.c")), ("valve.csv", &read("valve.csv"))]);
    bench
        .succeed("measure valve.c --tests valve.csv --criterion statement,branch,mcdc,omcdc:exact");
    fs::remove_file(bench.0.path().join("valve.c")).unwrap();
    bench.succeed(&format!("report {ALL}"));
    let report = json(&bench, "r.json");
    assert_eq!(report["kind"], "unit");
    assert_eq!(report["tests"][0]["ending"]["text"], "valve.c:24:16: division by zero");
    assert_eq!(report["decisions"][0]["rows"][0]["tests"][0], "fill");
    assert!(bench.read("t.xml").contains("<failure type=\"fault\""));
    let unseen = "fill: with the condition turned, everything observed stays the same";
    assert!(bench.read("r.json").contains(unseen));
    assert!(bench.read("r.html").contains("set_valve(pressure > 50 ? 1 : 2);"));
}

#[test]
fn a_page_says_where_the_effects_of_a_c_function_got_lost() {
    let function = "int heat(int cold, int door, int armed) {\n    \
                    int wanted = cold || door;\n    \
                    int on = wanted && armed;\n    \
                    if (door)\n        armed = 0;\n    \
                    return on;\n}\n";
    let tests = "cold,door,armed\n# idle\n1,0,0\n\n# open\n0,1,1\n";
    let bench = Bench::new(&[("heat.c", function), ("heat.csv", tests)]);
    bench.succeed("measure heat.c --tests heat.csv --criterion omcdc,omcdc:exact");
    bench.succeed("report --html r.html --json r.json");
    let report = json(&bench, "r.json");
    let masked = "idle, step 0: masked by `armed` being false in `wanted && armed` at heat.c:3:14";
    let lost = |criterion: &str, text: &str| -> Vec<String> {
        let mut all = report["obligations"].as_array().unwrap().iter();
        let one = all.find(|one| {
            one["criterion"] == criterion && one["text"].as_str().unwrap().contains(text)
        });
        let lines = one.unwrap()["lost"].as_array().map_or(&[][..], Vec::as_slice);
        lines.iter().map(|line| line.as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(lost("omcdc", "`cold` is true"), [masked]);
    let turned = "idle: with the condition turned, everything observed stays the same; \
                  its tag gets lost as well, under the strict semantics:";
    assert_eq!(lost("omcdc:exact", "`cold` is true"), [turned, masked]);
    let unused = "open: nothing observed is computed from `armed`, which held it";
    assert_eq!(lost("omcdc", "`door` is true and decides `door`"), [unused]);
    // What is observed has lost nothing.
    assert!(lost("omcdc", "`armed` is true").is_empty());
    assert!(bench.read("r.html").contains(masked));
}

#[test]
fn made_tests_are_told_from_given_ones_and_are_suggested_inputs() {
    let bench = cabin();
    bench.succeed("generate cabin.lus --tests cabin.csv --criterion mcdc,mutation --budget 100000");
    bench.succeed("report --json r.json --markdown r.md --junit t.xml");
    let report = json(&bench, "r.json");
    let tests = report["tests"].as_array().unwrap();
    assert!(tests[0].get("phase").is_none());
    assert!(tests.len() > 2 && tests[2]["phase"].is_string());
    let mutation = report["mutation"].as_array().unwrap();
    assert!(mutation.iter().any(|row| row["operator"] == "relational"), "{mutation:?}");
    // An obligation is covered since the first test with which it is.
    let since = report["obligations"].as_array().unwrap().iter();
    assert!({ since }.any(|one| one["since"] == "warm up"));
    assert!(bench.read("r.md").contains("requirements-based testing"));
    assert!(bench.read("t.xml").contains("made by "));
}

#[test]
fn mutants_that_were_stored_are_reported_by_kind_of_fault_with_those_that_survive() {
    let bench = cabin();
    let said = bench.succeed("mutate cabin.lus --tests cabin.csv --count 60 --store m");
    assert!(said.contains("Stored in m/result.json, with suite.json beside it"), "{said}");
    let said = bench.succeed("report --store m --json r.json --html r.html");
    assert!(!said.contains("note:"), "{said}");
    let report = json(&bench, "r.json");
    assert_eq!((&report["command"], &report["subject"]), (&"mutate".into(), &"cabin.lus".into()));
    let sum = |field: &str| -> u64 {
        report["mutation"].as_array().unwrap().iter().map(|row| row[field].as_u64().unwrap()).sum()
    };
    let obligations = report["obligations"].as_array().unwrap();
    let ended =
        |verdict: &str| obligations.iter().filter(|one| one["verdict"] == verdict).count() as u64;
    assert_eq!(sum("killed") + sum("survived"), 60);
    assert_eq!((sum("killed"), sum("survived")), (ended("covered"), ended("unresolved")));
    // Since when a mutant is killed is known, and tables have their tests.
    assert!(
        obligations.iter().all(|one| (one["verdict"] == "covered") == one["since"].is_string())
    );
    assert_eq!(report["decisions"][0]["rows"][1]["tests"][0], "warm up");
    let page = bench.read("r.html");
    assert!(page.contains(&format!("<p>{} of 60.</p>", sum("survived"))), "{}", sum("survived"));
}

#[test]
fn made_tests_of_a_unit_are_reported_with_their_rows() {
    let read = |name: &str| fs::read_to_string(root().join("examples").join(name)).unwrap();
    let bench = Bench::new(&[("valve.c", &read("valve.c")), ("valve.csv", &read("valve.csv"))]);
    bench.succeed("generate valve.c --tests valve.csv --criterion mcdc");
    bench.succeed("report --json r.json --html r.html");
    let report = json(&bench, "r.json");
    assert_eq!(report["command"], "generate");
    let tests = report["tests"].as_array().unwrap();
    assert!(tests.len() > 2 && tests[0].get("phase").is_none() && tests[2]["phase"] == "search");
    let rows = report["decisions"][1]["rows"].as_array().unwrap();
    assert_eq!(rows[1]["values"], "F");
    assert_eq!(rows[1]["tests"][0], tests[2]["name"]);
}

#[test]
fn an_outline_is_reported_with_the_source_beside_it_unless_that_says_something_else() {
    let directory = root().join("examples/door");
    let read = |name: &str| fs::read_to_string(directory.join(name)).unwrap();
    let source = read("door.c");
    let files =
        [("program.json", read("program.json")), ("recording.json", read("recording.json"))];
    let files: Vec<(&str, &str)> =
        files.iter().map(|(name, text)| (*name, text.as_str())).collect();
    let bench = Bench::new(&files);
    let judge = "judge program.json --recording recording.json --criterion all";
    for (text, stored) in [(source.clone(), 1), (source.replace("released", "unlocked"), 0)] {
        fs::write(bench.0.path().join("door.c"), text).unwrap();
        bench.succeed(judge);
        let details: Value = json(&bench, ".obligato/details.json");
        assert_eq!(details["sources"].as_array().unwrap().len(), stored);
        bench.succeed("report --html r.html");
    }
}

#[test]
fn a_store_without_details_is_reported_with_a_note() {
    let bench = cabin();
    bench.succeed("measure cabin.lus --tests cabin.csv");
    fs::remove_file(bench.0.path().join(".obligato/details.json")).unwrap();
    let said = bench.succeed(&format!("report {ALL}"));
    assert!(said.contains("note: The store has no details.json"), "{said}");
    assert!(bench.read("r.info").contains("MCDC:17,3,t,0,0,cold"));
}

#[test]
fn details_of_another_run_are_not_mixed_in() {
    let bench = cabin();
    bench.succeed("measure cabin.lus --tests cabin.csv");
    let details = bench.read(".obligato/details.json");
    bench.succeed("measure cabin.lus --tests cabin.csv --criterion decision");
    fs::write(bench.0.path().join(".obligato/details.json"), details).unwrap();
    let said = bench.succeed("report --html r.html");
    assert!(said.contains("belongs to another result"), "{said}");
}

#[test]
fn empty_old_and_damaged_stores_are_refused_and_nothing_is_written() {
    let bench = cabin();
    let text = bench.complaint("report --html r.html");
    assert!(text.contains(".obligato: no result is stored here"), "{text}");
    assert!(text.contains("'obligato judge', 'measure' and 'generate' store one"), "{text}");
    bench.succeed("measure cabin.lus --tests cabin.csv");
    for name in ["result.json", "details.json", "suite.json"] {
        let path = bench.0.path().join(".obligato").join(name);
        let good = fs::read_to_string(&path).unwrap();
        for (bad, message) in [
            (good.replacen("\"version\": 1", "\"version\": 7", 1), "version 7"),
            (good[..good.len() / 2].to_owned(), "this is not JSON"),
            (String::new(), "this is not JSON"),
        ] {
            fs::write(&path, bad).unwrap();
            let text = bench.complaint("report --html r.html --lcov r.info");
            assert!(text.contains(name) && text.contains(message), "{text}");
        }
        fs::write(&path, good).unwrap();
    }
}

#[test]
fn a_report_without_a_format_or_with_one_file_for_two_is_refused() {
    let bench = cabin();
    bench.succeed("measure cabin.lus --tests cabin.csv");
    let text = bench.complaint("report");
    assert!(text.contains("--html"), "{text}");
    let text = bench.complaint("report --html r --json r");
    assert!(text.contains("r is named for two formats"), "{text}");
}

#[test]
fn a_file_that_cannot_be_written_leaves_the_others_alone() {
    let bench = cabin();
    bench.succeed("measure cabin.lus --tests cabin.csv");
    let before = bench.files();
    let run = bench.output("report --html r.html --lcov nowhere/r.info");
    assert_eq!(run.status.code(), Some(1));
    assert_eq!(bench.files(), before);
}
