//! Values, literals and constants of the reference.

use obligato_lustre::analysis::ConstantValue;
use obligato_model::{Integer, Rational, Type, Value};

/// A value. An enumeration's is the position of its name.
#[derive(Clone, Debug, PartialEq)]
pub enum V {
    Bool(bool),
    Int(Integer),
    Real(Rational),
    Many(Vec<V>),
}

impl V {
    pub fn many(self) -> Vec<V> {
        match self {
            Self::Many(parts) => parts,
            other => panic!("expected several values, found {other:?}"),
        }
    }

    pub fn int(self) -> Integer {
        match self {
            Self::Int(value) => value,
            other => panic!("expected an integer, found {other:?}"),
        }
    }

    /// As the position of a value of a clock: of an enumeration, or 0 and 1.
    pub fn position(self) -> Integer {
        match self {
            Self::Bool(value) => Integer::from(u8::from(value)),
            other => other.int(),
        }
    }
}

/// The scalars of a value, in order.
pub fn flatten(value: &V, into: &mut Vec<V>) {
    match value {
        V::Many(parts) => parts.iter().for_each(|part| flatten(part, into)),
        scalar => into.push(scalar.clone()),
    }
}

/// The value of an integer literal.
pub(super) fn integer(text: &str) -> Integer {
    match text.to_lowercase().strip_prefix("0x") {
        Some(digits) => Integer::from_str_radix(digits, 16).unwrap(),
        None => text.parse().unwrap(),
    }
}

/// The value of a real literal: decimal, or hexadecimal with a power of two.
pub(super) fn real(text: &str) -> Rational {
    let lower = text.to_lowercase();
    let Some(digits) = lower.strip_prefix("0x") else {
        match Value::parse(text, &Type::Real).unwrap() {
            Value::Real(value) => return value,
            other => panic!("{other}"),
        }
    };
    let (mantissa, exponent) = digits.split_once('p').unwrap_or((digits, "0"));
    let (whole, part) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let mut value = Rational::from(Integer::from_str_radix(&format!("{whole}{part}"), 16).unwrap());
    for _ in part.chars() {
        value /= Rational::from(16);
    }
    let exponent: i32 = exponent.parse().unwrap();
    for _ in 0..exponent.abs() {
        let two = Rational::from(2);
        if exponent < 0 { value /= two } else { value *= two }
    }
    value
}

pub(super) fn constant(value: &ConstantValue) -> V {
    match value {
        ConstantValue::Bool(value) => V::Bool(*value),
        ConstantValue::Int(value) => V::Int(value.clone()),
        ConstantValue::Real(value) => V::Real(value.clone()),
        ConstantValue::Enumeration(_, position) => V::Int((*position).into()),
        ConstantValue::Array(parts)
        | ConstantValue::Tuple(parts)
        | ConstantValue::Record(_, parts) => V::Many(parts.iter().map(constant).collect()),
    }
}
