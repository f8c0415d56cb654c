//! C types with their layout, each once, and only those that are asked for.

use obligato_model::Signedness;
use rustc_hash::FxHashMap;

use crate::libclang::{Cursor, Kind, Type, TypeKind};
use crate::{CType, Enumerator, Field, FloatFormat, TypeId, Types};

/// The types that were asked for, and those that they are made of.
#[derive(Default)]
pub(crate) struct TypeTable<'u> {
    known: FxHashMap<usize, TypeId>,
    /// In the order of their ids.
    listed: Vec<Type<'u>>,
}

impl<'u> TypeTable<'u> {
    /// The id of a type.
    pub fn id(&mut self, kind: Type<'u>) -> TypeId {
        let plain = kind.plain();
        let next = TypeId::new(self.listed.len());
        let id = *self.known.entry(plain.identity()).or_insert(next);
        if id == next {
            self.listed.push(plain);
        }
        id
    }

    /// Looks at all types; those that they are made of are found on the way.
    pub fn finish(mut self) -> Types {
        let mut all = Vec::new();
        while let Some(&kind) = self.listed.get(all.len()) {
            all.push(self.describe(kind));
        }
        Types { all }
    }

    fn describe(&mut self, kind: Type<'u>) -> CType {
        let bits = || kind.size().map_or(0, |size| (size * 8) as u32);
        let integer =
            |signedness, character| CType::Integer { signedness, bits: bits(), character };
        match kind.kind() {
            TypeKind::Void => CType::Void,
            TypeKind::Bool => CType::Bool,
            TypeKind::Character if kind.is_unsigned_character() => {
                integer(Signedness::Unsigned, true)
            }
            TypeKind::Character => integer(Signedness::Signed, true),
            TypeKind::Unsigned => integer(Signedness::Unsigned, false),
            TypeKind::Signed => integer(Signedness::Signed, false),
            TypeKind::Float => CType::Float(FloatFormat::Single),
            TypeKind::Double => CType::Float(FloatFormat::Double),
            // Some targets make it a double.
            TypeKind::LongDouble if bits() == 64 => CType::Float(FloatFormat::Double),
            TypeKind::LongDouble => CType::Float(FloatFormat::Extended),
            TypeKind::Pointer => {
                let to = kind.pointee();
                let constant = to.canonical().is_constant();
                CType::Pointer { to: self.id(to), constant, volatile: is_volatile(to) }
            }
            TypeKind::Array => CType::Array { of: self.id(kind.element()), length: kind.length() },
            TypeKind::Function | TypeKind::FunctionWithoutList => CType::Function {
                result: self.id(kind.result()),
                parameters: kind.parameters().into_iter().map(|one| self.id(one)).collect(),
                variadic: kind.is_variadic(),
            },
            TypeKind::Enumeration => enumeration(kind),
            TypeKind::Record => self.record(kind),
            // Memory like other memory, unless it is wider than what it holds.
            TypeKind::Atomic if kind.size() == kind.value_type().plain().size() => {
                self.describe(kind.value_type().plain())
            }
            TypeKind::Complex | TypeKind::Atomic | TypeKind::Vector | TypeKind::Other => {
                CType::Other(kind.spelling())
            }
        }
    }

    fn record(&mut self, kind: Type<'u>) -> CType {
        // A bit-field without a name is padding.
        let padding =
            |field: &Cursor<'_>| field.is_unnamed_field() && field.field_width().is_some();
        let fields = kind.fields().into_iter().filter(|field| !padding(field)).map(|field| Field {
            name: if field.is_unnamed_field() { String::new() } else { field.name() },
            kind: self.id(field.typed()),
            offset: field.field_offset().unwrap_or(0),
            bits: field.field_width(),
            volatile: is_volatile(field.typed()),
        });
        CType::Record {
            fields: fields.collect(),
            name: name_of(kind),
            union: kind.declaration().is_union(),
            size: kind.size(),
            alignment: kind.alignment().unwrap_or(1),
        }
    }
}

/// Is an object of this type `volatile`? Of an array, its elements.
pub(crate) fn is_volatile(kind: Type<'_>) -> bool {
    let mut part = kind.canonical();
    while part.kind() == TypeKind::Array && !part.is_volatile() {
        part = part.element();
    }
    part.is_volatile()
}

/// How C writes the type; empty if it has no name.
fn name_of(kind: Type<'_>) -> String {
    let spelling = kind.spelling();
    // libclang makes up names such as `struct (unnamed at unit.i:3:1)`.
    if spelling.contains('(') { String::new() } else { spelling }
}

fn enumeration(kind: Type<'_>) -> CType {
    let declaration = kind.declaration();
    let stored = declaration.enumeration_type().plain();
    let signed = match stored.kind() {
        TypeKind::Character => !stored.is_unsigned_character(),
        TypeKind::Unsigned | TypeKind::Bool => false,
        _ => true,
    };
    let constants =
        declaration.children().into_iter().filter(|child| child.kind() == Kind::EnumConstant);
    CType::Enumeration {
        name: name_of(kind),
        signedness: if signed { Signedness::Signed } else { Signedness::Unsigned },
        bits: stored.size().map_or(32, |size| (size * 8) as u32),
        constants: constants
            .map(|constant| Enumerator {
                name: constant.name(),
                value: constant.enumerator_value(signed),
            })
            .collect(),
    }
}
