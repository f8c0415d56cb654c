//! The values of literals, exact.

use std::str::FromStr;

use obligato_model::{Integer, Rational, Type, Value};

/// Longer exponents of hexadecimal reals come from a slip.
const LARGEST_EXPONENT: i32 = 4096;

/// An integer, decimal or hexadecimal.
pub(super) fn integer(text: &str) -> Option<Integer> {
    match text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
        Some(digits) => Integer::from_str_radix(digits, 16).ok(),
        None => Integer::from_str(text).ok(),
    }
}

/// A real: `3.14`, `.5`, `1e-3`, `0x1.8p3`.
pub(super) fn real(text: &str) -> Option<Rational> {
    let Some(digits) = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) else {
        return match Value::parse(text, &Type::Real) {
            Ok(Value::Real(value)) => Some(value),
            _ => None,
        };
    };
    let (mantissa, exponent) = match digits.split_once(['p', 'P']) {
        None => (digits, 0),
        Some((mantissa, exponent)) => (mantissa, exponent.parse::<i32>().ok()?),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = Integer::from_str_radix(&format!("{whole}{fraction}"), 16).ok()?;
    let shift = exponent.checked_sub(i32::try_from(4 * fraction.len()).ok()?)?;
    if shift.abs() > LARGEST_EXPONENT {
        return None;
    }
    let scale = Rational::from(Integer::ONE << shift.unsigned_abs() as usize);
    let digits = Rational::from(digits);
    Some(if shift < 0 { digits / scale } else { digits * scale })
}
