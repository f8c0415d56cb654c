//! `obligato experiment`: what it writes, that it is repeatable, and what it refuses.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};

use obligato_test_support::crate_directory;
use tempfile::TempDir;

/// The effect of `a and b` is seen only with `open`, one step later; `inner` is intermediate.
const GATE: &str = "\
node gate(a, b, open: bool) returns (y: bool);
var inner, kept: bool;
let
  inner = a and b;
  kept = false -> pre inner;
  y = kept and open;
tel
";

/// Two tests show the gate's decision, two more its effect.
const GATE_SUITE: &str = "\
a,b,open
# both
T,T,F
F,F,F

# a alone, closed
T,F,F
F,F,F

# b alone, closed
F,T,F
F,F,F

# both, open
T,T,F
F,F,T

# a alone, open
T,F,F
F,F,T

# b alone, open
F,T,T
F,T,T

# open at once
T,T,T
T,T,T
T,T,F
";

const SUM: &str = "\
node sum(x: int; reset: bool) returns (total: int; high: bool);
let
  total = if reset then 0 else (0 -> pre total) + x;
  high = total > 3 and not reset;
  assert x >= 0;
tel
";

const SUM_SUITE: &str = "\
x,reset
1,F
2,F

4,F
4,T

3,F
1,F
0,T

0,F
";

struct Bench(TempDir);

impl Bench {
    fn new() -> Self {
        let bench = Self(tempfile::tempdir().unwrap());
        for (name, text) in
            [("gate.lus", GATE), ("gate.csv", GATE_SUITE), ("sum.lus", SUM), ("sum.csv", SUM_SUITE)]
        {
            bench.write(name, text);
        }
        bench
    }

    fn write(&self, name: &str, text: &str) {
        fs::write(self.0.path().join(name), text).unwrap();
    }

    fn output(&self, arguments: &str) -> Output {
        Command::new(env!("CARGO_BIN_EXE_obligato"))
            .arg("experiment")
            .args(arguments.split_whitespace())
            .current_dir(self.0.path())
            .env("NO_COLOR", "1")
            .output()
            .unwrap()
    }

    #[track_caller]
    fn run(&self, arguments: &str) -> String {
        let output = self.output(arguments);
        let complaint = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(0), "{arguments}: {complaint}");
        String::from_utf8(output.stdout).unwrap()
    }

    /// The complaint about wrong input; nothing may be printed or written.
    #[track_caller]
    fn complaint(&self, arguments: &str) -> String {
        let output = self.output(&format!("{arguments} -o results"));
        let text = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{text}");
        assert_eq!(String::from_utf8_lossy(&output.stdout), "");
        assert!(!self.0.path().join("results").exists());
        text
    }

    /// All files of a directory, with their names, as one text.
    fn all(&self, directory: &str) -> String {
        let entries = fs::read_dir(self.0.path().join(directory)).unwrap();
        let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
        paths.sort();
        let one = |path: &PathBuf| {
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            format!("==== {name}\n{}", fs::read_to_string(path).unwrap())
        };
        paths.iter().map(one).collect()
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.0.path().join(name)).unwrap()
    }
}

#[track_caller]
fn assert_golden(name: &str, found: &str) {
    let path = crate_directory().join("tests/golden").join(name);
    obligato_test_support::assert_golden(&path, found);
}

const BOTH: &str = "gate.lus sum.lus --tests gate.csv sum.csv --reductions 4 --seed 3";

#[test]
fn a_small_experiment_is_as_its_golden_files_say() {
    let bench = Bench::new();
    assert_golden("experiment.txt", &bench.run(&format!("{BOTH} -o results")));
    let files = bench.all("results");
    assert_golden("experiment_files.txt", &files);
    let names: Vec<&str> = files.lines().filter_map(|line| line.strip_prefix("==== ")).collect();
    let expected = [
        "comparisons.csv",
        "coverage.csv",
        "experiment.md",
        "killed-gate.svg",
        "killed-sum.svg",
        "models.csv",
        "size-gate.svg",
        "size-sum.svg",
        "suites.csv",
    ];
    assert_eq!(names, expected);
}

#[test]
fn the_same_seed_gives_the_same_bytes_and_another_does_not() {
    let bench = Bench::new();
    let random = "gate.lus sum.lus --random 300x3 --count 20";
    for (directory, seed) in [("one", 1), ("again", 1), ("two", 2)] {
        bench.run(&format!("{random} --seed {seed} -o {directory}"));
    }
    assert_eq!(bench.all("one"), bench.all("again"));
    assert_ne!(bench.read("one/suites.csv"), bench.read("two/suites.csv"));
}

#[test]
fn what_is_found_of_a_model_does_not_depend_on_the_others() {
    let bench = Bench::new();
    bench.run(&format!("{BOTH} -o both"));
    bench.run("sum.lus --tests sum.csv --reductions 4 --seed 3 -o alone");
    let both = bench.read("both/suites.csv");
    let of_sum = |text: &str| -> Vec<String> {
        text.lines().filter(|line| line.starts_with("sum,")).map(str::to_owned).collect()
    };
    assert!(!of_sum(&both).is_empty());
    assert_eq!(of_sum(&both), of_sum(&bench.read("alone/suites.csv")));
}

#[test]
fn a_model_that_inlining_leaves_as_it_is_comes_out_the_same_in_both_structures() {
    let bench = Bench::new();
    bench.run(&format!("{BOTH} -o results"));
    let suites = bench.read("results/suites.csv");
    let rows = |prefix: &str| -> Vec<String> {
        suites.lines().filter_map(|line| line.strip_prefix(prefix)).map(str::to_owned).collect()
    };
    assert!(!rows("sum,written,").is_empty());
    assert_eq!(rows("sum,written,"), rows("sum,inlined,"));
    assert_ne!(rows("gate,written,"), rows("gate,inlined,"));
}

#[test]
fn reduced_suites_cover_what_the_pool_covers_and_kill_no_more_than_it() {
    let bench = Bench::new();
    bench.run("gate.lus --tests gate.csv --oracle outputs --structure written -o results");
    let cells = |name: &str| -> Vec<Vec<String>> {
        let text = bench.read(&format!("results/{name}"));
        text.lines().skip(1).map(|row| row.split(',').map(str::to_owned).collect()).collect()
    };
    let killed_by_all: usize = cells("models.csv")[0][14].parse().unwrap();
    let coverage = cells("coverage.csv");
    let suites = cells("suites.csv");
    assert_eq!(suites.len(), 2 * 2 * 10);
    for suite in suites {
        let criterion = coverage.iter().find(|row| row[2] == suite[2]).unwrap();
        assert!(suite[3] != "reduced" || suite[7] == criterion[4], "{suite:?}");
        assert!(suite[9].parse::<usize>().unwrap() <= killed_by_all);
    }
}

#[test]
fn suites_are_found_in_a_directory_by_the_names_of_models() {
    let bench = Bench::new();
    fs::create_dir(bench.0.path().join("suites")).unwrap();
    bench.write("suites/gate.csv", GATE_SUITE);
    let complaint = bench.complaint("gate.lus sum.lus --tests suites");
    assert!(complaint.contains("'suites' has no suite for 'sum.lus'"), "{complaint}");
    bench.write("suites/sum.csv", SUM_SUITE);
    bench.run("gate.lus sum.lus --tests suites --reductions 4 --seed 3 -o found");
    bench.run(&format!("{BOTH} -o named"));
    assert_eq!(bench.all("found"), bench.all("named"));
}

#[test]
fn random_tests_that_violate_an_assertion_are_dropped_and_counted() {
    let bench = Bench::new();
    bench.run("sum.lus --random 200x2 -o results");
    let models = bench.read("results/models.csv");
    let cells: Vec<&str> = models.lines().nth(1).unwrap().split(',').collect();
    let [tests, dropped] = [cells[8], cells[10]].map(|cell| cell.parse::<usize>().unwrap());
    assert_eq!(tests + dropped, 200);
    assert!(dropped > 50, "{dropped}");
}

#[test]
fn wrong_input_names_the_model_and_writes_nothing() {
    let bench = Bench::new();
    bench.write("none.csv", "a,b,open\n");
    bench.write("blind.lus", "node n(x: bool) returns (); var y: bool; let y = x; tel\n");
    bench.write("blind.csv", "x\nT\n");
    bench.write("outside.csv", "x,reset\n# good\n1,F\n\n# bad\n1,F\n-1,F\n");
    bench.write("file", "");
    for (arguments, words) in [
        ("gate.lus --tests none.csv", "gate.lus with none.csv: the suite has no tests"),
        ("gate.lus", "missing --tests"),
        ("gate.lus sum.lus --tests gate.csv", "2 models, but 1 suites"),
        ("gate.lus sum.lus --tests sum.csv gate.csv", "a suite for 'gate.lus' is needed here"),
        (
            "sum.lus --tests outside.csv",
            "sum.lus with outside.csv: test 'bad' violates an assertion at step 1",
        ),
        ("gate.lus --tests gate.csv --criterion mutation", "cannot be reduced for 'mutation'"),
        ("gate.lus --tests gate.csv --reductions 65", "expected a number from 1 to 64"),
        ("gate.lus --tests missing.csv", "missing.csv: there is no such file; "),
        ("gate.lus --random 5", "such as 200x20"),
        ("blind.lus --tests blind.csv", "blind.lus with blind.csv: the model has no outputs"),
    ] {
        let complaint = bench.complaint(arguments);
        assert!(complaint.contains(words), "{arguments}: {complaint}");
    }
    let output = bench.output("gate.lus --tests gate.csv -o file");
    assert_eq!(output.status.code(), Some(2), "{output:?}");
}

/// The rows of a CSV file, by the names of their columns.
fn rows(text: &str) -> Vec<std::collections::HashMap<String, String>> {
    let mut lines = text.lines().map(|line| line.split(',').map(str::to_owned));
    let header: Vec<String> = lines.next().unwrap().collect();
    lines.map(|cells| header.iter().cloned().zip(cells).collect()).collect()
}

#[test]
fn suites_are_made_in_the_same_command_and_held_against_random_ones_of_the_same_length() {
    let bench = Bench::new();
    // What `b` is never matters.
    bench.write(
        "idle.lus",
        "node idle(go: bool; b: int) returns (o: bool); let o = go or (go and b > 3); tel\n",
    );
    let asked = "gate.lus sum.lus idle.lus --generate 60000 --equivalence 300000 --reductions 3";
    let first = bench.run(&format!("{asked} -o first"));
    assert_eq!(bench.run(&format!("{asked} -o second")).replace("second", "first"), first);
    assert_eq!(bench.all("first"), bench.all("second"));

    let suites = rows(&bench.read("first/suites.csv"));
    let of = |choice: &'static str| suites.iter().filter(move |row| row["choice"] == choice);
    assert!(of("reduced").count() > 0);
    for (reduced, random) in of("reduced").zip(of("random")) {
        for column in ["model", "structure", "criterion", "suite", "oracle", "tests", "steps"] {
            assert_eq!(reduced[column], random[column]);
        }
    }
    // All that can be covered is, so that all suites for a criterion cover the same.
    for row in rows(&bench.read("first/coverage.csv")) {
        let made = of("reduced").filter(|suite| {
            ["model", "structure", "criterion"].iter().all(|column| suite[*column] == row[*column])
        });
        assert!(made.into_iter().all(|suite| suite["covered"] == row["covered"]), "{row:?}");
    }
    let models = rows(&bench.read("first/models.csv"));
    let number = |row: &std::collections::HashMap<String, String>, column: &str| -> usize {
        row[column].parse().unwrap()
    };
    let idle = models.iter().filter(|row| row["model"] == "idle");
    assert!(idle.into_iter().all(|row| number(row, "equivalent") > 0));
    for row in &models {
        assert!(number(row, "killed") + number(row, "equivalent") <= number(row, "mutants"));
    }
    assert!(bench.read("first/experiment.md").contains("| a suite is made within | 60000 units"));
}

#[test]
fn a_pool_and_made_suites_do_not_go_together() {
    let bench = Bench::new();
    let said = bench.complaint("gate.lus --tests gate.csv --generate 1000");
    assert!(said.contains("cannot be used with"), "{said}");
}
