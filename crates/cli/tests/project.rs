//! `obligato generate compile_commands.json`: each function gets what it gets by itself, whatever the options.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod support;

use serde_json::Value;
use support::Bench;

const UNIT: &str = "int seen;
int both(int x, unsigned y, const int *p)
{
    static int calls;
    if (calls < 9)
        calls++;
    seen = (x > 3) & (100 / y > 7);
    if (calls > 2 && p && p[1] == 7)
        return 3;
    return seen;
}
";
const COMMANDS: &str = r#"[
    {"directory": ".", "file": "both.c", "arguments": ["cc", "-c", "both.c", "-DUNUSED"]},
    {"directory": ".", "file": "broken.c", "arguments": ["cc", "-c", "broken.c"]}
]"#;
const REASONS: &str = "[[justification]]
id = \"mcdc@both.c#both/nowhere\"
reason = \"none\"
author = \"Hooke\"
date = \"2026-11-18\"
";

fn bench() -> Bench {
    let bench = Bench::new(&[("both.c", UNIT), ("reasons.toml", REASONS)]);
    bench.write("compile_commands.json", COMMANDS);
    bench.write("broken.c", "int f( {");
    bench.write("other.toml", "[inputs]\nelements = 3\n");
    bench
}

#[test]
fn each_option_has_the_same_effect_on_a_function_of_a_project() {
    let bench = bench();
    let mut results = Vec::new();
    for (index, option) in [
        "",
        "--logical-only",
        "--no-native",
        "--observe seen",
        "--justifications reasons.toml",
        "--config other.toml",
        "--no-reduce",
        "--steps 1",
        "--strategy dfs",
        "--no-filter",
        "--seed 5",
        "--fixed seen",
        "--range x=0..2",
        "--elements 1",
        "--criterion branch,bvc",
    ]
    .into_iter()
    .enumerate()
    {
        let ask = format!("--budget 20000 {option} --quiet --store");
        bench.succeed(&format!("generate both.c {ask} one{index} -- -DUNUSED"));
        bench.run(&format!("generate compile_commands.json {ask} all{index}"), 1);
        let project = format!("all{index}/both.c/both");
        for document in ["result.json", "suite.json", "details.json", "proofs.json"] {
            let read = |store: &str| {
                std::fs::read_to_string(bench.0.path().join(store).join(document)).ok()
            };
            assert_eq!(read(&format!("one{index}")), read(&project), "{option}: {document}");
        }
        results.push(bench.read(&format!("{project}/result.json")));
    }
    // These options have an effect at all.
    for index in [1, 3, 12, 14] {
        assert_ne!(results[0], results[index], "{index}");
    }
}

#[test]
fn a_project_says_by_its_exit_code_that_a_runtime_error_was_found() {
    let bench = bench();
    bench.write("broken.c", "int fine(void) { return 1; }\n");
    let ask = "generate compile_commands.json --store st --budget 20000 --quiet";
    bench.succeed(ask);
    // From the store as well as from a run.
    bench.run(&format!("{ask} --fail-on-fault"), 5);
    bench.run("generate both.c --no-store --budget 20000 --quiet --fail-on-fault", 5);
}

#[test]
fn the_document_of_a_project_is_a_list_of_those_of_its_functions() {
    let bench = bench();
    let ask = "--budget 20000 --format json";
    let project = format!("generate compile_commands.json --store st {ask}");
    let list: Value = serde_json::from_str(&bench.run(&project, 1)).unwrap();
    let list = list.as_array().unwrap();
    assert_eq!(list.len(), 2, "{list:?}");
    let (function, broken) = (&list[0], &list[1]);
    assert_eq!(function["format"], "obligato-generation");
    assert_eq!((&function["file"], &function["function"]), (&"both.c".into(), &"both".into()));
    assert_eq!(broken["file"], "broken.c");
    assert!(broken["error"].as_str().is_some_and(|why| !why.is_empty()), "{broken}");
    let own: Value =
        serde_json::from_str(&bench.succeed(&format!("generate both.c --no-store {ask}"))).unwrap();
    assert_eq!(&own, function);
    for field in ["tool", "seed", "stopped", "criteria", "phases", "tests", "functions"] {
        assert!(!own[field].is_null(), "{field}");
    }
    let errors = own["runtime_errors"].as_array().unwrap();
    assert!(errors.iter().any(|one| one["text"].as_str().unwrap().contains("zero")), "{errors:?}");
    assert_eq!(own["tool_errors"].as_array().unwrap().len(), 0);
}
