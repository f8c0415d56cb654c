//! What a proof over all inputs of a function takes for granted: all that tests could do, and here do not.

use obligato_c_unit::interface::{Form, Pointee};
use obligato_c_unit::{Interface, Unit};

use crate::inputs::InputVariables;

/// So many names are listed, and then how many more there are.
const MOST_NAMES: usize = 4;

/// In words, each for itself, with the setting that would change it.
pub fn assumptions(unit: &Unit, interface: &Interface, inputs: &InputVariables) -> Vec<String> {
    let mut assumed = vec![match inputs.steps() {
        1 => "tests have one step".to_owned(),
        steps => format!("tests have at most {steps} steps"),
    }];
    if !interface.state.is_empty() {
        let names = listed(&interface.state.iter().map(String::as_str).collect::<Vec<_>>());
        assumed.push(format!(
            "{names} start{} as the file has {} (--state free and --global make inputs of such)",
            if interface.state.len() == 1 { "s" } else { "" },
            if interface.state.len() == 1 { "it" } else { "them" },
        ));
    }
    let forms = || interface.inputs.iter().map(|cell| &cell.form);
    if forms().any(|form| matches!(form, Form::Pointer(_))) {
        assumed.push(
            "pointers point to what the interface lists, and objects have the sizes given there"
                .to_owned(),
        );
    }
    let nowhere: Vec<&str> = interface
        .inputs
        .iter()
        .filter(|cell| is_always_null(&cell.form))
        .map(|cell| cell.name.as_str())
        .collect();
    if !nowhere.is_empty() {
        let is = if nowhere.len() == 1 { "is" } else { "are" };
        assumed.push(format!("{} {is} NULL, for want of something to point to", listed(&nowhere)));
    }
    if forms().any(|form| matches!(form, Form::Enumeration(..))) {
        assumed.push("enumerations hold values that have names".to_owned());
    }
    if !unit.settings().ranges.is_empty() {
        assumed.push("inputs are within their ranges".to_owned());
    }
    for precondition in &interface.preconditions {
        assumed.push(format!("`{}` holds of inputs", precondition.text));
    }
    for name in inputs.unbound() {
        assumed.push(format!("'{name}' is zero"));
    }
    if !interface.outside.is_empty() {
        let calls = unit.settings().calls;
        assumed.push(format!("functions outside of the unit return what inputs say, from call {calls} of a step on the same"));
    }
    assumed
}

fn is_always_null(form: &Form) -> bool {
    matches!(form, Form::Pointer(targets) if targets.iter().all(|one| one.to == Pointee::Null))
}

fn listed(names: &[&str]) -> String {
    let quoted: Vec<String> =
        names.iter().take(MOST_NAMES).map(|name| format!("'{name}'")).collect();
    match (names.len().saturating_sub(MOST_NAMES), quoted.split_last()) {
        (0, Some((last, []))) => last.clone(),
        (0, Some((last, others))) => format!("{} and {last}", others.join(", ")),
        (more, _) => format!("{} and {more} more", quoted.join(", ")),
    }
}
