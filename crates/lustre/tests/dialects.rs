//! Constructs of LustreC, and of Kind 2 where it leaves values open, by traces computed by hand.
#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]

mod support;

use obligato_lustre::lowering::Lowered;
use obligato_transition_system::CheckKind;
use support::trace::{failures, lowered, run};

fn inputs(model: &Lowered) -> Vec<&str> {
    model.interface.inputs.iter().map(|input| &input.name[..]).collect()
}

fn assumptions(model: &Lowered) -> Vec<String> {
    model.assumptions.iter().map(ToString::to_string).collect()
}

#[test]
fn a_slash_between_integers_is_div_whose_remainder_is_never_negative() {
    let model = lowered(
        "const half = 9 / 2;\n\
         node main(x: int) returns (y, z: int; b: bool);\n\
         let y = x / 2; z = x / -2 + half; b = x != 7; tel;",
    );
    let rows = run(&model, &["7", "-7", "0"], &["y", "z", "b"]);
    assert_eq!(rows, ["3 1 F", "-4 8 T", "0 4 T"]);
}

#[test]
fn a_real_may_end_with_its_point() {
    let model = lowered(
        "node main(x: int) returns (y: bool; z: int^2);\n\
         let y = real x > 1. and real x < 3.; z = [x, 4, 5][0..1]; tel;",
    );
    assert_eq!(run(&model, &["1", "2", "3"], &["y", "z[1]"]), ["F 4", "T 4", "F 4"]);
}

#[test]
fn every_after_a_call_restarts_it() {
    let model = lowered(
        "node count(by: int) returns (n: int); let n = by + (0 -> pre n); tel;\n\
         node main(r: bool; x: int) returns (y, z: int);\n\
         let y = 10 * count(x) every r and x > 0; z = (count(x) every r) + 1; tel;",
    );
    let rows = run(&model, &["F 1", "F 1", "T 5", "F 1", "T -1"], &["y", "z"]);
    assert_eq!(rows, ["10 2", "20 3", "50 6", "60 7", "50 0"]);
}

#[test]
fn clocks_may_be_named_by_their_truth_value() {
    let model = lowered(
        "node main(c: bool clock; x: int) returns (y: int);\n\
         let y = merge c (true -> (0 -> pre x) when true(c)) (false -> -x when false(c)); tel;",
    );
    assert_eq!(run(&model, &["F 3", "T 4", "T 5", "F 6"], &["y"]), ["-3", "3", "4", "-6"]);
}

#[test]
fn conversions_of_lustrec_round_as_its_c_code_does() {
    let model = lowered(
        "#open <conv>\n\
         node main(x: int) returns (t, f, c, r: int; same: bool);\n\
         var h: real;\n\
         let h = int_to_real(x) / 2.;\n\
         t = real_to_int(h); f = _Floor(h); c = _Ceiling(h); r = _Round(h);\n\
         same = _floor(h) = int_to_real(f) and _ceil(h) = int_to_real(c)\n\
           and _round(h) = int_to_real(r); tel;",
    );
    let rows = run(&model, &["7", "-7", "6", "-1"], &["t", "f", "c", "r", "same"]);
    assert_eq!(rows, ["3 3 4 4 T", "-3 -4 -3 -4 T", "3 3 3 3 T", "0 -1 0 -1 T"]);
    // The library adds no decisions: nobody wrote its 'if'.
    assert_eq!(model.program.decisions().len(), 1);
}

#[test]
fn of_the_functions_of_lustrec_math_nothing_is_known_but_that_they_are_functions() {
    let model = lowered(
        "#open <lustrec_math>\n\
         node main(x: real) returns (y: real); let y = sqrt(x) + pow(x, 2.); tel;",
    );
    let functions: Vec<_> = model.functions.iter().map(|function| &function.name[..]).collect();
    assert_eq!(functions, ["pow", "sqrt"]);
    assert_eq!(inputs(&model), ["x", "main/sqrt.result", "main/pow.result"]);
}

#[test]
fn an_imported_main_node_gives_what_its_contract_allows() {
    let model = lowered(
        "node double(x: int) returns (y: int); let y = 2 * x; tel;\n\
         node imported main(x: int) returns (y: int);\n\
         (*@contract assume x > 0; guarantee y > double(x); *)",
    );
    assert_eq!(inputs(&model), ["x", "main.y"]);
    // The assumption and the guarantee restrict what happens; neither is to be proved.
    let rows = ["1 3", "0 1", "1 2", "0 0"];
    assert_eq!(failures(&model, CheckKind::Assertion, &rows), [0, 1, 1, 2]);
    assert_eq!(failures(&model, CheckKind::Property, &rows), [0, 0, 0, 0]);
    assert_eq!(run(&model, &rows[..2], &["y"]), ["3", "1"]);
}

#[test]
fn a_variable_without_a_definition_is_an_input() {
    let model = lowered(
        "node inner(x: int) returns (y, z: int); let y = x + 1; tel;\n\
         node main(x: int) returns (o: int); var a, b, free: int;\n\
         let a, b = inner(x); o = a + 10 * b + 100 * (0 -> pre free); tel;",
    );
    assert_eq!(inputs(&model), ["x", "main/inner.z", "main.free"]);
    assert_eq!(run(&model, &["1 2 3", "1 0 0"], &["o"]), ["22", "302"]);
    let texts = ["main/inner.z", "main.free"]
        .map(|name| format!("nothing defines '{name}': it is an input"));
    assert_eq!(assumptions(&model), texts);
}

#[test]
fn any_is_a_value_for_which_its_condition_holds() {
    let model = lowered(
        "node main(x: int) returns (y: int; b: bool);\n\
         let y = any { v: int | v > x and (forall (v: bool) v or not v) } + any@<int>;\n\
         b = y > any { v: int | true -> v > pre v }; tel;",
    );
    assert_eq!(inputs(&model), ["x", "main.any_v", "main.any_value", "main.any_v2"]);
    let rows = ["1 2 3 0", "1 1 3 1", "5 0 0 1"];
    assert_eq!(run(&model, &rows, &["y", "b"]), ["5 T", "4 T", "0 F"]);
    assert_eq!(failures(&model, CheckKind::Assertion, &rows), [0, 1, 2]);
}

#[test]
fn variables_of_contracts_guarantee_the_conditions_of_their_types() {
    let model = lowered(
        "contract grows(x: int) returns (y: int | y > x); let\n\
         var step: subtype { s: int | s < 5 } = y - x; tel;\n\
         node main(x, by: int) returns (y: int);\n\
         (*@contract import grows(x) returns (y); *) let y = x + by; tel;",
    );
    assert_eq!(failures(&model, CheckKind::Property, &["1 1", "1 0", "1 5"]), [0, 1, 1]);
}

#[test]
fn the_condition_of_any_may_hold_another_any() {
    let model = lowered(
        "node main(x: int) returns (y: int);\n\
         let y = any { v: int | v > any { w: int | w > x and w < 2 * v } }; tel;",
    );
    assert_eq!(inputs(&model), ["x", "main.any_v", "main.any_w"]);
    let rows = ["1 9 2", "1 2 2", "1 1 2"];
    assert_eq!(run(&model, &rows, &["y"]), ["9", "2", "1"]);
    assert_eq!(failures(&model, CheckKind::Assertion, &rows), [0, 1, 2]);
}

#[test]
fn any_in_blocks_and_states_is_a_value_in_every_step() {
    let model = lowered(
        "node main(c: bool; x: int) returns (y, z: int);\n\
         let if c then y = any { v: int | v <> x }; else y = x; fi\n\
         automaton state A: let z = any { w: int | w > 0 }; tel until if c resume B end\n\
         state B: let z = 0; tel until if c resume A end returns z; tel;",
    );
    // A state's own value is one of its instance.
    let names = inputs(&model);
    assert_eq!(names.len(), 4, "{names:?}");
    assert!(names.contains(&"main.any_v"), "{names:?}");
}

#[test]
fn the_condition_of_a_type_is_assumed_guaranteed_or_a_property() {
    let model = lowered(
        "type nat = subtype { n: int | n >= 0 };\n\
         type even = subtype { n: nat | n mod 2 = 0 };\n\
         node half(x: even) returns (y: nat); let y = x div 2; tel;\n\
         node main(x, z: nat; p: int | p > x) returns (y: int); var l: even;\n\
         let l = x + z; y = half(l) + p; tel;",
    );
    let rows = ["2 2 3", "1 2 5", "-2 -4 0", "0 0 0"];
    assert_eq!(run(&model, &rows, &["y"]), ["5", "6", "-3", "0"]);
    // Of 'x', 'z' and 'p': what the environment of the main node respects.
    assert_eq!(failures(&model, CheckKind::Assertion, &rows), [0, 0, 2, 1]);
    // Of 'l' and of the argument of 'half', twice each. Once its assumption failed, what 'half'
    // guarantees does not count.
    assert_eq!(failures(&model, CheckKind::Property, &rows), [0, 2, 2, 0]);
}
