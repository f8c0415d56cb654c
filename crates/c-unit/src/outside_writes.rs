//! What functions outside write in a run: the bytes come from the test, their places from what the call is given.

use std::collections::BTreeSet;

use obligato_bytecode::Address;
use obligato_execute::Memory;

use crate::interface::{AccessPath, AccessPathRoot, Effects, ObjectIndex};
use crate::layout::Layout;
use crate::layout::take_bits;

/// What functions outside did in a step of what the test lets them write.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EffectsOfStep {
    /// What was written at least once: the object of the call, and the byte of it that says that it is given.
    pub written: BTreeSet<(ObjectIndex, u64)>,
    /// What was not, because there is no such memory: a null pointer, or the end of an object.
    pub impossible: Vec<ImpossibleWrite>,
}

/// A write of a call for which there is no memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ImpossibleWrite {
    /// The position of the function outside in the interface.
    pub outside: u32,
    /// Which call of the step.
    pub call: u64,
    /// Which of its [stretches](Effects::stretches).
    pub stretch: u32,
}

/// A call of a function outside.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StubCall {
    /// The position of the function outside in the interface.
    pub(crate) outside: u32,
    /// Which call of the step.
    pub(crate) call: u64,
    /// The list of pointers to what it is given.
    pub(crate) arguments: Address,
}

/// At most so many impossible writes of a step are listed.
const MOST_LISTED: usize = 10_000;

/// Writes what a call writes.
pub(crate) fn apply_effects<M: Clone + Default>(
    effects: &Effects,
    made: StubCall,
    layout: &Layout,
    memory: &mut Memory<M>,
    done: &mut EffectsOfStep,
) {
    let Some(object) = effects.calls.get(made.call as usize).or(effects.calls.last()) else {
        return;
    };
    let own = layout.objects[object.0];
    for (index, effect) in effects.stretches.iter().enumerate() {
        let given = memory.read(own.advanced(effect.given), 1).is_ok_and(|byte| byte[0] != 0);
        if !given {
            continue;
        }
        let from = own.advanced(effect.value);
        let to = address_of(&effect.place, made.arguments, layout, memory);
        if to.is_some_and(|to| copy(memory, from, to, effect.size).is_some()) {
            done.written.insert((*object, effect.given));
        } else if done.impossible.len() < MOST_LISTED {
            let (outside, call, stretch) = (made.outside, made.call, index as u32);
            done.impossible.push(ImpossibleWrite { outside, call, stretch });
        }
    }
}

/// Where a place is in a call, if all pointers on the way lead somewhere.
fn address_of<M: Clone + Default>(
    place: &AccessPath,
    arguments: Address,
    layout: &Layout,
    memory: &Memory<M>,
) -> Option<Address> {
    let pointer = |at: Address| {
        let address = Address(take_bits(memory.read(at, 8).ok()?, 0, 64) as u64);
        (address != Address::NULL).then_some(address)
    };
    let mut at = match place.root {
        AccessPathRoot::Argument(index) => pointer(arguments.advanced(8 * index as u64))?,
        AccessPathRoot::Global(ObjectIndex(object)) => layout.objects[object],
    };
    for offset in &place.pointers {
        at = pointer(at.advanced(*offset))?;
    }
    Some(at.advanced(place.offset))
}

/// Copies bytes with their marks; `None` if that is not possible.
fn copy<M: Clone + Default>(
    memory: &mut Memory<M>,
    from: Address,
    to: Address,
    size: u64,
) -> Option<()> {
    let bytes = memory.read(from, size).ok()?.to_vec();
    let marks = memory.marks(from, size).ok()?.to_vec();
    memory.write(to, &bytes).ok()?;
    memory.marks_mut(to, size).ok()?.clone_from_slice(&marks);
    Some(())
}
