//! `obligato gate` and `obligato justify` on stored results, of a Lustre model and of a C function.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod support;

use serde_json::Value;
use support::{Bench, cabin};

const MEASURE: &str = "measure cabin.lus --tests cabin.csv --criterion branch,mcdc,omcdc --quiet";
const OPEN: &str = "mcdc@cabin.lus#cabin/decision-";

/// The ids of what a criterion leaves unresolved in the stored result.
fn unresolved(bench: &Bench, criterion: &str) -> Vec<String> {
    let result: Value = serde_json::from_str(&bench.read(".obligato/result.json")).unwrap();
    let all = result["obligations"].as_array().unwrap().iter();
    let open = all.filter(|one| one["verdict"] == "unresolved" && one["criterion"] == criterion);
    open.map(|one| one["id"].as_str().unwrap().to_owned()).collect()
}

/// Runs a command whose last argument is one word, whatever is in it.
fn justify(bench: &Bench, id: &str, more: &[&str]) -> std::process::Output {
    std::process::Command::new(env!("CARGO_BIN_EXE_obligato"))
        .args([
            "justify",
            id,
            "--reason",
            "a \"cold\" start\nnever <ends> – ü",
            "--author",
            "R. Hooke",
        ])
        .args(more)
        .current_dir(bench.0.path())
        .env("NO_COLOR", "1")
        .output()
        .unwrap()
}

#[test]
fn a_gate_has_its_exit_codes_and_says_what_is_missing() {
    let bench = cabin();
    bench.succeed(MEASURE);
    assert_eq!(bench.run("gate --branch 100 --quiet", 0), "");
    let passed = bench.succeed("gate --branch 100 --require mcdc=89.2");
    assert!(passed.contains("Everything that is required is met"), "{passed}");
    let below = bench.run("gate --mcdc 100 --branch 100", 3);
    assert!(below.contains("mcdc (masking)     25        28           3"), "{below}");
    assert!(below.contains("89.285 %     100 %  below"), "{below}");
    assert!(below.contains(OPEN), "{below}");
    assert!(below.contains("unresolved: masked in every evaluation"), "{below}");
    let open = bench.run("gate --mcdc 80 --forbid-unresolved", 4);
    assert!(open.contains("Unresolved: 3 obligations where none may be"), "{open}");
    // What is unresolved matters only for what is required.
    bench.succeed("gate --branch 100 --forbid-unresolved");
    let found: Value =
        serde_json::from_str(&bench.run("gate --mcdc 100 --format json", 3)).unwrap();
    assert_eq!((&found["format"], &found["exit"]), (&"obligato-gate".into(), &3.into()));
    assert_eq!(found["missing"].as_array().unwrap().len(), 3);
    assert_eq!(found["criteria"][0]["share"], "89.285");
}

#[test]
fn a_gate_that_cannot_be_judged_is_an_input_error_with_a_way_out() {
    let bench = cabin();
    let said = bench.complaint("gate --mcdc 100");
    assert!(
        said.contains("there is no result in '.obligato'; measure or generate first"),
        "{said}"
    );
    bench.succeed(MEASURE);
    for (arguments, expected) in [
        ("gate", "nothing is required"),
        ("gate --bvc 100", "says nothing of bvc; it has branch, mcdc, omcdc"),
        ("gate --mcdc 101", "from 0 to 100"),
        ("gate --require mcd=1", "no criterion is called 'mcd'"),
        ("gate --allow tired --mcdc 1", "tired"),
        ("gate --ratchet nowhere.json", "nowhere.json: there is no such file; "),
    ] {
        let said = bench.complaint(arguments);
        assert!(said.contains(expected), "{arguments}: {said}");
    }
}

#[test]
fn a_gate_can_stand_in_a_file_and_flags_win() {
    let bench = cabin();
    bench.succeed(MEASURE);
    let write = |text: &str| std::fs::write(bench.0.path().join("obligato.toml"), text).unwrap();
    write("[gate.require]\nmcdc = 100\nbranch = 100\n");
    bench.run("gate", 3);
    bench.succeed("gate --mcdc 50");
    write("[gate]\nforbid-unresolved = true\n[gate.require]\nmcdc = 50\n");
    bench.run("gate", 4);
    write("[gate.require]\n  mcdc = 500\n");
    let said = bench.complaint("gate");
    assert!(said.contains("obligato.toml:2:10: a share is a number from 0 to 100"), "{said}");
    assert!(said.contains("mcdc = 500\n           ^"), "{said}");
}

#[test]
fn a_ratchet_lets_nothing_get_worse() {
    let bench = cabin();
    bench.succeed(MEASURE);
    std::fs::copy(bench.0.path().join(".obligato/result.json"), bench.0.path().join("old.json"))
        .unwrap();
    let same = bench.succeed("gate --ratchet old.json");
    assert!(same.contains("Nothing is worse than in the older result"), "{same}");
    let suite = bench.read("cabin.csv");
    let (_, second) = suite.rsplit_once("\n\n").unwrap();
    let header = suite.lines().next().unwrap();
    std::fs::write(bench.0.path().join("less.csv"), format!("{header}\n{second}")).unwrap();
    bench.succeed(&MEASURE.replace("cabin.csv", "less.csv"));
    let worse = bench.run("gate --ratchet old.json --mcdc 10", 3);
    assert!(worse.contains("Worse than in the older result"), "{worse}");
    assert!(worse.contains("mcdc (masking): 89.285 % before, "), "{worse}");
    bench.succeed("measure cabin.lus --tests cabin.csv --criterion mcdc --quiet");
    let said = bench.complaint("gate --ratchet old.json");
    assert!(said.contains("the older result has branch"), "{said}");
}

#[test]
fn reasons_count_where_they_are_allowed_and_until_the_code_changes() {
    let bench = cabin();
    bench.succeed(MEASURE);
    let open = unresolved(&bench, "mcdc");
    assert_eq!(open.len(), 3);
    for id in &open {
        let output = justify(&bench, id, &["--date", "2026-03-01"]);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
    // The store is up to date at once, and without being allowed reasons count for nothing.
    assert!(unresolved(&bench, "mcdc").is_empty());
    let refused = bench.run("gate --mcdc 100", 3);
    assert!(refused.contains("justified, which --allow does not name"), "{refused}");
    bench.succeed("gate --mcdc 100 --allow justified,uncoverable");
    bench.run("gate --mcdc 100 --allow uncoverable", 3);
    let measured = bench.succeed(MEASURE);
    assert!(
        measured.contains("mcdc (masking)       25            0          3           0     28")
    );

    // Moved and laid out anew, the code keeps its reasons.
    let model = bench.read("cabin.lus");
    let moved =
        format!("-- A new first line.\n\n{}", model.replace(" or measured", "  or\n   measured"));
    std::fs::write(bench.0.path().join("cabin.lus"), moved).unwrap();
    bench.succeed(MEASURE);
    bench.succeed("gate --mcdc 100 --allow justified");

    // Another limit in the same node: the decisions are the same, and their reasons stale.
    let changed = model.replace("locked = ", "locked = false or ");
    assert_ne!(changed, model);
    std::fs::write(bench.0.path().join("cabin.lus"), changed).unwrap();
    let output = bench.output(&MEASURE.replace(" --quiet", ""));
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(text.contains("is stale and does not count"), "{text}");
    let stale = bench.run("gate --mcdc 100 --allow justified", 3);
    assert!(stale.contains("has changed since 2026-03-01"), "{stale}");
    let listed = bench.succeed("justify --list");
    assert!(listed.starts_with("stale      mcdc@cabin.lus#"), "{listed}");
    let again = justify(&bench, &open[0], &["--date", "2026-03-02"]);
    assert!(again.status.success());
    assert!(bench.succeed("justify --list").starts_with("counts     mcdc@cabin.lus#"));
}

#[test]
fn what_needs_no_reason_is_noted_and_what_is_unknown_is_refused_with_its_neighbours() {
    let bench = cabin();
    bench.succeed(MEASURE);
    let result: Value = serde_json::from_str(&bench.read(".obligato/result.json")).unwrap();
    let all = result["obligations"].as_array().unwrap();
    let covered = all.iter().find(|one| one["verdict"] == "covered").unwrap();
    let id = covered["id"].as_str().unwrap();
    let output = justify(&bench, id, &[]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("not needed") && text.contains("is covered by a test"), "{text}");
    let before = bench.read("obligato-justifications.toml");
    let unknown = format!("{}x", unresolved(&bench, "mcdc")[0]);
    let output = justify(&bench, &unknown, &[]);
    let text = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(text.contains("has no obligation") && text.contains("the nearest are mcdc@"), "{text}");
    let output = justify(&bench, id, &["--date", "2026-02-30"]);
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(bench.read("obligato-justifications.toml"), before);
    std::fs::write(
        bench.0.path().join("obligato-justifications.toml"),
        "[[justification]]\nid = 3\n",
    )
    .unwrap();
    let said = bench.complaint(MEASURE);
    assert!(said.contains("obligato-justifications.toml:2:6: invalid type"), "{said}");
    assert!(said.contains("id = 3\n       ^"), "{said}");
}

#[test]
fn functions_of_c_have_reasons_too() {
    let bench = Bench::new(&[
        ("g.c", "int g(int a, int b) { return a && b; }\nint h(int a) { return a ? 1 : 2; }\n"),
        ("g.csv", "a,b\n1,1\n\n0,1\n"),
    ]);
    let measure = "measure g.c --function g --tests g.csv --quiet";
    bench.succeed(measure);
    bench.run("gate --mcdc 100 --allow justified", 3);
    for id in unresolved(&bench, "mcdc") {
        assert!(justify(&bench, &id, &[]).status.success());
    }
    bench.succeed("gate --mcdc 100 --allow justified");
    // Another function may change, and this one may move.
    std::fs::write(
        bench.0.path().join("g.c"),
        "int h(int a) { return a ? 3 : 4; }\nint g(int a, int b)\n{\n  return a && b;\n}\n",
    )
    .unwrap();
    bench.succeed(measure);
    bench.succeed("gate --mcdc 100 --allow justified");
    std::fs::write(
        bench.0.path().join("g.c"),
        "int g(int a, int b) { if (a > 7) b = 1; return a && b; }\n",
    )
    .unwrap();
    bench.succeed(measure);
    bench.run("gate --mcdc 100 --allow justified", 3);
}

#[test]
fn a_gate_says_what_the_proofs_that_it_accepts_assume() {
    let text = "int g = 3;\nint f(int x) {\n    if (g == 4 && x > 2) return 1;\n    return x > 9 && x < 5;\n}\n";
    let bench = Bench::new(&[("fixed.c", text)]);
    bench.succeed(
        "generate fixed.c --function f --criterion condition --fixed g --range x=0..7 --no-native",
    );
    let said = bench.succeed("gate --condition 100 --allow uncoverable");
    assert!(said.contains("Assumed by proofs that count:"), "{said}");
    assert!(said.contains("the variable 'g' keeps the value that the file gives it"), "{said}");
    assert!(said.contains("inputs are within their ranges"), "{said}");
}
