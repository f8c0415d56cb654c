//! The fragments of the papers on observable MC/DC, as nodes, in their canonical layout.

mod support;

use support::assert_round_trip;

fn printed(signature: &str, equations: &str) -> String {
    let text = format!("node fragment{signature};\nlet\n{equations}tel;\n");
    let printed = assert_round_trip("fragment", text.as_bytes());
    let start = printed.find("let\n").expect("a body") + 4;
    printed[start..].trim_end_matches("tel;\n").to_owned()
}

#[test]
fn the_running_example_of_the_incremental_approach() {
    let equations = "\
v1 = (false -> (pre in1));
v2 = (in2 and v1);
v3 = (false -> (pre v2));
v4 = (if in3 then v2 else v3);
out = (false -> (pre v4));
";
    assert_eq!(
        printed("(in1, in2, in3: bool) returns (out: bool)", equations),
        "  v1 = false -> pre in1;
  v2 = in2 and v1;
  v3 = false -> pre v2;
  v4 = if in3 then v2 else v3;
  out = false -> pre v4;
"
    );
}

#[test]
fn its_conditions_for_a_path_that_does_not_mask() {
    let equations = "\
in2_AFFECT_v2 = v1;
in3_AFFECT_v4 = (v2 <> v3);
v3_AFFECT_v4 = (not in3);
v2_observed = ((v2_AFFECT_v4 and v4_observed)
               or v2_observable);
out_observed = true;
";
    assert_eq!(
        printed("() returns ()", equations),
        "  in2_AFFECT_v2 = v1;
  in3_AFFECT_v4 = v2 <> v3;
  v3_AFFECT_v4 = not in3;
  v2_observed = v2_AFFECT_v4 and v4_observed or v2_observable;
  out_observed = true;
"
    );
}

#[test]
fn immediate_paths_of_the_tag_semantics() {
    let equations = "\
out1 = v1 and v2 ;
v1 = true ;
v2 = if (input1) then (v3) else (v1) ;
v1_IMM_OBSERVED =
  (v1_IMM_USED_BY_out1 and out1_IMM_OBSERVED) or
  (v1_IMM_USED_BY_v2 and v2_IMM_OBSERVED) ;
";
    assert_eq!(
        printed("(input1: bool) returns (out1: bool)", equations),
        "  out1 = v1 and v2;
  v1 = true;
  v2 = if input1 then v3 else v1;
  v1_IMM_OBSERVED =
    v1_IMM_USED_BY_out1 and out1_IMM_OBSERVED or v1_IMM_USED_BY_v2 and v2_IMM_OBSERVED;
"
    );
}

#[test]
fn delayed_paths_and_captured_tokens_of_the_tag_semantics() {
    let equations = "\
delay1 = 0 -> pre(v1) ;
v1 = v2 and delay2 ;
v2_AT_v1_TRUE_CAPTURED = v2_AT_v1_TRUE_CAPTURE ->
(v2_AT_v1_TRUE_CAPTURE or
pre(v2_AT_v1_TRUE_CAPTURED));
v2_true_ob = ((v2_AT_v1_TRUE and v1_IMM_OBSERVED)
or (v2_AT_v1_TRUE_CAPTURED and token=TOK_COMPLETE));
";
    assert_eq!(
        printed("(in1: bool) returns ()", equations),
        "  delay1 = 0 -> pre v1;
  v1 = v2 and delay2;
  v2_AT_v1_TRUE_CAPTURED =
    v2_AT_v1_TRUE_CAPTURE -> v2_AT_v1_TRUE_CAPTURE or pre v2_AT_v1_TRUE_CAPTURED;
  v2_true_ob = v2_AT_v1_TRUE and v1_IMM_OBSERVED or v2_AT_v1_TRUE_CAPTURED and token = TOK_COMPLETE;
"
    );
}
