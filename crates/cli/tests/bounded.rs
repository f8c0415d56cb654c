//! What was refuted within bounds only, through every command that tells, gates or merges verdicts.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod support;

use serde_json::Value;
use support::Bench;

/// In one step from its initial state, the machine is never armed.
const BUTTON: &str = "\
static int state;
int button(int pressed)
{
    if (state == 2 && pressed) { state = 0; return 7; }
    if (pressed) state++;
    return state;
}
";
const GENERATE: &str = "generate button.c --function button --criterion mcdc,branch";

fn button() -> Bench {
    Bench::new(&[("button.c", BUTTON)])
}

/// The obligations of a stored result with a limit of bounds.
fn bounded(bench: &Bench, store: &str) -> Vec<Value> {
    let result: Value = serde_json::from_str(&bench.read(&format!("{store}/result.json"))).unwrap();
    let all = result["obligations"].as_array().unwrap().iter();
    all.filter(|one| one["limit"] == "not-within-bounds").cloned().collect()
}

#[test]
fn a_refutation_within_bounds_is_counted_apart_and_told_once_per_group() {
    let bench = button();
    let said = bench.succeed(&format!("{GENERATE} --steps 1"));
    let open = bounded(&bench, ".obligato");
    assert!(!open.is_empty(), "{said}");
    assert!(
        said.contains("  covered  uncoverable  justified  bounded  unresolved  total"),
        "{said}"
    );
    let group = format!("{} obligations: not within bounds: ", open.len());
    assert!(said.contains(&group), "{said}");
    assert!(said.contains("one step") && said.contains("Next: --steps 4"), "{said}");
    assert_eq!(said.matches("one step").count(), 1, "{said}");
    let bounds = open[0]["bounds"].as_array().unwrap();
    let steps = bounds.iter().find(|one| one["kind"] == "steps").unwrap();
    assert_eq!((&steps["value"], &steps["option"]), (&1.into(), &"--steps 4".into()));
    // As the option says, more steps lift it.
    let said = bench.succeed(&format!("{GENERATE} --steps 4 --store four"));
    assert!(bounded(&bench, "four").is_empty(), "{said}");
}

#[test]
fn a_gate_passes_on_bounds_only_if_it_is_told_to_and_says_so() {
    let bench = button();
    bench.succeed(&format!("{GENERATE} --steps 1 --quiet"));
    let count = bounded(&bench, ".obligato").len();
    let below = bench.run("gate --mcdc 100 --branch 100 --allow uncoverable,justified", 3);
    assert!(below.contains("obligations: not within bounds: "), "{below}");
    bench.run("gate --mcdc 0 --branch 0 --forbid-unresolved", 4);
    let arguments = "--mcdc 100 --branch 100 --forbid-unresolved --allow bounded,uncoverable";
    let said = format!("{count} obligations allowed although only refuted within bounds");
    let passed = bench.succeed(&format!("gate {arguments}"));
    assert!(passed.contains(&said), "{passed}");
    let quiet = bench.succeed(&format!("gate {arguments} --quiet"));
    assert!(quiet.contains(&said), "{quiet}");
    let found = bench.succeed(&format!("gate {arguments} --format json"));
    let found: Value = serde_json::from_str(&found).unwrap();
    let groups = found["allowed_bounded"].as_array().unwrap();
    let ids = groups.iter().map(|one| one["obligations"].as_array().unwrap().len());
    assert_eq!(ids.sum::<usize>(), count);
}

#[test]
fn merging_prefers_tests_to_bounds_and_keeps_all_bounds_of_a_refutation() {
    let bench = button();
    bench.succeed(&format!("{GENERATE} --steps 1 --quiet --store one"));
    bench.succeed(&format!("{GENERATE} --steps 1 --quiet --store again"));
    bench.succeed(&format!("{GENERATE} --steps 4 --quiet --store four"));
    bench.succeed("merge one again -o same");
    let verdicts = |store| {
        let open = bounded(&bench, store);
        open.iter().map(|one| (one["id"].clone(), one["bounds"].clone())).collect::<Vec<_>>()
    };
    assert_eq!(verdicts("same"), verdicts("one"));
    bench.succeed("merge one four -o merged");
    assert!(bounded(&bench, "merged").is_empty());
    bench.succeed("gate --store merged --mcdc 100 --branch 100");
}

const FILLED: &str = "void fill(char *b, unsigned n);
int f(void) { char b[32]; fill(b, sizeof b); if (b[31] == 'x' && b[0] == 'y') return 1; return 0; }
";

#[test]
fn what_a_function_outside_fills_is_tried_with_more_elements() {
    let bench = Bench::new(&[
        ("fill.c", FILLED),
        ("large.c", &FILLED.replace("32", "600").replace("31", "599")),
    ]);
    let said = bench.succeed("generate fill.c --function f --criterion branch --no-store");
    assert!(
        said.contains("branch           2            0          0           0      2"),
        "{said}"
    );
    // The option that is named lifts it, for all pointers and for one.
    for elements in ["600", "fill(b)=600"] {
        let large = format!(
            "generate large.c --function f --criterion branch --no-store --elements {elements}"
        );
        let said = bench.succeed(&large);
        assert!(
            said.contains("branch           2            0          0           0      2"),
            "{said}"
        );
    }
    let said = bench.complaint("check fill.c --function f --elements fill(c)=4");
    assert!(said.contains("f has no input 'fill(c)'"), "{said}");
}

const HIDDEN: &str = "int x; static int g(void) { return x > 3; }
int f(int x) { if (x > 7 && g()) return 1; return 0; }
";

#[test]
fn what_a_parameter_hides_is_named_in_suites_options_and_settings() {
    let bench =
        Bench::new(&[("hidden.c", HIDDEN), ("o.toml", "[inputs.ranges]\n\"::x\" = \"0..2\"\n")]);
    let generate = "generate hidden.c --function f --criterion branch";
    bench.succeed(&format!("{generate} --store s -o s.csv"));
    assert!(bench.read("s.csv").starts_with("x,::x,return"));
    let said =
        bench.succeed("measure hidden.c --function f --tests s.csv --criterion branch --no-store");
    assert!(
        said.contains("branch           2            0          0           0      2"),
        "{said}"
    );
    for option in ["--range ::x=0..2", "--assume ::x<3", "--config o.toml", "--fixed ::x"] {
        let said = bench.succeed(&format!("{generate} --no-store {option}"));
        assert!(
            said.contains("branch           1            1          0           0      2"),
            "{option}: {said}"
        );
    }
}
