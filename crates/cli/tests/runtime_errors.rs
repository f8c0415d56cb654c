//! Runtime errors: those that depend on what a caller passes, and what only tests cover that end with one.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use serde_json::Value;

mod support;

use support::Bench;

const UNIT: &str = "\
int mean(const int *samples, unsigned count) {
    int sum = 0;
    for (unsigned i = 0; i < count; i++)
        sum += samples[i] & 15;
    return sum / (int)count;
}
";

/// The decision is true only where the division ends the test.
const ENDING: &str = "\
int f(int x) {
    int zero = 0;
    if (x > 3) {
        x = x / zero;
    }
    return x;
}
";

fn stored(bench: &Bench, name: &str) -> Value {
    serde_json::from_str(&bench.read(&format!(".obligato/{name}.json"))).unwrap()
}

#[test]
fn errors_that_depend_on_the_caller_stand_apart_with_what_rules_them_out() {
    let bench = Bench::new(&[("mean.c", UNIT)]);
    let said = bench.succeed("generate mean.c");
    let at = |text: &str| said.find(text).unwrap_or_else(|| panic!("{text}: {said}"));
    let (own, dependent) = (
        at("Runtime errors of the program, each"),
        at("Runtime errors that depend on the caller, each"),
    );
    let zero = at("division by zero");
    assert!(own < zero && zero < dependent, "{said}");
    assert!(at("if a caller passes samples = NULL (--assume 'samples != NULL'") > dependent);
    let without = bench.succeed("generate mean.c --assume samples!=NULL");
    assert!(!without.contains("samples = NULL"), "{without}");
    bench.succeed("report --sarif log.sarif --json report.json --html page.html");

    bench.succeed("generate mean.c");
    bench.succeed("report --sarif log.sarif --json report.json --html page.html");
    let log: Value = serde_json::from_str(&bench.read("log.sarif")).unwrap();
    let results = log["runs"][0]["results"].as_array().unwrap();
    let errors: Vec<&Value> =
        results.iter().filter(|one| one["ruleId"] == "runtime-error").collect();
    let level = |text: &str| {
        let is_it = |one: &&&Value| one["message"]["text"].as_str().unwrap().contains(text);
        errors.iter().find(is_it).unwrap()["level"].as_str().unwrap()
    };
    assert_eq!(level("division by zero"), "warning");
    assert_eq!(level("if a caller passes samples = NULL"), "note");
    let report: Value = serde_json::from_str(&bench.read("report.json")).unwrap();
    assert_eq!(report["errors"].as_array().unwrap().len(), errors.len());
    assert!(bench.read("page.html").contains("<h2>Runtime errors</h2>"));
    assert!(stored(&bench, "details")["errors"].is_array());
}

#[test]
fn what_only_tests_cover_that_end_with_an_error_is_marked_and_gated_apart() {
    let bench = Bench::new(&[("f.c", ENDING), ("suite.csv", "x\n# low\n1\n\n# high\n5\n")]);
    for command in ["measure f.c --tests suite.csv", "generate f.c"] {
        let said = bench.succeed(&format!("{command} --criterion decision"));
        assert!(said.contains("Covered only by tests that end with a runtime error (1)"), "{said}");
        assert!(said.contains("ends in f.c:4:15: division by zero"), "{said}");
        let listed = bench.succeed(&format!("{command} --criterion decision --list"));
        assert!(listed.contains("only by a test that ends in f.c:4:15: division by zero"));
        let result = stored(&bench, "result");
        let marked: Vec<&Value> = result["obligations"]
            .as_array()
            .unwrap()
            .iter()
            .filter(|one| one.get("ends_in").is_some())
            .collect();
        assert_eq!(marked.len(), 1, "{result}");
        assert!(marked[0]["text"].as_str().unwrap().ends_with("is true"), "{result}");
        let said = bench.run("gate --decision 100", 3);
        assert!(said.contains("covered, only by a test that ends in f.c:4:15: division"), "{said}");
        bench.run("gate --decision 100 --allow covered-by-errors", 0);
        bench.succeed("report --sarif log.sarif --json report.json --markdown note.md");
        assert!(bench.read("log.sarif").contains("\"kind\": \"review\""));
        assert!(bench.read("report.json").contains("only by a test that ends in f.c:4:15"));
        assert!(bench.read("note.md").contains("1 obligation covered only by tests that end"));
    }
}

#[test]
fn a_suite_that_was_run_and_written_runs_again_without_a_difference() {
    let text = "\
int limit = 10;
static int calls;
int f(int x, int *p) {
    calls++;
    limit += x;
    if (p) p[0] += calls;
    return limit + (p ? p[0] : 0);
}
";
    let suite = "x,p[0],limit\n# kept\n5,,\n,,20\n1,7,\n,,3\n\n# open\n,,4\n2,,\n";
    let bench = Bench::new(&[("f.c", text), ("suite.csv", suite)]);
    for format in ["csv", "json"] {
        bench.succeed(&format!("run f.c --tests suite.csv -o a.{format}"));
        let said = bench.run(&format!("run f.c --tests a.{format} -o b.{format}"), 0);
        assert!(said.contains("0 differences"), "{said}");
        assert_eq!(bench.read(&format!("a.{format}")), bench.read(&format!("b.{format}")));
        bench.succeed(&format!("export f.c --tests suite.csv --as {format} -o c.{format}"));
        bench.run(&format!("run f.c --tests c.{format}"), 0);
    }
    let table = bench.succeed("run f.c --tests suite.csv");
    assert!(table.contains("15"), "{table}");
    bench.succeed("generate f.c --steps 3 -o made.csv");
    bench.run("run f.c --tests made.csv", 0);
}
