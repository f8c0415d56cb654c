//! `obligato run`: sessions, formats in and out, and what is found.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fmt::Write as _;
use std::fs;

mod support;

use support::{Bench, assert_golden, cabin};

/// A bit of everything that can be found.
const FAULTY: &str = "\
type mode = enum { Off, On };
type pair = struct { re: real; n: int };

node inner(x: int) returns (y: int);
let
  assert x > -100;
  y = 100 div x;
tel

node main(a: int; m: mode; r: real; p: pair)
returns (q: int; s: subrange [0, 5] of int; z: real; k: mode; e: int);
var t: int^3; u: int;
let
  t = [1, 2, 3];
  u = pre a;
  q = inner(a) + inner(a + 1);
  s = a;
  z = r / 3.0 + p.re;
  k = if a > 3 then On else m;
  e = t[p.n];
  --%PROPERTY \"q is small\" q < 60;
  --%MAIN;
tel
";

const FAULTY_SUITE: &str = "\
a,m,r,p.re,p.n,q,s,k
2,Off,1/3,0,0,,2,Off
0,On,0.1,1e-2,1,,,
5,Off,2,0.5,7,36,5,Off

# out of bounds
4,On,1,0,2,45,4,On
-200,,,,,1,1,
2,,,,,1,1,

# fine
4,,,,,45,,On
";

fn faulty() -> Bench {
    Bench::new(&[("faulty.lus", FAULTY), ("suite.csv", FAULTY_SUITE)])
}

#[test]
fn a_run_prints_as_its_golden_files_say() {
    let bench = faulty();
    for (name, arguments) in [
        ("run_table.txt", "run faulty.lus --tests suite.csv --show u,t,main/inner#2.y"),
        ("run.csv", "run faulty.lus --tests suite.csv --format csv"),
        ("run.json", "run faulty.lus --tests suite.csv --format json"),
        ("run.rif", "run faulty.lus --tests suite.csv --format rif --show main/inner.y"),
        ("run.kind2.json", "run faulty.lus --tests suite.csv --format kind2"),
    ] {
        assert_golden(name, &bench.run(arguments, 5));
    }
}

#[test]
fn what_is_found_is_said_beside_a_result_on_standard_output() {
    let bench = faulty();
    let output = bench.output("run faulty.lus --tests suite.csv --format csv");
    let beside = String::from_utf8(output.stderr).unwrap();
    assert!(beside.starts_with("warning: faulty.lus:15:7: 'pre' has no value"), "{beside}");
    assert!(beside.contains("! faulty.lus:20:"), "{beside}");
    assert!(beside.contains("Not as the suite expects:\n  t1, step 2: k is On"), "{beside}");
    let silent = bench.output("run faulty.lus --tests suite.csv --format json --quiet");
    assert_eq!(String::from_utf8(silent.stderr).unwrap(), "");
}

#[test]
fn every_format_reads_back_without_a_difference() {
    for (bench, model) in [(faulty(), "faulty"), (cabin(), "cabin")] {
        let suite = if model == "cabin" { "cabin.csv" } else { "suite.csv" };
        for format in ["csv", "json", "rif"] {
            let (first, second) = (format!("a.{format}"), format!("b.{format}"));
            bench.run(&format!("run {model}.lus --tests {suite} -q --no-fail -o {first}"), 0);
            let said = bench.run(&format!("run {model}.lus --tests {first} -o {second}"), 0);
            assert!(said.contains(", 0 differences\n"), "{format}: {said}");
            if format != "json" {
                assert_eq!(bench.read(&first), bench.read(&second));
            }
            // Whatever is shown is expected, too.
            let show = "--show t,main/inner.y,u";
            let show = if model == "cabin" { "--show demand,cabin/held.steps" } else { show };
            bench
                .run(&format!("run {model}.lus --tests {suite} -q --no-fail {show} -o {first}"), 0);
            let said = bench.run(&format!("run {model}.lus --tests {first} {show} -o {second}"), 0);
            assert!(said.contains(", 0 differences\n"), "{format}: {said}");
        }
    }
}

#[test]
fn the_inputs_go_to_kind_2_and_come_back() {
    let bench = faulty();
    bench.run("run faulty.lus --tests suite.csv -q --no-fail --format kind2 -o k.json", 0);
    bench.run("run faulty.lus --tests k.json -q -o k.csv", 0);
    bench.run("run faulty.lus --tests suite.csv -q --no-fail -o a.csv", 0);
    let unnamed = |text: String| {
        text.lines().filter(|line| !line.starts_with('#')).map(|line| format!("{line}\n")).collect()
    };
    let (one, other): (String, String) =
        (unnamed(bench.read("a.csv")), unnamed(bench.read("k.csv")));
    assert_eq!(one, other);
}

#[test]
fn the_format_of_a_suite_can_be_said() {
    let bench = cabin();
    fs::copy(bench.0.path().join("cabin.csv"), bench.0.path().join("suite.txt")).unwrap();
    let said = bench.complaint("run cabin.lus --tests suite.txt");
    assert!(said.contains("suite.txt:1:1: this is not JSON"), "{said}");
    bench.run("run cabin.lus --tests suite.txt --from csv", 0);
}

#[test]
fn a_fault_ends_with_5_only_on_request() {
    let bench = faulty();
    bench.run("run faulty.lus --tests suite.csv --no-fail", 0);
    bench.run("run faulty.lus --tests suite.csv --no-fail --quiet -o found.csv", 0);
    // What was found is expected now, and only the model is at fault.
    bench.run("run faulty.lus --tests found.csv", 0);
    bench.run("run faulty.lus --tests found.csv --fail-on-fault", 5);
    // A test that violates an assertion is no fault of the model.
    let outside = "a,m,r,p.re,p.n\n-200,Off,0,0,0\n";
    fs::write(bench.0.path().join("outside.csv"), outside).unwrap();
    let said = bench.run("run faulty.lus --tests outside.csv --fail-on-fault", 0);
    assert!(said.contains("from that step on these are no tests of this model"), "{said}");
    let cabin = cabin();
    cabin.run("run cabin.lus --tests cabin.csv --fail-on-fault", 0);
    let wrong = "cold,door_open,reset,wanted,measured,heating\nT,F,F,20,18,F\n";
    fs::write(cabin.0.path().join("wrong.csv"), wrong).unwrap();
    let said = cabin.run("run cabin.lus --tests wrong.csv --fail-on-fault", 5);
    assert!(said.contains("  t1, step 0: heating is true, expected false\n"), "{said}");
}

#[test]
fn wrong_input_is_shown_with_its_line_and_nothing_is_written() {
    let bench = cabin();
    let header = "cold,door_open,reset,wanted,measured\n";
    for (name, text, expected) in [
        ("a.csv", "cold,nix\n".to_owned(), "a.csv:1:6: the program has no input or output 'nix'\n"),
        ("b.csv", "cold\n".to_owned(), "b.csv:1:1: there is no column for the input 'door_open'"),
        ("c.csv", format!("{header}T,F,F,1,2\n\nT,F,F,1,x\n"), "c.csv:4:9: column 'measured': 'x'"),
        ("d.json", "[{}]".to_owned(), "d.json:1:2: this step has no value for the input 'cold'\n"),
        ("e.rif", "T F F 1 x".to_owned(), "e.rif:1:9: variable 'measured': 'x' is not a value"),
        ("f.csv", format!("{header}T,F,F,1.5,2\n"), "f.csv:2:7: column 'wanted': '1.5' is not"),
    ] {
        fs::write(bench.0.path().join(name), text).unwrap();
        let said = bench.complaint(&format!("run cabin.lus --tests {name} -o out.csv"));
        assert!(said.starts_with(&format!("obligato: error: {expected}")), "{said}");
        assert_eq!(said.lines().count(), 3, "{said}");
    }
    let said = bench.complaint("run cabin.lus --tests cabin.csv --show lokced");
    assert!(said.contains("there is no variable 'lokced' to show; there are cold,"), "{said}");
    let said = bench.complaint("run cabin.lus --tests cabin.csv --main nix");
    assert!(said.contains("nix"), "{said}");
}

#[test]
fn another_node_can_be_run() {
    let bench = cabin();
    fs::write(bench.0.path().join("held.csv"), "on,steps\nT,1\nT,2\nF,0\nT,1\n").unwrap();
    let said = bench.run("run cabin.lus --main held --tests held.csv", 0);
    assert!(said.contains("node held, 1 test, 4 steps; 0 checks failed, 0 differences"), "{said}");
}

#[test]
fn the_program_of_paper_000_runs_as_its_table_ii_says() {
    let model = "node main(in1, in2, in3: bool) returns (out: bool);\n\
                 var v1, v2, v3, v4: bool;\n\
                 let v1 = false -> pre in1; v2 = in2 and v1; v3 = false -> pre v2;\n\
                 v4 = if in3 then v2 else v3; out = false -> pre v4; tel\n";
    let suite = "in1,in2,in3,v1,v2,v3,v4,out\n\
                 T,F,F,F,F,F,F,F\nF,T,F,T,T,F,F,F\nF,F,F,F,F,T,T,F\nF,F,F,F,F,F,F,T\n";
    let bench = Bench::new(&[("paper.lus", model), ("table_ii.csv", suite)]);
    let said =
        bench.run("run paper.lus --tests table_ii.csv --show v1,v2,v3,v4 --fail-on-fault", 0);
    assert!(said.ends_with("1 test, 4 steps; 0 checks failed, 0 differences\n"), "{said}");
    let wrong = suite.replace("T,T,F,F,F\n", "T,T,F,T,F\n");
    fs::write(bench.0.path().join("wrong.csv"), wrong).unwrap();
    bench.run("run paper.lus --tests wrong.csv --show v1,v2,v3,v4 --fail-on-fault", 5);
}

#[test]
fn a_test_whose_numbers_explode_is_given_up_and_said_so() {
    let model = "node main(x: int) returns (y: int); let y = x -> (pre y) * (pre y); tel\n";
    let row = |first: &str| format!("{first}\n{}", "0\n".repeat(70));
    let suite = format!("x\n# boom\n{}\n# calm\n{}", row("3"), row("1"));
    let bench = Bench::new(&[("m.lus", model), ("s.csv", &suite)]);
    let said = bench.run("run m.lus --tests s.csv -o out.json", 0);
    assert!(said.contains("because a value exceeded the size limit:\n  boom, step "), "{said}");
    assert_eq!(bench.read("out.json").matches("\"exhausted\": ").count(), 1);
}

#[test]
fn a_large_suite_runs_in_batches() {
    let bench = cabin();
    let mut suite = "cold,door_open,reset,wanted,measured".to_owned();
    let mut seed = 1_u32;
    for _ in 0..2000 {
        suite.push('\n');
        for _ in 0..50 {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let bit = |at: u32| seed >> at & 1;
            let (wanted, measured) = (seed >> 28, seed >> 24 & 15);
            let bits = [bit(20), bit(21), bit(22)].map(|bit| bit.to_string()).join(",");
            write!(suite, "\n{bits},{wanted},{measured}").unwrap();
        }
    }
    fs::write(bench.0.path().join("large.csv"), suite.replacen("\n\n", "\n", 1)).unwrap();
    let started = std::time::Instant::now();
    let said = bench.run("run cabin.lus --tests large.csv -o found.csv", 0);
    assert!(said.contains("2000 tests, 100000 steps"), "{said}");
    let said = bench.run("run cabin.lus --tests found.csv --fail-on-fault -o again.csv", 0);
    assert!(said.contains(", 0 differences"), "{said}");
    assert!(started.elapsed().as_secs() < 60, "{:?}", started.elapsed());
}
