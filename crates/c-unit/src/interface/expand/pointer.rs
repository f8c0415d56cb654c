//! What a pointer may point to, and how much lies behind it.

use std::rc::Rc;

use obligato_clang::{ArrayParameter, CType, Callable, TypeId};
use obligato_model::{Bound, Signedness};

use super::super::names::value_of_alias;
use super::super::types::size_of;
use super::super::{Form, Origin, Pointee, PointerTarget};
use super::{Expander, Member, Part, STREAM};

/// What a pointer says of what it points to.
#[derive(Clone, Copy)]
pub(super) struct Pointed {
    pub(super) to: TypeId,
    pub(super) writable: bool,
    pub(super) volatile: bool,
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
pub(in crate::interface) const OPAQUE_BYTES: u64 = 64;

/// Objects for pointers are not larger.
const MOST_BYTES: u64 = 1 << 20;

impl Expander<'_> {
    /// A pointer is NULL or points to something new, which is taken apart next.
    pub(super) fn pointer(&mut self, part: &Part, pointed: Pointed, todo: &mut Vec<Part>) -> Form {
        let Pointed { to, writable, volatile } = pointed;
        let declared = self.declared_by(part);
        let mut targets = vec![PointerTarget::null()];
        if declared.is_some_and(|one| one.promised) {
            targets.clear();
        }
        if matches!(self.types.get(to), CType::Function { .. }) {
            for function in self.functions.iter().filter(|one| one.defined && self.fits(one, to)) {
                let name = function.name.clone();
                targets.push(PointerTarget { name: name.clone(), to: Pointee::Function(name) });
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
        self.objects[object.0].stream = self.is_stream(to);
        targets.push(PointerTarget::new_object(object));
        if self.settings.alias {
            for (name, kind, object) in &self.known {
                if *kind == to {
                    let name = value_of_alias(name);
                    targets.push(PointerTarget { name, to: Pointee::Object(*object) });
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
    pub(super) fn bound_of(&self, part: &Part) -> Option<Bound> {
        let CType::Pointer { to, .. } = self.types.get(part.kind?) else { return None };
        if matches!(self.types.get(*to), CType::Function { .. }) {
            return Some(Bound::OwnCallbacks);
        }
        let deepest = self.settings.depth;
        (part.depth >= deepest).then_some(Bound::PointerDepth(deepest.into()))
    }

    /// Is it what a `FILE *` points to?
    fn is_stream(&self, kind: TypeId) -> bool {
        matches!(self.types.get(kind), CType::Record { name, .. } if name == STREAM)
    }

    /// The bound on the size of what a pointer points to, unless a person gave it or nobody looks inside.
    fn extent_of(&self, part: &Part, to: TypeId) -> Option<Bound> {
        if self.settings.sizes.contains_key(&part.name) || self.is_stream(to) {
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
