//! `obligato prove`: verdicts, counterexamples, exit codes, and what is refused.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use serde_json::Value;

mod support;

use support::{Bench, assert_golden, cabin};

/// A counter that stays below 4 and so violates one of three properties.
const COUNTER: &str = "\
node count(up: bool) returns (n: int);
let
  n = 0 -> if up and pre n < 3 then pre n + 1 else pre n;
tel

node main(up, down: bool) returns (n: int; high: bool);
let
  n = count(up and not down);
  high = n >= 3;
  check \"bounded\" n <= 3;
  check \"low\" n < 3;
  --%PROPERTY high = (n = 3);
  --%MAIN;
tel
";

fn counter() -> Bench {
    Bench::new(&[("m.lus", COUNTER)])
}

#[test]
fn a_session_prints_as_its_golden_files_say() {
    let bench = counter();
    assert_golden("prove.txt", &bench.succeed("prove m.lus --budget 1000000"));
    let listed = bench.succeed("prove m.lus --budget 1000000 --property low --list");
    // Which inputs lead there, and how soon, is up to the engines.
    let table: Vec<&str> = listed.lines().skip_while(|line| !line.starts_with("low")).collect();
    let heads: Vec<&str> = table[1].split_whitespace().collect();
    assert_eq!(heads, ["step", "up", "down", "|", "n", "high"], "{listed}");
    let last = table.iter().rposition(|row| row.contains(" | ")).unwrap();
    assert!(last >= 5 && table[last].ends_with(" | 3  true  ! property"), "{listed}");
    let text = cabin().succeed("prove cabin.lus --budget 1000000");
    assert!(text.contains("\nvalid    cabin.lus:22:15  not (heating and door_open)\n"), "{text}");
}

#[test]
fn counterexamples_are_written_as_a_suite_that_violates_the_properties() {
    let bench = counter();
    for name in ["low.csv", "low.json", "low.rif"] {
        let text = bench.succeed(&format!("prove m.lus --counterexamples {name}"));
        assert!(text.contains(&format!("\nWritten: {name}\n")), "{text}");
        let run = bench.run(&format!("run m.lus --tests {name} --fail-on-fault -o now.csv"), 5);
        assert!(run.contains("a property is violated in 1 of 1 test, first in 'low'"), "{run}");
        assert!(run.contains(" 1 check failed, 0 differences\n"), "{run}");
    }
}

#[test]
fn other_checkers_get_the_model_as_aiger_with_a_bad_state_per_property() {
    let bench = counter();
    let text = bench.succeed("prove m.lus --budget 1000000 --aiger m.aag");
    assert!(text.contains("\nWritten: m.aag\n"), "{text}");
    let properties = bench.succeed("prove m.lus --budget 1000000 --quiet");
    let properties = properties.lines().filter(|line| !line.starts_with(' ')).count();
    let aiger = bench.read("m.aag");
    let header: Vec<&str> = aiger.lines().next().unwrap().split(' ').collect();
    assert_eq!((header[0], header[6]), ("aag", properties.to_string().as_str()), "{aiger}");
    bench.succeed("prove m.lus --budget 1000000 --aiger m.aig");
}

#[test]
fn json_has_every_property_with_its_proof_or_its_counterexample() {
    let text = counter().succeed("prove m.lus --format json");
    let document: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(document["format"], "obligato-properties");
    let properties = document["properties"].as_array().unwrap();
    let of = |field: &str| properties.iter().map(|one| one[field].clone()).collect::<Vec<_>>();
    assert_eq!(of("name"), ["bounded", "low", "high = (n = 3)"]);
    assert_eq!(of("verdict"), ["valid", "invalid", "valid"]);
    assert!(properties[0]["method"].is_string());
    let [steps, outputs] =
        ["steps", "outputs"].map(|field| properties[1][field].as_array().unwrap().clone());
    assert_eq!(steps.len(), outputs.len());
    let levels: Vec<i64> = outputs.iter().map(|step| step["n"].as_i64().unwrap()).collect();
    assert_eq!(levels.iter().position(|n| *n == 3), Some(levels.len() - 1));
}

/// The square root of 2 is irrational, which is more than solvers know.
const ROOT: &str = "\
node main(x, y: int) returns (ok: bool);
let
  ok = not (x * x = 2 * y * y and x > 0);
  check \"irrational\" ok;
tel
";

#[test]
fn what_a_solver_gives_up_on_is_unknown_for_that_reason() {
    let bench = Bench::new(&[("root.lus", ROOT)]);
    let json = bench.succeed("prove root.lus --budget 400000 --format json");
    let report: Value = serde_json::from_str(&json).unwrap();
    let property = &report["properties"][0];
    assert_eq!(property["limit"], "undecided", "{report}");
    let absent = std::process::Command::new("z3").arg("--version").output().is_err();
    let why = if absent { "no program 'z3'" } else { "non-linear arithmetic" };
    assert!(property["why"].as_str().unwrap().contains(why), "{report}");
}

#[test]
fn a_deep_violation_is_found_and_the_shortest_is_said_to_be() {
    let text = "\
node main(up: bool) returns (n: int);
let
  n = 0 -> if up and pre n < 60 then pre n + 1 else if up then pre n else 0;
  check \"low\" n < 40;
  check \"lower\" n < 4;
tel
";
    let bench = Bench::new(&[("deep.lus", text)]);
    let text = bench.succeed("prove deep.lus --budget 3000000");
    for step in [40, 4] {
        let line = format!("\n         violated in step {step} of a test, and in no test before\n");
        assert!(text.contains(&line), "{text}");
    }
}

/// What `f` gives for 0 is asked for every sixth step.
const LATER: &str = "\
function f(x: int) returns (y: int);

node main() returns (same: bool);
var n, y, first: int;
let
  n = 0 -> if pre n = 5 then 0 else pre n + 1;
  y = f(n);
  first = y -> pre first;
  same = n = 0 => y = first;
  check \"same\" same;
  check \"five\" y = 5;
tel
";

#[test]
fn a_run_that_no_function_explains_is_no_counterexample() {
    let bench = Bench::new(&[("later.lus", LATER)]);
    let json = bench.succeed("prove later.lus --budget 1000000 --format json");
    let report: Value = serde_json::from_str(&json).unwrap();
    let [same, five] = [0, 1].map(|at| &report["properties"][at]);
    assert_eq!(five["verdict"], "invalid", "{report}");
    assert_ne!(same["verdict"], "invalid", "{report}");
    if same["verdict"] == "unknown" {
        let why = same["why"].as_str().unwrap();
        assert!(why.contains("equal arguments of 'f' give different results"), "{report}");
    }
}

#[test]
fn a_file_that_cannot_be_written_is_noticed_before_the_work() {
    let bench = Bench::new(&[("root.lus", ROOT)]);
    for flag in ["-o", "--aiger"] {
        let output = bench.output(&format!("prove root.lus --budget 1h {flag} nowhere/p.json"));
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(1), "{said}");
        let expected = "obligato: error: nowhere/p.json: cannot write the file: ";
        assert!(said.starts_with(expected), "{said}");
    }
}

#[test]
fn a_violated_property_has_an_exit_code_of_its_own_when_asked_for() {
    let bench = counter();
    bench.run("prove m.lus --fail-on-fault", 5);
    bench.succeed("prove m.lus --fail-on-fault --property bounded --property 12");
    bench.run("prove m.lus --property low --budget 0 --fail-on-unresolved", 4);
    bench.succeed("prove m.lus --fail-on-unresolved");
}

#[test]
fn faults_are_proved_absent_only_when_asked_for() {
    let model = "node main(a: int; b: bool) returns (o: int);\n\
                 let o = 10 div (if b then 2 else 5) + 10 div a; check o < 100; tel\n";
    let bench = Bench::new(&[("m.lus", model)]);
    let verdicts = |flags: &str| {
        let text = bench.succeed(&format!("prove m.lus --format json{flags}"));
        let document: Value = serde_json::from_str(&text).unwrap();
        let properties = document["properties"].as_array().unwrap().clone();
        let mut verdicts: Vec<(String, String)> = properties
            .iter()
            .map(|one| (one["kind"].to_string(), one["verdict"].to_string()))
            .collect();
        verdicts.sort();
        verdicts
    };
    assert_eq!(verdicts("").len(), 1);
    let all = verdicts(" --faults");
    assert!(all.len() > 1);
    assert!(all.contains(&("\"division-by-zero\"".into(), "\"invalid\"".into())), "{all:?}");
}

#[test]
fn the_same_work_gives_the_same_bytes() {
    let bench = counter();
    let run = |threads: u32| {
        bench.succeed(&format!("prove m.lus --budget 1000000 --threads {threads} --list"))
    };
    assert_eq!(run(1), run(2));
}

#[test]
fn what_cannot_be_done_is_refused_in_words() {
    let bench = counter();
    for (arguments, expected) in [
        ("--property high", "m.lus: there is no property 'high'; there are bounded, low, high = "),
        ("--main count", "m.lus: node count has no properties; state some with '--%PROPERTY'"),
        ("--counterexamples x.txt", "'x.txt' does not say what kind of suite to write; "),
        ("--budget 10d", "invalid value '10d' for '--budget <BUDGET>'"),
    ] {
        let said = bench.complaint(&format!("prove m.lus {arguments}"));
        assert!(said.starts_with(&format!("obligato: error: {expected}")), "{said}");
    }
}

/// What `sub` assumes is up to `main`, which does not see to it.
const CALLER: &str = "\
node sub(p: int) returns (r: int);
(*@contract
  assume p > 0;
*)
let
  r = p;
tel;
node main(x: int) returns (y: int; negative: bool);
let
  y = sub(x);
  negative = x < 0;
  --%PROPERTY y > 0;
tel;
";

#[test]
fn what_a_called_node_assumes_is_an_obligation_of_its_caller() {
    let bench = Bench::new(&[("m.lus", CALLER), ("t.csv", "x\n-5\n")]);
    let text = bench.succeed("prove m.lus");
    assert!(text.contains("\ninvalid  m.lus:12:15  y > 0\n"), "{text}");
    let assumption = "m.lus:10:7  sub[l10c7] assumption 1: p > 0, in main/sub";
    assert!(text.contains(&format!("\ninvalid  {assumption}\n")), "{text}");
    let text = bench.succeed("generate m.lus --criterion condition");
    assert!(text.contains("\ncondition        2            0 "), "{text}");
    let text = bench.succeed("measure m.lus --tests t.csv --criterion condition");
    let finding = "! m.lus:10:7: a property is violated in 1 of 1 test, first in 't1' at step 0, in main/sub: \
                   sub[l10c7] assumption 1: p > 0\n";
    assert!(text.contains(finding), "{text}");
}

#[test]
fn what_the_main_node_assumes_restricts_its_environment() {
    let bench = Bench::new(&[("m.lus", CALLER), ("t.csv", "p\n-5\n")]);
    let refused = bench.complaint("measure m.lus --main sub --tests t.csv --criterion condition");
    assert!(refused.contains("violates an assertion at step 0, in sub: p > 0"), "{refused}");
    // A caller that respects the assumption is proved to.
    let respectful = CALLER.replace("sub(x)", "sub(if x > 0 then x else 1)");
    let text = Bench::new(&[("m.lus", &respectful)]).succeed("prove m.lus");
    assert!(text.contains("\n2 valid, 0 invalid, 0 unknown\n"), "{text}");
}

/// What `pre x` is in the first step nothing says.
const UNDEFINED: &str = "\
node main(x: int) returns (y: int; same, hit: bool);
let
  y = pre x;
  same = (pre x = y);
  hit = (y = 5) -> false;
  check \"zero\" (y = 0) -> true;
  check \"same\" same;
  check \"later\" true -> y = pre x;
tel
";

#[test]
fn a_proof_holds_for_every_first_value_of_an_unguarded_pre() {
    let bench = Bench::new(&[("m.lus", UNDEFINED), ("t.csv", "x\n1\n")]);
    let text = bench.succeed("prove m.lus --budget 1000000 --list --counterexamples c.csv");
    assert!(text.contains("\ninvalid  m.lus:6:16  zero\n"), "{text}");
    let why = "violated in step 0 of a test, if at first 'main.pre x' is ";
    assert!(text.contains(why) && text.contains(": nothing defines it\n"), "{text}");
    assert!(text.contains("\nvalid    m.lus:7:16  same\n"), "{text}");
    assert!(text.contains("\nvalid    m.lus:8:17  later\n"), "{text}");
    let json = bench.succeed("prove m.lus --budget 1000000 --property zero --format json");
    let report: Value = serde_json::from_str(&json).unwrap();
    let value = report["properties"][0]["undefined"]["main.pre x"].as_str().unwrap();
    assert_ne!(value.parse::<i64>().unwrap(), 0, "{report}");
    // A replay takes zero.
    let run = bench.succeed("run m.lus --tests t.csv");
    assert!(run.contains("0 checks failed"), "{run}");
}

#[test]
fn what_only_an_undefined_value_covers_is_neither_covered_nor_uncoverable() {
    let bench = Bench::new(&[("m.lus", UNDEFINED)]);
    let text = bench.succeed("generate m.lus --criterion condition --budget 1000000 --list");
    let only = "only with an undefined first value of 'main.pre x', which is 0 or false in tests";
    let found = text.find("unresolved   m.lus:5:10  condition 1 `y = 5` is true").unwrap();
    assert!(text[found..].lines().nth(1).unwrap().contains(only), "{text}");
    let warned = bench.output("check m.lus");
    let warned = String::from_utf8_lossy(&warned.stdout).into_owned()
        + &String::from_utf8_lossy(&warned.stderr);
    assert!(warned.contains("m.lus:3:7") && warned.contains("no '->' stands in"), "{warned}");
}
