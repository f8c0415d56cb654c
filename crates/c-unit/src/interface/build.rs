//! The interface of a function: its parameters, the globals it reads, what it gets from outside.

use std::collections::BTreeMap;

use obligato_bytecode::Module;
use obligato_clang::{CType, Callable, Syntax, TypeId, Types, Variable};
use obligato_model::Bound;

use super::afterwards::ReadAfterwards;
use super::expand::{Expanded, Expander, OPAQUE_BYTES, Root, size_of};
use super::globals::{
    GlobalUse, known_outside, uses_of_globals, written_anywhere, written_by_others,
};
use super::inside::point_inside;
use super::touched::Touched;
use super::volatile::{Accesses, take_volatile};
use super::{
    Cell, ChangedBy, EventInput, Form, Interface, ObjectIndex, Origin, StateVariable,
    UnknownObject, VolatileStretch,
};
use crate::driver::Driver;
use crate::environment::Register;
use crate::pointed_stubs::is_pointed_stub;
use crate::sequence::Sequence;
use crate::settings::{Settings, State, USUAL_ARRAY};
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
    let sequence = Sequence::of(settings);
    let mut used = uses_of_globals(module, code);
    for name in sequence.functions() {
        if let Some(code) = module.function_named(name) {
            used.join(&uses_of_globals(module, code));
        }
    }
    let known = known_outside(module);
    // Whoever knows the address of a variable may write it.
    let or_known = |written: Vec<bool>| -> Vec<bool> {
        written.into_iter().zip(&known).map(|(written, known)| written || *known).collect()
    };
    let changes = Changes {
        anywhere: or_known(written_anywhere(module)),
        elsewhere: or_known(written_by_others(module, &used)),
    };
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
    let interface = Interface { function: name, array, calls, ..Interface::default() };
    let touched = Touched::by(module, &used);
    let mut builder = Builder { expander, interface, touched, variables: &unit.variables, driver };
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
            builder.add_outside(outside, &outside.name, module, &afterwards);
            builder.add_callbacks(&outside.name, &outside.name, driver);
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
    if !settings.observed.is_empty() {
        interface.outputs.retain(|cell| settings.observed.contains(&cell.name));
    }
    Some(interface)
}

/// An object with more cells than this gives way to smaller ones.
const MANY_CELLS: usize = 64;

/// Leaves so many inputs: those of small objects before those of large ones and before what functions outside write, and of these members
/// before elements of arrays.
fn leave_out_inputs(interface: &mut Interface, most: usize) {
    let mut cells = vec![0_usize; interface.objects.len()];
    for cell in &interface.inputs {
        cells[cell.object.0] += 1;
    }
    let is_large = |index: &usize| {
        let cell = &interface.inputs[*index];
        cell.given.is_some() || cells[cell.object.0] > MANY_CELLS
    };
    let is_in_array = |index: &usize| interface.inputs[*index].name.ends_with(']');
    let (large, mut kept): (Vec<usize>, Vec<usize>) =
        (0..interface.inputs.len()).partition(is_large);
    let (elements, members): (Vec<usize>, Vec<usize>) = large.into_iter().partition(is_in_array);
    kept.extend(members.into_iter().chain(elements));
    let left_out = kept.split_off(most.min(kept.len()));
    interface.left_out = left_out.iter().map(|index| interface.inputs[*index].object).collect();
    interface.left_out.sort_unstable();
    interface.left_out.dedup();
    kept.sort_unstable();
    interface.inputs = kept.into_iter().map(|index| interface.inputs[index].clone()).collect();
}

/// Leaves out the outputs of a union that may hold an address: what it shows as a number differs from run to run, and what a
/// number shows as a pointer points nowhere.
fn leave_out_overlapped(interface: &mut Interface) {
    let outputs = std::mem::take(&mut interface.outputs);
    let over = |cell: &Cell, pointers: &[&Cell]| {
        pointers.iter().any(|pointer| {
            pointer.object == cell.object
                && pointer.range().start < cell.range().end
                && cell.range().start < pointer.range().end
        })
    };
    let cells = interface.inputs.iter().chain(&outputs);
    let pointers: Vec<&Cell> = cells.filter(|cell| cell.lies_over_others()).collect();
    interface.outputs = outputs.iter().filter(|cell| !over(cell, &pointers)).cloned().collect();
}

/// The symbol of a variable: static ones of a function have its name in front.
pub fn symbol_of(variable: &Variable) -> String {
    match &variable.function {
        Some(function) => format!("{function}.{}", variable.name),
        None => variable.name.clone(),
    }
}

/// Is an object volatile, or something inside of it?
pub(crate) fn has_volatile(types: &Types, variable: &Variable) -> bool {
    let mut todo = vec![variable.kind];
    let mut found = variable.volatile;
    while let Some(kind) = todo.pop().filter(|_| !found) {
        match types.get(kind) {
            CType::Array { of, .. } => todo.push(*of),
            CType::Record { fields, .. } => {
                found |= fields.iter().any(|field| field.volatile);
                todo.extend(fields.iter().map(|field| field.kind));
            }
            _ => {}
        }
    }
    found
}

/// Per global of the module, who may write it.
struct Changes {
    /// Any function.
    anywhere: Vec<bool>,
    /// One that the function under test does not call, or somebody outside who knows its address.
    elsewhere: Vec<bool>,
}

pub(super) struct Builder<'a> {
    pub(super) expander: Expander<'a>,
    pub(super) interface: Interface,
    pub(super) touched: Touched,
    pub(super) variables: &'a [Variable],
    pub(super) driver: &'a Driver,
}

impl Builder<'_> {
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
            let name = match parameter.name.as_str() {
                "" => format!("argument{}", index + 1),
                name => name.to_owned(),
            };
            // Types that tests know nothing of, such as `_Complex` numbers and vectors, have room enough.
            let size = size_of(self.expander.types, parameter.kind).unwrap_or(OPAQUE_BYTES);
            let object = self.expander.add_object(&name, size, Origin::Fresh);
            self.interface.arguments.push(object);
            if let Some(declared) = parameter.array {
                self.expander.declared.insert(name.clone(), declared);
            }
            let expanded = self.expander.expand(&name, parameter.kind, object, false);
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
        if let Some(init) = &sequence.init {
            let symbol = Sequence::started(function);
            let (name, changed_by) = (Sequence::input(init), ChangedBy::FunctionUnderTest);
            self.interface.state.push(StateVariable { name, symbol, changed_by });
        }
    }

    fn add_global(
        &mut self,
        variable: &Variable,
        module: &Module,
        used: &GlobalUse,
        changes: &Changes,
    ) {
        let symbol = symbol_of(variable);
        let Some(global) = module.global_named(&symbol) else { return };
        let settings = self.expander.settings;
        // What somebody else defines has a value that nobody knows, even if it is constant.
        let is_known = variable.constant && (variable.defined || variable.function.is_some());
        let is_state = variable.internal || variable.function.is_some();
        let read = used.read[global.index()] && (!is_state || settings.state == State::Free);
        let named = |names: &std::collections::BTreeSet<String>| names.contains(&variable.name);
        let input = (read && !named(&settings.fixed)) || named(&settings.globals);
        let input = input && !is_known;
        let output = used.written[global.index()] && !variable.constant;
        if !variable.internal && variable.function.is_none() && !variable.constant {
            self.interface.exported.push(symbol.clone());
        }
        let changes_between_steps = changes.anywhere[global.index()] && !variable.constant;
        let is_fresh = variable.volatile && !settings.is_plain_memory(&variable.name);
        if !input && !is_fresh && used.read[global.index()] && changes_between_steps {
            let changed_by = if changes.elsewhere[global.index()] {
                ChangedBy::OtherFunctions
            } else {
                ChangedBy::FunctionUnderTest
            };
            let (name, symbol) = (variable.name.clone(), symbol.clone());
            self.interface.state.push(StateVariable { name, symbol, changed_by });
        }
        let is_volatile = !settings.is_plain_memory(&variable.name)
            && has_volatile(self.expander.types, variable);
        let accesses = Accesses {
            read: used.read[global.index()],
            written: used.written[global.index()] && !variable.constant,
        };
        let is_volatile =
            is_volatile && (accesses.read || accesses.written) && !named(&settings.fixed);
        let input = input || (is_volatile && variable.volatile);
        if !variable.defined && variable.function.is_none() {
            let (name, is_open_ended) = (variable.name.clone(), self.is_open_ended(variable.kind));
            let (symbol, is_constant) = (symbol.clone(), variable.constant);
            let unknown = UnknownObject { name, symbol, is_open_ended, is_constant };
            self.interface.unknown.push(unknown);
        }
        if !input && !output && !is_volatile {
            return;
        }
        let size = module.global(global).bytes.len() as u64;
        let object = self.expander.add_object(&symbol, size, Origin::Global(symbol.clone()));
        if !input && !is_volatile {
            let cells = self.expander.expand_flat(&symbol, variable.kind, object);
            return self.interface.outputs.extend(cells);
        }
        let root = Root { offset: 0, writable: !variable.constant, volatile: variable.volatile };
        let mut expanded = self.expander.expand_part(&symbol, variable.kind, object, root);
        if is_volatile || expanded.cells.len() > MANY_CELLS {
            expanded = self.touched.keep(expanded, global, object);
        }
        if is_volatile {
            expanded = self.take_volatile(&variable.name, expanded, accesses);
        }
        if !input {
            // Of a static structure only the volatile members are inputs.
            for (cell, volatile) in expanded.cells.into_iter().zip(expanded.volatile) {
                if volatile {
                    self.interface.inputs.push(cell);
                } else if output && cell.object == object {
                    self.interface.outputs.push(cell);
                }
            }
            return;
        }
        for (cell, writable) in expanded.cells.iter().zip(&expanded.writable) {
            if *writable && (output || cell.object != object) {
                self.interface.outputs.push(cell.clone());
            }
        }
        self.note_unset(object, &expanded.cells);
        self.interface.inputs.extend(expanded.cells);
    }

    /// Is it an array that is declared without a length?
    fn is_open_ended(&self, kind: TypeId) -> bool {
        matches!(self.expander.types.get(kind), CType::Array { length: None, .. })
    }

    /// Takes the volatile cells of an input out, unless they are plain memory.
    fn take_volatile(&mut self, name: &str, expanded: Expanded, accesses: Accesses) -> Expanded {
        if self.expander.settings.is_plain_memory(name) {
            return expanded;
        }
        take_volatile(&mut self.expander, &mut self.interface, expanded, accesses)
    }

    /// Memory at a fixed address is an input like a global; what is volatile there, read by read.
    fn add_register(&mut self, register: &Register, module: &Module, used: &GlobalUse) {
        let (symbol, name) = (register.symbol(), register.name());
        let Some(global) = module.global_named(&symbol) else { return };
        let accesses =
            Accesses { read: used.read[global.index()], written: used.written[global.index()] };
        self.interface.exported.push(symbol.clone());
        if !accesses.read && !accesses.written {
            return;
        }
        let object = self.expander.add_object(&name, register.size, Origin::Global(symbol));
        for part in &register.parts {
            for index in 0..part.count {
                let offset = part.offset + index * part.size;
                let name = if offset == 0 { name.clone() } else { format!("{name}+{offset:#x}") };
                let root = Root { offset, writable: true, volatile: part.volatile };
                let expanded = self.expander.expand_part(&name, part.kind, object, root);
                let expanded = self.touched.keep(expanded, global, object);
                let expanded = self.take_volatile(&register.name(), expanded, accesses);
                for (cell, writable) in expanded.cells.iter().zip(&expanded.writable) {
                    if *writable && (accesses.written || cell.object != object) {
                        self.interface.outputs.push(cell.clone());
                    }
                }
                if accesses.read {
                    self.interface.inputs.extend(expanded.cells);
                }
            }
        }
        // There may be more registers behind the last one that the text names.
        let elements = Bound::Elements(self.expander.settings.elements);
        self.expander.objects[object.0].extent = Some(elements);
    }
}
