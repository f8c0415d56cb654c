//! What a refutation over all inputs of a function rests on: what a person wrote, and the bounds of the input model.

use obligato_c_unit::interface::{Form, Outside};
use obligato_c_unit::settings::{Allocation, VolatileObjects};
use obligato_c_unit::{Interface, Surrounding, Unit};
use obligato_model::verdict::Names;
use obligato_model::{Assumption, Bound};

use crate::inputs::InputVariables;

/// The assumptions of a proof for a function: what a person wrote about its inputs.
pub fn assumptions(unit: &Unit, interface: &Interface) -> Vec<Assumption> {
    let mut assumed = Vec::new();
    if !unit.settings().ranges.is_empty() {
        assumed.push(Assumption::InputRanges);
    }
    if unit.settings().volatile != VolatileObjects::Inputs {
        assumed.push(Assumption::VolatileMemory);
    }
    if unit.settings().allocation == Allocation::Succeeds {
        assumed.push(Assumption::SuccessfulAllocation);
    }
    let settings = unit.settings();
    assumed.extend(settings.fixed.iter().cloned().map(Assumption::FixedValue));
    assumed.extend(settings.sizes.keys().cloned().map(Assumption::ObjectSize));
    let named =
        interface.outside.iter().filter(|one| unit.settings().stubs.contains_key(&one.name));
    assumed.extend(named.map(|one| Assumption::StubWrites(one.name.clone())));
    let preconditions = interface.preconditions.iter();
    assumed.extend(preconditions.map(|one| Assumption::Precondition(one.text.clone())));
    assumed
}

/// All bounds that an exploration of the paths of a function may have used. An over-approximation: the formula of the function
/// tells which of them a single refutation uses.
pub fn bounds(unit: &Unit, interface: &Interface, inputs: &InputVariables) -> Vec<Bound> {
    let mut bounds: Vec<Bound> = Vec::new();
    if !interface.state.is_empty() {
        bounds.push(Bound::Steps(inputs.steps() as u64));
    }
    bounds.extend(interface.objects.iter().filter_map(|object| object.extent.clone()));
    bounds.extend(interface.inputs.iter().filter_map(|cell| cell.bound.clone()));
    let is_pointer = |cell: &obligato_c_unit::interface::Cell| {
        matches!(&cell.form,
        Form::Pointer(targets) if targets.iter().any(|one| one.to.object().is_some()))
    };
    if interface.inputs.iter().any(is_pointer) {
        bounds.extend([Bound::NoAliasing, Bound::ArrayCells(interface.array)]);
    }
    // What the executor decides and C leaves open: paths do not tell whether it mattered.
    bounds.extend([Bound::AddressLayout, Bound::ZeroedMemory]);
    for asked in unit.surroundings_of(&interface.function) {
        bounds.extend(match asked {
            Surrounding::Allocation => Some(Bound::SuccessfulAllocation),
            Surrounding::Output => Some(Bound::SuccessfulOutput),
            Surrounding::Locale => Some(Bound::Locale),
            Surrounding::VolatileReads => Names::new(["*"]).map(Bound::VolatileMemory),
        });
    }
    let unbound = Names::new(inputs.unbound().iter().map(String::as_str));
    bounds.extend(unbound.map(Bound::FixedInputs));
    if !interface.volatile.is_empty() {
        bounds.push(Bound::VolatileReads(interface.calls));
    }
    let allocates = |one: &&Outside| unit.driver().allocators.contains(&one.name);
    if interface.outside.iter().any(|one| allocates(&one)) {
        bounds.push(Bound::SuccessfulAllocation);
    }
    let stubs = || interface.outside.iter().filter(|one| !allocates(one));
    if stubs().next().is_some() {
        bounds.push(Bound::StubResults(interface.calls));
        let names = Names::new(stubs().map(|one| one.label.as_str()));
        bounds.extend(names.map(Bound::StubEffects));
    }
    bounds.sort();
    bounds.dedup();
    bounds
}
