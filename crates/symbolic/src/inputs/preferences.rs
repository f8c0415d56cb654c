//! What tests had better have so that machine code does what the executor does. It says nothing of what callers can pass, so no
//! proof may use it.

use obligato_c_unit::Interface;
use obligato_c_unit::interface::{Cell, Form};
use obligato_term::{Term, Terms};

use super::{Input, InputVariables};
use crate::splice::splice;

/// From this number on there are no objects, whatever a run creates.
pub const NO_OBJECT: u32 = 1 << 24;

impl InputVariables {
    /// Prefers tests in which no number of a union is the address of an object: what is an address to the executor is none to a
    /// machine.
    pub(super) fn avoid_forged_addresses(
        &mut self,
        terms: &mut Terms,
        interface: &Interface,
        inputs: &[Input],
    ) {
        for (pointer, input) in interface.inputs.iter().zip(inputs) {
            let Some(set) = input.when else { continue };
            let Some(number) = number_under(terms, interface, inputs, pointer) else { continue };
            // Half of the numbers of 32 bits lie before the first object.
            let last = terms.constant((u32::MAX / 2).into(), 64);
            let small = terms.at_most(number, last);
            let first = terms.constant(NO_OBJECT.into(), 32);
            let object = terms.extract(number, 32, 32);
            let large = terms.at_most(first, object);
            let no_address = terms.or(small, large);
            let fine = terms.or(set, no_address);
            if terms.as_constant(fine) != Some(1) {
                self.preferences.push(fine);
            }
        }
    }

    /// Prefers tests in which pointers that the code orders point into one object: of two objects, every machine says for itself which
    /// one comes first.
    pub(super) fn avoid_orders_of_objects(
        &mut self,
        terms: &mut Terms,
        interface: &Interface,
        inputs: &[Input],
    ) {
        let null = terms.constant(0, 32);
        for pair in &interface.ordered {
            let [left, right] = pair.map(|input| terms.extract(inputs[input].word, 32, 32));
            let same = terms.equal(left, right);
            let (none, neither) = (terms.equal(left, null), terms.equal(right, null));
            let fine = terms.any([same, none, neither]);
            if terms.as_constant(fine) != Some(1) {
                self.preferences.push(fine);
            }
        }
    }
}

/// The number that the members of a union have where a pointer lies over them; `None` if none of them is a number.
fn number_under(
    terms: &mut Terms,
    interface: &Interface,
    inputs: &[Input],
    pointer: &Cell,
) -> Option<Term> {
    let first = pointer.offset / 8;
    let mut bytes = vec![terms.constant(0, 8); 8];
    let mut is_number = false;
    for (cell, input) in interface.inputs.iter().zip(inputs) {
        let (range, over) = (cell.range(), pointer.range());
        let overlaps = range.start < over.end && over.start < range.end;
        if cell.object != pointer.object || !overlaps || matches!(cell.form, Form::Pointer(_)) {
            continue;
        }
        is_number = true;
        let place = |at: usize| {
            let byte = (cell.offset / 8 + at as u64).checked_sub(first)?;
            usize::try_from(byte).ok().filter(|byte| *byte < 8)
        };
        let spliced = splice(terms, cell.offset, input.word, |terms, at| {
            place(at).map_or_else(|| terms.constant(0, 8), |byte| bytes[byte])
        });
        for (at, byte) in spliced.into_iter().enumerate() {
            if let Some(place) = place(at) {
                bytes[place] = byte;
            }
        }
    }
    let low = bytes.into_iter().reduce(|low, byte| terms.concat(byte, low));
    low.filter(|_| is_number)
}
