//! From types to cells: what lies inside of an object, with the names that C gives it. What lies behind its pointers is in `pointer`.

use std::collections::BTreeMap;
use std::ops::Range;
use std::rc::Rc;

use obligato_clang::{ArrayParameter, CType, Callable, Field, FloatFormat, TypeId, Types};
use obligato_model::{Integer, Signedness, Type};

use super::types::size_of;
use super::{Cell, Form, Object, ObjectIndex, Origin, PointerTarget, unions};
use crate::pointed_stubs::PointedStub;
use crate::settings::Settings;

mod pointer;

pub(super) use pointer::OPAQUE_BYTES;
use pointer::Pointed;

/// Follows types and adds objects and cells as it goes.
pub struct Expander<'a> {
    pub types: &'a Types,
    pub settings: &'a Settings,
    /// Of an array, so many elements are inputs.
    pub array: u64,
    /// Parameters that are written as arrays, by name.
    pub declared: BTreeMap<String, ArrayParameter>,
    /// Functions that pointers may point to.
    pub functions: &'a [Callable],
    pub objects: Vec<Object>,
    /// Pointers to something new that were made so far: name, type of the target, target.
    pub known: Vec<(String, TypeId, ObjectIndex)>,
    /// Cells that had no room any more.
    pub left_out: usize,
    /// Stubs that pointers to functions may point to.
    pub stubs: &'a [PointedStub],
    /// Those that are taken, each with the pointer that leads to it.
    pub taken_stubs: Vec<(String, String)>,
}

/// How the members of a structure are written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Member {
    Dot,
    Arrow,
}

/// Something that is still to be taken apart.
struct Part {
    name: String,
    member: Member,
    /// None for a byte of what has no type.
    kind: Option<TypeId>,
    object: ObjectIndex,
    /// In bits.
    offset: u64,
    /// If it is a bit-field.
    bits: Option<u32>,
    /// How many pointers were followed.
    depth: u32,
    /// How many elements of an array are wanted.
    elements: Option<u64>,
    /// May the unit write here?
    writable: bool,
    /// May the environment change it at any time?
    volatile: bool,
    /// The bits of the object that other members of a union around it take.
    taken: Rc<Vec<Range<u64>>>,
}

/// Cells of an object and of those behind its pointers.
#[derive(Default)]
pub struct Expanded {
    /// All.
    pub cells: Vec<Cell>,
    /// Per cell, may the unit write to it through pointers?
    pub writable: Vec<bool>,
    /// Per cell, may the environment change it at any time?
    pub volatile: Vec<bool>,
}

/// Where an expansion starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Root {
    /// In bytes from the start of the object.
    pub offset: u64,
    /// Do its own cells count as writable? Those behind a pointer to `const` never do.
    pub writable: bool,
    /// Is it `volatile`?
    pub volatile: bool,
    /// What becomes of pointers.
    pub pointers: Pointers,
}

/// Whether an expansion goes on behind pointers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pointers {
    /// What they point to is expanded too, as deep as the settings say.
    Followed,
    /// Only the object itself is expanded.
    NotFollowed,
}

impl Root {
    /// The start of an object that the unit does not write, with what lies behind its pointers.
    pub const START: Self =
        Self { offset: 0, writable: false, volatile: false, pointers: Pointers::Followed };
}

/// More cells of an object and of what is behind it are not looked at.
const MOST_CELLS: usize = 1 << 16;

/// Structures that only the standard library reads and writes: what `jmp_buf` is an array of, and a `FILE`.
const OPAQUE: [&str; 2] = ["struct __jmp_buf_tag", STREAM];
/// What a `FILE` is. A test gives the unit one that is open for reading and writing, and of which nobody sees what is written.
const STREAM: &str = "struct _IO_FILE";

impl Expander<'_> {
    /// A new object.
    pub fn add_object(&mut self, name: &str, size: u64, origin: Origin) -> ObjectIndex {
        self.objects.push(Object {
            name: name.to_owned(),
            size,
            origin,
            extent: None,
            stream: false,
        });
        ObjectIndex(self.objects.len() - 1)
    }

    /// The cells of an object itself, which counts as writable.
    pub fn expand_flat(&mut self, name: &str, kind: TypeId, object: ObjectIndex) -> Vec<Cell> {
        let root = Root { writable: true, pointers: Pointers::NotFollowed, ..Root::START };
        self.expand(name, kind, object, root).cells
    }

    /// The cells of an object from its root on, and of what its pointers point to where they are followed.
    pub fn expand(
        &mut self,
        name: &str,
        kind: TypeId,
        object: ObjectIndex,
        root: Root,
    ) -> Expanded {
        let mut todo = vec![Part {
            name: name.to_owned(),
            member: Member::Dot,
            kind: Some(kind),
            object,
            offset: 8 * root.offset,
            bits: None,
            depth: match root.pointers {
                Pointers::Followed => 0,
                Pointers::NotFollowed => self.settings.depth,
            },
            elements: None,
            writable: root.writable,
            volatile: root.volatile,
            taken: Rc::default(),
        }];
        let mut done = Expanded::default();
        // What is inside comes before what is behind, and in the order of the source.
        while let Some(part) = todo.pop() {
            if done.cells.len() >= MOST_CELLS {
                self.left_out += 1;
                continue;
            }
            if let Some(mut form) = self.form(&part, &mut todo) {
                let bound = self.bound_of(&part);
                let Part { name, object, offset, writable, volatile, bits, taken, .. } = part;
                let range = offset..offset + u64::from(form.bits());
                if unions::overlap(&range, &taken) {
                    let Form::Pointer(targets) = &mut form else { continue };
                    targets.insert(0, PointerTarget::unset());
                }
                let bit_field = bits.is_some();
                done.cells.push(Cell { name, object, offset, form, bit_field, bound, given: None });
                done.writable.push(writable);
                done.volatile.push(volatile);
            }
        }
        done
    }

    /// The members of a structure or union as parts.
    fn fields(&self, part: &Part, union: bool, fields: &[Field], todo: &mut Vec<Part>) {
        let mut members = if union {
            unions::members(self.types, fields, part.offset, self.array)
        } else {
            fields.iter().map(|field| unions::Member { field, taken: Vec::new() }).collect()
        };
        if union
            && unions::needs_bytes(self.types, fields, self.array)
            && let Some(first) = self.first_named(part, fields)
        {
            let size = part.kind.and_then(|kind| size_of(self.types, kind)).unwrap_or(0);
            let bits = part.offset..part.offset + 8 * size;
            for member in &mut members {
                member.taken = vec![bits.clone()];
            }
            add_members(part, members, todo);
            for index in (0..size.min(self.array)).rev() {
                let name = format!("((unsigned char *)&{first})[{index}]");
                let offset = part.offset + 8 * index;
                let taken = Rc::clone(&part.taken);
                todo.push(Part { name, kind: None, offset, bits: None, taken, ..*part });
            }
            return;
        }
        add_members(part, members, todo);
    }

    /// The first member that has a name and an address, as C writes it.
    fn first_named(&self, part: &Part, fields: &[Field]) -> Option<String> {
        let mut todo: Vec<&Field> = fields.iter().rev().collect();
        while let Some(field) = todo.pop() {
            match self.types.get(field.kind) {
                CType::Record { fields, .. } if field.name.is_empty() => {
                    todo.extend(fields.iter().filter(|inner| inner.offset == 0));
                }
                _ if field.name.is_empty() || field.bits.is_some() => {}
                _ => return Some(member_of(part, &field.name).0),
            }
        }
        None
    }

    /// What the part holds, if it is a scalar that tests can know; else its parts are put on the list.
    fn form(&mut self, part: &Part, todo: &mut Vec<Part>) -> Option<Form> {
        let Some(kind) = part.kind else { return Some(Form::Integer(Signedness::Unsigned, 8)) };
        match self.types.get(kind) {
            CType::Bool => Some(Form::Bool(part.bits.unwrap_or(8))),
            CType::Integer { signedness, bits, .. } => {
                Some(Form::Integer(*signedness, part.bits.unwrap_or(*bits)))
            }
            CType::Enumeration { signedness, bits, constants, .. } => {
                let bits = part.bits.unwrap_or(*bits);
                // A bit-field may be too narrow for some constants.
                let range = Type::Machine(*signedness, bits).bounds();
                let fits = |value: i128| {
                    let value = Integer::from(value);
                    range.as_ref().is_some_and(|(low, high)| *low <= value && value <= *high)
                };
                let names = constants.iter().filter(|one| fits(one.value));
                let names: Vec<(String, i128)> =
                    names.map(|one| (one.name.clone(), one.value)).collect();
                Some(if names.is_empty() {
                    Form::Integer(*signedness, bits)
                } else {
                    Form::Enumeration(names, *signedness, bits)
                })
            }
            CType::Float(FloatFormat::Single) => Some(Form::Float32),
            CType::Float(FloatFormat::Double) => Some(Form::Float64),
            CType::Pointer { to, constant, volatile } => {
                let pointed = Pointed { to: *to, writable: !constant, volatile: *volatile };
                Some(self.pointer(part, pointed, todo))
            }
            CType::Array { of, length } => {
                let length = length.unwrap_or_else(|| self.length_of_object(part, *of));
                self.array(part, *of, length, todo);
                None
            }
            // What the library keeps there is its own.
            CType::Record { name, .. } if OPAQUE.contains(&name.as_str()) => None,
            CType::Record { union, fields, .. } => {
                self.fields(part, *union, fields, todo);
                None
            }
            CType::Void
            | CType::Float(FloatFormat::Extended)
            | CType::Function { .. }
            | CType::Other(_) => None,
        }
    }

    /// How many elements a variable has that is declared without a length: as many as the driver gives it. The array at the end of
    /// a structure has none.
    fn length_of_object(&self, part: &Part, of: TypeId) -> u64 {
        let object = &self.objects[part.object.0];
        let is_variable = matches!(object.origin, Origin::Global(_)) && part.offset == 0;
        let size = size_of(self.types, of).filter(|size| is_variable && *size > 0);
        size.map_or(0, |size| object.size / size)
    }

    fn array(&self, part: &Part, of: TypeId, length: u64, todo: &mut Vec<Part>) {
        let size = size_of(self.types, of).unwrap_or(0);
        let wanted = part.elements.unwrap_or(self.array).min(length);
        for index in (0..wanted).rev() {
            todo.push(Part {
                name: format!("{}[{index}]", part.name),
                member: Member::Dot,
                kind: Some(of),
                offset: part.offset + index * size * 8,
                bits: None,
                elements: None,
                taken: Rc::clone(&part.taken),
                ..*part
            });
        }
    }
}

/// Puts members of a structure or union on the list.
fn add_members(part: &Part, members: Vec<unions::Member<'_>>, todo: &mut Vec<Part>) {
    for unions::Member { field, taken } in members.into_iter().rev() {
        let (name, member) = member_of(part, &field.name);
        let taken = if taken.is_empty() {
            Rc::clone(&part.taken)
        } else {
            Rc::new(part.taken.iter().cloned().chain(taken).collect())
        };
        todo.push(Part {
            name,
            member,
            kind: Some(field.kind),
            offset: part.offset + field.offset,
            bits: field.bits,
            elements: None,
            volatile: part.volatile || field.volatile,
            taken,
            ..*part
        });
    }
}

/// A member of a part as C writes it, and how its own members are reached; one without a name is the part itself.
fn member_of(part: &Part, name: &str) -> (String, Member) {
    match (name, part.member) {
        ("", member) => (part.name.clone(), member),
        (name, Member::Dot) => (format!("{}.{name}", part.name), Member::Dot),
        (name, Member::Arrow) => (format!("{}->{name}", part.name), Member::Dot),
    }
}
