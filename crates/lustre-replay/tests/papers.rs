//! The papers' examples, with their answers.

mod support;

use obligato_criteria::Vectors;
use obligato_lustre::lowering::Lowered;
use obligato_lustre_replay::measure::Lost;
use obligato_lustre_replay::{Measurement, Watch};
use obligato_model::{ConditionId, Criterion, Independence, Observability};
use obligato_transition_system::NodeId;
use support::{assess, bool_tests, covered, model};

const MCDC: Criterion = Criterion::Mcdc(Independence::Masking);

/// Whalen et al., table I.
const MASKING: &str = "node main(in_1, in_2, in_3: bool) returns (out_1: bool);\n\
    var expr_1: bool;\n\
    let expr_1 = in_1 or in_2; out_1 = expr_1 and in_3; tel;";

#[test]
fn both_test_sets_of_paper_001_table_i_give_mcdc_but_only_the_second_observable_mcdc() {
    let lowered = model(MASKING);
    let first = bool_tests(&["TFF", "FTF", "FFT", "TTT"]);
    let second = bool_tests(&["TFT", "FTT", "FFT", "TFF"]);
    for tests in [&first, &second] {
        assert_eq!(covered(&assess(&lowered, tests, MCDC)), (8, 8));
    }
    for semantics in [Observability::Tags, Observability::Strict, Observability::Exact] {
        let criterion = Criterion::Omcdc(semantics);
        // in_1 and in_2 being true are not seen: in_3 is false whenever one of them decides.
        assert_eq!(covered(&assess(&lowered, &first, criterion)), (6, 8), "{semantics:?}");
        assert_eq!(covered(&assess(&lowered, &second, criterion)), (8, 8), "{semantics:?}");
    }
}

#[test]
fn a_choice_between_equal_arms_is_seen_under_tags_alone() {
    let lowered = model("node main(c: bool) returns (o: int);\nlet o = if c then 0 else 0; tel;");
    let tests = bool_tests(&["T", "F"]);
    let of = |semantics| covered(&assess(&lowered, &tests, Criterion::Omcdc(semantics)));
    assert_eq!(of(Observability::Tags), (2, 2));
    assert_eq!(of(Observability::Strict), (0, 2));
    assert_eq!(of(Observability::Exact), (0, 2));
}

/// You et al., section III-C.
const DELAYS: &str = "node main(in1, in2, in3: bool) returns (out: bool);\n\
    var v1, v2, v3, v4: bool;\n\
    let v1 = false -> pre in1; v2 = in2 and v1; v3 = false -> pre v2;\n\
    v4 = if in3 then v2 else v3; out = false -> pre v4; tel;";

#[test]
fn the_test_of_paper_000_shows_in2_at_the_output_in_its_fourth_step_and_not_before() {
    let lowered = model(DELAYS);
    let in2 = lowered.program.conditions().iter().position(|c| c.text == "in2").expect("there");
    let shown = |test: &str| {
        let measured = support::measure(&lowered, &bool_tests(&[test]), Vectors::Drop);
        let observed = &measured[0].evidence.observed;
        observed.iter().all(|(_, observed)| observed.conditions[1].contains(in2))
    };
    assert!(shown("TFF FTF FFF FFF"));
    assert!(!shown("TFF FTF FFF"));
    // in2 itself is masked where in1 was not true before.
    assert!(!shown("FFF FTF FFF FFF"));
}

/// The variables of the main node that carry the tag of a condition being true, step by step.
fn carriers(lowered: &Lowered, test: &str, condition: &str) -> Vec<Vec<String>> {
    let watch = Watch { effects: vec![Observability::Strict], ..Watch::outputs(lowered) };
    let measurement = Measurement::new(lowered, watch).expect("sound");
    let compiled = measurement.compile().expect("sound");
    let mut conditions = lowered.program.conditions().iter();
    let condition = conditions.position(|c| c.text == condition).expect("there");
    let trail = measurement
        .trail(
            &compiled,
            Observability::Strict,
            &bool_tests(&[test])[0],
            ConditionId::new(condition),
            true,
        )
        .expect("the test fits")
        .expect("it is true");
    let named = |nodes: &Vec<NodeId>| {
        let carrying = lowered.variables.iter().filter(|one| nodes.contains(&one.node));
        carrying.map(|one| one.name.clone()).collect()
    };
    trail.steps.iter().map(named).collect()
}

#[test]
fn the_tag_of_paper_000_is_where_table_iii_has_it() {
    let lowered = model(DELAYS);
    let found = carriers(&lowered, "TFF FTF FFF FFF", "in2");
    // The paper lists where the tag waits to go on: v2, then v4, then the output.
    let expected: [&[&str]; 4] = [&[], &["v2"], &["v3", "v4"], &["out"]];
    let mut sorted = found.clone();
    for names in &mut sorted {
        names.sort();
    }
    assert_eq!(sorted, expected);
}

#[test]
fn a_lost_effect_is_lost_at_the_operator_that_masks_it() {
    let lowered = model(MASKING);
    let watch = Watch { effects: vec![Observability::Strict], ..Watch::outputs(&lowered) };
    let measurement = Measurement::new(&lowered, watch).expect("sound");
    let compiled = measurement.compile().expect("sound");
    let in_1 = ConditionId::new(0);
    let test = &bool_tests(&["TFF"])[0];
    let trail = measurement.trail(&compiled, Observability::Strict, test, in_1, true);
    let trail = trail.expect("the test fits").expect("it is true");
    assert_eq!(trail.seen_at, None);
    let Some(Lost::Masked { step: 0, at }) = trail.lost else { panic!("{:?}", trail.lost) };
    let words = |node| {
        let span = lowered.place(node).expect("made for some text").span;
        &MASKING[span.start as usize..span.end as usize]
    };
    assert_eq!(words(at[0].result), "expr_1 and in_3");
    assert_eq!(at[0].by.map(words), Some("in_3"));
}

#[test]
fn an_effect_that_got_out_of_its_decision_is_lost_beyond_it() {
    let lowered = model(MASKING);
    let watch = Watch { effects: vec![Observability::Strict], ..Watch::outputs(&lowered) };
    let measurement = Measurement::new(&lowered, watch).expect("sound");
    let compiled = measurement.compile().expect("sound");
    // In the first step in_3 masks the decision, in the second in_2 masks in_1 inside of it.
    let test = &bool_tests(&["TFF TTT"])[0];
    let trail =
        measurement.trail(&compiled, Observability::Strict, test, ConditionId::new(0), true);
    let trail = trail.expect("the test fits").expect("it is true");
    assert!(matches!(trail.lost, Some(Lost::Masked { step: 0, .. })), "{:?}", trail.lost);
    assert_eq!(trail.stops.len(), 1);
    let test = &bool_tests(&["TTT TTF"])[0];
    let trail =
        measurement.trail(&compiled, Observability::Strict, test, ConditionId::new(0), true);
    let trail = trail.expect("the test fits").expect("it is true");
    // It never gets out: every step counts, the last one for good.
    assert!(matches!(trail.lost, Some(Lost::Masked { step: 1, .. })), "{:?}", trail.lost);
    assert_eq!(trail.stops.len(), 2);
}
