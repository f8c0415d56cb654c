//! Values and types as text: what a cell of a CSV suite or a JSON scalar holds.
//!
//! Reals are exact in every spelling: `1/3`, `0.1`, `2.5e-3`. Floats print the
//! shortest decimal that reads back to the same bits; a NaN with a payload
//! prints its bits (`nan:7fc00001`).

use std::fmt;
use std::str::FromStr;

use super::{Integer, OpenEnumeration, Rational, Signedness, Type, Value};

/// Longer numbers are refused: no test means them, and reading them could take
/// time and memory out of proportion to the text.
const LONGEST_NUMBER: usize = 4096;
/// The digits and the exponent of a decimal. Written out as a fraction it is
/// then still no longer than a number may be.
const LONGEST_DECIMAL: usize = 1024;

/// A text that is not a value, or not a type.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ValueError {
    /// Not a value of the type.
    #[error("'{text}' is not a value of type {kind}")]
    NotOfType {
        /// What was read.
        text: String,
        /// The type, as text.
        kind: String,
    },
    /// A number too long to take seriously.
    #[error(
        "a number may have at most {LONGEST_NUMBER} digits, a decimal {LONGEST_DECIMAL} and an exponent as large"
    )]
    TooLong,
    /// Not a type.
    #[error(
        "'{0}' is not a type; types are bool, int, int8 … uint128, 'subrange [low, high]', real, float, double 'enum {{A, B}}' and 'enum [low, high] {{A = 0, B = 4}}'"
    )]
    NotAType(String),
}

impl Value {
    /// Reads a value of `kind`.
    pub fn parse(text: &str, kind: &Type) -> Result<Self, ValueError> {
        if text.len() > LONGEST_NUMBER && !matches!(kind, Type::Enumeration(_)) {
            return Err(ValueError::TooLong);
        }
        let read = match kind {
            Type::Bool => parse_bool(text).map(Self::Bool),
            Type::Int | Type::Subrange(..) | Type::Machine(..) => {
                parse_integer(text).map(Self::Int)
            }
            Type::Real => parse_rational(text)?.map(Self::Real),
            Type::Float32 => parse_nan(text)
                .and_then(|bits| u32::try_from(bits).ok())
                .filter(|bits| f32::from_bits(*bits).is_nan())
                .or_else(|| text.parse().ok().map(f32::to_bits))
                .map(Self::Float32),
            Type::Float64 => parse_nan(text)
                .filter(|bits| f64::from_bits(*bits).is_nan())
                .or_else(|| text.parse().ok().map(f64::to_bits))
                .map(Self::Float64),
            Type::Enumeration(_) => Some(Self::Symbol(text.to_owned())),
            Type::OpenEnumeration(enumeration) => {
                let number = enumeration.number_of(text).cloned().or_else(|| parse_integer(text));
                number.and_then(|number| enumeration.value(&number))
            }
        };
        read.filter(|value| value.has_type(kind))
            .ok_or_else(|| ValueError::NotOfType { text: abridged(text), kind: kind.to_string() })
    }
}

/// The text, cut where a message would become unreadable.
fn abridged(text: &str) -> String {
    match text.char_indices().nth(40) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text.to_owned(),
    }
}

fn parse_bool(text: &str) -> Option<bool> {
    match text {
        "true" | "T" | "t" | "1" => Some(true),
        "false" | "F" | "f" | "0" => Some(false),
        _ => None,
    }
}

/// Decimal digits with an optional sign; nothing else that a library may accept.
fn parse_integer(text: &str) -> Option<Integer> {
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    let plain = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    plain.then(|| Integer::from_str(text).ok()).flatten()
}

fn parse_rational(text: &str) -> Result<Option<Rational>, ValueError> {
    if let Some((numerator, denominator)) = text.split_once('/') {
        let parts = parse_integer(numerator)
            .zip(parse_integer(denominator).filter(|below| *below > Integer::ZERO));
        return Ok(parts.map(|(above, below)| Rational::from(above) / Rational::from(below)));
    }
    if let Some(whole) = parse_integer(text) {
        return Ok(Some(Rational::from(whole)));
    }
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        None => (text, Some(0)),
        Some((mantissa, exponent)) => (mantissa, exponent.parse::<i64>().ok()),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let fits = fraction.bytes().all(|byte| byte.is_ascii_digit());
    let (Some(exponent), Some(digits), true) =
        (exponent, parse_integer(&format!("{whole}{fraction}")), fits)
    else {
        return Ok(None);
    };
    let shift = exponent.saturating_sub_unsigned(fraction.len() as u64);
    let power = usize::try_from(shift.unsigned_abs()).unwrap_or(usize::MAX);
    if mantissa.len() > LONGEST_DECIMAL || power > 2 * LONGEST_DECIMAL {
        return Err(ValueError::TooLong);
    }
    let scale = Rational::from(Integer::from(10).pow(power));
    let digits = Rational::from(digits);
    Ok(Some(if shift < 0 { digits / scale } else { digits * scale }))
}

fn parse_nan(text: &str) -> Option<u64> {
    u64::from_str_radix(text.strip_prefix("nan:")?, 16).ok()
}

pub(super) fn print(value: &Value, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    match value {
        Value::Bool(value) => write!(f, "{value}"),
        Value::Int(value) => write!(f, "{value}"),
        Value::Real(value) => write!(f, "{value}"),
        Value::Float32(bits) => {
            let value = f32::from_bits(*bits);
            if value.is_nan() { write!(f, "nan:{bits:08x}") } else { write!(f, "{value:?}") }
        }
        Value::Float64(bits) => {
            let value = f64::from_bits(*bits);
            if value.is_nan() { write!(f, "nan:{bits:016x}") } else { write!(f, "{value:?}") }
        }
        Value::Symbol(name) => f.write_str(name),
    }
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bool => f.write_str("bool"),
            Self::Int => f.write_str("int"),
            Self::Subrange(low, high) => write!(f, "subrange [{low}, {high}]"),
            Self::Machine(Signedness::Signed, bits) => write!(f, "int{bits}"),
            Self::Machine(Signedness::Unsigned, bits) => write!(f, "uint{bits}"),
            Self::Real => f.write_str("real"),
            Self::Float32 => f.write_str("float"),
            Self::Float64 => f.write_str("double"),
            Self::Enumeration(names) => write!(f, "enum {{{}}}", names.join(", ")),
            Self::OpenEnumeration(open) => {
                let OpenEnumeration { low, high, names } = &**open;
                let names: Vec<String> =
                    names.iter().map(|(name, value)| format!("{name} = {value}")).collect();
                write!(f, "enum [{low}, {high}] {{{}}}", names.join(", "))
            }
        }
    }
}

impl FromStr for Type {
    type Err = ValueError;

    fn from_str(text: &str) -> Result<Self, ValueError> {
        let machine = |signedness, bits: &str| {
            let digits = bits.starts_with(|first: char| matches!(first, '1'..='9'));
            let bits = bits.parse().ok().filter(|bits| digits && (1..=128).contains(bits))?;
            Some(Self::Machine(signedness, bits))
        };
        let kind = match text {
            "bool" => Some(Self::Bool),
            "int" => Some(Self::Int),
            "real" => Some(Self::Real),
            "float" => Some(Self::Float32),
            "double" => Some(Self::Float64),
            _ => {
                if let Some(bits) = text.strip_prefix("uint") {
                    machine(Signedness::Unsigned, bits)
                } else if let Some(bits) = text.strip_prefix("int") {
                    machine(Signedness::Signed, bits)
                } else if let Some(bounds) = enclosed(text, "subrange [", "]") {
                    parse_bounds(bounds).map(|(low, high)| Self::Subrange(low, high))
                } else if let Some(open) = enclosed(text, "enum [", "}") {
                    parse_open_enumeration(open)
                } else {
                    enclosed(text, "enum {", "}").and_then(parse_names)
                }
            }
        };
        kind.ok_or_else(|| ValueError::NotAType(abridged(text)))
    }
}

fn enclosed<'a>(text: &'a str, before: &str, after: &str) -> Option<&'a str> {
    text.strip_prefix(before)?.strip_suffix(after)
}

fn parse_bounds(text: &str) -> Option<(Integer, Integer)> {
    let (low, high) = text.split_once(',').filter(|_| text.len() <= LONGEST_NUMBER)?;
    let (low, high) = (parse_integer(low.trim())?, parse_integer(high.trim())?);
    (low <= high).then_some((low, high))
}

/// What stands between `enum [` and the last brace.
fn parse_open_enumeration(text: &str) -> Option<Type> {
    let (bounds, names) = text.split_once("] {")?;
    let (low, high) = parse_bounds(bounds)?;
    let enumerator = |one: &str| {
        let (name, value) = one.split_once('=').filter(|_| one.len() <= LONGEST_NUMBER)?;
        let value = parse_integer(value.trim())?;
        (low <= value && value <= high).then(|| (name.trim().to_owned(), value))
    };
    let names: Vec<(String, Integer)> = match names {
        "" => Vec::new(),
        names => names.split(',').map(enumerator).collect::<Option<_>>()?,
    };
    are_names(names.iter().map(|(name, _)| name))
        .then(|| Type::OpenEnumeration(Box::new(OpenEnumeration { low, high, names })))
}

/// Are these different names, none of which would end a type?
fn are_names<'a>(names: impl Iterator<Item = &'a String>) -> bool {
    let mut known = std::collections::BTreeSet::new();
    let mut good = true;
    for name in names {
        good &= !name.is_empty() && !name.contains(['{', '}']) && known.insert(name);
    }
    good
}

fn parse_names(text: &str) -> Option<Type> {
    let names: Vec<String> = text.split(',').map(|name| name.trim().to_owned()).collect();
    are_names(names.iter()).then_some(Type::Enumeration(names))
}
