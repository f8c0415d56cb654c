//! The assumptions of a proof over all inputs of a function: the restrictions on tests that it relies on.

use obligato_c_unit::interface::{Form, Pointee};
use obligato_c_unit::{Interface, Unit};
use obligato_model::Assumption;
use obligato_model::verdict::Names;

use crate::inputs::InputVariables;

/// The assumptions of a proof for a function.
pub fn assumptions(unit: &Unit, interface: &Interface, inputs: &InputVariables) -> Vec<Assumption> {
    let mut assumed = vec![Assumption::Steps(inputs.steps() as u64)];
    let state = Names::new(interface.state.iter().map(String::as_str));
    assumed.extend(state.map(Assumption::InitialState));
    let forms = || interface.inputs.iter().map(|cell| &cell.form);
    if forms().any(|form| matches!(form, Form::Pointer(_))) {
        assumed.push(Assumption::PointerTargets);
    }
    let nowhere = interface.inputs.iter().filter(|cell| is_always_null(&cell.form));
    let nowhere = Names::new(nowhere.map(|cell| cell.name.as_str()));
    assumed.extend(nowhere.map(Assumption::NullPointers));
    if forms().any(|form| matches!(form, Form::Enumeration(..))) {
        assumed.push(Assumption::NamedEnumerators);
    }
    if !unit.settings().ranges.is_empty() {
        assumed.push(Assumption::InputRanges);
    }
    let preconditions = interface.preconditions.iter();
    assumed.extend(preconditions.map(|one| Assumption::Precondition(one.text.clone())));
    assumed.extend(inputs.unbound().iter().map(|name| Assumption::Zero(name.clone())));
    if !interface.outside.is_empty() {
        assumed.push(Assumption::StubResults(unit.settings().calls));
    }
    assumed
}

fn is_always_null(form: &Form) -> bool {
    matches!(form, Form::Pointer(targets) if targets.iter().all(|one| one.to == Pointee::Null))
}
