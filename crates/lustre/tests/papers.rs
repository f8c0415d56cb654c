//! The Lustre programs of the papers on observable MC/DC, run: their decisions and the values
//! that the papers give, or that follow from their definitions by hand.
//!
//! "000" is the paper on generating tests step by step, "001" the one that defines the criterion.
#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]

mod reference;
mod runs;
mod support;

use obligato_lustre::lowering::Lowered;
use obligato_model::Value;
use obligato_transition_system::Evaluator;
use runs::{compare, load};

/// A node with these equations, whose locals are all `bool`; also run against the reference.
fn program(inputs: &str, outputs: &str, locals: &str, equations: &str) -> Lowered {
    let locals = if locals.is_empty() { String::new() } else { format!("var {locals}: bool;\n") };
    let text = format!(
        "type place = enum {{ START, DELAY1, TOK_COMPLETE, TOK_ERROR }};\n\
         node main({inputs}) returns ({outputs});\n{locals}let\n{equations}tel;\n"
    );
    let (model, lowered) = load("paper.lus", text.as_bytes(), None).unwrap();
    compare("paper.lus", &model, &lowered, 1, 100);
    lowered
}

fn decisions(lowered: &Lowered) -> Vec<String> {
    let shown = |decision: &obligato_model::Decision| {
        format!("{} [{}]", decision.text, decision.tree.conditions())
    };
    lowered.program.decisions().iter().map(shown).collect()
}

/// Runs on rows of inputs; gives the named variables at each step, `T`, `F` or the value.
fn run(lowered: &Lowered, rows: &[&str], shown: &str) -> Vec<String> {
    let mut evaluator = Evaluator::new(&lowered.system);
    let mut found = Vec::new();
    for row in rows {
        let inputs = row.split_whitespace().zip(&lowered.interface.inputs);
        let value = |(text, input): (&str, &obligato_model::Variable)| match text {
            "T" => Value::Bool(true),
            "F" => Value::Bool(false),
            text => Value::parse(text, &input.kind).unwrap(),
        };
        evaluator.step(&inputs.map(value).collect::<Vec<_>>()).unwrap();
        let show = |name: &str| {
            let variable = lowered.variables.iter().find(|variable| variable.name == name);
            match evaluator.value(variable.unwrap().node).unwrap() {
                Value::Bool(true) => "T".to_owned(),
                Value::Bool(false) => "F".to_owned(),
                other => other.to_string(),
            }
        };
        found.push(shown.split_whitespace().map(show).collect::<Vec<_>>().join(" "));
    }
    found
}

const EXAMPLE: &str = "v1 = (false -> (pre in1));\nv2 = (in2 and v1);\nv3 = (false -> (pre v2));\n\
                       v4 = (if in3 then v2 else v3);\nout = (false -> (pre v4));\n";

#[test]
fn the_example_of_000_runs_as_its_table_ii_says() {
    let model = program("in1, in2, in3: bool", "out: bool", "v1, v2, v3, v4", EXAMPLE);
    let rows = ["T F F", "F T F", "F F F", "F F F"];
    assert_eq!(
        run(&model, &rows, "v1 v2 v3 v4 out"),
        ["F F F F F", "T T F F F", "F F T T F", "F F F F T"]
    );
    // Every Boolean that is computed is a decision: a delay is one condition, and what it delays
    // is a decision of its own; a Boolean `if` is one decision with its test and arms.
    assert_eq!(
        decisions(&model),
        [
            "false -> (pre in1) [1]",
            "pre in1 [1]",
            "in1 [1]",
            "in2 and v1 [2]",
            "false -> (pre v2) [1]",
            "pre v2 [1]",
            "v2 [1]",
            "if in3 then v2 else v3 [3]",
            "false -> (pre v4) [1]",
            "pre v4 [1]",
            "v4 [1]",
        ]
    );
}

#[test]
fn the_path_conditions_of_000_hold_along_its_table_iii() {
    let conditions = "in2_AFFECT_v2 = v1;\nv1_AFFECT_v2 = in2;\nin3_AFFECT_v4 = (v2 <> v3);\n\
        v2_AFFECT_v4 = in3;\nv3_AFFECT_v4 = (not in3);\nin1_observed = in1_observable;\n\
        in2_observed = (in2_AFFECT_v2 and v2_observed);\n\
        in3_observed = (in3_AFFECT_v4 and v4_observed);\n\
        v1_observed = (v1_AFFECT_v2 and v2_observed);\n\
        v2_observed = ((v2_AFFECT_v4 and v4_observed)\n or v2_observable);\n\
        v3_observed = (v3_AFFECT_v4 and v4_observed);\nv4_observed = v4_observable;\n\
        out_observed = true;\n";
    let model = program(
        "in1, in2, in3, in1_observable, v2_observable, v4_observable: bool",
        "out, out_observed: bool",
        "v1, v2, v3, v4, in2_AFFECT_v2, v1_AFFECT_v2, in3_AFFECT_v4, v2_AFFECT_v4, v3_AFFECT_v4,\n\
         in1_observed, in2_observed, in3_observed, v1_observed, v2_observed, v3_observed, \
         v4_observed",
        &format!("{EXAMPLE}{conditions}"),
    );
    // The points that each iteration of the paper takes for observable: both delays, then v4
    // alone, then neither.
    let rows = ["T F F F T T", "F T F F T T", "F F F F F T", "F F F F F F"];
    let shown = "in2_observed in3_observed v1_observed v2_observed v3_observed out_observed";
    assert_eq!(
        run(&model, &rows, shown),
        ["F F F T T T", "T T T T T T", "F T F F T T", "F F F F F T"]
    );
}

#[test]
fn the_choice_between_equal_values_of_both_papers_never_shows() {
    let model = program("c: bool", "out: int", "", "out = if (c) then 0 else 0 ;\n");
    assert_eq!(decisions(&model), ["c [1]"]);
    let taps: Vec<_> = model.taps(obligato_model::ConditionId::new(0)).collect();
    for forced in [false, true] {
        let mut evaluator = Evaluator::new(&model.system);
        evaluator.force(taps[0], Value::Bool(forced)).unwrap();
        evaluator.step(&[Value::Bool(!forced)]).unwrap();
        assert_eq!(evaluator.output(0), Some(Value::int(0)));
    }
}

#[test]
fn the_immediate_paths_of_001_follow_from_its_definitions() {
    let equations = "out1 = v1 and v2 ;\nv1 = true ;\nv2 = if (input1) then (v3) else (v1) ;\n\
        v3 = true ;\nv1_IMM_USED_BY_out1 = v2 ;\nv2_IMM_USED_BY_out1 = v1 ;\n\
        input1_IMM_USED_BY_v2 = true ;\nv3_IMM_USED_BY_v2 = input1 ;\n\
        v1_IMM_USED_BY_v2 = (not input1) ;\nout1_IMM_OBSERVED = true ;\n\
        v1_IMM_OBSERVED =\n  (v1_IMM_USED_BY_out1 and out1_IMM_OBSERVED) or\n  \
        (v1_IMM_USED_BY_v2 and v2_IMM_OBSERVED) ;\n\
        v2_IMM_OBSERVED =\n  v2_IMM_USED_BY_out1 and out1_IMM_OBSERVED ;\n\
        input1_IMM_OBSERVED =\n  input1_IMM_USED_BY_v2 and v2_IMM_OBSERVED ;\n\
        v3_IMM_OBSERVED =\n  v3_IMM_USED_BY_v2 and v2_IMM_OBSERVED ;\n";
    let locals = "v1, v2, v3, v1_IMM_USED_BY_out1, v2_IMM_USED_BY_out1, input1_IMM_USED_BY_v2,\n\
        v3_IMM_USED_BY_v2, v1_IMM_USED_BY_v2, out1_IMM_OBSERVED, v1_IMM_OBSERVED,\n\
        v2_IMM_OBSERVED, input1_IMM_OBSERVED, v3_IMM_OBSERVED";
    let model = program("input1: bool", "out1: bool", locals, equations);
    let shown = "out1 v1_IMM_OBSERVED v2_IMM_OBSERVED input1_IMM_OBSERVED v3_IMM_OBSERVED";
    assert_eq!(run(&model, &["T", "F"], shown), ["T T T T T", "T T T T F"]);
}

#[test]
fn the_captured_token_of_001_stays_until_the_path_is_complete() {
    let equations = "delay1 = false -> pre(v1) ;\nv1 = v2 and delay2 ;\nv2 = in1 ;\n\
        delay2 = false -> pre(in1) ;\nv2_IMM_USED_BY_v1 = delay2 ;\n\
        delay2_IMM_USED_BY_v1 = v2 ;\nv1_DEL_USED_BY_delay1 = true ;\n\
        v2_DEL_USED_BY_delay1 = v2_IMM_USED_BY_v1\n and v1_DEL_USED_BY_delay1 ;\n\
        delay2_DEL_USED_BY_delay1 = delay2_IMM_USED_BY_v1\n and v1_DEL_USED_BY_delay1 ;\n\
        v1_IMM_OBSERVED = false;\nv2_AT_v1_TRUE = in1 and delay2 ;\n\
        v2_AT_v1_TRUE_CAPTURE = (v2_AT_v1_TRUE and\n\
        (v1_DEL_USED_BY_delay1 and token=DELAY1)) ;\n\
        v2_AT_v1_TRUE_CAPTURED = v2_AT_v1_TRUE_CAPTURE ->\n(v2_AT_v1_TRUE_CAPTURE or\n\
        pre(v2_AT_v1_TRUE_CAPTURED));\n\
        v2_true_ob = ((v2_AT_v1_TRUE and v1_IMM_OBSERVED)\n\
        or (v2_AT_v1_TRUE_CAPTURED and token=TOK_COMPLETE));\n";
    let locals = "v1, v2, delay2, v2_IMM_USED_BY_v1, delay2_IMM_USED_BY_v1,\n\
        v1_DEL_USED_BY_delay1, v2_DEL_USED_BY_delay1, delay2_DEL_USED_BY_delay1,\n\
        v1_IMM_OBSERVED, v2_AT_v1_TRUE, v2_AT_v1_TRUE_CAPTURE, v2_AT_v1_TRUE_CAPTURED";
    let outputs = "delay1, v2_true_ob: bool";
    let model = program("in1: bool; token: place", outputs, locals, equations);
    let rows = ["T DELAY1", "T DELAY1", "F DELAY1", "T TOK_COMPLETE", "F TOK_ERROR"];
    let shown = "delay1 v1 delay2 v2_DEL_USED_BY_delay1 delay2_DEL_USED_BY_delay1 \
                 v2_AT_v1_TRUE_CAPTURE v2_AT_v1_TRUE_CAPTURED v2_true_ob";
    assert_eq!(
        run(&model, &rows, shown),
        [
            "F F F F T F F F",
            "F T T T T T T F",
            "T F T T F F T F",
            "F F F F T F T T",
            "F F T T F F T F",
        ]
    );
}

#[test]
fn a_delay_of_001_that_starts_with_a_number_is_no_boolean() {
    let text = "node main(v1: bool) returns (delay1: bool);\nlet delay1 = 0 -> pre(v1) ; tel;\n";
    let why = load("paper.lus", text.as_bytes(), None).unwrap_err();
    assert_eq!(
        why[0].message,
        "expected int, found bool: the two sides of '->' must have one type"
    );
}
