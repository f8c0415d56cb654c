//! C files with `check`, `run`, `measure` and `explain`: sessions, settings, flags, compilation databases.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod support;

use serde_json::Value;
use support::{Bench, assert_golden};

const CONTROLLER: &str = include_str!("c/controller.c");
const CONTROLLER_SUITE: &str = include_str!("c/controller.csv");
const FAULTS: &str = include_str!("c/faults.c");
const FAULTS_SUITE: &str = include_str!("c/faults.csv");
const ASSEMBLY: &str = include_str!("c/assembly.c");
const ASSEMBLY_SUITE: &str = include_str!("c/assembly.csv");

fn bench() -> Bench {
    Bench::new(&[
        ("controller.c", CONTROLLER),
        ("controller.csv", CONTROLLER_SUITE),
        ("faults.c", FAULTS),
        ("faults.csv", FAULTS_SUITE),
        ("assembly.c", ASSEMBLY),
        ("assembly.csv", ASSEMBLY_SUITE),
    ])
}

fn session(bench: &Bench, arguments: &str) -> String {
    format!("$ obligato {arguments}\n{}", bench.succeed(arguments))
}

fn json(bench: &Bench, arguments: &str) -> Value {
    serde_json::from_str(&bench.succeed(arguments)).unwrap()
}

/// The verdicts of a result on one criterion.
fn verdicts<'a>(result: &'a Value, criterion: &str) -> Vec<&'a Value> {
    let all = result["obligations"].as_array().unwrap().iter();
    all.filter(|one| one["criterion"] == criterion).collect()
}

#[test]
fn checking_lists_functions_and_what_tests_set_and_see() {
    let bench = bench();
    assert_golden("unit_check.txt", &session(&bench, "check controller.c"));
    let found = json(&bench, "check faults.c --format json");
    assert_eq!(found["format"], "obligato-check");
    let functions = found["files"][0]["functions"].as_array().unwrap();
    let names: Vec<&str> = functions.iter().map(|one| one["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["second", "ask"]);
    let model = Bench::new(&[("m.lus", "node m(a: bool) returns (b: bool); let b = not a; tel")]);
    let found = json(&model, "check m.lus --format json");
    assert_eq!(found["files"][0]["functions"][0]["inputs"][0]["name"], "a");
}

#[test]
fn a_template_is_a_suite_that_runs() {
    let bench = bench();
    bench.succeed("check controller.c --template start.csv");
    let first = "wanted,target,read_sensor()[0],read_sensor()[1],read_sensor()[2],read_sensor()[3]";
    assert!(bench.read("start.csv").starts_with(first), "{}", bench.read("start.csv"));
    let run = bench.succeed("run controller.c --tests start.csv");
    assert!(run.contains("1 test, 1 step; 0 runtime errors"), "{run}");
    let said = bench.complaint("check faults.c --template start.csv");
    assert!(said.contains("choose one by --function"), "{said}");
}

#[test]
fn a_controller_keeps_its_state_from_step_to_step() {
    let bench = bench();
    let run = "run controller.c --tests controller.csv";
    assert_golden("unit_run.txt", &session(&bench, run));
    let found = json(&bench, "run controller.c --tests controller.csv --format json");
    assert_eq!(found["tests"][0]["outputs"][2]["return"], "HOLD");
    let again = "run controller.c --tests controller.csv -o again.csv";
    bench.succeed(again);
    let same = bench.succeed("run controller.c --tests again.csv --fail-on-fault --quiet -o b.csv");
    assert!(!same.contains("Not as the suite expects"), "{same}");
}

#[test]
fn measuring_and_explaining_print_as_their_golden_files_say() {
    let bench = bench();
    let measure = "measure controller.c --tests controller.csv --no-store \
                   --criterion statement,branch,entry-exit,mcdc,bvc,omcdc:exact";
    assert_golden("unit_measure.txt", &session(&bench, measure));
    let explain = "explain controller.c:27 --tests controller.csv";
    assert_golden("unit_explain.txt", &session(&bench, explain));
    let found = json(&bench, &format!("{explain} --format json"));
    assert_eq!(found["decisions"][0]["text"], "now < target && steps_on < 3");
}

#[test]
fn faults_show_their_line_and_who_called_whom() {
    let bench = bench();
    let run = "run faults.c --function ask --tests faults.csv";
    assert_golden("unit_faults.txt", &session(&bench, run));
    bench.run(&format!("{run} --fail-on-fault"), 5);
    let found = json(&bench, &format!("{run} --format json"));
    let failure = &found["tests"][1]["failures"][0];
    assert_eq!((&failure["kind"], &failure["instance"]), (&"fault".into(), &"second".into()));
    assert_eq!(failure["span"], "7:24-7:24");
}

#[test]
fn an_endless_loop_stops_at_the_limit_and_is_named() {
    let bench = bench();
    std::fs::write(bench.0.path().join("loop.csv"), "index,divisor\n99,0\n").unwrap();
    let wraps = "--signed-overflow wraps --operations 20000 --no-native";
    let run = bench.succeed(&format!("run faults.c --function ask --tests loop.csv {wraps}"));
    assert!(run.contains("t1, step 0: faults.c:15:9: limit of steps reached"), "{run}");
    let found = json(
        &bench,
        &format!("run faults.c --function ask --tests loop.csv {wraps} --format json"),
    );
    assert_eq!(found["tests"][0]["failures"][0]["kind"], "limit");
}

#[test]
fn inline_assembly_is_named_and_everything_else_is_measured() {
    let bench = bench();
    let measure = "measure assembly.c --function both --tests assembly.csv --no-store";
    let output = bench.output(&format!("{measure} --criterion mcdc,statement"));
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(text.contains("assembly.c:3:"), "{text}");
    assert!(text.contains("is not supported: "), "{text}");
    let result: Value = serde_json::from_slice(
        &bench.output(&format!("{measure} --criterion mcdc,statement --format json")).stdout,
    )
    .unwrap();
    let deciding = verdicts(&result, "mcdc").into_iter();
    let deciding = deciding.filter(|one| one["text"].as_str().unwrap().contains("decides"));
    let deciding: Vec<&Value> = deciding.map(|one| &one["verdict"]).collect();
    assert_eq!(deciding, ["covered"; 6], "{text}");
    let assembly = verdicts(&result, "statement");
    let assembly = assembly.iter().find(|one| one["span"].as_str().unwrap().starts_with("4:"));
    let verdict = assembly.unwrap();
    assert_eq!(
        (&verdict["verdict"], &verdict["limit"]),
        (&"unresolved".into(), &"unsupported".into())
    );
}

#[test]
fn a_decision_that_cannot_be_measured_is_unsupported_as_a_whole() {
    let text = "int f(long double x, int a) { return x > 1.0L && a; }\n";
    let bench = Bench::new(&[("wide.c", text), ("wide.csv", "a\n1\n")]);
    let measure = "measure wide.c --function f --tests wide.csv --no-store --no-native";
    let result = json(&bench, &format!("{measure} --criterion mcdc --format json"));
    let about = verdicts(&result, "mcdc").into_iter();
    let about = about.filter(|one| one["text"].as_str().unwrap().contains("`x > 1.0L && a`"));
    let limits: Vec<&Value> = about.map(|one| &one["limit"]).collect();
    assert!(!limits.is_empty() && limits.iter().all(|one| **one == "unsupported"), "{result}");
}

#[test]
fn flags_for_clang_and_settings_decide_what_is_compiled_and_set() {
    let bench = Bench::new(&[
        (
            "flag.c",
            "#ifdef TWO\nint f(int a, int b) { return a && b; }\n#else\nint f(int a) { return !a; }\n#endif\nint *p; int g(void) { return p ? *p : 0; }\n",
        ),
        ("one.csv", "a\n1\n"),
    ]);
    assert!(
        bench.succeed("check flag.c --function f").contains("  condition                      2")
    );
    let two = bench.succeed("check flag.c --function f -- -DTWO");
    assert!(two.contains("  condition                      4"), "{two}");
    let few = bench.succeed("check flag.c --function g --elements p=2");
    assert!(few.contains("p[1]") && !few.contains("p[2]"), "{few}");
    std::fs::write(bench.0.path().join("obligato.toml"), "[inputs]\nelements = 3\n").unwrap();
    let from_file = bench.succeed("check flag.c --function g");
    assert!(from_file.contains("p[2]") && !from_file.contains("p[3]"), "{from_file}");
    let none = bench.succeed("check flag.c --function g --config /dev/null");
    assert!(none.contains("p[7]"), "{none}");
    let said = bench.complaint("run flag.c --function f --tests one.csv --range a=5..9");
    assert!(said.contains("one.csv:2:1: "), "{said}");
    let said = bench.complaint("run flag.c --function f --tests one.csv --range b=5..9");
    assert!(said.contains("f has no input 'b'"), "{said}");
    let said = bench.complaint("run flag.c --function f --tests one.csv --range a=0..99999999999");
    assert!(said.contains("are no values of 'a', which is int32"), "{said}");
    let measure = "measure flag.c --function f --tests one.csv --no-store";
    let said = bench.complaint(&format!("{measure} --observe nothing"));
    assert!(said.contains("f has no output 'nothing' to observe"), "{said}");
    std::fs::write(bench.0.path().join("obligato.toml"), "[inputs]\nelemens = 3\n").unwrap();
    let said = bench.complaint("check flag.c");
    assert!(said.contains("obligato.toml:2:1: unknown field `elemens`"), "{said}");
    assert!(said.contains("\n  elemens = 3\n  ^\n"), "{said}");
}

#[test]
fn a_compilation_database_is_checked_file_by_file() {
    let bench = bench();
    let entry = |file: &str, flag: &str| {
        let directory = bench.0.path().to_str().unwrap();
        serde_json::json!({"directory": directory, "file": file, "arguments": ["cc", flag, "-c", file]})
    };
    let database = Value::Array(vec![entry("controller.c", "-DX=1"), entry("faults.c", "-O2")]);
    let path = bench.0.path().join("compile_commands.json");
    std::fs::write(&path, database.to_string()).unwrap();
    let all = bench.succeed("check compile_commands.json");
    assert!(all.contains("2 of 2 files checked"), "{all}");
    std::fs::write(bench.0.path().join("faults.c"), "int broken(\n").unwrap();
    let output = bench.output("check compile_commands.json --format json");
    assert_eq!(output.status.code(), Some(2));
    let found: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert!(found["files"][0]["sizes"]["functions"] == 1, "{found}");
    assert!(found["files"][1]["problem"].as_str().unwrap().contains("faults.c:"), "{found}");
}

/// What clang 19 measured of `cover.c` with the tests of `cover.csv`.
fn covered_elsewhere() -> Bench {
    Bench::new(&[
        ("cover.c", include_str!("c/cover.c")),
        ("cover.csv", include_str!("c/cover.csv")),
        ("cover.txt", include_str!("c/cover.txt")),
        ("cover.json", include_str!("c/cover.json")),
    ])
}

#[test]
fn what_clang_measured_is_judged_like_the_same_tests_run_here() {
    let bench = covered_elsewhere();
    let flags = "--no-store --criterion statement,branch,decision,condition,mcdc:all --format json";
    let here = json(&bench, &format!("measure cover.c --tests cover.csv {flags}"));
    let text = json(&bench, &format!("measure cover.c --from llvm-cov --tests cover.txt {flags}"));
    let export =
        json(&bench, &format!("measure cover.c --from llvm-cov --tests cover.json {flags}"));
    let list = |result: &Value| result["obligations"].as_array().unwrap().clone();
    let mut compared = 0;
    for elsewhere in [&text, &export] {
        for (here, there) in list(&here).iter().zip(&list(elsewhere)) {
            assert_eq!(here["key"], there["key"]);
            if there["limit"] == "unsupported" {
                assert!(
                    there["construct"].as_str().unwrap().starts_with("not measured by clang: ")
                );
            } else {
                assert_eq!(here["verdict"], there["verdict"], "{there}");
                compared += 1;
            }
        }
    }
    assert!(compared > 60, "{compared}");
    let unmeasured = list(&text).iter().filter(|one| one["limit"] == "unsupported").count();
    assert!(unmeasured > 0);
    let words =
        "measure cover.c --from llvm-cov --tests cover.txt --no-store --criterion branch,mcdc";
    assert_golden("unit_elsewhere.txt", &session(&bench, words));
    let explained = bench.succeed("explain cover.c:5 --from llvm-cov --tests cover.txt");
    assert!(explained.contains("clang"), "{explained}");
    assert!(!explained.contains("the effect never reaches"), "{explained}");
    assert!(explained.contains("not known whether the effect reaches"), "{explained}");
    let said = bench.complaint("measure cover.c --from llvm-cov --tests cover.csv");
    assert!(said.contains("cover.csv:1:1: this is neither"), "{said}");
}
