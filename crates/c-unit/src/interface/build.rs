//! The interface of a function: its parameters, the globals it reads, what it gets from outside.

use std::collections::BTreeMap;

use obligato_bytecode::Module;
use obligato_clang::{CType, Callable, Syntax, TypeId, Variable};

use super::afterwards::ReadAfterwards;
use super::entries::functions_known_outside;
use super::expand::{Expanded, Expander, OPAQUE_BYTES, Root};
use super::globals::uses_of_globals;
use super::inside::point_inside;
use super::leave_out::{leave_out_inputs, leave_out_overlapped};
use super::names::{beside, name_of_parameter, tell_apart};
use super::touched::Touched;
use super::types::size_of;
use super::variables::Changes;
use super::volatile::{Accesses, take_volatile};
use super::{
    Cell, ChangedBy, EventInput, Form, Interface, ObjectIndex, Origin, StateVariable,
    VolatileStretch,
};
use crate::driver::Driver;
use crate::pointed_stubs::is_pointed_stub;
use crate::sequence::Sequence;
use crate::settings::{Settings, USUAL_ARRAY};
use crate::weak::is_weak_stand_in;

/// Builds the interface of a function that the module defines. The driver lists the functions that
/// are called but defined nowhere. `None` if there is no such function.
pub fn build_interface(
    unit: &Syntax,
    module: &Module,
    function: &str,
    driver: &Driver,
    settings: &Settings,
) -> Option<Interface> {
    if settings.array != USUAL_ARRAY {
        return build(unit, module, function, driver, settings, settings.array);
    }
    let mut array = USUAL_ARRAY;
    loop {
        let interface = build(unit, module, function, driver, settings, array)?;
        if interface.inputs.len() <= MANY_INPUTS || array <= FEW_CELLS {
            return Some(interface);
        }
        array /= 4;
    }
}

/// With more inputs than this, fewer elements of arrays are inputs, unless somebody says how many.
const MANY_INPUTS: usize = 1024;

/// So many elements of an array are inputs in any case.
const FEW_CELLS: u64 = 16;

/// The interface in which so many elements of an array are inputs.
fn build(
    unit: &Syntax,
    module: &Module,
    function: &str,
    driver: &Driver,
    settings: &Settings,
    array: u64,
) -> Option<Interface> {
    let code = module.function_named(function)?;
    let callable = unit.callables.iter().find(|callable| callable.name == function)?;
    let sequence = Sequence::of(unit, settings);
    let mut used = uses_of_globals(module, code);
    for name in sequence.functions() {
        if let Some(code) = module.function_named(name) {
            used.join(&uses_of_globals(module, code));
        }
    }
    let steps: Vec<&str> = sequence.functions().map(String::as_str).chain([function]).collect();
    let handed_out = functions_known_outside(unit, module);
    let changes = Changes::new(unit, module, &used, &steps, &handed_out);
    let expander = Expander {
        types: &unit.types,
        settings,
        array,
        declared: BTreeMap::new(),
        functions: &unit.callables,
        objects: Vec::new(),
        known: Vec::new(),
        left_out: 0,
        stubs: &driver.pointed,
        taken_stubs: Vec::new(),
    };
    let (name, calls) = (function.to_owned(), settings.calls);
    let functions = module.functions.iter().zip(&handed_out);
    let handed_out =
        functions.filter(|(one, known)| **known && !steps.contains(&one.name.as_str()));
    let handed_out = handed_out.map(|(one, _)| one.name.clone()).collect();
    let interface = Interface { function: name, array, calls, handed_out, ..Interface::default() };
    let touched = Touched::by(module, &used);
    let variables = &unit.variables;
    let mut builder = Builder { expander, interface, touched, variables, driver, callable };
    builder.add_result(callable);
    builder.add_parameters(callable);
    builder.add_sequence(function, &sequence);
    let linked = builder.add_weak(function, driver, module, &used);
    for variable in &unit.variables {
        builder.add_global(variable, module, &used, &changes);
    }
    for register in &driver.registers {
        builder.add_register(register, module, &used);
    }
    let stubs: Vec<&str> = driver.outside.iter().map(|one| one.name.as_str()).collect();
    let afterwards = ReadAfterwards::new(module, &used, &stubs);
    let is_plain = |one: &&Callable| !is_weak_stand_in(&one.name) && !is_pointed_stub(&one.name);
    for outside in driver.outside.iter().filter(is_plain) {
        let called = module.function_named(&outside.name);
        if called.is_some_and(|code| used.called[code.index()]) {
            let label = builder.name_of(&outside.name);
            builder.add_outside(outside, &label, module, &afterwards);
            builder.add_callbacks(&outside.name, &label, driver);
        }
    }
    for (symbol, label) in linked {
        if let Some(outside) = driver.outside.iter().find(|one| one.name == symbol) {
            builder.add_outside(outside, &label, module, &ReadAfterwards::Anything);
            builder.add_callbacks(&outside.name, &label, driver);
        }
    }
    for name in &driver.allocators {
        let called = module.function_named(name);
        if called.is_some_and(|code| used.called[code.index()]) {
            builder.add_allocator(name);
        }
    }
    // Results of stubs may be pointers to functions, with stubs of their own.
    let mut added = 0;
    while let Some((symbol, label)) = builder.expander.taken_stubs.get(added).cloned() {
        if let Some(callable) = driver.outside.iter().find(|one| one.name == symbol) {
            builder.add_outside(callable, &label, module, &ReadAfterwards::Anything);
            builder.add_callbacks(&callable.name, &label, driver);
        }
        added += 1;
    }
    let Builder { expander, mut interface, .. } = builder;
    interface.objects.clone_from(&expander.objects);
    if interface.inputs.len() > settings.most_inputs {
        leave_out_inputs(&mut interface, settings.most_inputs);
        let has_input =
            |object: &ObjectIndex| interface.inputs.iter().any(|cell| cell.object == *object);
        for stretch in &mut interface.volatile {
            stretch.reads.retain(has_input);
        }
    }
    leave_out_overlapped(&mut interface);
    point_inside(&mut interface, &expander, unit, module, &used, callable);
    tell_apart(&mut interface);
    if !settings.observed.is_empty() {
        interface.outputs.retain(|cell| settings.observed.contains(&cell.name));
    }
    Some(interface)
}

pub(super) struct Builder<'a> {
    pub(super) expander: Expander<'a>,
    pub(super) interface: Interface,
    pub(super) touched: Touched,
    pub(super) variables: &'a [Variable],
    pub(super) driver: &'a Driver,
    /// The function.
    pub(super) callable: &'a Callable,
}

impl Builder<'_> {
    /// What a variable or function of the file is called in columns.
    pub(super) fn name_of(&self, symbol: &str) -> String {
        beside(&self.callable.parameters, symbol)
    }

    pub(super) fn object(&mut self, name: &str, kind: TypeId) -> ObjectIndex {
        // Of types that tests know nothing of, one byte keeps the place.
        let size = size_of(self.expander.types, kind).unwrap_or(1);
        self.expander.add_object(name, size, Origin::Fresh)
    }

    /// Notes an object that callers fill and tests cannot.
    pub(super) fn note_unset(&mut self, object: ObjectIndex, cells: &[Cell]) {
        let is_read_anew = |one: &VolatileStretch| one.object == object;
        if !cells.iter().any(|cell| cell.object == object)
            && !self.interface.volatile.iter().any(is_read_anew)
        {
            self.interface.unset.push(object);
        }
    }

    fn add_result(&mut self, callable: &Callable) {
        if matches!(self.expander.types.get(callable.result), CType::Void) {
            return;
        }
        let object = self.object("return", callable.result);
        self.interface.result = Some(object);
        let cells = self.expander.expand_flat("return", callable.result, object);
        self.interface.outputs.extend(cells);
    }

    fn add_parameters(&mut self, callable: &Callable) {
        for (index, parameter) in callable.parameters.iter().enumerate() {
            let name = name_of_parameter(index, parameter);
            // Types that tests know nothing of, such as `_Complex` numbers and vectors, have room enough.
            let size = size_of(self.expander.types, parameter.kind).unwrap_or(OPAQUE_BYTES);
            let object = self.expander.add_object(&name, size, Origin::Fresh);
            self.interface.arguments.push(object);
            if let Some(declared) = parameter.array {
                self.expander.declared.insert(name.clone(), declared);
            }
            let expanded = self.expander.expand(&name, parameter.kind, object, Root::START);
            let accesses = Accesses { read: true, written: true };
            let expanded = self.take_volatile(&name, expanded, accesses);
            for (cell, writable) in expanded.cells.iter().zip(&expanded.writable) {
                if *writable {
                    self.interface.outputs.push(cell.clone());
                }
            }
            self.note_unset(object, &expanded.cells);
            self.interface.inputs.extend(expanded.cells);
        }
    }

    /// Whether events come before a step is an input; whether the set-up call was made is state.
    fn add_sequence(&mut self, function: &str, sequence: &Sequence) {
        for event in &sequence.events {
            let name = Sequence::input(event);
            let object = self.expander.add_object(&name, 1, Origin::Fresh);
            self.interface.arguments.push(object);
            let (offset, form, bit_field, bound) = (0, Form::Bool(8), false, None);
            self.interface.inputs.push(Cell {
                name,
                object,
                offset,
                form,
                bit_field,
                bound,
                given: None,
            });
            self.interface.events.push(EventInput { function: event.clone(), object });
        }
        if let Some(first) = sequence.initial.first() {
            let symbol = Sequence::started(function);
            let (name, changed_by) = (Sequence::input(first), ChangedBy::FunctionUnderTest);
            self.interface.state.push(StateVariable { name, symbol, changed_by });
        }
    }

    /// Takes the volatile cells of an input out, unless they are plain memory.
    pub(super) fn take_volatile(
        &mut self,
        name: &str,
        expanded: Expanded,
        accesses: Accesses,
    ) -> Expanded {
        if self.expander.settings.is_plain_memory(name) {
            return expanded;
        }
        take_volatile(&mut self.expander, &mut self.interface, expanded, accesses)
    }
}
