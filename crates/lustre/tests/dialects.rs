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
