//! What an assessor asks of a store: what was judged and when, whether its sources are still the same, and who has reviewed what.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod support;

use serde_json::Value;
use support::{Bench, cabin};

const LIMITS: &str = "#define TOP 5\n";
const VALVE: &str = "\
#include \"limits_of_valve.h\"
static int clipped(int x) { return x > TOP ? TOP : x; }
int valve(int x)
{
    int height = clipped(x); /* never above the top */
    if (height > TOP) return 1;
    return 0;
}
";
const GENERATE: &str = "generate valve.c --function valve --criterion decision --quiet";

fn valve() -> Bench {
    Bench::new(&[("valve.c", VALVE), ("limits_of_valve.h", LIMITS)])
}

fn json(bench: &Bench, name: &str) -> Value {
    serde_json::from_str(&bench.read(name)).unwrap()
}

/// The ids of what a proof closes.
fn uncoverable(bench: &Bench) -> Vec<String> {
    let result = json(bench, ".obligato/result.json");
    let all = result["obligations"].as_array().unwrap().iter();
    let proved = all.filter(|one| one["verdict"] == "uncoverable");
    proved.map(|one| one["id"].as_str().unwrap().to_owned()).collect()
}

fn review(bench: &Bench) -> String {
    let id = uncoverable(bench).remove(0);
    bench.succeed(&format!("justify {id} --reason read --author Hooke"))
}

#[test]
fn a_store_says_what_was_judged_by_what_and_when() {
    let bench = valve();
    bench.succeed(&format!("{GENERATE} -- -DUNUSED"));
    let found = json(&bench, ".obligato/evidence.json");
    assert_eq!((&found["subject"], &found["function"]), (&"valve.c".into(), &"valve".into()));
    assert_eq!(found["flags"][0], "-DUNUSED");
    assert!(found["compiler"].as_str().unwrap().contains("clang"), "{found}");
    assert!(found["data_model"].as_str().unwrap().ends_with("little-endian"), "{found}");
    let files: Vec<&str> = found["sources"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one["file"].as_str().unwrap())
        .collect();
    assert!(files.iter().any(|name| name.ends_with("limits_of_valve.h")), "{files:?}");
    assert!(files.contains(&"valve.c"), "{files:?}");
    let page = bench.succeed("report --html page.html --json report.json");
    assert!(bench.read("page.html").contains("<dl id=\"evidence\">"), "{page}");
    let report = json(&bench, "report.json");
    assert_eq!(report["evidence"]["function"], "valve");
}

#[test]
fn results_are_the_same_bytes_each_time_and_the_date_can_be_given() {
    let bench = valve();
    let run = |store: &str, date: &str| {
        let run = std::process::Command::new(env!("CARGO_BIN_EXE_obligato"))
            .args(GENERATE.split(' '))
            .args(["--store", store])
            .current_dir(bench.0.path())
            .env("SOURCE_DATE_EPOCH", date)
            .output()
            .unwrap();
        assert!(run.status.success());
    };
    run("one", "1772323200");
    run("two", "86400");
    for name in ["result.json", "details.json", "suite.json"] {
        assert_eq!(bench.read(&format!("one/{name}")), bench.read(&format!("two/{name}")));
    }
    let date = |store: &str| json(&bench, &format!("{store}/evidence.json"))["date"].clone();
    assert_eq!(
        (date("one"), date("two")),
        ("2026-03-01T00:00:00Z".into(), "1970-01-02T00:00:00Z".into())
    );
}

#[test]
fn a_gate_prints_what_it_judged_and_refuses_sources_that_changed() {
    let bench = valve();
    bench.succeed(GENERATE);
    let gate = "gate --decision 50 --allow uncoverable";
    let said = bench.succeed(gate);
    assert!(said.starts_with("Judged: valve.c, valve; decision\n"), "{said}");
    assert!(said.contains("valve.c  sha256 "), "{said}");
    bench.write("limits_of_valve.h", "#define TOP 6\n");
    let said = bench.complaint(gate);
    assert!(said.contains("the stored result is stale: ") && said.contains("--stale-ok"), "{said}");
    let said = bench.succeed(&format!("{gate} --stale-ok"));
    assert!(said.contains("warning: the result is stale"), "{said}");
    // A store of an earlier version knows no digests.
    std::fs::remove_file(bench.0.path().join(".obligato/evidence.json")).unwrap();
    let said = bench.succeed(gate);
    assert!(said.contains("note: the store does not say what its sources were"), "{said}");
}

const SHADOWED: &str = "\
#include \"limit.h\"
#if __has_include(\"board.h\")
#include \"board.h\"
#endif
int shadowed(int x) { return x > LIMIT; }
";

#[test]
fn files_that_appear_change_or_go_make_a_result_stale() {
    let bench = Bench::new(&[("a.c", SHADOWED)]);
    for directory in ["one", "two"] {
        std::fs::create_dir(bench.0.path().join(directory)).unwrap();
    }
    bench.write("two/limit.h", "#define LIMIT 3\n");
    let generate = "generate a.c --criterion decision --quiet -- -Ione -Itwo";
    let gate = "gate --decision 100";
    bench.succeed(generate);
    bench.succeed(gate);
    for (name, text) in [
        ("one/limit.h", "#define LIMIT 4\n"),
        ("limit.h", "#define LIMIT 4\n"),
        ("one/board.h", ""),
        ("obligato.toml", "[inputs.ranges]\nx = \"0..9\"\n"),
    ] {
        bench.write(name, text);
        let said = bench.complaint(gate);
        assert!(said.contains("is stale") && said.contains(name), "{name}: {said}");
        std::fs::remove_file(bench.0.path().join(name)).unwrap();
        bench.succeed(gate);
    }
    let settings = "[inputs.ranges]\nx = \"0..9\"\n";
    bench.write("obligato.toml", settings);
    bench.succeed(generate);
    // What is required of a result does not change it.
    bench.write("obligato.toml", &format!("{settings}[gate.require]\ndecision = 100\n"));
    bench.succeed("gate");
    bench.write("obligato.toml", "[inputs.ranges]\nx = \"0..8\"\n");
    assert!(bench.complaint(gate).contains("obligato.toml changed"));
    std::fs::remove_file(bench.0.path().join("obligato.toml")).unwrap();
    assert!(bench.complaint(gate).contains("obligato.toml changed, appeared or is not here"));
}

#[test]
fn a_store_of_an_earlier_version_says_what_cannot_be_checked() {
    let bench = valve();
    bench.succeed(GENERATE);
    let mut evidence = json(&bench, ".obligato/evidence.json");
    for field in ["absent", "settings_read"] {
        evidence.as_object_mut().unwrap().remove(field).expect("the field");
    }
    bench.write(".obligato/evidence.json", &evidence.to_string());
    let said = bench.succeed("gate --decision 50 --allow uncoverable");
    assert!(said.contains("cannot be noticed"), "{said}");
}

#[test]
fn a_model_is_known_by_its_file() {
    let bench = cabin();
    bench.succeed("measure cabin.lus --tests cabin.csv --criterion branch --quiet");
    bench.succeed("gate --branch 100");
    bench.write("cabin.lus", &format!("{}\n-- more\n", bench.read("cabin.lus")));
    let said = bench.complaint("gate --branch 100");
    assert!(said.contains("cabin.lus"), "{said}");
}

#[test]
fn a_proof_can_be_reviewed_and_a_gate_can_require_it() {
    let bench = valve();
    bench.succeed(GENERATE);
    assert_eq!(uncoverable(&bench).len(), 1);
    bench.run("gate --decision 100 --allow justified", 3);
    let said = bench.run("gate --decision 50 --allow uncoverable --require-review", 4);
    assert!(said.contains("Not reviewed: 1 obligation"), "{said}");
    let said = review(&bench);
    assert!(said.starts_with("reviewed"), "{said}");
    assert_eq!(uncoverable(&bench).len(), 1, "the proof stays");
    bench.succeed("gate --decision 100 --allow justified");
    bench.succeed("gate --decision 100 --allow uncoverable --require-review");
    let listed = bench.succeed("justify --list");
    assert!(listed.starts_with("reviewed"), "{listed}");
}

#[test]
fn a_reason_outlives_comments_and_names_and_not_macros_and_callees() {
    let bench = valve();
    bench.succeed(GENERATE);
    review(&bench);
    let standing = |text: &str, limits: &str| {
        bench.write("valve.c", text);
        bench.write("limits_of_valve.h", limits);
        bench.succeed(GENERATE);
        let listed = bench.succeed("justify --list");
        listed.split_whitespace().next().unwrap().to_owned()
    };
    let moved = VALVE
        .replace("/* never above the top */", "// clipped above")
        .replace("    int height", "\n\n  int   height")
        .replace("int valve(int x)\n", "int\nvalve(int position)\n")
        .replace("clipped(x);", "clipped(position);");
    assert_eq!(standing(&moved, LIMITS), "reviewed");
    assert_eq!(standing(VALVE, "#define TOP 9\n"), "stale");
    assert_eq!(standing(VALVE, LIMITS), "reviewed");
    assert_eq!(standing(&VALVE.replace("? TOP : x", "? TOP : x + 0"), LIMITS), "stale");
}
