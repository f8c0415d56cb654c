//! What `generate` stores of how far it was after which time, for both languages, and what `report` draws of it.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;

use serde_json::Value;

mod support;

use support::{Bench, cabin, root};

const FIGURE: &str = "<h2>Coverage over time</h2>";

fn json(bench: &Bench, name: &str) -> Value {
    serde_json::from_str(&bench.read(name)).unwrap()
}

fn valve() -> Bench {
    let read = |name: &str| fs::read_to_string(root().join("examples").join(name)).unwrap();
    Bench::new(&[("valve.c", &read("valve.c")), ("valve.csv", &read("valve.csv"))])
}

/// The phases in the order in which they begin, after checking that time goes on and that the last numbers are those of the
/// result.
fn phases(bench: &Bench) -> Vec<String> {
    let timeline = json(bench, ".obligato/timeline.json");
    let result = json(bench, ".obligato/result.json");
    let samples = timeline["samples"].as_array().unwrap();
    let times: Vec<u64> = samples.iter().map(|one| one["elapsed"].as_u64().unwrap()).collect();
    assert!(times.is_sorted(), "{times:?}");
    let count = |verdict: &str| {
        let obligations = result["obligations"].as_array().unwrap().iter();
        { obligations }.filter(|one| one["verdict"] == verdict).count()
    };
    let last = samples.last().unwrap();
    for verdict in ["covered", "uncoverable"] {
        assert_eq!(last[verdict], count(verdict), "{verdict}");
    }
    let mut phases: Vec<String> = Vec::new();
    for sample in samples {
        let phase = sample["phase"].as_str().unwrap().to_owned();
        if !phases.contains(&phase) {
            phases.push(phase);
        }
    }
    phases
}

#[test]
fn the_time_of_a_model_s_campaign_is_stored_and_drawn() {
    let bench = cabin();
    bench.succeed("generate cabin.lus --tests cabin.csv --criterion mcdc,mutation --budget 100000");
    let phases = phases(&bench);
    assert_eq!((phases[0].as_str(), phases[1].as_str()), ("given", "random"));
    assert_eq!(phases.last().unwrap(), "check");
    bench.succeed("report --html r.html --json r.json");
    let page = bench.read("r.html");
    let (_, figure) = page.split_once(FIGURE).unwrap();
    let (_, label) = figure.split_once("aria-label=\"").unwrap();
    let (label, drawn) = label.split_once('"').unwrap();
    assert!(label.contains("covered: ") && label.contains("check from "), "{label}");
    assert!(drawn.contains("<path class=\"s0\"") && drawn.contains(">check</text>"), "{drawn}");
    let timeline = json(&bench, ".obligato/timeline.json");
    assert_eq!(json(&bench, "r.json")["timeline"], timeline["samples"]);
}

#[test]
fn the_time_of_a_unit_s_campaign_is_stored_and_drawn() {
    let bench = valve();
    bench.succeed("generate valve.c --criterion mcdc");
    let phases = phases(&bench);
    assert_eq!((phases[0].as_str(), phases[1].as_str()), ("given", "search"));
    assert_eq!(phases.last().unwrap(), "check");
    bench.succeed("report --html r.html");
    assert!(bench.read("r.html").contains(FIGURE));
}

#[test]
fn nothing_is_drawn_where_no_time_was_stored() {
    let bench = valve();
    bench.succeed("measure valve.c --tests valve.csv --criterion mcdc");
    let said = bench.succeed("report --html r.html --json r.json");
    assert!(!said.contains("timeline"), "{said}");
    let page = bench.read("r.html");
    assert!(page.contains("<h2>Coverage over tests</h2>") && !page.contains(FIGURE));
    assert!(json(&bench, "r.json").get("timeline").is_none());
}

#[test]
fn the_time_of_another_run_is_left_out_with_a_note() {
    let bench = cabin();
    bench.succeed("generate cabin.lus --criterion mcdc --budget 100000");
    bench.succeed("measure cabin.lus --tests cabin.csv --criterion decision");
    let said = bench.succeed("report --html r.html");
    let note = "note: The timeline.json of the store belongs to another result and was left out";
    assert!(said.contains(note), "{said}");
    assert!(!bench.read("r.html").contains(FIGURE));
}
