//! From types to cells: what lies inside of an object, with the names that C gives it.

use std::collections::BTreeMap;
use std::ops::Range;
use std::rc::Rc;

use obligato_clang::{ArrayParameter, CType, Callable, Field, FloatFormat, TypeId, Types};
use obligato_model::{Bound, Integer, Signedness, Type};

use super::{Cell, Form, Object, ObjectIndex, Origin, Pointee, Target, unions};
use crate::pointed_stubs::PointedStub;
use crate::settings::Settings;

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
}

/// Structures that only the standard library reads and writes: what `jmp_buf` is an array of.
const OPAQUE: [&str; 1] = ["struct __jmp_buf_tag"];

impl Expander<'_> {
    /// A new object.
    pub fn add_object(&mut self, name: &str, size: u64, origin: Origin) -> ObjectIndex {
        self.objects.push(Object { name: name.to_owned(), size, origin, extent: None });
        ObjectIndex(self.objects.len() - 1)
    }

    /// The cells of an object itself.
    pub fn expand_flat(&mut self, name: &str, kind: TypeId, object: ObjectIndex) -> Vec<Cell> {
        let root = Root { offset: 0, writable: true, volatile: false };
        self.expand_own(name, kind, object, root).cells
    }

    /// The cells of a part of an object itself.
    pub fn expand_own(
        &mut self,
        name: &str,
        kind: TypeId,
        object: ObjectIndex,
        root: Root,
    ) -> Expanded {
        self.expand_from(name, kind, object, root, self.settings.depth)
    }

    /// The cells of an object and of what its pointers point to. Its own count as writable if `writable`;
    /// those behind a pointer to `const` never do.
    pub fn expand(
        &mut self,
        name: &str,
        kind: TypeId,
        object: ObjectIndex,
        writable: bool,
    ) -> Expanded {
        self.expand_part(name, kind, object, Root { offset: 0, writable, volatile: false })
    }

    /// The same for a part of an object.
    pub fn expand_part(
        &mut self,
        name: &str,
        kind: TypeId,
        object: ObjectIndex,
        root: Root,
    ) -> Expanded {
        self.expand_from(name, kind, object, root, 0)
    }

    fn expand_from(
        &mut self,
        name: &str,
        kind: TypeId,
        object: ObjectIndex,
        root: Root,
        depth: u32,
    ) -> Expanded {
        let mut todo = vec![Part {
            name: name.to_owned(),
            member: Member::Dot,
            kind: Some(kind),
            object,
            offset: 8 * root.offset,
            bits: None,
            depth,
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
                    let unset = Target { name: "unset".to_owned(), to: Pointee::Unset };
                    targets.insert(0, unset);
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
        let members = if union {
            unions::members(self.types, fields, part.offset, self.array)
        } else {
            fields.iter().map(|field| unions::Member { field, taken: Vec::new() }).collect()
        };
        for unions::Member { field, taken } in members.into_iter().rev() {
            let (name, member) = match (field.name.as_str(), part.member) {
                ("", member) => (part.name.clone(), member),
                (name, Member::Dot) => (format!("{}.{name}", part.name), Member::Dot),
                (name, Member::Arrow) => (format!("{}->{name}", part.name), Member::Dot),
            };
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

    /// A pointer is NULL or points to something new, which is taken apart next.
    fn pointer(&mut self, part: &Part, pointed: Pointed, todo: &mut Vec<Part>) -> Form {
        let Pointed { to, writable, volatile } = pointed;
        let null = Target { name: "NULL".to_owned(), to: Pointee::Null };
        let declared = self.declared_by(part);
        let mut targets = vec![null];
        if declared.is_some_and(|one| one.promised) {
            targets.clear();
        }
        if matches!(self.types.get(to), CType::Function { .. }) {
            for function in self.functions.iter().filter(|one| one.defined && self.fits(one, to)) {
                let name = function.name.clone();
                targets.push(Target { name: name.clone(), to: Pointee::Function(name) });
            }
            // What is only seen needs no stub.
            if part.depth < self.settings.depth {
                targets.extend(self.stub_target(&part.name, to, &targets));
            }
            return Form::Pointer(targets);
        }
        if part.depth >= self.settings.depth {
            return Form::Pointer(targets);
        }
        let shape = self.shape(part, to);
        let object = self.add_object(&part.name, shape.size.max(1), Origin::Fresh);
        self.objects[object.0].extent = self.extent_of(part, to);
        targets.push(Target { name: "new".to_owned(), to: Pointee::Object(object) });
        if self.settings.alias {
            for (name, kind, object) in &self.known {
                if *kind == to {
                    targets.push(Target { name: name.clone(), to: Pointee::Object(*object) });
                }
            }
        }
        self.known.push((part.name.clone(), to, object));
        let depth = part.depth + 1;
        for index in (0..shape.columns).rev() {
            let (name, member) = if shape.single {
                (part.name.clone(), Member::Arrow)
            } else {
                (format!("{}[{index}]", shape.indexed), Member::Dot)
            };
            let offset = index * shape.step * 8;
            let (kind, bits, elements) = (shape.kind, None, None);
            todo.push(Part {
                name,
                member,
                kind,
                object,
                offset,
                bits,
                depth,
                elements,
                writable,
                volatile,
                taken: Rc::default(),
            });
        }
        Form::Pointer(targets)
    }

    /// What a caller could put into a part that tests cannot: a function outside of the unit, an object behind too many pointers.
    fn bound_of(&self, part: &Part) -> Option<Bound> {
        let CType::Pointer { to, .. } = self.types.get(part.kind?) else { return None };
        if matches!(self.types.get(*to), CType::Function { .. }) {
            return Some(Bound::OwnCallbacks);
        }
        let deepest = self.settings.depth;
        (part.depth >= deepest).then_some(Bound::PointerDepth(deepest.into()))
    }

    /// The bound on the size of what a pointer points to, unless a person gave it.
    fn extent_of(&self, part: &Part, to: TypeId) -> Option<Bound> {
        if self.settings.sizes.contains_key(&part.name) {
            return None;
        }
        let declared = self.declared_by(part).map(|one| one.length);
        Some(match self.types.get(to) {
            CType::Record { size: Some(_), .. } => {
                Bound::Structures(declared.unwrap_or(self.settings.structures))
            }
            CType::Pointer { .. } | CType::Array { .. } => {
                Bound::Elements(declared.unwrap_or_else(|| self.rows()))
            }
            _ => Bound::Elements(declared.unwrap_or(self.settings.elements)),
        })
    }

    /// How many elements a pointer to pointers or arrays points to: each has elements of its own.
    fn rows(&self) -> u64 {
        (self.settings.elements / 8).max(1)
    }

    /// What a parameter that is written as an array says of the elements behind it.
    fn declared_by(&self, part: &Part) -> Option<ArrayParameter> {
        self.declared.get(&part.name).copied().filter(|one| part.depth == 0 && one.length > 0)
    }

    /// Is the function of this type?
    fn fits(&self, function: &Callable, kind: TypeId) -> bool {
        let CType::Function { result, parameters, variadic } = self.types.get(kind) else {
            return false;
        };
        let taken = function.parameters.iter().map(|parameter| parameter.kind);
        *result == function.result
            && *variadic == function.variadic
            && taken.eq(parameters.iter().copied())
    }

    /// What a pointer to this type points to.
    fn shape(&self, part: &Part, to: TypeId) -> Shape {
        let size = size_of(self.types, to);
        let declared = self.declared_by(part).map(|one| one.length);
        let asked = self.settings.sizes.get(&part.name).copied().or(declared);
        let step = size.unwrap_or(1).max(1);
        let plain = |count: u64, columns: u64| Shape {
            size: count.saturating_mul(step).min(MOST_BYTES),
            columns: columns.min(self.settings.most_inputs as u64),
            step,
            kind: Some(to),
            single: false,
            indexed: part.name.clone(),
        };
        match self.types.get(to) {
            CType::Record { size: None, .. } | CType::Other(_) => {
                plain(asked.unwrap_or(OPAQUE_BYTES), 0)
            }
            CType::Record { .. } => {
                let count = asked.unwrap_or(self.settings.structures);
                Shape { single: count == 1, ..plain(count, count) }
            }
            CType::Void => {
                let count = asked.unwrap_or(self.settings.elements);
                let indexed = format!("((unsigned char *){})", part.name);
                Shape { kind: None, indexed, ..plain(count, count) }
            }
            CType::Pointer { .. } | CType::Array { .. } => {
                let count = asked.unwrap_or_else(|| self.rows());
                plain(count, count)
            }
            CType::Integer { character: true, signedness: Signedness::Signed, .. }
                if self.settings.terminated =>
            {
                let count = asked.unwrap_or(self.settings.elements);
                plain(count, count.saturating_sub(1))
            }
            _ => {
                let count = asked.unwrap_or(self.settings.elements);
                plain(count, count)
            }
        }
    }
}

/// What a pointer says of what it points to.
#[derive(Clone, Copy)]
struct Pointed {
    to: TypeId,
    writable: bool,
    volatile: bool,
}

/// What lies behind a pointer.
struct Shape {
    /// In bytes.
    size: u64,
    /// How many elements are taken apart.
    columns: u64,
    /// From one element to the next, in bytes.
    step: u64,
    kind: Option<TypeId>,
    /// Is it one structure, with members written `p->m`?
    single: bool,
    indexed: String,
}

/// Behind a pointer to what nobody knows.
pub(super) const OPAQUE_BYTES: u64 = 64;

/// More cells of an object and of what is behind it are not looked at.
const MOST_CELLS: usize = 1 << 16;

/// Objects for pointers are not larger.
const MOST_BYTES: u64 = 1 << 20;

/// The size of a type in bytes, if it has one.
pub fn size_of(types: &Types, kind: TypeId) -> Option<u64> {
    let mut count = 1_u64;
    let mut kind = kind;
    loop {
        let one = match types.get(kind) {
            CType::Array { of, length } => {
                count = count.checked_mul((*length)?)?;
                kind = *of;
                continue;
            }
            CType::Bool => 1,
            CType::Integer { bits, .. } | CType::Enumeration { bits, .. } => {
                u64::from(*bits).div_ceil(8)
            }
            CType::Float(FloatFormat::Single) => 4,
            CType::Float(FloatFormat::Double) | CType::Pointer { .. } => 8,
            CType::Float(FloatFormat::Extended) => 16,
            CType::Record { size, .. } => (*size)?,
            CType::Void | CType::Function { .. } | CType::Other(_) => return None,
        };
        return count.checked_mul(one);
    }
}
