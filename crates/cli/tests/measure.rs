//! `obligato measure`: sessions, the papers' examples, and what is refused.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fmt::Write as _;
use std::fs;
use std::process::Command;

mod support;

use serde_json::Value;
use support::{Bench, assert_golden, cabin, root};

/// Whalen et al., table I.
const MASKING: &str = "\
node main(in_1, in_2, in_3: bool) returns (out_1: bool);
var expr_1: bool;
let
  expr_1 = in_1 or in_2;
  out_1 = expr_1 and in_3;
tel
";

/// Each row is a test.
fn suite(header: &str, rows: &[&str]) -> String {
    let row = |row: &&str| row.chars().map(String::from).collect::<Vec<_>>().join(",");
    format!("{header}\n{}\n", rows.iter().map(row).collect::<Vec<_>>().join("\n\n"))
}

fn masking() -> Bench {
    let header = "in_1,in_2,in_3";
    Bench::new(&[
        ("masking.lus", MASKING),
        ("first.csv", &suite(header, &["TFF", "FTF", "FFT", "TTT"])),
        ("second.csv", &suite(header, &["TFT", "FTT", "FFT", "TFF"])),
    ])
}

fn json(bench: &Bench, arguments: &str) -> Value {
    let text = bench.run(&format!("measure {arguments} --no-store --format json"), 0);
    serde_json::from_str(&text).unwrap()
}

/// How many obligations of a criterion are covered, of how many.
fn covered(result: &Value, criterion: &str) -> (usize, usize) {
    let all = result["obligations"].as_array().unwrap().iter();
    let all: Vec<_> = all.filter(|one| one["criterion"] == criterion).collect();
    let covered = all.iter().filter(|one| one["verdict"] == "covered").count();
    (covered, all.len())
}

/// The command with what it prints.
fn session(bench: &Bench, arguments: &str) -> String {
    format!("$ obligato {arguments}\n{}", bench.run(arguments, 0))
}

#[test]
fn measuring_prints_as_its_golden_files_say() {
    let bench = cabin();
    let every = "measure cabin.lus --tests cabin.csv --criterion all,mcdc:unique-cause --no-store";
    assert_golden("measure_cabin.txt", &session(&bench, every));
    let list = "measure cabin.lus --tests cabin.csv --inline --criterion branch,omcdc \
                --observe cabin/held.steps,locked --list --table --no-store";
    assert_golden("measure_cabin_list.txt", &session(&bench, list));
    let compared = "measure masking.lus --tests first.csv --criterion mcdc,omcdc:all,obvc:all \
                    --matrix --no-store";
    assert_golden("measure_masking.txt", &session(&masking(), compared));
}

#[test]
fn both_test_sets_of_paper_001_table_i_give_mcdc_but_only_the_second_observable_mcdc() {
    let bench = masking();
    for (suite, observed) in [("first", 6), ("second", 8)] {
        let arguments = format!("masking.lus --tests {suite}.csv --criterion mcdc,omcdc:all");
        let result = json(&bench, &arguments);
        assert_eq!(covered(&result, "mcdc"), (8, 8));
        for criterion in ["omcdc", "omcdc:tags", "omcdc:exact"] {
            assert_eq!(covered(&result, criterion), (observed, 8), "{suite} {criterion}");
        }
    }
}

#[test]
fn what_is_observed_decides_and_is_said() {
    let bench = masking();
    let first = "masking.lus --tests first.csv --criterion omcdc";
    for (observe, names, expected) in [
        ("", vec!["out_1"], 6),
        ("--observe outputs", vec!["out_1"], 6),
        ("--observe expr_1", vec!["expr_1"], 4),
        ("--observe outputs,expr_1", vec!["out_1", "expr_1"], 8),
        ("--observe maximum", vec!["in_1", "in_2", "in_3", "expr_1", "out_1"], 8),
        ("--observe all", vec!["in_1", "in_2", "in_3", "expr_1", "out_1"], 8),
    ] {
        let result = json(&bench, &format!("{first} {observe}"));
        let mut found: Vec<&str> = result["observed"]
            .as_array()
            .unwrap()
            .iter()
            .map(|name| name.as_str().unwrap())
            .collect();
        found.sort_unstable();
        let mut names = names;
        names.sort_unstable();
        assert_eq!(found, names, "{observe}");
        assert_eq!(covered(&result, "omcdc").0, expected, "{observe}");
    }
    let said = bench.complaint(&format!("measure {first} --observe expr_2 --no-store"));
    let expected =
        "obligato: error: masking.lus: there is no variable 'expr_2' to observe; there are ";
    assert!(said.starts_with(expected), "{said}");
}

#[test]
fn the_semantics_are_compared_both_ways() {
    let model = "node main(c: bool) returns (o: int);\nlet\n  o = if c then 0 else 0;\ntel\n";
    let bench = Bench::new(&[("arms.lus", model), ("s.csv", "c\nT\n\nF\n")]);
    let result = json(&bench, "arms.lus --tests s.csv --criterion omcdc:all");
    let row = |first: &str, second: &str, first_only: usize, second_only: usize| {
        serde_json::json!({
            "first": first, "second": second, "both": 0, "first_only": first_only,
            "second_only": second_only, "neither": 2 - first_only - second_only,
        })
    };
    assert_eq!(
        result["comparisons"],
        serde_json::json!([
            row("omcdc", "omcdc:tags", 0, 2),
            row("omcdc", "omcdc:exact", 0, 0),
            row("omcdc:tags", "omcdc:exact", 2, 0),
        ])
    );
    let text = bench.run("measure arms.lus --tests s.csv --criterion omcdc:all -q --no-store", 0);
    assert!(text.contains("\ntags          2           2           -           2\n"), "{text}");
    assert!(text.contains("imply each other neither way"), "{text}");
    let alone = bench.run("measure arms.lus --tests s.csv --criterion omcdc -q --no-store", 0);
    assert!(!alone.contains("neither way"), "{alone}");
    // Where paths meet again, each masks the other, and yet both change together.
    let model = "node main(a, b: bool) returns (o: bool);\nvar v, w: bool;\n\
                 let v = a or b; w = v; o = v and w; tel\n";
    let bench = Bench::new(&[("meet.lus", model), ("s.csv", "a,b\nF,F\n")]);
    let result = json(&bench, "meet.lus --tests s.csv --criterion omcdc:tags,omcdc:exact");
    assert_eq!(result["comparisons"][0]["first_only"], 0);
    assert_eq!(result["comparisons"][0]["second_only"], 2);
}

#[test]
fn a_decision_is_measured_as_judge_judges_it() {
    let header = "a,b,c,d";
    let criteria = "--criterion decision,condition,cdc,mcc,mcdc:all --no-store --format json";
    let mut seed = 7_u32;
    for text in [
        "a",
        "not a and b",
        "(a and b) or (a and c)",
        "a xor (b xor c)",
        "(a => b) = (c or d)",
        "if a then b else c and d",
        "not (a or not (b and (c xor d)))",
        "if a xor b then c => d else d and not a",
    ] {
        let model =
            format!("node main(a, b, c, d: bool) returns (o: bool);\nlet o = {text}; tel\n");
        for tests in 1..8 {
            let rows: Vec<String> = (0..tests)
                .map(|_| {
                    seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                    (24..28).map(|bit| if seed >> bit & 1 == 1 { 'T' } else { 'F' }).collect()
                })
                .collect();
            let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
            let bench = Bench::new(&[
                ("m.lus", &model),
                ("m.decisions", text),
                ("s.csv", &suite(header, &rows)),
            ]);
            let of = |command: &str| -> Vec<(String, String, String)> {
                let text = bench.run(&format!("{command} --tests s.csv {criteria}"), 0);
                let result: Value = serde_json::from_str(&text).unwrap();
                let all = result["obligations"].as_array().unwrap().iter();
                let field = |one: &Value, name: &str| one[name].to_string();
                let verdict =
                    |one| (field(one, "criterion"), field(one, "text"), field(one, "tests"));
                all.map(verdict).collect()
            };
            assert_eq!(of("measure m.lus"), of("judge m.decisions"), "{text} {rows:?}");
        }
    }
}

#[test]
fn the_result_is_stored_and_two_runs_and_two_spellings_give_the_same_bytes() {
    let bench = cabin();
    let arguments = "--tests cabin.csv --criterion all,omcdc:all --format json";
    let first = bench.run(&format!("measure cabin.lus {arguments}"), 0);
    assert_eq!(bench.read(".obligato/result.json"), first);
    assert!(obligato_store::result::parse(first.as_bytes()).is_ok());
    assert_eq!(bench.run(&format!("measure ./cabin.lus {arguments} --no-store"), 0), first);
    let again = "measure cabin.lus --tests .obligato/suite.json --criterion all,omcdc:all";
    // The stored suite expects what was seen, and so its tests pass.
    let passed = "  \"outcomes\": {\"passed\": [0, 1], \"failed\": []},\n";
    let second = bench.run(&format!("{again} --no-store --format json"), 0);
    assert!(second.replacen(passed, "", 1) == first, "{second}");
    let said = bench.run("measure cabin.lus --tests cabin.csv --store kept", 0);
    assert!(said.contains("\nStored in kept/result.json, with suite.json beside it\n"), "{said}");
}

#[test]
fn expected_outputs_and_shown_variables_may_stand_in_the_suite() {
    let bench = cabin();
    bench.run("run cabin.lus --tests cabin.csv --show locked -q -o full.csv", 0);
    let plain = json(&bench, "cabin.lus --tests cabin.csv --observe outputs,locked");
    let full = json(&bench, "cabin.lus --tests full.csv --observe outputs,locked");
    assert_eq!(plain["obligations"], full["obligations"]);
    assert_eq!(full["outcomes"]["passed"].as_array().unwrap().len(), 2);
}

#[test]
fn an_empty_suite_covers_nothing() {
    let bench = masking();
    fs::write(bench.0.path().join("none.csv"), "in_1,in_2,in_3\n").unwrap();
    let result = json(&bench, "masking.lus --tests none.csv --criterion all");
    let all = result["obligations"].as_array().unwrap();
    assert!(!all.is_empty() && all.iter().all(|one| one["verdict"] == "unresolved"));
}

/// Everything that can go wrong in a step.
const FAULTY: &str = "\
node inner(x: int) returns (y: int);
let
  assert x > -100;
  y = 100 div x;
tel

node main(a: int; s: subrange [0, 5] of int) returns (big: bool);
var n: int;
let
  n = 2 -> pre n * pre n;
  big = inner(a) > s and n > 3;
tel
";

#[test]
fn a_test_that_violates_an_assertion_is_an_error_with_its_line_and_nothing_is_stored() {
    let bench =
        Bench::new(&[("m.lus", FAULTY), ("s.csv", "a,s\n# good\n1,1\n\n# bad\n1,1\n-100,1\n")]);
    for command in ["measure m.lus", "explain m.lus:11"] {
        assert_eq!(
            bench.complaint(&format!("{command} --tests s.csv")),
            "obligato: error: m.lus:3:10: test 'bad' of s.csv violates an assertion at step 1, in main/inner: x > -100\n\
             \x20   assert x > -100;\n\
             \x20          ^\n\
             \x20 help: the model says nothing of such inputs: shorten or mend the test\n"
        );
    }
}

#[test]
fn a_fault_of_the_model_is_measured_and_reported() {
    let bench = Bench::new(&[("m.lus", FAULTY), ("s.csv", "a,s\n# zero\n50,1\n0,1\n")]);
    let text = bench.run("measure m.lus --tests s.csv --criterion decision", 0);
    let fault =
        "! m.lus:4:7: a division by zero in 1 of 1 test, first in 'zero' at step 1, in main/inner";
    assert!(text.contains(fault), "{text}");
    assert!(text.contains("\ndecision         1 "), "{text}");
    let output = bench.output("measure m.lus --tests s.csv --format json");
    assert!(String::from_utf8(output.stderr).unwrap().contains("a division by zero"));
}

#[test]
fn a_value_outside_its_subrange_covers_no_boundary_that_its_type_lacks() {
    let model = "node main(x: bool) returns (ok: bool);\nvar n: subrange [1, 3] of int;\n\
                 let\n  n = 1 -> pre n + 1;\n  ok = x and n <= 3;\ntel\n";
    let bench = Bench::new(&[("m.lus", model), ("s.csv", &format!("x\n{}", "T\n".repeat(5)))]);
    let text = bench.run("measure m.lus --tests s.csv --criterion bvc,obvc:all --no-store", 0);
    assert!(text.contains("a value leaves its subrange in 1 of 1 test"), "{text}");
    assert!(
        text.contains("\nbvc                  2            2          0           0      4\n"),
        "{text}"
    );
}

#[test]
fn a_test_whose_numbers_explode_counts_up_to_there() {
    let rows = "1,1\n".repeat(80);
    let bench = Bench::new(&[("m.lus", FAULTY), ("s.csv", &format!("a,s\n# boom\n{rows}"))]);
    let text = bench.run("measure m.lus --tests s.csv --criterion decision --no-store", 0);
    assert!(text.contains("Given up, because a value exceeded the size limit"), "{text}");
    assert!(text.contains("\n  boom, step "), "{text}");
    assert!(text.contains("\ndecision         2 "), "{text}");
}

#[test]
fn wrong_input_is_refused_and_nothing_is_stored() {
    let bench = Bench::new(&[("m.lus", FAULTY), ("good.csv", "a,s\n1,1\n")]);
    for (name, text, expected) in [
        ("missing.csv", "a\n1\n", "missing.csv:1:1: there is no column for the input 's'"),
        ("extra.csv", "a,s,x\n1,1,1\n", "extra.csv:1:5: the program has no input or output 'x'"),
        ("twice.csv", "a,s,a\n1,1,1\n", "twice.csv:1:5: "),
        ("type.csv", "a,s\n1,1\nT,1\n", "type.csv:3:1: column 'a': 'T' is not"),
        ("range.csv", "a,s\n1,6\n", "range.csv:2:3: column 's': '6' is not"),
        ("cut.json", "{\"format\": \"obligato-suite\"", "cut.json:1:"),
    ] {
        fs::write(bench.0.path().join(name), text).unwrap();
        for command in ["measure m.lus", "explain m.lus:11"] {
            let said = bench.complaint(&format!("{command} --tests {name}"));
            assert!(said.starts_with(&format!("obligato: error: {expected}")), "{said}");
        }
    }
    for (flags, expected) in [
        (
            "--criterion mutation",
            "'mutation' is not measured here, where no mutant runs; use 'obligato mutate'",
        ),
        ("--criterion all,mutation:weak", "'mutation:weak' is not measured here"),
        ("--criterion mcdx", "no criterion is called 'mcdx'; there are statement, branch, "),
        ("--main nix", "nix"),
        ("--from rif", "good.csv:1:1: "),
    ] {
        let said = bench.complaint(&format!("measure m.lus --tests good.csv {flags}"));
        assert!(said.contains(expected), "{said}");
    }
}

#[test]
fn the_next_command_runs_as_it_is_printed() {
    let bench = cabin();
    let rename = |from: &str, to: &str| {
        fs::rename(bench.0.path().join(from), bench.0.path().join(to)).unwrap();
    };
    rename("cabin.csv", "my suite");
    let tool = env!("CARGO_BIN_EXE_obligato");
    let mut next =
        " measure cabin.lus --main cabin --tests 'my suite' --from csv --observe locked".to_owned();
    for expected in [" explain ", " measure "] {
        let run = Command::new("bash")
            .args(["-c", &format!("'{tool}'{next}")])
            .current_dir(bench.0.path())
            .output()
            .unwrap();
        assert!(run.status.success(), "{next}: {}", String::from_utf8_lossy(&run.stderr));
        let text = String::from_utf8(run.stdout).unwrap();
        let line = text.lines().last().unwrap().strip_prefix("Next: obligato").unwrap();
        next = line.split_once("   (").unwrap().0.to_owned();
        assert!(next.starts_with(expected) && next.contains(" --observe locked"), "{next}");
    }
}

#[test]
fn the_microwave_is_measured_in_batches() {
    let model = root().join("../shared/models/kind2/microwave.lus");
    let Ok(text) = fs::read_to_string(model) else { return };
    let digits = (0..10).map(|digit| format!("KP_{digit}"));
    let names: Vec<String> = ["KP_START".to_owned(), "KP_CLEAR".to_owned()]
        .into_iter()
        .chain(digits)
        .chain(["DOOR_CLOSED".to_owned()])
        .collect();
    let mut suite = names.join(",");
    let mut seed = 5_u64;
    for _ in 0..600 {
        suite.push('\n');
        for _ in 0..6 {
            let mut row = Vec::new();
            for name in &names {
                seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                let often = if name == "DOOR_CLOSED" { 7 } else { 2 };
                row.push(if (seed >> 33) % 8 < often { "T" } else { "F" });
            }
            write!(suite, "\n{}", row.join(",")).unwrap();
        }
    }
    let suite = suite.replacen("\n\n", "\n", 1);
    let bench = Bench::new(&[("microwave.lus", &text), ("s.csv", &suite)]);
    let arguments = "microwave.lus --tests s.csv --criterion mcdc,omcdc:strict,omcdc:tags";
    let result = json(&bench, arguments);
    assert_eq!(result["tests"].as_array().unwrap().len(), 600);
    let [mcdc, strict, tags] = ["mcdc", "omcdc", "omcdc:tags"].map(|name| covered(&result, name));
    assert_eq!([mcdc.1, strict.1, tags.1], [1278; 3]);
    assert!(0 < strict.0 && strict.0 < tags.0 && tags.0 < mcdc.0, "{strict:?} {tags:?} {mcdc:?}");
    // Whatever strict tags let pass, tags let pass.
    assert_eq!(result["comparisons"][0]["first_only"], 0);
    assert_eq!(json(&bench, arguments), result);
}
