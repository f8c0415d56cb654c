//! The values of literals.

use std::str::FromStr;

use obligato_model::{Integer, Rational, Type, Value};

/// Longer exponents of hexadecimal reals are refused; no model means them.
const LARGEST_EXPONENT: i32 = 4096;

/// The value of an integer literal: decimal, or hexadecimal with `0x`.
pub fn integer(text: &str) -> Option<Integer> {
    match text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
        Some(digits) => Integer::from_str_radix(digits, 16).ok(),
        None => Integer::from_str(text).ok(),
    }
}

/// The value of a real literal: `3.14`, `.5`, `1e-3`, `0x1.8p3`.
pub fn real(text: &str) -> Option<Rational> {
    if let Some(digits) = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
        return hexadecimal(digits);
    }
    match Value::parse(text, &Type::Real) {
        Ok(Value::Real(value)) => Some(value),
        _ => None,
    }
}

fn hexadecimal(text: &str) -> Option<Rational> {
    let (mantissa, exponent) = match text.split_once(['p', 'P']) {
        None => (text, 0),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literals_are_exact_in_every_notation() {
        let ratio = |n: i32, d: i32| Rational::from(n) / Rational::from(d);
        assert_eq!(integer("0xA0f"), Some(Integer::from(0xA0F)));
        assert_eq!(integer("007"), Some(Integer::from(7)));
        for (text, value) in [
            (".5", ratio(1, 2)),
            ("3.25", ratio(13, 4)),
            ("0.2E+3", ratio(200, 1)),
            ("1e-2", ratio(1, 100)),
            ("0x1.8p3", ratio(12, 1)),
            ("0x3.4p-2", ratio(13, 16)),
        ] {
            assert_eq!(real(text), Some(value), "{text}");
        }
        assert_eq!(real("0x1p99999"), None);
    }
}
