//! `obligato reduce`: sizes, the suites it writes, and what it refuses.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod support;

use support::Bench;

/// The JSON that a command prints.
fn json(bench: &Bench, arguments: &str) -> serde_json::Value {
    serde_json::from_str(&bench.succeed(&format!("{arguments} --format json"))).unwrap()
}

const XOR: &str = "\
node m(a, b: bool) returns (o, p: bool);
let
  o = a xor b;
  p = a;
tel
";

/// Four rows of which three do, and one more test that does nothing new.
const ROWS: &str = "\
a,b,o
# both
true,true,false

# first
true,false,

# second
false,true,true

# neither
false,false,false

# first again
true,false,true
";

fn xor() -> Bench {
    Bench::new(&[("m.lus", XOR), ("rows.csv", ROWS)])
}

#[test]
fn the_sizes_stand_side_by_side() {
    let text = xor().succeed("reduce m.lus --tests rows.csv");
    let expected = "\
m.lus: node m, rows.csv

mcdc (masking)  6 of 6 obligations covered

            tests    steps
before          5        5
greedy          3        3
random          3        3  smallest of 10: 3 to 3, median 3
exact           3        3  minimum

Each was run again by itself and covers the same 6 obligations
Nothing is written; -o FILE writes the smallest
";
    assert_eq!(text, expected);
}

#[test]
fn the_smaller_suite_keeps_names_order_and_expectations_in_every_format() {
    let bench = xor();
    let expected = json(&bench, "reduce m.lus --tests rows.csv --algorithm greedy");
    let kept = expected["reductions"][0]["kept"].clone();
    for name in ["small.csv", "small.json", "small.rif"] {
        let text =
            bench.succeed(&format!("reduce m.lus --tests rows.csv --algorithm greedy -o {name}"));
        assert!(text.ends_with(&format!("Written: {name} (greedy)\n")), "{text}");
        // All of it is needed, so reducing it again gives the same tests.
        let again = json(&bench, &format!("reduce m.lus --tests {name} --algorithm exact"));
        assert_eq!(again["before"]["tests"], 3, "{name}");
        assert_eq!(again["reductions"][0]["kept"], kept, "{name}");
        assert_eq!(again["criteria"], expected["criteria"], "{name}");
        let run = bench.succeed(&format!("run m.lus --tests {name} --quiet --fail-on-fault"));
        assert!(!run.contains('*'), "{run}");
    }
    assert!(bench.read("small.csv").starts_with("a,b,o\n"), "no column for what nobody expects");
    assert!(bench.read("small.json").contains("\"outputs\""));
    assert_eq!(bench.read("rows.csv"), ROWS);
}

#[test]
fn an_expectation_that_the_model_does_not_meet_stays_in_the_suite() {
    let wrong = ROWS
        .replace("true,true,false", "true,true,true")
        .replace("true,false,\n", "true,false,false\n");
    let bench = Bench::new(&[("m.lus", XOR), ("rows.csv", &wrong)]);
    for name in ["small.csv", "small.json", "small.rif"] {
        bench.succeed(&format!("reduce m.lus --tests rows.csv -o {name}"));
        let output = bench.output(&format!("run m.lus --tests {name} --quiet --fail-on-fault"));
        assert_eq!(output.status.code(), Some(5), "{name}");
    }
}

#[test]
fn the_same_seed_gives_the_same_bytes() {
    let bench = xor();
    let command = "reduce m.lus --tests rows.csv --algorithm random --seed 5 --reductions 3";
    let first = json(&bench, &format!("{command} -o one.csv"));
    let second = json(&bench, &format!("{command} -o two.csv"));
    assert_eq!(first, second);
    assert_eq!(bench.read("one.csv"), bench.read("two.csv"));
    assert_eq!(first["reductions"][0]["sizes"].as_array().unwrap().len(), 3);
    assert_eq!(first["written"], "random");
}

#[test]
fn a_suite_without_tests_or_without_coverage_is_reduced_to_nothing() {
    let opposite = "a,b\n# first\ntrue,false\n\n# second\nfalse,true\n";
    let model = "node m(a, b: bool) returns (o: bool); let o = a xor b; tel\n";
    let bench = Bench::new(&[("m.lus", model), ("none.csv", "a,b\n"), ("opposite.csv", opposite)]);
    let text = bench.succeed("reduce m.lus --tests none.csv -o still.csv");
    assert!(text.contains("The suite has no tests: there is nothing to leave out"), "{text}");
    assert_eq!(bench.read("still.csv"), "a,b\n");
    let text = bench.succeed("reduce m.lus --tests opposite.csv");
    assert!(text.contains("0 of 4 obligations covered"), "{text}");
    assert!(text.contains("exact           0        0  minimum"), "{text}");
    assert!(text.contains("covers none of these obligations"), "{text}");
}

#[test]
fn a_test_that_violates_an_assertion_is_refused_with_its_place() {
    let model = "\
node m(a, b: bool) returns (o: bool);
let
  assert not (a and b);
  o = a or b;
tel
";
    let suite = "a,b\n# fine\ntrue,false\n\n# not so\nfalse,false\ntrue,true\n";
    let bench = Bench::new(&[("m.lus", model), ("suite.csv", suite)]);
    let text = bench.complaint("reduce m.lus --tests suite.csv -o small.csv");
    let expected = "m.lus:3:10: test 'not so' of suite.csv violates an assertion at step 1, in m";
    assert!(text.contains(expected), "{text}");
    assert!(text.contains("help: the model says nothing of such inputs"), "{text}");
}

#[test]
fn wrong_arguments_are_refused_before_anything_is_written() {
    let bench = xor();
    for (arguments, expected) in [
        ("-o small.txt", "let its name end in .csv, .json or .rif"),
        ("--budget 10", "it ends in a unit: ms, s, m, h or conflicts"),
        ("--criterion mutation", "where no mutant runs"),
        ("--criterion nonsense", "nonsense"),
        ("--algorithm best", "best"),
        ("--reductions 0", "0"),
    ] {
        let text = bench.complaint(&format!("reduce m.lus --tests rows.csv {arguments}"));
        assert!(text.contains(expected), "{arguments}: {text}");
    }
}

#[test]
fn the_longest_budget_and_none_at_all_are_budgets() {
    let bench = xor();
    for budget in ["18446744073709551615s", "18446744073709551615m", "0s", "0conflicts"] {
        let command = format!("reduce m.lus --tests rows.csv --algorithm exact --budget {budget}");
        let report = json(&bench, &command);
        let reduced = &report["reductions"][0];
        assert_eq!(reduced["tests"], 3);
        assert!(reduced["at_least"].as_u64().unwrap() <= 3, "{budget}: {reduced}");
    }
}

/// A function that latches, and others beside it.
const LATCH: &str = "\
static int on;
int latch(int set, int reset) { if (set && !reset) on = 1; else if (reset) on = 0; return on; }
int other(int x) { return x > 0; }
";

/// Each condition has its pair twice; what is expected of the latch stands with some.
const LATCHED: &str = "\
set,reset,return
# on
1,0,1

# on again
1,0,

# both
1,1,0

# neither
0,0,0

# reset
0,1,0

# long
0,0,
1,0,1
0,0,1
0,1,0
";

fn latch() -> Bench {
    Bench::new(&[("latch.c", LATCH), ("latch.csv", LATCHED)])
}

#[test]
fn tests_of_a_c_function_are_reduced_by_every_algorithm() {
    let text = latch().succeed("reduce latch.c --function latch --tests latch.csv");
    let expected = "\
latch.c: function latch, latch.csv

mcdc (masking)  8 of 8 obligations covered

            tests    steps
before          6        9
greedy          2        5
random          2        5  smallest of 10: 2 to 4, median 3
exact           2        5  minimum
";
    assert!(text.contains("run as machine code as well"), "{text}");
    assert!(text.ends_with("Nothing is written; -o FILE writes the smallest\n"), "{text}");
    assert!(text.contains(expected), "{text}");
}

#[test]
fn the_smaller_suite_of_a_c_function_covers_the_same_and_keeps_what_it_expects() {
    let bench = latch();
    let reduce = "reduce latch.c --function latch";
    let first = json(&bench, &format!("{reduce} --tests latch.csv --criterion mcdc,decision"));
    assert_eq!((&first["unit"], &first["function"]), (&"latch.c".into(), &"latch".into()));
    assert!(first.get("model").is_none(), "{first}");
    let coverage = |tests: &str| {
        let measured = bench.succeed(&format!(
            "measure latch.c --function latch --tests {tests} --criterion mcdc,decision --format json"
        ));
        let measured: serde_json::Value = serde_json::from_str(&measured).unwrap();
        let all = measured["obligations"].as_array().unwrap().clone();
        all.iter().map(|one| one["verdict"].clone()).collect::<Vec<_>>()
    };
    let whole = coverage("latch.csv");
    for algorithm in ["greedy", "random", "exact"] {
        for small in ["small.csv", "small.json"] {
            bench.succeed(&format!(
                "{reduce} --tests latch.csv --criterion mcdc,decision --algorithm {algorithm} -o {small}"
            ));
            assert_eq!(coverage(small), whole, "{algorithm} {small}");
            let run = bench.succeed(&format!("run latch.c --function latch --tests {small}"));
            assert!(!run.contains('*'), "{run}");
        }
    }
    let small = bench.read("small.csv");
    assert!(small.starts_with("set,reset,return\n# "), "{small}");
    assert!(small.contains("1,0,1\n"), "{small}");
    assert_eq!(bench.read("latch.csv"), LATCHED);
}

#[test]
fn a_c_file_with_several_functions_asks_which_one() {
    let text = latch().complaint("reduce latch.c --tests latch.csv");
    assert!(text.contains("--function"), "{text}");
}
