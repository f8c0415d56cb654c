//! Functions outside of the unit: their results, what they are given, and what they write.
//!
//! A function that nothing defines may write through every pointer that it is given, to what that reaches, and to every global
//! that it can name. Each such cell is an input of its own for each call, `read_sensor()[0]: *out`, which a step may do
//! without: what it does not give is not written. All cells of a call lie in one object, with a byte for each that says
//! whether it is given, so whoever answers calls copies bytes from there to their [places](AccessPath).

use std::collections::BTreeSet;

use obligato_bytecode::Module;
use obligato_clang::{CType, Callable, Parameter, TypeId};

use super::afterwards::ReadAfterwards;
use super::build::Builder;
use super::expand::{Expander, Root};
use super::types::leads_to_writable_memory;
use super::{Cell, Form, ObjectIndex, Origin, Pointee, PointerTarget};
use crate::contracts::{Contract, leads_to_function};
use crate::pointed_stubs::PointedStub;

/// The calls of a function that the unit does not define.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outside {
    /// Its name.
    pub name: String,
    /// What people know it by: its name, or the pointer that leads to it.
    pub label: String,
    /// Per call, the object with its result; empty if it returns nothing.
    pub results: Vec<ObjectIndex>,
    /// Per call and parameter, the object that keeps what it was given.
    pub given: Vec<Vec<ObjectIndex>>,
    /// Per parameter, may the function write memory that it reaches from it, or call a function?
    pub writes: Vec<bool>,
    /// The only globals that it may write, if that is known.
    pub globals: Option<BTreeSet<String>>,
    /// What tests let it write.
    pub effects: Effects,
}

/// What tests let a function outside write.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Effects {
    /// The stretches of memory, in the order in which they are written.
    pub stretches: Vec<Effect>,
    /// Per call, the object with what is written; calls after the last write the same again.
    pub calls: Vec<ObjectIndex>,
}

/// A stretch of memory that a function outside may write.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Effect {
    /// Where it is.
    pub place: AccessPath,
    /// In bytes.
    pub size: u64,
    /// Where in the object of a call its new bytes lie.
    pub value: u64,
    /// The byte of that object that says whether it is written.
    pub given: u64,
}

/// Where a function outside finds memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AccessPath {
    /// Where to start.
    pub root: AccessPathRoot,
    /// The pointers to follow: each so many bytes from where the one before leads to.
    pub pointers: Vec<u64>,
    /// In bytes from where the last one leads to.
    pub offset: u64,
}

/// Where a place starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AccessPathRoot {
    /// The argument with this position.
    Argument(usize),
    /// A global.
    Global(ObjectIndex),
}

impl Builder<'_> {
    /// A test says of each call of an allocator whether it fails.
    pub(super) fn add_allocator(&mut self, name: &str) {
        let (mut results, mut given) = (Vec::new(), Vec::new());
        for call in 0..self.expander.settings.calls {
            let name = format!("{name}()[{call}] fails");
            let object = self.expander.add_object(&name, 1, Origin::Fresh);
            let (form, offset) = (Form::Bool(8), 0);
            let (bit_field, bound) = (false, None);
            let cell = Cell { name, object, offset, form, bit_field, bound, given: None };
            self.interface.inputs.push(cell);
            results.push(object);
            given.push(Vec::new());
        }
        let (name, effects) = (name.to_owned(), Effects::default());
        let label = name.clone();
        let (writes, globals) = (Vec::new(), None);
        let outside = Outside { name, label, results, given, writes, globals, effects };
        self.interface.outside.push(outside);
    }

    /// Adds a function outside; columns have its label in their names.
    pub(super) fn add_outside(
        &mut self,
        callable: &Callable,
        label: &str,
        module: &Module,
        afterwards: &ReadAfterwards,
    ) {
        let types = self.expander.types;
        let contract = Contract::of(callable, self.driver, self.expander.settings);
        let writes = |(index, parameter): (usize, &Parameter)| {
            let is_known = contract.as_ref().map(|contract| contract.parameters[index]);
            leads_to_writable_memory(types, parameter.kind)
                && (is_known.unwrap_or(true) || leads_to_function(types, parameter.kind))
        };
        let mut outside = Outside {
            name: callable.name.clone(),
            label: label.to_owned(),
            results: Vec::new(),
            given: Vec::new(),
            writes: callable.parameters.iter().enumerate().map(writes).collect(),
            globals: contract.as_ref().map(|contract| contract.globals.clone()),
            effects: Effects::default(),
        };
        let writable = self.writable_by(callable, label, contract.as_ref(), module, afterwards);
        let returns = !matches!(self.expander.types.get(callable.result), CType::Void);
        for call in 0..self.expander.settings.calls {
            if returns && !callable.endless {
                let name = format!("{label}()[{call}]");
                let object = self.object(&name, callable.result);
                let root = Root { writable: true, ..Root::START };
                let cells = self.expander.expand(&name, callable.result, object, root).cells;
                self.note_unset(object, &cells);
                self.interface.inputs.extend(cells);
                outside.results.push(object);
            }
            if !callable.endless {
                self.add_effects(&mut outside, call, &writable);
            }
            let mut given = Vec::new();
            for (index, parameter) in callable.parameters.iter().enumerate() {
                let name = match parameter.name.as_str() {
                    "" => format!("{label}({})[{call}]", index + 1),
                    name => format!("{label}({name})[{call}]"),
                };
                let object = self.object(&name, parameter.kind);
                let cells = self.expander.expand_flat(&name, parameter.kind, object);
                self.interface.outputs.extend(cells);
                given.push(object);
            }
            outside.given.push(given);
        }
        self.interface.outside.push(outside);
    }
}

impl Expander<'_> {
    /// The stub that a pointer to a function of this type may point to.
    pub(super) fn stub_target(
        &mut self,
        pointer: &str,
        kind: TypeId,
        others: &[PointerTarget],
    ) -> Option<PointerTarget> {
        let fitting = || self.stubs.iter().filter(|stub| stub.kind == kind);
        let is_taken =
            |stub: &&PointedStub| self.taken_stubs.iter().any(|(symbol, _)| *symbol == stub.symbol);
        let symbol = match fitting().find(|stub| !is_taken(stub)) {
            Some(free) => {
                let symbol = free.symbol.clone();
                self.taken_stubs.push((symbol.clone(), pointer.to_owned()));
                symbol
            }
            None => fitting().next_back()?.symbol.clone(),
        };
        let is_used = others.iter().any(|target| target.name == STUB);
        let name = if is_used { format!("{STUB}()") } else { STUB.to_owned() };
        Some(PointerTarget { name, to: Pointee::Function(symbol) })
    }
}

/// The value of a pointer to a function that leads to a stub.
const STUB: &str = "stub";
