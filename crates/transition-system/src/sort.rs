//! The sorts of terms, and how values of source types are held in them.
//!
//! There are fewer sorts than types: subranges and enumerations are integers
//! whose bounds the front end states as checks, and an enumeration's value is the
//! position of its name.

use std::fmt;

use obligato_model::{Integer, Rational, Signedness, Type, Value};

use crate::error::Error;

/// A machine integer sort, of 1 to 64 bits. Arithmetic wraps around.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Machine {
    signedness: Signedness,
    bits: u8,
}

/// What a term denotes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Sort {
    /// True or false.
    Bool,
    /// An integer of any size.
    Int,
    /// An exact rational.
    Real,
    /// A machine integer.
    Machine(Machine),
}

impl Machine {
    /// The sort of this many bits; `None` unless there are 1 to 64.
    pub fn new(signedness: Signedness, bits: u32) -> Option<Self> {
        let bits = u8::try_from(bits).ok().filter(|bits| (1..=64).contains(bits))?;
        Some(Self { signedness, bits })
    }

    /// Two's complement, or from zero?
    pub fn signedness(self) -> Signedness {
        self.signedness
    }

    /// How many bits.
    pub fn bits(self) -> u32 {
        u32::from(self.bits)
    }

    /// The value that these bits stand for, held in a word: sign-extended if
    /// signed, zero-extended if not. A `uint64` is held by its bit pattern.
    #[inline]
    pub fn wrap_word(self, word: i64) -> i64 {
        let unused = 64 - self.bits();
        match self.signedness {
            Signedness::Signed => word << unused >> unused,
            Signedness::Unsigned => (word.cast_unsigned() << unused >> unused).cast_signed(),
        }
    }

    /// The integer that is `value` modulo 2^bits.
    pub fn wrap(self, value: &Integer) -> Integer {
        self.integer(low_word(value))
    }

    /// The word that holds a value of this sort.
    pub(crate) fn word(self, value: &Integer) -> i64 {
        self.wrap_word(low_word(value))
    }

    /// The value that a word holds.
    pub(crate) fn integer(self, word: i64) -> Integer {
        let word = self.wrap_word(word);
        match self.signedness {
            Signedness::Signed => word.into(),
            Signedness::Unsigned => word.cast_unsigned().into(),
        }
    }

    fn as_type(self) -> Type {
        Type::Machine(self.signedness, self.bits())
    }
}

/// The low 64 bits of the two's complement of `value`.
fn low_word(value: &Integer) -> i64 {
    let small = i128::try_from(value).unwrap_or_else(|_| {
        let rest = value % (Integer::ONE << 64);
        i128::try_from(rest).expect("invariant: a remainder by 2^64 is below it")
    });
    small as i64
}

impl Sort {
    /// The sort that values of `kind` have.
    pub fn of(kind: &Type) -> Result<Self, Error> {
        match kind {
            Type::Bool => Ok(Self::Bool),
            Type::Int | Type::Subrange(..) | Type::Enumeration(_) | Type::OpenEnumeration(_) => {
                Ok(Self::Int)
            }
            Type::Real => Ok(Self::Real),
            Type::Machine(signedness, bits) => Machine::new(*signedness, *bits)
                .map(Self::Machine)
                .ok_or_else(|| Error::UnsupportedType(kind.clone())),
            Type::Float32 | Type::Float64 => Err(Error::UnsupportedType(kind.clone())),
        }
    }

    /// False, or zero.
    pub fn zero(self) -> Value {
        match self {
            Self::Bool => Value::Bool(false),
            Self::Int | Self::Machine(_) => Value::Int(Integer::ZERO),
            Self::Real => Value::Real(Rational::ZERO),
        }
    }

    /// Is `value` one of this sort?
    pub fn holds(self, value: &Value) -> bool {
        match self {
            Self::Bool => matches!(value, Value::Bool(_)),
            Self::Int => matches!(value, Value::Int(_)),
            Self::Real => matches!(value, Value::Real(_)),
            Self::Machine(machine) => {
                matches!(value, Value::Int(integer) if machine.wrap(integer) == *integer)
            }
        }
    }
}

/// A value of `kind` as a value of its sort; `None` if it is not one of `kind`.
pub fn encode(kind: &Type, value: &Value) -> Option<Value> {
    match (kind, value) {
        (Type::Enumeration(names), Value::Symbol(name)) => {
            names.iter().position(|other| other == name).map(Value::int)
        }
        (Type::OpenEnumeration(enumeration), Value::Symbol(name)) => {
            enumeration.number_of(name).cloned().map(Value::Int)
        }
        _ => value.has_type(kind).then(|| value.clone()),
    }
}

/// A value of the sort of `kind` as a value of `kind`. A position that no name
/// of an enumeration has stays a number: a check of the system has failed then.
pub fn decode(kind: &Type, value: Value) -> Value {
    let named = match (kind, &value) {
        (Type::Enumeration(names), Value::Int(position)) => {
            let name = usize::try_from(position).ok().and_then(|position| names.get(position));
            name.map(|name| Value::Symbol(name.clone()))
        }
        (Type::OpenEnumeration(enumeration), Value::Int(number)) => enumeration.value(number),
        _ => None,
    };
    named.unwrap_or(value)
}

impl fmt::Display for Sort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bool => Type::Bool.fmt(f),
            Self::Int => Type::Int.fmt(f),
            Self::Real => Type::Real.fmt(f),
            Self::Machine(machine) => machine.as_type().fmt(f),
        }
    }
}

#[cfg(test)]
mod tests;
