//! The steps of a test, one after the other: what is in memory before, what inputs write there, and what each step leaves.

use obligato_bytecode::{Address, CodeId, GlobalId, Module};
use obligato_c_unit::interface::Origin;
use obligato_c_unit::{Interface, Layout};
use obligato_symbolic::{InputVariables, splice};
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
            let object = layout.objects[cell.object.0];
            write(&mut engine.terms, &mut world.memory, object, cell.offset, input.word);
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
    let bytes = Bytes::new(terms, &layout.argument_list(interface));
    memory.insert(layout.arguments.object().0, Object { kind: Kind::Plain, bytes, alive });
    memory
}

/// Writes the word of an input into its cell, so many bits behind the start of its object.
fn write(terms: &mut Terms, memory: &mut Memory, object: Address, offset: u64, word: Term) {
    let Some(object) = memory.get_mut(object.object().0) else { return };
    let first = (offset / 8) as usize;
    let width = terms.width(word);
    let size = (offset % 8 + u64::from(width)).div_ceil(8) as usize;
    if first + size > object.bytes.len() {
        return;
    }
    // Whole words stay whole.
    if offset.is_multiple_of(8) && matches!(width, 8 | 16 | 32 | 64) {
        object.bytes.store(terms, first, word);
        return;
    }
    let bytes = &mut object.bytes;
    let spliced = splice(terms, offset, word, |terms, at| bytes.load(terms, first + at, 1));
    for (at, byte) in spliced.into_iter().enumerate() {
        bytes.store(terms, first + at, byte);
    }
}
