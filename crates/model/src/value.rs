//! Types and values of inputs, outputs and operands, with one text form each.
//!
//! `int` and `real` are mathematical: any size, exact. Machine integers and
//! IEEE floats are what C has. A value is read *for* a type, so `1` is an
//! integer, a real or a float as its variable says.

use std::cmp::Ordering;
use std::fmt;

/// An integer of any size.
pub use dashu_int::IBig as Integer;
/// An exact rational number.
pub use dashu_ratio::RBig as Rational;

mod text;

pub use text::ValueError;

/// Is a machine integer signed?
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Signedness {
    /// Two's complement.
    Signed,
    /// From zero.
    Unsigned,
}

/// The type of a variable.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Type {
    /// True or false.
    Bool,
    /// An integer of any size.
    Int,
    /// An integer within bounds, both included.
    Subrange(Integer, Integer),
    /// A machine integer of this many bits, from 1 on.
    Machine(Signedness, u32),
    /// An exact rational number.
    Real,
    /// An IEEE single.
    Float32,
    /// An IEEE double.
    Float64,
    /// One of these names.
    Enumeration(Vec<String>),
    /// An integer within bounds, both included, with names for some values, as in C.
    OpenEnumeration(Box<OpenEnumeration>),
}

/// An enumeration whose variables may hold any integer within bounds, both included. A value with a name is written by its first
/// name, any other as a number.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct OpenEnumeration {
    /// The smallest value.
    pub low: Integer,
    /// The largest value.
    pub high: Integer,
    /// The names with their values, which are within the bounds.
    pub names: Vec<(String, Integer)>,
}

impl OpenEnumeration {
    /// The value with this number; `None` if it is out of bounds.
    pub fn value(&self, number: &Integer) -> Option<Value> {
        if *number < self.low || *number > self.high {
            return None;
        }
        let name = self.names.iter().find(|(_, value)| value == number);
        Some(
            name.map_or_else(
                || Value::Int(number.clone()),
                |(name, _)| Value::Symbol(name.clone()),
            ),
        )
    }

    /// The number of a name.
    pub fn number_of(&self, name: &str) -> Option<&Integer> {
        self.names.iter().find(|(known, _)| known == name).map(|(_, value)| value)
    }

    /// Is this how the enumeration writes one of its values?
    fn has(&self, value: &Value) -> bool {
        let number = match value {
            Value::Int(number) => Some(number),
            Value::Symbol(name) => self.number_of(name),
            _ => None,
        };
        number.and_then(|number| self.value(number)).as_ref() == Some(value)
    }
}

impl Type {
    /// The smallest and the largest value, where the type has them.
    pub fn bounds(&self) -> Option<(Integer, Integer)> {
        match self {
            Self::Subrange(low, high) => Some((low.clone(), high.clone())),
            Self::OpenEnumeration(open) => Some((open.low.clone(), open.high.clone())),
            Self::Machine(Signedness::Signed, bits) => {
                let half = Integer::ONE << (*bits as usize).saturating_sub(1);
                Some((-half.clone(), half - Integer::ONE))
            }
            Self::Machine(Signedness::Unsigned, bits) => {
                Some((Integer::ZERO, (Integer::ONE << *bits as usize) - Integer::ONE))
            }
            _ => None,
        }
    }
}

/// A value.
///
/// Equality is identity of the value as a test states it: floats compare by
/// their bits, so a NaN equals itself and the zeros differ.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Value {
    /// A Boolean.
    Bool(bool),
    /// An integer, of whichever integer type.
    Int(Integer),
    /// A rational.
    Real(Rational),
    /// The bits of an IEEE single.
    Float32(u32),
    /// The bits of an IEEE double.
    Float64(u64),
    /// A name of an enumeration.
    Symbol(String),
}

impl Value {
    /// An integer value.
    pub fn int(value: impl Into<Integer>) -> Self {
        Self::Int(value.into())
    }

    /// A single.
    pub fn float32(value: f32) -> Self {
        Self::Float32(value.to_bits())
    }

    /// A double.
    pub fn float64(value: f64) -> Self {
        Self::Float64(value.to_bits())
    }

    /// Is this a value of `kind`?
    pub fn has_type(&self, kind: &Type) -> bool {
        match (self, kind) {
            (Self::Bool(_), Type::Bool)
            | (Self::Int(_), Type::Int)
            | (Self::Real(_), Type::Real)
            | (Self::Float32(_), Type::Float32)
            | (Self::Float64(_), Type::Float64) => true,
            (Self::Int(value), Type::Subrange(..) | Type::Machine(..)) => {
                kind.bounds().is_some_and(|(low, high)| (low..=high).contains(value))
            }
            (Self::Symbol(name), Type::Enumeration(names)) => names.contains(name),
            (value, Type::OpenEnumeration(enumeration)) => enumeration.has(value),
            _ => false,
        }
    }

    /// The order of two numbers of the same kind, as the program compares
    /// them; `None` for a NaN, for mixed kinds and for what has no order.
    pub fn compare(&self, other: &Self) -> Option<Ordering> {
        match (self, other) {
            (Self::Int(a), Self::Int(b)) => Some(a.cmp(b)),
            (Self::Real(a), Self::Real(b)) => Some(a.cmp(b)),
            (Self::Float32(a), Self::Float32(b)) => {
                f32::from_bits(*a).partial_cmp(&f32::from_bits(*b))
            }
            (Self::Float64(a), Self::Float64(b)) => {
                f64::from_bits(*a).partial_cmp(&f64::from_bits(*b))
            }
            _ => None,
        }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        text::print(self, f)
    }
}

#[cfg(test)]
mod tests;
