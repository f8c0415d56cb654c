//! `obligato instrument`: what it writes, that it can be read back, and what it refuses.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod support;

use support::Bench;

const LATCH: &str = "\
node latch(set, clear: bool; level: int) returns (on: bool);
let
  on = (set or (false -> pre on)) and not clear and level < 10;
  --%PROPERTY on;
  assert level >= 0;
tel
";

fn bench() -> Bench {
    Bench::new(&[
        ("latch.lus", LATCH),
        ("m.lus", "node m(a: uint8) returns (y: bool); let y = a > (uint8 5); tel"),
    ])
}

#[test]
fn a_property_has_the_key_of_its_obligation_beside_it() {
    let text = bench().succeed("instrument latch.lus --for jkind");
    let (key, rest) =
        text.split_once("\n  -- mcdc@latch.lus#").unwrap().1.split_once('\n').unwrap();
    assert!(key.starts_with("latch/decision-") && key.ends_with("/c1=T"), "{key}");
    let mut lines = rest.lines().map(str::trim);
    assert!(lines.next().unwrap().starts_with("-- line 3: condition 1 `set` is true"));
    let (name, _) = lines.next().unwrap().split_once(" = not (").unwrap();
    assert_eq!(lines.next().unwrap(), format!("--%PROPERTY {name};"));
    assert!(name.starts_with("mcdc_latch_decision_") && name.ends_with("_c1_T"), "{name}");
    assert!(text.contains("\n  assert 0 <= level;\n"), "{text}");
    assert_eq!(text.matches("--%PROPERTY").count(), 12, "{text}");
}

#[test]
fn kind_2_reports_by_the_key_and_has_its_reserved_words_kept_clear_of() {
    let text = bench().succeed("instrument latch.lus --for kind2");
    assert!(text.contains("--%PROPERTY \"mcdc@latch.lus#latch/decision-"), "{text}");
    assert!(text.contains("-- here set_2, there set\n"), "{text}");
}

#[test]
fn what_is_written_is_a_model_again() {
    let bench = bench();
    for tool in ["kind2", "jkind"] {
        let all = format!("instrument latch.lus --for {tool} --criterion all,omcdc:tags -o t.lus");
        let words = bench.succeed(&all);
        assert!(words.contains(&format!("\nNext: {tool} t.lus")), "{words}");
        let words = bench.succeed("check t.lus");
        assert!(words.contains("t.lus: main node latch"), "{words}");
    }
}

#[test]
fn effects_are_chosen_by_an_input_that_is_said_to_be_none_of_the_model() {
    let bench = bench();
    let text = bench.succeed("instrument latch.lus --for jkind --criterion omcdc");
    assert!(text.contains("obligation: subrange [1, 12] of int"), "{text}");
    assert!(text.contains("-- The input obligation is no input of the model"), "{text}");
    assert!(text.contains("-- Observed: on.\n"), "{text}");
    assert_eq!(text, bench.succeed("instrument latch.lus --for jkind --criterion omcdc"));
}

#[test]
fn what_cannot_be_a_property_is_refused_with_a_way_out() {
    let bench = bench();
    let refuse = |criterion: &str| {
        bench.complaint(&format!("instrument latch.lus --for kind2 --criterion {criterion}"))
    };
    let exact = refuse("omcdc:exact");
    assert!(exact.contains("ask for omcdc or omcdc:tags"), "{exact}");
    assert!(refuse("mutation").contains("the second a mutant"));
    assert!(refuse("mcdc:unique-cause").contains("mcc to have a property for each evaluation"));
}

#[test]
fn machine_integers_are_for_kind_2_alone() {
    let bench = bench();
    let words = bench.complaint("instrument m.lus --for jkind");
    assert!(
        words.contains(
            "JKind has no words for the machine integer 'a' of type uint8; use --for kind2"
        ),
        "{words}"
    );
    assert!(bench.succeed("instrument m.lus --for kind2").contains("(uint8 5) < a"));
}

#[test]
fn the_model_is_not_overwritten_with_itself() {
    let words = bench().complaint("instrument latch.lus --for jkind -o ./latch.lus");
    assert!(words.contains("is the program itself; write into another file"), "{words}");
}
