//! What functions outside may write: which cells lie behind their parameters and in globals, and where a call finds them.

use obligato_bytecode::{GlobalId, Module};
use obligato_clang::{CType, Callable, TypeId};

use super::afterwards::ReadAfterwards;
use super::build::Builder;
use super::expand::{Expanded, Pointers, Root};
use super::names::{beside, name_of_parameter};
use super::outside::{AccessPath, AccessPathRoot, Effect, Outside};
use super::types::size_of;
use super::{Cell, Form, ObjectIndex, Origin};
use crate::contracts::Contract;

/// A call of a function outside writes at most so many stretches, unless somebody asks for more elements,
const FEW_STRETCHES: u64 = 64;
/// and so many in any case.
const MOST_STRETCHES: u64 = 1024;

/// What lies behind a pointer or in a global, to be written.
pub(super) struct Writable {
    name: String,
    kind: Pointed,
    place: AccessPath,
    /// How many pointers were followed.
    depth: u32,
}

/// The type of what lies there.
#[derive(Clone, Copy)]
enum Pointed {
    /// So many of a type behind each other.
    Elements { of: TypeId, count: u64 },
    /// Bytes.
    Bytes(u64),
    /// A global of this type.
    Global { kind: TypeId, global: GlobalId },
}

/// A cell that a call may write, as it is in its object.
struct Found {
    cell: Cell,
    behind: Vec<Cell>,
}

/// What a function outside has reached: a parameter, a variable, or something behind or inside of one.
struct Reached {
    /// As C writes it.
    name: String,
    kind: TypeId,
    place: AccessPath,
    /// How many pointers were followed.
    depth: u32,
}

impl Builder<'_> {
    /// What a function may write: what it reaches from its parameters, and globals that the unit may read afterwards.
    pub(super) fn writable_by(
        &self,
        callable: &Callable,
        label: &str,
        contract: Option<&Contract>,
        module: &Module,
        afterwards: &ReadAfterwards,
    ) -> Vec<Writable> {
        let mut writable = Vec::new();
        for (index, parameter) in callable.parameters.iter().enumerate() {
            if contract.is_some_and(|contract| !contract.parameters[index]) {
                continue;
            }
            let name = name_of_parameter(index, parameter);
            let place = AccessPath {
                root: AccessPathRoot::Argument(index),
                pointers: Vec::new(),
                offset: 0,
            };
            let reached = Reached { name, kind: parameter.kind, place, depth: 0 };
            self.follow(label, &reached, &mut writable);
        }
        for variable in self.variables {
            let is_reached = !variable.internal
                && variable.function.is_none()
                && !variable.constant
                && !variable.volatile
                && contract.is_none_or(|contract| contract.globals.contains(&variable.name));
            let global = module.global_named(&variable.name).filter(|_| is_reached);
            let Some(global) = global.filter(|one| afterwards.may_read(&callable.name, *one))
            else {
                continue;
            };
            let origin = Origin::Global(variable.name.clone());
            let mut objects = self.expander.objects.iter();
            let Some(object) = objects.position(|one| one.origin == origin) else { continue };
            let root = AccessPathRoot::Global(ObjectIndex(object));
            let place = AccessPath { root, pointers: Vec::new(), offset: 0 };
            let name = beside(&callable.parameters, &variable.name);
            let reached = Reached { name, kind: variable.kind, place, depth: 0 };
            self.follow(label, &reached, &mut writable);
            let Reached { name, kind, place, depth } = reached;
            let kind = Pointed::Global { kind, global };
            writable.push(Writable { name, kind, place, depth });
        }
        writable
    }

    /// Finds the pointers in what a function has reached, and lists what they lead to.
    fn follow(&self, function: &str, reached: &Reached, writable: &mut Vec<Writable>) {
        let Reached { name, kind, place, depth } = reached;
        let (kind, depth) = (*kind, *depth);
        if depth >= self.expander.settings.depth || writable.len() as u64 > FEW_STRETCHES {
            return;
        }
        let types = self.expander.types;
        match types.get(kind) {
            CType::Pointer { volatile: true, .. } => {}
            CType::Pointer { to, constant, .. } => {
                let mut pointers = place.pointers.clone();
                pointers.push(place.offset);
                let place = AccessPath { root: place.root, pointers, offset: 0 };
                let asked = || self.expander.settings.sizes.get(&format!("{function}({name})"));
                let settings = self.expander.settings;
                let (kind, inner) = match types.get(*to) {
                    CType::Function { .. } | CType::Other(_) | CType::Record { size: None, .. } => {
                        return;
                    }
                    CType::Void => {
                        let count = asked().copied().unwrap_or(settings.elements);
                        (Pointed::Bytes(count), None)
                    }
                    CType::Record { .. } => {
                        let count = asked().copied().unwrap_or(settings.structures);
                        (Pointed::Elements { of: *to, count }, Some(*to))
                    }
                    CType::Pointer { .. } | CType::Array { .. } => {
                        let count = asked().copied().unwrap_or(1);
                        // A pointer that is written leads to something new, with inputs of its own.
                        (Pointed::Elements { of: *to, count }, constant.then_some(*to))
                    }
                    _ => {
                        let count = asked().copied().unwrap_or(settings.elements);
                        (Pointed::Elements { of: *to, count }, None)
                    }
                };
                if !constant {
                    let (name, place) = (name.clone(), place.clone());
                    writable.push(Writable { name, kind, place, depth: depth + 1 });
                }
                if let Some(inner) = inner {
                    let name = match types.get(inner) {
                        CType::Record { .. } => format!("{name}->"),
                        _ => format!("{name}[0]"),
                    };
                    let reached = Reached { name, kind: inner, place, depth: depth + 1 };
                    self.follow(function, &reached, writable);
                }
            }
            CType::Record { union: false, fields, .. } => {
                for field in fields {
                    let name = if name.ends_with("->") {
                        format!("{name}{}", field.name)
                    } else {
                        format!("{name}.{}", field.name)
                    };
                    let offset = place.offset + field.offset / 8;
                    let place = AccessPath { offset, ..place.clone() };
                    let reached = Reached { name, kind: field.kind, place, depth };
                    self.follow(function, &reached, writable);
                }
            }
            _ => {}
        }
    }

    /// Adds the object of a call with the cells that it writes.
    pub(super) fn add_effects(&mut self, outside: &mut Outside, call: u64, writable: &[Writable]) {
        let object = ObjectIndex(self.expander.objects.len());
        let mut stretches: Vec<Effect> = Vec::new();
        let name = format!("{}()[{call}]: ", outside.label);
        self.expander.add_object(&name, 0, Origin::Fresh);
        let mut inputs = Vec::new();
        let most = self.most_stretches();
        let mut end = most;
        for one in writable {
            let start = end;
            let size = self.size_of(one.kind);
            let found = self.cells_of(&format!("{name}{}", one.name), one, object, start);
            for Found { mut cell, behind } in found {
                let bytes =
                    (cell.offset / 8, (cell.offset + u64::from(cell.form.bits())).div_ceil(8));
                let shares = stretches
                    .last_mut()
                    .filter(|last| last.value >= start && bytes.0 < last.value + last.size);
                if let Some(last) = shares {
                    // Bit-fields that share bytes are written together.
                    last.size = last.size.max(bytes.1 - last.value);
                    cell.given = Some(last.given);
                } else if (stretches.len() as u64) < most {
                    let given = stretches.len() as u64;
                    let offset = one.place.offset + bytes.0 - start;
                    let place = AccessPath { offset, ..one.place.clone() };
                    let size = bytes.1 - bytes.0;
                    stretches.push(Effect { place, size, value: bytes.0, given });
                    cell.given = Some(given);
                } else {
                    continue;
                }
                inputs.push(cell);
                inputs.extend(behind);
            }
            end = start + size;
        }
        self.expander.objects[object.0].size = end;
        self.interface.inputs.extend(inputs);
        outside.effects.stretches = stretches;
        outside.effects.calls.push(object);
    }

    /// A call writes at most so many stretches: each element is one.
    fn most_stretches(&self) -> u64 {
        let settings = self.expander.settings;
        let asked = settings.sizes.values().copied().chain([settings.elements]).max();
        asked.unwrap_or(0).clamp(FEW_STRETCHES, MOST_STRETCHES)
    }

    fn size_of(&self, kind: Pointed) -> u64 {
        let size = |kind| size_of(self.expander.types, kind).unwrap_or(0);
        match kind {
            Pointed::Elements { of, count } => count.saturating_mul(size(of)),
            Pointed::Bytes(count) => count,
            Pointed::Global { kind, .. } => size(kind),
        }
    }

    /// The cells of something writable, from a byte of an object on, each with what lies behind it.
    fn cells_of(
        &mut self,
        name: &str,
        writable: &Writable,
        object: ObjectIndex,
        start: u64,
    ) -> Vec<Found> {
        let root = |offset, pointers| Root { offset, pointers, ..Root::START };
        let most = self.most_stretches();
        match writable.kind {
            Pointed::Bytes(count) => (0..count.min(most))
                .map(|index| {
                    let (prefix, own) = name.rsplit_once(": ").unwrap_or(("", name));
                    let name = format!("{prefix}: ((unsigned char *){own})[{index}]");
                    let form = Form::Integer(obligato_model::Signedness::Unsigned, 8);
                    let (offset, bit_field, bound) = (8 * (start + index), false, None);
                    let cell = Cell { name, object, offset, form, bit_field, bound, given: None };
                    Found { cell, behind: Vec::new() }
                })
                .collect(),
            Pointed::Global { kind, global } => {
                let own = root(0, Pointers::NotFollowed);
                let mut expanded = self.expander.expand(name, kind, object, own);
                expanded = self.touched.keep(expanded, global, object);
                for cell in &mut expanded.cells {
                    cell.offset += 8 * start;
                }
                kept(expanded, object)
            }
            Pointed::Elements { of, count } => {
                let step = size_of(self.expander.types, of).unwrap_or(0);
                let mut found = Vec::new();
                for index in 0..count.min(most) {
                    let is_record = matches!(self.expander.types.get(of), CType::Record { .. });
                    let (prefix, own) = name.rsplit_once(": ").unwrap_or(("", name));
                    let is_pointer = matches!(self.expander.types.get(of), CType::Pointer { .. });
                    let is_array = matches!(self.expander.types.get(of), CType::Array { .. });
                    let named = match (is_record, is_pointer || is_array, index) {
                        (true, _, 0) if count == 1 => format!("{prefix}: {own}->"),
                        (false, false, 0) => format!("{prefix}: *{own}"),
                        _ => format!("{prefix}: {own}[{index}]"),
                    };
                    if is_pointer && writable.depth < self.expander.settings.depth {
                        let at = root(start + index * step, Pointers::Followed);
                        let expanded = self.expander.expand(&named, of, object, at);
                        let mut cells = expanded.cells.into_iter();
                        if let Some(cell) = cells.next() {
                            found.push(Found { cell, behind: cells.collect() });
                        }
                        continue;
                    }
                    let at = root(start + index * step, Pointers::NotFollowed);
                    let expanded = self.expander.expand(&named, of, object, at);
                    found.extend(kept(expanded, object));
                }
                found
            }
        }
    }
}

/// The cells of an object itself that tests let others write: no pointers, which would have nowhere to lead to.
fn kept(expanded: Expanded, object: ObjectIndex) -> Vec<Found> {
    let own = expanded.cells.into_iter().zip(expanded.volatile);
    let kept = own.filter(|(cell, volatile)| {
        cell.object == object && !volatile && !matches!(cell.form, Form::Pointer(_))
    });
    let found = kept.map(|(mut cell, _)| {
        cell.name = cell.name.replace("->.", "->");
        Found { cell, behind: Vec::new() }
    });
    found.collect()
}
