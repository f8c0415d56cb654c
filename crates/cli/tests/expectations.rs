//! Tests whose expected outputs do not come out: they fail, cover nothing unless that is asked for, and every command says so.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use serde_json::Value;

mod support;

use support::Bench;

const MODEL: &str = "\
node both(a, b: bool) returns (c: bool);
let c = a and b; tel
";

const UNIT: &str = "\
_Bool both(_Bool a, _Bool b) {
    if (a && b)
        return 1;
    return 0;
}
";

/// The second test expects something else.
const MODEL_SUITE: &str = "a,b,c\n# good\nT,T,T\n\n# bad\nF,T,T\n\n# open\nT,F,\n";
const UNIT_SUITE: &str = "a,b,return\n# good\nT,T,T\n\n# bad\nF,T,T\n\n# open\nT,F,\n";

/// A model and a function that do the same, each with a suite.
const SUBJECTS: [[&str; 2]; 2] = [["both.lus", "model.csv"], ["both.c", "unit.csv"]];

fn bench() -> Bench {
    Bench::new(&[
        ("both.lus", MODEL),
        ("both.c", UNIT),
        ("model.csv", MODEL_SUITE),
        ("unit.csv", UNIT_SUITE),
    ])
}

fn json(bench: &Bench, arguments: &str) -> Value {
    serde_json::from_str(&bench.succeed(arguments)).unwrap()
}

/// The names of the tests that cover something.
fn covering(result: &Value) -> Vec<String> {
    let mut tests: Vec<u64> = Vec::new();
    for one in result["obligations"].as_array().unwrap() {
        let by = one["tests"].as_array().into_iter().flatten();
        tests.extend(by.map(|test| test.as_u64().unwrap()));
    }
    tests.sort_unstable();
    tests.dedup();
    let names = result["tests"].as_array().unwrap();
    tests.iter().map(|test| names[*test as usize].as_str().unwrap().to_owned()).collect()
}

#[test]
fn run_exits_5_if_an_expectation_fails_unless_it_is_told_not_to() {
    let bench = bench();
    for [file, suite] in SUBJECTS {
        let run = format!("run {file} --tests {suite}");
        let said = bench.run(&run, 5);
        assert!(
            said.contains("bad, step 0: ") && said.contains("is false, expected true"),
            "{said}"
        );
        bench.run(&format!("{run} --no-fail"), 0);
        bench.run(&format!("{run} --format json --quiet"), 5);
        let said = bench.complaint(&format!("{run} --no-fail --fail-on-fault"));
        assert!(said.contains("cannot be used with"), "{said}");
        bench.run(&format!("{run} --no-fail -q -o found.csv"), 0);
        bench.run(&format!("run {file} --tests found.csv"), 0);
    }
}

#[test]
fn an_expected_output_that_never_comes_is_a_failure() {
    let text = "int f(int x, int y) { return 10 / x + y; }\n";
    let bench = Bench::new(&[
        ("f.c", text),
        ("suite.csv", "x,y,return\n# bad\n1,0,10\n0,0,3\n\n# good\n1,0,10\n0,0,\n"),
    ]);
    let said = bench.run("run f.c --tests suite.csv", 5);
    assert!(said.contains("bad, step 1: no return, expected 3\n"), "{said}");
    assert!(said.contains("2 runtime errors, 1 difference\n"), "{said}");
    let found: Value =
        serde_json::from_str(&bench.run("run f.c --tests suite.csv --format json", 5)).unwrap();
    let differences = &found["tests"][0]["differences"];
    assert_eq!(differences[0]["step"], 1);
    assert_eq!(differences[0]["expected"], 3);
    assert!(differences[0].get("found").is_none(), "{differences}");
}

#[test]
fn a_failing_test_covers_nothing_unless_it_is_counted() {
    let bench = bench();
    for [file, suite] in SUBJECTS {
        let measure = format!("measure {file} --tests {suite} --no-store");
        let result = json(&bench, &format!("{measure} --format json"));
        assert_eq!(covering(&result), ["good", "open"], "{file}");
        assert_eq!(result["outcomes"]["passed"], serde_json::json!([0]));
        assert_eq!(result["outcomes"]["failed"], serde_json::json!([1]));
        let said = bench.succeed(&measure);
        assert!(said.contains("1 test fails; what failing tests execute does not count"), "{said}");
        assert!(said.contains("  bad, step 0: "), "{said}");
        let result = json(&bench, &format!("{measure} --count-failing --format json"));
        assert_eq!(covering(&result), ["good", "bad", "open"], "{file}");
        let said = bench.succeed(&format!("{measure} --count-failing"));
        assert!(said.contains("counts, by --count-failing:\n"), "{said}");
    }
}

#[test]
fn tests_are_generated_for_what_only_failing_tests_execute() {
    let bench = bench();
    for [file, suite] in SUBJECTS {
        let generate = format!("generate {file} --tests {suite}");
        let said = bench.succeed(&generate);
        assert!(said.contains("1 test fails"), "{said}");
        let stored: Value = serde_json::from_str(&bench.read(".obligato/result.json")).unwrap();
        assert_eq!(stored["tests"].as_array().unwrap().len(), 4, "{file}: {stored}");
        assert_eq!(stored["tests"][2], "bad");
        assert!(!covering(&stored).contains(&"bad".to_owned()), "{file}");
        assert_eq!(stored["outcomes"]["failed"], serde_json::json!([2]));
        let all = stored["obligations"].as_array().unwrap();
        assert!(all.iter().all(|one| one["verdict"] == "covered"), "{file}: {stored}");
        // Counted, it is enough.
        bench.succeed(&format!("{generate} --count-failing"));
        let stored: Value = serde_json::from_str(&bench.read(".obligato/result.json")).unwrap();
        assert_eq!(stored["tests"].as_array().unwrap().len(), 3, "{file}");
        assert!(covering(&stored).contains(&"bad".to_owned()), "{file}");
    }
}

#[test]
fn new_tests_do_not_take_the_names_of_failing_ones() {
    let bench = bench();
    bench.write("unit.csv", "a,b,return\n# g1\nF,T,T\n\n# g2\nT,T,F\n");
    bench.succeed("generate both.c --tests unit.csv");
    let stored: Value = serde_json::from_str(&bench.read(".obligato/result.json")).unwrap();
    let names = stored["tests"].as_array().unwrap();
    assert_eq!((&names[0], &names[1]), (&"g1".into(), &"g2".into()));
    assert_eq!(covering(&stored).len(), names.len() - 2);
}

#[test]
fn reports_and_gates_name_failing_tests() {
    let bench = bench();
    for [file, suite] in SUBJECTS {
        bench.succeed(&format!("measure {file} --tests {suite}"));
        bench.succeed(
            "report --junit junit.xml --json report.json --markdown note.md --html page.html",
        );
        let junit = bench.read("junit.xml");
        assert!(junit.contains("tests=\"3\" failures=\"1\" errors=\"0\""), "{junit}");
        let failure = "<failure type=\"difference\" message=\"step 0: ";
        assert!(junit.contains(failure), "{junit}");
        let report: Value = serde_json::from_str(&bench.read("report.json")).unwrap();
        let outcomes: Vec<Option<&str>> =
            report["tests"].as_array().unwrap().iter().map(|one| one["outcome"].as_str()).collect();
        assert_eq!(outcomes, [Some("passed"), Some("failed"), None]);
        assert_eq!(report["tests"][1]["differences"][0]["expected"], "true");
        let words = "1 of 3 tests fails (bad); what failing tests execute does not count";
        assert!(bench.read("note.md").contains(words), "{}", bench.read("note.md"));
        assert!(bench.read("page.html").contains(words));
        let said = bench.run("gate --mcdc 50", 0);
        assert!(said.contains(&format!("note: {words}\n")), "{said}");
        let gate: Value =
            serde_json::from_str(&bench.run("gate --mcdc 50 --format json", 0)).unwrap();
        assert_eq!(gate["failed_tests"], serde_json::json!(["bad"]));
        bench.succeed(&format!("measure {file} --tests {suite} --count-failing"));
        let said = bench.run("gate --mcdc 100", 0);
        assert!(said.contains("counts, by --count-failing"), "{said}");
    }
}

#[test]
fn explanations_say_which_tests_count_for_nothing() {
    let bench = bench();
    for ([file, suite], line) in SUBJECTS.into_iter().zip([2, 2]) {
        let said = bench.succeed(&format!("explain {file}:{line} --tests {suite}"));
        assert!(said.contains("note: bad fails, step 0: "), "{said}");
    }
}

#[test]
fn a_result_of_an_earlier_version_still_opens() {
    let bench = bench();
    bench.succeed("measure both.c --tests unit.csv");
    let text = bench.read(".obligato/result.json");
    let start = text.find("  \"outcomes\"").unwrap();
    let end = start + text[start..].find('\n').unwrap() + 1;
    bench.write(".obligato/result.json", &format!("{}{}", &text[..start], &text[end..]));
    let said = bench.run("gate --mcdc 50", 0);
    assert!(!said.contains("fails"), "{said}");
    bench.succeed("report --junit junit.xml");
}
