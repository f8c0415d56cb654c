//! The steps of a test, one after the other: what is in memory before, what inputs write there, and what each step leaves.

use obligato_bytecode::{Address, CodeId, GlobalId, Module};
use obligato_c_unit::Interface;
use obligato_c_unit::interface::{Cell, Origin};
use obligato_symbolic::{InputVariables, Layout};
use obligato_term::{Term, Terms};

use crate::bytes::Bytes;
use crate::engine::{Cut, Engine};
use crate::guard::Guard;
use crate::memory::{Kind, Memory, Object};
use crate::state::World;
use crate::twin::{Ended, View};

/// Runs all steps, as far as some path comes, and gives what each has left.
pub(crate) fn run_steps(
    engine: &mut Engine<'_>,
    call: CodeId,
    view: &View<'_>,
    inputs: &InputVariables,
) -> Vec<Ended> {
    let View { module, interface, layout, .. } = *view;
    let mut memory = initial_memory(&mut engine.terms, module, interface, layout);
    engine.add_library_objects(&mut memory);
    let guard = Guard::always(&mut engine.terms);
    let mut world = World { guard, memory, calls: Vec::new() };
    let zero = engine.terms.constant(0, 32);
    let mut ended = Vec::with_capacity(inputs.steps());
    for step in 0..inputs.steps() {
        engine.step = step as u32;
        world.calls = vec![zero; engine.outside.len()];
        if !end_where_given_back(engine, call, view, &mut world) {
            break;
        }
        for (cell, input) in interface.inputs.iter().zip(inputs.step(step)) {
            let start = layout.objects[cell.object.0];
            write(&mut engine.terms, &mut world.memory, cell, start, input.word);
        }
        let arguments = [layout.arguments, layout.result]
            .map(|address| engine.terms.constant(address.0.into(), 64));
        let Some((next, _)) = engine.run(call, &arguments, (0, Vec::new()), world, 0) else {
            break;
        };
        world = next;
        ended.push(view.after(&mut engine.terms, &world));
    }
    ended
}

/// Ends the paths on which the program has given back an object of the test: nothing can be written there for the next step.
/// Says whether any path goes on.
fn end_where_given_back(
    engine: &mut Engine<'_>,
    call: CodeId,
    view: &View<'_>,
    world: &mut World,
) -> bool {
    let objects = view.interface.objects.iter().zip(&view.layout.objects);
    let fresh = objects.filter(|(object, _)| object.origin == Origin::Fresh);
    let alive: Vec<Term> = fresh
        .filter_map(|(_, address)| Some(world.memory.get(address.object().0)?.alive))
        .collect();
    let all = engine.terms.all(alive);
    if engine.terms.as_constant(all) == Some(1) {
        return true;
    }
    let gone = engine.terms.not(all);
    let guard = engine.terms.and(world.guard.term(), gone);
    let reason = "an object of the test is given back before the last step".to_owned();
    let (step, callers) = (engine.step, Vec::new());
    engine.cuts.push(Cut { reason, function: call, operation: 0, step, callers, guard });
    match world.guard.and(&mut engine.terms, all) {
        Some(guard) => {
            world.guard = guard;
            true
        }
        None => false,
    }
}

/// The memory before the first step.
fn initial_memory(
    terms: &mut Terms,
    module: &Module,
    interface: &Interface,
    layout: &Layout,
) -> Memory {
    let mut memory = Memory::default();
    let alive = terms.bit(true);
    for (index, global) in module.globals.iter().enumerate() {
        let number = Module::object_of_global(GlobalId::new(index)).0;
        let kind = if global.constant { Kind::Constant } else { Kind::Plain };
        let bytes = Bytes::new(terms, &global.bytes);
        memory.insert(number, Object { kind, bytes, alive });
    }
    for (object, address) in interface.objects.iter().zip(&layout.objects) {
        if object.origin == Origin::Fresh {
            let bytes = Bytes::zeros(terms, object.size as usize);
            memory.insert(address.object().0, Object { kind: Kind::Heap, bytes, alive });
        }
    }
    let mut list: Vec<u8> = Vec::new();
    for argument in &interface.arguments {
        list.extend(layout.objects[argument.0].0.to_le_bytes());
    }
    list.extend([0; 8]);
    let bytes = Bytes::new(terms, &list);
    memory.insert(layout.arguments.object().0, Object { kind: Kind::Plain, bytes, alive });
    memory
}

/// Writes the bits of an input into its cell.
fn write(terms: &mut Terms, memory: &mut Memory, cell: &Cell, start: Address, word: Term) {
    let Some(object) = memory.get_mut(start.object().0) else { return };
    let (offset, first) = ((cell.offset / 8) as usize, (cell.offset % 8) as u8);
    let width = terms.width(word);
    let size = usize::from(first + width).div_ceil(8);
    if offset + size > object.bytes.len() {
        return;
    }
    let mut rest = word;
    for at in 0..size {
        let old = object.bytes.load(terms, offset + at, 1);
        let low = if at == 0 { first } else { 0 };
        let count = (8 - low).min(terms.width(rest));
        let mut byte = terms.extract(rest, 0, count);
        if low > 0 {
            let kept = terms.extract(old, 0, low);
            byte = terms.concat(byte, kept);
        }
        if low + count < 8 {
            let kept = terms.extract(old, low + count, 8 - low - count);
            byte = terms.concat(kept, byte);
        }
        if count < terms.width(rest) {
            rest = terms.extract(rest, count, terms.width(rest) - count);
        }
        object.bytes.store(terms, offset + at, byte);
    }
    // Whole words stay whole.
    if first == 0 && matches!(width, 8 | 16 | 32 | 64) {
        object.bytes.store(terms, offset, word);
    }
}
