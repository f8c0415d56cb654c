//! The memory before the first step: what the file initialises, and what beyond the bounds of the input model may be anything.

use obligato_bytecode::{Address, GlobalId, Module, ObjectId};
use obligato_c_unit::Settings;
use obligato_c_unit::interface::{
    Cell, ChangedBy, Form, ObjectIndex, Origin, StateVariable, known_outside,
};
use obligato_control_flow::CallGraph;
use obligato_execute::initial_bytes;
use obligato_model::Bound;
use obligato_model::verdict::Names;
use obligato_term::{BinaryOp, Term};

use crate::bounds::{Aliasable, InitialPlace};
use crate::bytes::Bytes;
use crate::engine::Engine;
use crate::memory::{Kind, Memory, Object};
use crate::pointer::Target;
use crate::twin::ObservedOutputs;

/// Objects with more bytes than this get no unconstrained value for each word.
const MOST_BYTES: usize = 1 << 15;

/// A latch points to no more globals and functions than this, or to none of them.
const MOST_POINTED: usize = 64;

/// What state variables hold before the first step of a formula.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum StateStart {
    /// What the file initialises; beyond so many steps, anything.
    File {
        /// How many steps the formula has.
        steps: u64,
    },
    /// Variables of the formula, the latches of a transition system.
    Latches,
}

/// A word of a state variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LatchWord {
    /// The object of the variable.
    pub(crate) object: u32,
    /// In bytes from its start.
    pub(crate) offset: usize,
    /// In bytes.
    pub(crate) length: usize,
    /// What the file initialises it with.
    pub(crate) initial: u128,
    /// The variable of the formula for what it holds before a call.
    pub(crate) start: Term,
}

/// The bound of a formula of one step from any state: a pointer in a latch leads beyond it.
pub(crate) const ONE_STEP: Bound = Bound::Steps(1);

impl Engine<'_> {
    /// The memory before the first step.
    pub(crate) fn initial_memory(
        &mut self,
        view: &ObservedOutputs<'_>,
        start: StateStart,
    ) -> Memory {
        let ObservedOutputs { module, interface, layout, settings, .. } = *view;
        self.note_extents(view);
        let mut memory = Memory::new(layout.first_free.0, &self.versions);
        let alive = self.terms.bit(true);
        for (index, global) in module.globals.iter().enumerate() {
            let number = Module::object_of_global(GlobalId::new(index)).0;
            let kind = if global.constant { Kind::Constant } else { Kind::Plain };
            let held = initial_bytes(module, GlobalId::new(index));
            let mut bytes = Bytes::new(&mut self.terms, &held);
            if let Some(variable) = interface.state.iter().find(|one| one.symbol == global.name) {
                match start {
                    StateStart::File { steps } => {
                        self.loosen(number, &mut bytes, &Bound::Steps(steps));
                    }
                    StateStart::Latches => self.make_latches(number, &mut bytes, variable),
                }
            }
            if let Some(unknown) = interface.unknown.iter().find(|one| one.symbol == global.name) {
                if let Some(names) = Names::new([unknown.name.as_str()]) {
                    self.loosen(number, &mut bytes, &Bound::FixedInputs(names));
                }
                if unknown.is_open_ended {
                    self.bounds.extents.insert(number, Bound::Elements(bytes.len() as u64));
                }
            }
            memory.insert(number, Object { kind, bytes, alive });
        }
        for (index, (object, address)) in interface.objects.iter().zip(&layout.objects).enumerate()
        {
            let number = address.object().0;
            if object.origin == Origin::Fresh {
                let bytes = Bytes::zeros(&mut self.terms, object.size as usize);
                memory.insert(number, Object { kind: Kind::Heap, bytes, alive });
            }
            for bound in bounds_on_rest(view, ObjectIndex(index), settings) {
                let Some(held) = memory.get_mut(number) else { continue };
                let mut bytes = held.bytes.clone();
                self.loosen(number, &mut bytes, &bound);
                held.bytes = bytes;
            }
        }
        let bytes = Bytes::new(&mut self.terms, &layout.argument_list(interface));
        memory.insert(layout.arguments.object().0, Object { kind: Kind::Plain, bytes, alive });
        memory
    }

    /// Replaces the bytes of a state variable by latches. What other functions may write holds anything beyond that bound.
    fn make_latches(&mut self, number: u32, bytes: &mut Bytes, variable: &StateVariable) {
        if bytes.len() > MOST_BYTES {
            self.bounds.unset.insert(number, ONE_STEP);
            return;
        }
        let other_calls = match variable.changed_by {
            ChangedBy::FunctionUnderTest => None,
            ChangedBy::OtherFunctions => {
                Names::new([variable.name.as_str()]).map(Bound::OtherCalls)
            }
        };
        for offset in (0..bytes.len()).step_by(8) {
            let length = (bytes.len() - offset).min(8);
            let held = bytes.load(&mut self.terms, offset, length);
            let initial = self.terms.as_constant(held).unwrap_or(0);
            let start = self.unconstrained(&ONE_STEP, 8 * length as u8);
            if length == 8 {
                self.let_latch_point(start);
            }
            self.latches.push(LatchWord { object: number, offset, length, initial, start });
            let word = match &other_calls {
                Some(bound) => self.within(bound, start),
                None => start,
            };
            bytes.store(&self.terms, offset, word);
        }
    }

    /// Lets a latch point to the globals and functions of the unit, whose addresses are the same in every step; all other addresses
    /// lead beyond the step.
    fn let_latch_point(&mut self, latch: Term) {
        let globals = 1..=self.module.globals.len() as u32;
        let calls = CallGraph::new(self.module);
        let functions =
            calls.address_taken().iter().map(|code| self.module.address_of_function(*code));
        let objects: Vec<u32> = globals.chain(functions.map(|one| one.object().0)).collect();
        if objects.len() > MOST_POINTED {
            return;
        }
        let number = self.terms.extract(latch, 32, 32);
        let mut targets = Vec::with_capacity(objects.len() + 2);
        let mut known = self.terms.bit(false);
        for object in std::iter::once(0).chain(objects) {
            let this = self.terms.constant(object.into(), 32);
            let when = self.terms.equal(number, this);
            known = self.terms.or(known, when);
            let start = Address::new(ObjectId(object), 0);
            let start = self.terms.constant(start.0.into(), 64);
            let offset = self.terms.binary(BinaryOp::Subtract, latch, start);
            targets.push(Target { object, when, offset });
        }
        let object = self.opaque_object(&ONE_STEP);
        targets.push(Target { object, when: self.terms.not(known), offset: latch });
        self.pointers.define(latch, targets);
    }

    /// Lets the bytes of an object be anything beyond a bound.
    fn loosen(&mut self, number: u32, bytes: &mut Bytes, bound: &Bound) {
        if bytes.len() > MOST_BYTES {
            self.bounds.unset.insert(number, bound.clone());
            return;
        }
        for offset in (0..bytes.len()).step_by(8) {
            let length = (bytes.len() - offset).min(8);
            let held = bytes.load(&mut self.terms, offset, length);
            let place = InitialPlace { object: number, offset };
            let word = self.within_initially(bound, held, place);
            bytes.store(&self.terms, offset, word);
        }
    }

    /// Notes which objects have a size that the tool chose, and which a caller may let overlap.
    fn note_extents(&mut self, view: &ObservedOutputs<'_>) {
        let ObservedOutputs { module, interface, layout, .. } = *view;
        for (object, address) in interface.objects.iter().zip(&layout.objects) {
            if let Some(bound) = &object.extent {
                self.bounds.extents.insert(address.object().0, bound.clone());
            }
        }
        for cell in &interface.inputs {
            let Form::Pointer(targets) = &cell.form else { continue };
            for target in targets {
                if let Some(ObjectIndex(at)) = target.to.object() {
                    let number = layout.objects[at].object().0;
                    self.bounds.aliasable.insert(number, Aliasable::Pointed);
                }
            }
        }
        let is_pointed = !self.bounds.aliasable.is_empty();
        let known = known_outside(module);
        for (index, global) in module.globals.iter().enumerate() {
            // A static variable whose address never leaves the unit's own accesses to it is behind no pointer.
            let is_known = known[index] || interface.exported.contains(&global.name);
            if global.constant || !is_known {
                continue;
            }
            let number = Module::object_of_global(GlobalId::new(index)).0;
            self.bounds.known_globals.insert(number);
            if is_pointed {
                self.bounds.aliasable.entry(number).or_insert(Aliasable::Global);
            }
        }
    }
}

/// The bounds on the bytes of an object that no input sets, if there are such in an object that a caller fills: beyond each of them
/// they are anything.
fn bounds_on_rest(
    view: &ObservedOutputs<'_>,
    index: ObjectIndex,
    settings: &Settings,
) -> Vec<Bound> {
    let interface = view.interface;
    if interface.outside.iter().any(|one| one.effects.calls.contains(&index)) {
        return Vec::new();
    }
    if interface.left_out.contains(&index) {
        return vec![Bound::Inputs(settings.most_inputs as u64)];
    }
    let object = &interface.objects[index.0];
    let fixed = || Names::new([object.name.as_str()]).map(Bound::FixedInputs);
    if interface.unset.contains(&index) {
        return fixed().into_iter().collect();
    }
    let cells = || interface.inputs.iter().filter(|cell| cell.object == index);
    let is_filled = cells().next().is_some() || object.extent.is_some();
    if !is_filled || bits_of(cells()) >= 8 * object.size {
        return Vec::new();
    }
    let left = 8 * object.size - bits_of(cells());
    if let Some(extent) = object.extent.clone().filter(|_| settings.terminated && left == 8) {
        // In a larger object the string may end later.
        return vec![Bound::TerminatedStrings, extent];
    }
    let many = cells().count() as u64 >= interface.array;
    if many {
        return vec![Bound::ArrayCells(interface.array)];
    }
    fixed().into_iter().collect()
}

/// How many bits of an object the cells take. Members of a union overlap; the pointers among them need not be set.
fn bits_of<'c>(cells: impl Iterator<Item = &'c Cell>) -> u64 {
    let mut ranges: Vec<_> =
        cells.filter(|cell| !cell.lies_over_others()).map(Cell::range).collect();
    ranges.sort_by_key(|range| range.start);
    let (mut bits, mut end) = (0, 0);
    for range in ranges {
        bits += range.end.saturating_sub(range.start.max(end));
        end = end.max(range.end);
    }
    bits
}
