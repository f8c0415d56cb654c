//! Values in files: as the text of a cell or an operand, and as JSON.
//!
//! Numbers are read by their text, never through a double. They are written as
//! JSON numbers only where a reader that does use doubles still gets them right.

use std::collections::HashSet;

use obligato_model::{Integer, Rational, Type, Value};

use crate::error::{StoreError, quoted};
use crate::json::Json;
use crate::json::print::quote;

/// Doubles hold every integer up to this one.
const LARGEST_PLAIN_INTEGER: i64 = 1 << 53;
/// Doubles keep decimals of this many digits apart.
const LONGEST_PLAIN_DECIMAL: usize = 15;
/// Reals with more digits after the point are written as fractions …
const LONGEST_FRACTION: usize = 18;
/// … and so are those with more digits altogether than a decimal may have.
const LONGEST_DECIMAL: usize = 1000;

/// A type, made ready to read and write many values of it.
pub struct Kind<'a> {
    kind: &'a Type,
    /// The names of an enumeration, which may be many.
    names: HashSet<&'a str>,
}

impl<'a> Kind<'a> {
    /// The type, ready.
    pub fn new(kind: &'a Type) -> Self {
        let names = match kind {
            Type::Enumeration(names) => names.iter().map(String::as_str).collect(),
            _ => HashSet::new(),
        };
        Self { kind, names }
    }

    /// A value of this type from its text, or why it is none.
    pub fn read_text(&self, text: &str) -> Result<Value, String> {
        if self.names.contains(text) {
            return Ok(Value::Symbol(text.to_owned()));
        }
        Value::parse(text, self.kind).map_err(|error| error.to_string())
    }

    /// A value of this type from JSON; `owner` says in messages whose it is.
    pub fn read_json(
        &self,
        json: Json<'_>,
        owner: impl Fn() -> String,
    ) -> Result<Value, StoreError> {
        let first = json.text().as_bytes().first();
        let read = match (first, self.kind) {
            (Some(b'"'), _) => self.read_text(&json.string()?),
            (Some(b't' | b'f'), Type::Bool) => self.read_text(json.text()),
            (Some(b'-' | b'0'..=b'9'), kind) if is_numeric(kind) => self.read_text(json.text()),
            _ => Err(format!("expected a value of type {}, found {}", self.kind, json.found())),
        };
        read.map_err(|reason| json.invalid(format!("{}: {reason}", owner())))
    }

    /// The text of a value of this type, which reads back to it.
    pub fn print_text(&self, value: &Value) -> Result<String, String> {
        let text = text_of(value);
        match self.read_text(&text) {
            Ok(back) if back == *value => Ok(text),
            Ok(_) => Err(format!("{} is not a value of type {}", quoted(&text), self.kind)),
            Err(reason) => Err(reason),
        }
    }

    /// A value of this type as JSON, which reads back to it.
    pub fn print_json(&self, value: &Value) -> Result<String, String> {
        let text = self.print_text(value)?;
        let plain = match value {
            Value::Bool(_) => true,
            Value::Int(value) => {
                let limit = Integer::from(LARGEST_PLAIN_INTEGER);
                (-limit.clone()..=limit).contains(value)
            }
            Value::Real(_) => {
                let digits = text.bytes().filter(u8::is_ascii_digit).count();
                digits <= LONGEST_PLAIN_DECIMAL && !text.contains('/')
            }
            // Readers disagree on whether a zero has a sign.
            Value::Float32(bits) => {
                f32::from_bits(*bits).is_finite() && *bits != (-0.0_f32).to_bits()
            }
            Value::Float64(bits) => {
                f64::from_bits(*bits).is_finite() && *bits != (-0.0_f64).to_bits()
            }
            Value::Symbol(_) => false,
        };
        Ok(if plain { text } else { quote(&text) })
    }
}

/// The text of a value; of a real a decimal, where that is not too long.
pub fn text_of(value: &Value) -> String {
    match value {
        Value::Real(real) => decimal(real),
        _ => value.to_string(),
    }
}

/// Can files hold this as a value of `kind`? They cannot if it is none, or if it is a number
/// with too many digits.
pub fn can_hold(kind: &Type, value: &Value) -> bool {
    let short = |number: &Integer| i64::try_from(number).is_ok();
    let plain = match value {
        Value::Int(value) => short(value),
        Value::Real(value) => {
            short(value.numerator()) && short(&Integer::from(value.denominator().clone()))
        }
        _ => true,
    };
    value.has_type(kind) && (plain || Value::parse(&text_of(value), kind).is_ok())
}

/// Has the type numbers for values?
pub fn is_numeric(kind: &Type) -> bool {
    !matches!(kind, Type::Bool | Type::Enumeration(_))
}

/// A real as a decimal if it has not too many digits after the point, else as a
/// fraction; never as an integer, so that a reader without types sees a real.
fn decimal(value: &Rational) -> String {
    let scale = Integer::from(10).pow(LONGEST_FRACTION);
    let denominator = Integer::from(value.denominator().clone());
    if denominator > scale || &scale % &denominator != Integer::ZERO {
        return value.to_string();
    }
    let scaled = (value.numerator() * (scale / denominator)).to_string();
    let (sign, digits) = match scaled.strip_prefix('-') {
        Some(digits) => ("-", digits),
        None => ("", scaled.as_str()),
    };
    let digits = format!("{digits:0>width$}", width = LONGEST_FRACTION + 1);
    if digits.len() > LONGEST_DECIMAL {
        return value.to_string();
    }
    let (whole, fraction) = digits.split_at(digits.len() - LONGEST_FRACTION);
    match fraction.trim_end_matches('0') {
        "" => format!("{sign}{whole}.0"),
        fraction => format!("{sign}{whole}.{fraction}"),
    }
}

#[cfg(test)]
mod tests;
