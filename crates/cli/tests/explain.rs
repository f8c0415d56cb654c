//! `obligato explain`: tables, pairs, and where effects got lost.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fmt::Write as _;

mod support;

use serde_json::Value;
use support::{Bench, assert_golden, cabin};

/// Effects that get lost in each way there is.
const LOSSES: &str = "\
node latch(set, reset: bool) returns (on: bool);
let
  on = (set or (false -> pre on)) and not reset;
tel

node main(a, b, c: bool) returns (o: bool; n: int);
var
  both, first, second, idle, later: bool;
let
  both = a or b;
  first = latch(both, c);
  second = latch(c, both);
  idle = a and c;
  later = b -> a;
  o = both and c;
  n = if first then 1 else (if second and later then 2 else 2);
tel
";

const SUITE: &str = "\
a,b,c
# masked
T,F,F
F,F,T

# shown
F,F,T
F,T,T

# held
F,T,F
";

fn losses() -> Bench {
    Bench::new(&[("m.lus", LOSSES), ("s.csv", SUITE)])
}

#[test]
fn explaining_prints_as_its_golden_files_say() {
    let bench = losses();
    let mut text = String::new();
    for place in ["10", "13", "14 --observe o", "15", "16", "3 --instance main/latch#2"] {
        let arguments = format!("explain m.lus:{place} --tests s.csv");
        writeln!(text, "$ obligato {arguments}\n{}", bench.run(&arguments, 0)).unwrap();
    }
    assert_golden("explain_losses.txt", &text);
    let bench = cabin();
    let mut text = String::new();
    for arguments in ["explain cabin.lus:19 --tests cabin.csv", "explain cabin.lus:18"] {
        writeln!(text, "$ obligato {arguments}\n{}", bench.run(arguments, 0)).unwrap();
    }
    assert_golden("explain_cabin.txt", &text);
}

/// The same in C.
const C_LOSSES: &str = "\
static int calls;
void beep(void);

int drive(int a, int b, int c) {
    int both = a && b;
    int x = 0;
    if (a)
        x = 1;
    x = 5;
    if (b)
        beep();
    if (c > 2)
        calls = 0;
    else
        calls = 0;
    return (both || c) && x / c;
}
";

#[test]
fn explaining_c_says_where_effects_got_lost_where_the_strict_semantics_loses_them_too() {
    let suite = "a,b,c\n# both\n1,1,1\n\n# none\n1,0,0\n\n# third\n0,1,3\n";
    let bench = Bench::new(&[("m.c", C_LOSSES), ("s.csv", suite)]);
    let mut text = String::new();
    for place in ["5", "7", "10", "12"] {
        let arguments = format!("explain m.c:{place} --tests s.csv");
        writeln!(text, "$ obligato {arguments}\n{}", bench.run(&arguments, 0)).unwrap();
    }
    assert_golden("explain_units.txt", &text);
}

#[test]
fn the_lost_effects_of_paper_001_table_i_are_masked_by_in_3() {
    let model = "node main(in_1, in_2, in_3: bool) returns (out_1: bool);\n\
                 var expr_1: bool;\n\
                 let expr_1 = in_1 or in_2; out_1 = expr_1 and in_3; tel\n";
    let suite = "in_1,in_2,in_3\nT,F,F\n\nF,T,F\n\nF,F,T\n\nT,T,T\n";
    let bench = Bench::new(&[("m.lus", model), ("s.csv", suite)]);
    let text = bench.run("explain m.lus:3:14 --tests s.csv", 0);
    for (test, condition) in [("t1", "in_1"), ("t2", "in_2")] {
        let loss = format!(
            "{test}, step 0: masked by `in_3` being false in `expr_1 and in_3` at m.lus:3:36\n"
        );
        assert_eq!(text.matches(&loss).count(), 1, "{condition}: {text}");
    }
}

#[test]
fn the_same_is_said_as_json() {
    let bench = losses();
    let text = bench.run("explain m.lus:3 --tests s.csv --format json", 0);
    assert!(text.starts_with("{\n  \"format\": \"obligato-explanation\",\n  \"version\": 1,"));
    let json: Value = serde_json::from_str(&text).unwrap();
    let decisions = json["decisions"].as_array().unwrap();
    // Three decisions on the line, in two calls each.
    assert_eq!(decisions.len(), 6);
    let first = &decisions[0];
    assert_eq!(first["text"], "(set or (false -> pre on)) and not reset");
    assert_eq!(first["instance"], "main/latch");
    assert_eq!(first["listed"], "all");
    assert_eq!(first["rows"].as_array().unwrap().len(), 8);
    assert_eq!(first["rows"][3]["values"], "TFF");
    assert_eq!(first["rows"][3]["deciding"], serde_json::json!([1, 3]));
    assert_eq!(first["conditions"][0]["twins"], serde_json::json!([[4, 8]]));
    assert_eq!(bench.run("explain m.lus:3 --tests s.csv --format json", 0), text);
}

#[test]
fn a_column_chooses_the_innermost_decision_and_an_instance_one_call() {
    let bench = losses();
    let headings = |arguments: &str| -> Vec<String> {
        let text = bench.run(&format!("explain {arguments}"), 0);
        text.lines().filter(|line| line.starts_with("m.lus:")).map(str::to_owned).collect()
    };
    assert_eq!(headings("m.lus:3").len(), 6);
    assert_eq!(
        headings("m.lus:3:30"),
        ["m.lus:3:30, in main/latch: on", "m.lus:3:30, in main/latch#2: on"]
    );
    assert_eq!(headings("m.lus:3:30 --instance main/latch#2").len(), 1);
    assert_eq!(headings("m.lus:3 --main latch").len(), 3);
}

#[test]
fn a_place_without_a_decision_is_told_where_there_are_some() {
    let bench = losses();
    for (arguments, expected) in [
        ("m.lus", "'m.lus' names no line; write it as FILE:LINE or FILE:LINE:COLUMN"),
        ("m.lus:0", "'m.lus:0' names no line"),
        (
            "m.lus:8",
            "m.lus:8: there is no decision here; lines near it that have some: 3, 10, 11, ",
        ),
        ("m.lus:10:3", "m.lus:10:3: there is no decision here; lines near it"),
        ("m.lus:10 --instance main/latch", "m.lus:10 is no part of this call; it is part of main"),
        ("m.lus:10 --instance nix", "m.lus: there is no call 'nix'; there are main, main/latch, "),
        ("m.txt:10", "m.txt: there is no such file"),
        ("m.lus:10 --observe a", "missing --tests <SUITE>"),
    ] {
        let said = bench.complaint(&format!("explain {arguments}"));
        assert!(said.contains(expected), "{said}");
    }
}

#[test]
fn a_decision_of_many_conditions_lists_what_was_executed() {
    let names: Vec<String> = (0..40).map(|index| format!("x{index}")).collect();
    let (inputs, decision) = (names.join(", "), names.join(" and "));
    let model =
        format!("node main({inputs}: bool) returns (o: bool);\nlet\n  o = {decision};\ntel\n");
    let suite = format!("{}\n{}\n", names.join(","), vec!["T"; 40].join(","));
    let bench = Bench::new(&[("m.lus", &model), ("s.csv", &suite)]);
    let text = bench.run("explain m.lus:3 --tests s.csv", 0);
    assert!(text.contains("40 conditions, too many for a table"), "{text}");
    assert_eq!(text.matches("true   decides in row 1: t1").count(), 40, "{text}");
    assert_eq!(text.matches("false  decides in no row listed").count(), 40, "{text}");
}

#[test]
fn a_condition_that_cannot_change_is_said_to_be_constant_and_its_rows_are_not_missing() {
    let model = "node main(a: bool) returns (o: bool);\nlet\n  o = a and true;\ntel\n";
    let bench = Bench::new(&[("m.lus", model)]);
    let text = bench.run("explain m.lus:3", 0);
    assert!(text.contains("is always true"), "{text}");
    assert_eq!(text.matches("missing\n").count(), 5, "{text}");
}

#[test]
fn a_condition_that_inlining_brought_to_a_decision_leads_to_it() {
    let bench = cabin();
    let text = bench.run("explain cabin.lus:17:13 --inline --tests cabin.csv", 0);
    assert!(
        text.starts_with("cabin.lus:18:13, in cabin: (cold or measured < wanted) and "),
        "{text}"
    );
}
