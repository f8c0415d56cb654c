//! Comparisons in a run: operands have to be possible, and effects need causes.

#[allow(dead_code)]
mod harness;

use harness::{assess, compared, comparison, covered};
use obligato_criteria::{Vectors, collect};
use obligato_model::{
    ConditionEvaluation, Limit, Observability, RecordedEvent, RecordedTest, Recording, Verdict,
    Watched,
};

fn recording(events: Vec<RecordedEvent>) -> Recording {
    let effects = vec![Observability::Strict];
    let tests = vec![RecordedTest { name: "t".to_owned(), events }];
    Recording { watched: Watched { effects, kills: Vec::new() }, tests }
}

fn observed(evaluation: ConditionEvaluation) -> RecordedEvent {
    RecordedEvent::Observed(evaluation, Observability::Strict)
}

fn contradiction(events: Vec<RecordedEvent>) -> String {
    let error = collect(&comparison(), &recording(events), Vectors::Drop).expect_err("refused");
    error.reason.to_string()
}

#[test]
fn operands_that_cannot_be_are_refused() {
    assert_eq!(
        contradiction(vec![RecordedEvent::Evaluated(compared(12, 11))]),
        "an operand of `x >= 10` is not the constant that it is"
    );
    let mut wrong = compared(12, 10);
    wrong.value = false;
    assert_eq!(
        contradiction(vec![RecordedEvent::Evaluated(wrong)]),
        "`x >= 10` is recorded as false, but its operands make it true"
    );
}

#[test]
fn an_effect_at_a_boundary_that_was_never_met_is_refused() {
    let events = vec![RecordedEvent::Evaluated(compared(50, 10)), observed(compared(10, 10))];
    assert_eq!(
        contradiction(events),
        "an effect of `x >= 10` being true is observed, but never with these operands"
    );
}

#[test]
fn observable_boundaries_are_boundaries_whose_effect_got_out() {
    let program = comparison();
    let events = vec![
        RecordedEvent::Evaluated(compared(10, 10)),
        RecordedEvent::Evaluated(compared(9, 10)),
        observed(compared(9, 10)),
    ];
    let recording = recording(events);
    assert_eq!(covered(&assess(&program, &recording, &["bvc"])).len(), 2);
    assert_eq!(
        covered(&assess(&program, &recording, &["obvc"])),
        ["condition 1 `x >= 10` is false with x=y-k"]
    );
}

#[test]
fn without_operands_nothing_is_said_of_boundaries() {
    let program = comparison();
    let blind =
        |evaluation: ConditionEvaluation| ConditionEvaluation { operands: None, ..evaluation };
    for events in [
        vec![RecordedEvent::Evaluated(blind(compared(10, 10)))],
        vec![RecordedEvent::Evaluated(compared(10, 10)), observed(blind(compared(10, 10)))],
    ] {
        let assessment = assess(&program, &recording(events), &["obvc"]);
        assert!(matches!(
            &assessment.verdicts[0],
            Verdict::Unresolved(Limit::Unsupported(reason)) if reason.to_string().contains("operands")
        ));
    }
}
