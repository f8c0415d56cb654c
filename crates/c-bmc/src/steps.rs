//! Executes the steps of a test: the initial memory, the inputs written before each step, and the outputs after it.

use std::rc::Rc;

use obligato_bytecode::{Address, CodeId};
use obligato_c_unit::interface::{Cell, Form, Origin, Pointee};
use obligato_model::{Bound, NotFollowed};
use obligato_symbolic::{InputVariables, splice};
use obligato_term::{Term, Terms};

use crate::bounds::InitialPlace;
use crate::cut::{Cut, Reason};
use crate::engine::{Caller, Engine, Returned, VariadicArguments};
use crate::guard::Guard;
use crate::initial::StateStart;
use crate::memory::Memory;
use crate::state::SharedState;
use crate::twin::{ObservedOutputs, StepEnd};

/// What the steps of a formula leave.
pub(crate) struct StepsEnd {
    /// The outputs after each step that some path returns from.
    pub(crate) steps: Vec<StepEnd>,
    /// The state after the last step, if some path returns from it.
    pub(crate) last: Option<SharedState>,
}

/// Executes the steps until no path returns.
pub(crate) fn run_steps(
    engine: &mut Engine<'_>,
    call: CodeId,
    view: &ObservedOutputs<'_>,
    inputs: &InputVariables,
    start: StateStart,
) -> StepsEnd {
    let ObservedOutputs { interface, layout, .. } = *view;
    let mut memory = engine.initial_memory(view, start);
    engine.add_library_objects(&mut memory);
    let guard = Guard::always(&mut engine.terms);
    let mut shared = SharedState {
        given_away: Rc::default(),
        guard,
        memory,
        calls: Vec::new(),
        written: Rc::default(),
        wild_writes: Rc::default(),
    };
    let zero = engine.terms.constant(0, 32);
    let mut ended = Vec::with_capacity(inputs.steps());
    for step in 0..inputs.steps() {
        engine.step = step as u32;
        shared.calls = vec![zero; engine.volatile.counters()];
        if !cut_where_freed(engine, call, view, &mut shared) {
            return StepsEnd { steps: ended, last: None };
        }
        for (cell, input) in interface.inputs.iter().zip(inputs.step(step)) {
            let object = layout.objects[cell.object.0];
            let mut word = input.word;
            if let Some(bound) = &cell.bound {
                let offset = ((step + 1) << 40) + cell.offset as usize;
                let place = InitialPlace { object: object.object().0, offset };
                word = match bound {
                    Bound::OwnCallbacks => {
                        let stub = stub_of(engine, cell);
                        engine.function_initially(word, place, stub)
                    }
                    bound => engine.within_initially(bound, word, place),
                };
            }
            let place = object.advanced(cell.offset / 8);
            if let Some(when) = input.when {
                word = unless_unset(&mut engine.terms, &shared.memory, place, when, word);
            }
            write(&mut engine.terms, &mut shared.memory, object, cell.offset, word);
            if let (Some(byte), Some(given)) = (cell.given, input.given) {
                let flag = engine.terms.zero_extend(given.bit, 8);
                write(&mut engine.terms, &mut shared.memory, object, 8 * byte, flag);
            }
        }
        let arguments = [layout.arguments, layout.result]
            .map(|address| engine.terms.constant(address.0.into(), 64));
        let Some(Returned { shared: next, .. }) =
            engine.run(call, &arguments, VariadicArguments::default(), shared, Caller::default())
        else {
            return StepsEnd { steps: ended, last: None };
        };
        shared = next;
        ended.push(view.after(engine, &shared));
    }
    StepsEnd { steps: ended, last: Some(shared) }
}

/// The object of the stub that a pointer to a function may point to.
fn stub_of(engine: &Engine<'_>, cell: &Cell) -> Option<u32> {
    let Form::Pointer(targets) = &cell.form else { return None };
    targets.iter().find_map(|target| match &target.to {
        Pointee::Function(name) if engine.outside.iter().any(|stub| stub.symbol == *name) => {
            let code = engine.module.function_named(name)?;
            Some(engine.module.address_of_function(code).object().0)
        }
        _ => None,
    })
}

/// Cuts the paths on which the program has freed an object of the test: the next step cannot write its inputs there.
/// False if no path continues.
fn cut_where_freed(
    engine: &mut Engine<'_>,
    call: CodeId,
    view: &ObservedOutputs<'_>,
    shared: &mut SharedState,
) -> bool {
    let objects = view.interface.objects.iter().zip(&view.layout.objects);
    let fresh = objects.filter(|(object, _)| object.origin == Origin::Fresh);
    let alive: Vec<Term> = fresh
        .filter_map(|(_, address)| Some(shared.memory.get(address.object().0)?.alive))
        .collect();
    let all = engine.terms.all(alive);
    if engine.terms.as_constant(all) == Some(1) {
        return true;
    }
    let gone = engine.terms.not(all);
    let guard = engine.terms.and(shared.guard.term(), gone);
    let reason = Reason::NotFollowed(NotFollowed::FreedInput);
    let (step, callers) = (engine.step, Vec::new());
    engine.cuts.push(Cut { reason, function: call, operation: 0, step, callers, guard });
    match shared.guard.and(&mut engine.terms, all) {
        Some(guard) => {
            shared.guard = guard;
            true
        }
        None => false,
    }
}

/// A pointer of a union, or what lies there if the test does not set it.
fn unless_unset(
    terms: &mut Terms,
    memory: &Memory,
    place: Address,
    when: Term,
    word: Term,
) -> Term {
    let first = usize::try_from(place.offset()).unwrap_or(usize::MAX);
    let bytes = memory.get(place.object().0).map(|object| &object.bytes);
    match bytes.filter(|bytes| first.saturating_add(8) <= bytes.len()) {
        Some(bytes) => {
            let held = bytes.load(terms, first, 8);
            terms.choose(when, word, held)
        }
        None => word,
    }
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
