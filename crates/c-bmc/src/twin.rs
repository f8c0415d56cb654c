//! Exact observability: an effect is observed if the twin run, in which a value of a condition is suppressed, has other outputs.
//!
//! The twin run is the same function on the same inputs with the condition forced to its other value, so both are
//! terms over the same variables and a difference is one more bit. Where the terms do not tell, as when both runs end with a
//! runtime error, a difference counts as possible but never as found.

use std::rc::Rc;

use obligato_bytecode::{Address, Module};
use obligato_c_unit::interface::{Cell, Form, ObjectIndex};
use obligato_c_unit::{Interface, Layout, Settings};
use obligato_symbolic::InputVariables;
use obligato_term::{BinaryOp, Term, Terms};
use rustc_hash::FxHashMap;

use crate::engine::Engine;
use crate::pointer::Target;
use crate::state::SharedState;

/// Whatever follows the number of a function in an address belongs to it.
const LARGEST_OFFSET: u64 = u64::MAX;

/// The state after a step, as far as it is observed.
#[derive(Clone, Debug)]
pub(crate) struct StepEnd {
    /// One bit: does the step return?
    pub(crate) done: Term,
    /// Per output, the bit that it exists, and its value.
    outputs: Vec<(Term, Term)>,
}

/// The outputs of a function that tests observe.
pub(crate) struct ObservedOutputs<'u> {
    pub(crate) module: &'u Module,
    pub(crate) interface: &'u Interface,
    pub(crate) layout: &'u Layout,
    pub(crate) settings: &'u Settings,
    /// The names of the stubs, by number.
    pub(crate) outside: Vec<String>,
}

impl ObservedOutputs<'_> {
    /// The outputs after a step.
    pub(crate) fn after(&self, engine: &mut Engine<'_>, shared: &SharedState) -> StepEnd {
        let sizes = self.sizes();
        let last = engine.next_object - 1;
        let Engine { terms, pointers, .. } = engine;
        let outputs = self.interface.outputs.iter().map(|cell| {
            let written = self.interface.write_of(cell.object).map(|(stretch, write)| {
                // As `VolatileMemory` counts: behind the stubs, reads and writes in turns.
                (Some(self.outside.len() + 2 * stretch + 1), write)
            });
            let counted = written.or_else(|| {
                let (name, call) = self.interface.call_of(cell.object)?;
                Some((self.outside.iter().position(|known| known == name), call))
            });
            let there = match counted {
                Some((number, call)) => {
                    let calls = number.and_then(|number| shared.calls.get(number)).copied();
                    let call = terms.constant(call.into(), 32);
                    match calls {
                        Some(calls) => terms.binary(BinaryOp::LessUnsigned, call, calls),
                        None => terms.bit(false),
                    }
                }
                None => terms.bit(true),
            };
            // A freed object is no longer observed.
            let start = self.layout.objects[cell.object.0];
            let alive = shared.memory.get(start.object().0).map(|object| object.alive);
            let there = alive.map_or(there, |alive| terms.and(there, alive));
            let mut held = self.held(terms, shared, cell);
            if matches!(cell.form, Form::Pointer(_)) && terms.width(held) == 64 {
                let targets = pointers.targets(terms, held, last);
                held = known(terms, targets, &sizes, held);
            }
            (there, held)
        });
        let outputs = outputs.collect();
        StepEnd { done: shared.guard.term(), outputs }
    }

    /// The bits of a cell.
    fn held(&self, terms: &mut Terms, shared: &SharedState, cell: &Cell) -> Term {
        let (start, size) = self.layout.bytes_of(cell);
        let (first, size) = ((cell.offset / 8) as usize, size as usize);
        let (low, bits) = ((cell.offset % 8) as u8, cell.form.bits());
        let object = shared.memory.get(start.object().0);
        let Some(object) = object.filter(|object| size <= 16 && first + size <= object.bytes.len())
        else {
            return terms.constant(0, 1);
        };
        let mut value = object.bytes.load(terms, first, size.min(8));
        if size > 8 {
            let high = object.bytes.load(terms, first + 8, size - 8);
            value = terms.concat(high, value);
        }
        terms.extract(value, low, bits as u8)
    }

    /// The objects that outputs tell apart, with their sizes: those of the interface, and functions.
    fn sizes(&self) -> FxHashMap<u32, u64> {
        let objects = self.interface.objects.iter().zip(&self.layout.objects);
        let objects = objects.map(|(object, address)| (address.object().0, object.size));
        let first = 1 + self.module.globals.len() as u32;
        let functions = first..first + self.module.functions.len() as u32;
        objects.chain(functions.map(|number| (number, LARGEST_OFFSET))).collect()
    }

    /// Per object, the bit that a test observes it after so many steps.
    fn visible(&self, terms: &mut Terms, inputs: &InputVariables, steps: usize) -> Vec<Term> {
        let mut visible = vec![terms.bit(true); self.interface.objects.len()];
        for (index, cell) in self.interface.inputs.iter().enumerate() {
            let Form::Pointer(targets) = &cell.form else { continue };
            for target in targets {
                let Some(ObjectIndex(object)) = target.to.object() else { continue };
                if terms.as_constant(visible[object]) == Some(1) {
                    visible[object] = terms.bit(false);
                }
                let Address(address) = self.layout.address_of(self.module, &target.to);
                let address = terms.constant(address.into(), 64);
                for step in 0..steps {
                    let points = terms.equal(inputs.step(step)[index].word, address);
                    visible[object] = terms.or(visible[object], points);
                }
            }
        }
        visible
    }

    /// Per step, the bit that the two runs certainly differ in an output up to there, and the bit that they may.
    pub(crate) fn differences(
        &self,
        terms: &mut Terms,
        inputs: &InputVariables,
        original: &[StepEnd],
        twin: &[StepEnd],
        cut: Term,
    ) -> Vec<(Term, Term)> {
        let whole = terms.not(cut);
        let never = terms.bit(false);
        let mut result = Vec::with_capacity(inputs.steps());
        for step in 0..inputs.steps() {
            let visible = self.visible(terms, inputs, step + 1);
            let (of_original, of_twin) = (original.get(step), twin.get(step));
            let done = |ended: Option<&StepEnd>| ended.map_or(never, |ended| ended.done);
            let (done, done_by_twin) = (done(of_original), done(of_twin));
            let mut seen = never;
            if let (Some(one), Some(two)) = (of_original, of_twin) {
                for ((cell, left), right) in
                    self.interface.outputs.iter().zip(&one.outputs).zip(&two.outputs)
                {
                    let same = terms.equal(left.1, right.1);
                    let other = terms.not(same);
                    let both = terms.and(left.0, other);
                    let one_sided = terms.binary(BinaryOp::Xor, left.0, right.0);
                    let differs = terms.or(one_sided, both);
                    let shown = terms.and(visible[cell.object.0], differs);
                    seen = terms.or(seen, shown);
                }
            }
            let seen = terms.all([done, done_by_twin, seen]);
            let one_ends = terms.binary(BinaryOp::Xor, done, done_by_twin);
            let one_ends = terms.and(one_ends, whole);
            let certain = terms.or(seen, one_ends);
            let either = terms.or(done, done_by_twin);
            let neither = terms.not(either);
            let possible = terms.or(certain, neither);
            result.push((certain, possible));
        }
        result
    }
}

/// A pointer, or one fixed number if it points to an object outside of the interface: all those count as equal. Lists have thousands
/// of pointers and of objects, so that each is asked only for its own targets.
fn known(
    terms: &mut Terms,
    targets: Option<Rc<Vec<Target>>>,
    sizes: &FxHashMap<u32, u64>,
    pointer: Term,
) -> Term {
    // A difference that is none does not come out when the test is run; one that is missed would refute too much.
    let Some(targets) = targets else { return pointer };
    let elsewhere = terms.constant(u128::from(u64::MAX), 64);
    let null = u128::from(Address::NULL.offset().cast_unsigned());
    let mut outside = terms.bit(false);
    for target in targets.iter() {
        if target.object == 0 && terms.as_constant(target.offset) == Some(null) {
            continue;
        }
        let Some(size) = sizes.get(&target.object) else {
            outside = terms.or(outside, target.when);
            continue;
        };
        let size = terms.constant(u128::from(*size), 64);
        let within = terms.at_most(target.offset, size);
        let beyond = terms.not(within);
        let beyond = terms.and(target.when, beyond);
        outside = terms.or(outside, beyond);
    }
    terms.choose(outside, elsewhere, pointer)
}
