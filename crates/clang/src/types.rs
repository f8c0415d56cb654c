//! C types as far as inputs and outputs need them: layout, and names for what lies inside.

use obligato_model::{Signedness, typed_ids};

typed_ids! {
    /// A type of a unit.
    TypeId,
}

/// All types of a unit, each once.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Types {
    /// By id.
    pub all: Vec<CType>,
}

/// A canonical type: no typedef, no qualifier.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum CType {
    /// `void`
    Void,
    /// `_Bool`
    Bool,
    /// Integers, `char` included.
    Integer {
        /// Its sign.
        signedness: Signedness,
        /// Its width.
        bits: u32,
        /// Is it one of the three character types?
        character: bool,
    },
    /// An enumeration.
    Enumeration {
        /// Its tag, or the typedef of an anonymous one.
        name: String,
        /// The sign of the type it is stored as.
        signedness: Signedness,
        /// The width of the type it is stored as.
        bits: u32,
        /// Its constants.
        constants: Vec<Enumerator>,
    },
    /// `float`, `double`, `long double`.
    Float(FloatFormat),
    /// A pointer.
    Pointer {
        /// To what.
        to: TypeId,
        /// May nothing be written through it (`const`)?
        constant: bool,
        /// Is what it points to `volatile`?
        volatile: bool,
    },
    /// An array.
    Array {
        /// Of what.
        of: TypeId,
        /// How many; `None` where the type does not say (a flexible member, an extern array).
        length: Option<u64>,
    },
    /// A structure or a union.
    Record {
        /// As C writes it: `struct node`, a typedef's name, or empty.
        name: String,
        /// A union?
        union: bool,
        /// In bytes; `None` for an incomplete type.
        size: Option<u64>,
        /// In bytes.
        alignment: u64,
        /// In order. Members of anonymous structures and unions are those of a field without a name.
        fields: Vec<Field>,
    },
    /// A function, behind a pointer.
    Function {
        /// What it returns.
        result: TypeId,
        /// What it takes.
        parameters: Vec<TypeId>,
        /// Takes more than that?
        variadic: bool,
    },
    /// Anything else, by its spelling: complex numbers, vectors, `_BitInt` beyond 64 bits.
    Other(String),
}

/// A constant of an enumeration.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Enumerator {
    /// Its name.
    pub name: String,
    /// Its value.
    pub value: i128,
}

/// A member of a structure or union.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Field {
    /// Its name; empty for an anonymous structure or union.
    pub name: String,
    /// Its type.
    pub kind: TypeId,
    /// Where it starts, in bits from the start of the record.
    pub offset: u64,
    /// How many bits, if it is a bit-field.
    pub bits: Option<u32>,
    /// Is it declared `volatile`?
    pub volatile: bool,
}

/// The floating-point formats.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FloatFormat {
    /// `float`
    Single,
    /// `double`
    Double,
    /// `long double` of the x87: 80 bits.
    Extended,
}

impl Types {
    /// A type.
    pub fn get(&self, id: TypeId) -> &CType {
        &self.all[id.index()]
    }
}
