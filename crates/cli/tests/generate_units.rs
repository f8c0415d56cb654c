//! `obligato generate` for C functions: what is written, stored and said, and what is refused.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod support;

use support::Bench;

const LIMITER: &str = include_str!("../../../examples/limiter.c");
const VALVE: &str = include_str!("../../../examples/valve.c");

const TWO: &str = "int low(int a) { return a < 3 && a > 5; }
int high(int *p, int n) { if (p && n > 0 && p[n - 1] == 7) return n; return 0; }
";

fn bench() -> Bench {
    Bench::new(&[("limiter.c", LIMITER), ("valve.c", VALVE), ("two.c", TWO)])
}

/// The row of a criterion: covered, uncoverable, justified, unresolved, total.
fn row(text: &str, criterion: &str) -> Vec<usize> {
    let line = text.lines().find(|line| line.starts_with(criterion)).unwrap();
    line.split_whitespace().filter_map(|word| word.parse().ok()).collect()
}

#[test]
fn new_tests_cover_what_is_claimed_when_they_are_measured_again() {
    let bench = bench();
    let made = bench.succeed("generate limiter.c --criterion mcdc,bvc --no-store -o new.csv");
    let measured =
        bench.succeed("measure limiter.c --tests new.csv --criterion mcdc,bvc --no-store");
    for criterion in ["mcdc", "bvc"] {
        let (claimed, found) = (row(&made, criterion), row(&measured, criterion));
        assert_eq!(claimed[0], found[0], "{made}\n{measured}");
        assert_eq!(claimed[3], 0, "{made}");
        assert_eq!(claimed[1], found[3], "what is proved stays open for the suite alone");
    }
    let run = bench.succeed("run limiter.c --tests new.csv --fail-on-fault");
    assert!(run.contains("0 runtime errors, 0 differences"), "{run}");
}

#[test]
fn only_missing_tests_are_made() {
    let bench = bench();
    bench.succeed("generate limiter.c --no-store -o all.csv");
    let again = bench.succeed("generate limiter.c --tests all.csv --no-store");
    assert!(again.contains("0 new tests"), "{again}");
}

#[test]
fn bounds_are_widened_unless_somebody_sets_them_and_the_suite_says_how_far() {
    let tenth = "int tenth(const int *p) { return p && p[0] == 1 && p[9] == 2; }\n";
    let bench = Bench::new(&[("tenth.c", tenth)]);
    let bounded = bench.succeed("generate tenth.c --elements 8 --no-store");
    assert!(bounded.contains("not within bounds"), "{bounded}");
    let made = bench.succeed("generate tenth.c --no-store -o new.csv");
    assert_eq!(row(&made, "mcdc")[0], *row(&made, "mcdc").last().unwrap(), "{made}");
    let measured = bench.succeed("measure tenth.c --tests new.csv --criterion mcdc --no-store");
    assert_eq!(row(&measured, "mcdc")[0], row(&made, "mcdc")[0], "{made}\n{measured}");
    let again = bench.succeed("generate tenth.c --tests new.csv --no-store");
    assert!(again.contains("0 new tests"), "{again}");
}

#[test]
fn faults_go_into_a_file_of_their_own_and_can_fail_the_command() {
    let bench = bench();
    let found = bench.succeed("generate limiter.c --no-store --faults faults.csv");
    assert!(found.contains("limiter.c:3:23: signed overflow of a subtraction"), "{found}");
    let run = bench.succeed("run limiter.c --tests faults.csv");
    assert!(run.contains("1 runtime error"), "{run}");
    bench.run("generate limiter.c --no-store --fail-on-fault", 5);
}

#[test]
fn state_is_followed_over_steps() {
    let bench = bench();
    let one = row(&bench.succeed("generate valve.c --no-store"), "mcdc");
    let three = row(&bench.succeed("generate valve.c --no-store --steps 3"), "mcdc");
    // What the bounds leave open stands in a column of its own, before what is unresolved.
    let unresolved = |row: &[usize]| row[row.len() - 2];
    assert_eq!((unresolved(&one), unresolved(&three)), (0, 0));
    assert!(three[0] >= one[0], "{one:?} {three:?}");
}

#[test]
fn every_function_of_a_file_is_done_by_itself() {
    let bench = bench();
    let text = bench.succeed("generate two.c --store st");
    assert!(text.contains("two.c: 2 functions"), "{text}");
    for (function, unresolved) in [("low", "0"), ("high", "0"), ("all", "0")] {
        let line = text.lines().find(|line| line.starts_with(function)).unwrap();
        assert_eq!(line.split_whitespace().nth(3), Some(unresolved), "{text}");
    }
    for function in ["low", "high"] {
        assert!(bench.read(&format!("st/{function}/result.json")).contains("obligations"));
    }
    let words = bench.complaint("generate two.c --no-store -o new.csv");
    assert!(words.contains("--function"), "{words}");
}

#[test]
fn the_same_work_gives_the_same_bytes() {
    let bench = bench();
    let ask = "generate valve.c --steps 2 --criterion mcdc,bvc --budget 50000 --no-store";
    assert_eq!(bench.succeed(ask), bench.succeed(ask));
}

#[test]
fn times_are_told_beside_and_stored_as_work() {
    let bench = bench();
    let output = bench.output("generate limiter.c --store st");
    let beside = String::from_utf8(output.stderr).unwrap();
    let (all, search) = beside.trim_end().split_once(" s, of which search and solving ").unwrap();
    let all: f64 = all.strip_prefix("time: ").unwrap().parse().unwrap();
    let search: f64 = search.strip_suffix(" s").unwrap().parse().unwrap();
    assert!(search <= all + 0.01, "{beside}");
    assert!(!String::from_utf8(output.stdout).unwrap().contains("solving"));
    let details = bench.read("st/details.json");
    let phases = details.split_once("\"phases\": [").unwrap().1;
    assert!(phases.trim_start().starts_with("{\"phase\": \"search\""), "{phases}");
}

#[test]
fn a_project_is_done_function_by_function_and_goes_on_where_it_was() {
    let bench = bench();
    let commands = r#"[
        {"directory": ".", "file": "two.c", "arguments": ["cc", "-c", "two.c"]},
        {"directory": ".", "file": "limiter.c", "arguments": ["cc", "-c", "limiter.c"]},
        {"directory": ".", "file": "broken.c", "arguments": ["cc", "-c", "broken.c"]}
    ]"#;
    bench.write("compile_commands.json", commands);
    bench.write("broken.c", "int f( {");
    let ask = "generate compile_commands.json --store st --budget 100000";
    let first = bench.run(ask, 1);
    assert!(first.contains("two.c:high") && first.contains("limiter.c:limit"), "{first}");
    assert!(first.contains("left out: broken.c"), "{first}");
    assert!(first.contains("3 functions; 0 of them were done before"), "{first}");
    let again = bench.run(ask, 1);
    assert!(again.contains("3 functions; 3 of them were done before"), "{again}");
    bench.write("limiter.c", &LIMITER.replace("10", "12"));
    let changed = bench.run(ask, 1);
    assert!(changed.contains("3 functions; 2 of them were done before"), "{changed}");
    bench.write("other.toml", "[inputs]\nelements = 3\n");
    let configured = bench.run(&format!("{ask} --config other.toml"), 1);
    assert!(configured.contains("3 functions; 0 of them were done before"), "{configured}");
}

#[test]
fn preconditions_hold_in_every_test_and_are_named_in_proofs() {
    let bench = bench();
    bench.write(
        "width.c",
        "int width(int low, int high) {\n    if (low > high)\n        return -1;\n    return high - low > 3;\n}\n",
    );
    bench.write("obligato.toml", "[inputs.preconditions]\nwidth = [\"0 <= low && low <= high\"]\n");
    let ask = "generate width.c --criterion mcdc --no-store -o new.csv";
    let text = bench.succeed(ask);
    assert_eq!(row(&text, "mcdc"), [5, 2, 0, 0, 7], "{text}");
    assert!(text.contains("`0 <= low && low <= high` holds of inputs"), "{text}");
    bench.succeed("run width.c --tests new.csv --quiet");
    let words = bench.complaint(&format!("{ask} --assume high<low"));
    assert!(words.contains("no inputs satisfy the ranges and preconditions"), "{words}");
}

#[test]
fn shards_of_a_function_are_put_together_to_the_whole() {
    let bench = bench();
    let ask = "generate limiter.c --criterion mcdc,bvc --budget 100000 --store";
    let whole = bench.succeed(&format!("{ask} whole"));
    for shard in 1..=3 {
        bench.succeed(&format!("{ask} s{shard} --shard {shard}/3"));
    }
    let merged = bench.succeed("merge s1 s2 s3 -o merged");
    for criterion in ["mcdc", "bvc"] {
        assert_eq!(row(&whole, criterion), row(&merged, criterion), "{merged}");
    }
    let words = bench.complaint("merge s1 s3 -o short");
    assert!(words.contains("2/3") || words.contains("missing"), "{words}");
}

#[test]
fn a_function_without_a_result_ends_none_of_the_others() {
    let bench = bench();
    // Only `low` has an input of this name.
    let ask = "generate two.c --range a=0..9 --no-store --budget 20000";
    let text = bench.run(ask, 1);
    assert!(text.contains("  tool errors\n"), "{text}");
    assert!(text.contains("\nhigh      nothing: high has no input 'a'; "), "{text}");
    let all = text.lines().find(|line| line.starts_with("all")).unwrap();
    assert!(all.ends_with(" 1") && !row(&text, "low").is_empty(), "{text}");
    let json: serde_json::Value =
        serde_json::from_str(&bench.run(&format!("{ask} --format json"), 1)).unwrap();
    assert!(json[1]["error"].as_str().unwrap().contains("has no input 'a'"), "{json}");
    assert_eq!((&json[0]["function"], &json[1]["function"]), (&"low".into(), &"high".into()));
    // What is wrong for all of them is wrong with the request.
    let said = bench.complaint("generate two.c --range z=0..9 --no-store");
    assert!(said.contains("has no input 'z'"), "{said}");
}

/// Generates for `f` of a text: what machine code does agrees, and everything is covered.
#[track_caller]
fn covered(text: &str) -> String {
    let bench = Bench::new(&[("f.c", text)]);
    let said =
        bench.succeed("generate f.c --function f --criterion branch --budget 200000 --no-store");
    assert_eq!(row(&said, "branch")[3], 0, "{said}");
    assert!(!said.contains("fault of obligato"), "{said}");
    said
}

#[test]
fn what_a_program_saw_before_it_left_at_once_counts() {
    covered(
        "#include <stdlib.h>\n#include <unistd.h>
        int f(int x) {
            if (x == 2) exit(3);
            if (x == 3) _Exit(4);
            if (x == 4) quick_exit(2);
            if (x == 5) _exit(6);
            return x > 10;
        }",
    );
}

#[test]
fn standard_streams_are_where_the_library_has_them() {
    let include = "#include <stdio.h>\n";
    covered(&format!("{include}int f(void) {{ if (feof(stdin)) return 2; return 3; }}"));
    covered(&format!(
        "{include}int out(FILE *to); int f(int x) {{ if (out(x ? stdout : stderr)) return 2; return 3; }}"
    ));
    // Nothing says where other streams lie, so none of these is proved.
    for condition in ["stdin == NULL", "stdin == stdout", "given == stdin"] {
        let text =
            format!("{include}int f(FILE *given) {{ if ({condition}) return 1; return 0; }}");
        let bench = Bench::new(&[("f.c", &text)]);
        let said = bench.succeed("generate f.c --function f --criterion branch --no-store");
        assert_eq!(row(&said, "branch")[..2], [1, 0], "{condition}: {said}");
    }
}

#[test]
fn inline_functions_without_an_external_definition_are_linked() {
    for words in ["inline", "extern inline __attribute__((gnu_inline))"] {
        covered(&format!(
            "{words} int twice(int x) {{ return 2 * x; }}
            int f(int x) {{ if (twice(x) == 6) return 1; return 0; }}"
        ));
    }
}

#[test]
fn arrays_of_variable_length_behind_a_parameter_are_named() {
    let text =
        "int f(int r, int c, int m[r][c]) { if (c > 3 && m[0][3] == 9) return 1; return 0; }";
    let said = Bench::new(&[("f.c", text)]).complaint("generate f.c --function f --no-store");
    assert!(said.contains("the arrays behind 'm' are is known only when it runs"), "{said}");
    assert!(said.contains("test a function that calls it with arrays of fixed lengths"), "{said}");
}
