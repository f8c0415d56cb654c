//! Words of C, from names that may hold anything: identifiers, strings, comments, literals.

use std::collections::HashSet;
use std::fmt::Write as _;

use crate::unit::CValue;

/// Longer names are cut in identifiers and comments.
const LONGEST_NAME: usize = 40;
const LONGEST_COMMENT: usize = 160;
/// String literals are broken into pieces of so many characters.
const PIECE: usize = 72;

/// What is left of a name as part of an identifier, in letters, digits and single underscores.
pub fn identifier(name: &str) -> String {
    let mut found = String::new();
    for character in name.chars() {
        if character.is_ascii_alphanumeric() {
            found.push(character);
        } else if !found.is_empty() && !found.ends_with('_') {
            found.push('_');
        }
    }
    found.truncate(LONGEST_NAME);
    found.trim_end_matches('_').to_owned()
}

/// Identifiers that no two things share.
#[derive(Debug, Default)]
pub struct Identifiers(HashSet<String>);

impl Identifiers {
    /// An identifier with this start, for something of this name.
    pub fn take(&mut self, start: &str, name: &str) -> String {
        let rest = identifier(name);
        let joint = if start.is_empty() || rest.is_empty() { "" } else { "_" };
        let plain = format!("{start}{joint}{rest}");
        let starts_well = plain.starts_with(|first: char| !first.is_ascii_digit());
        let plain = if starts_well { plain } else { format!("x{plain}") };
        let mut found = plain.clone();
        let mut number = 2;
        while !self.0.insert(found.clone()) {
            found = format!("{plain}_{number}");
            number += 1;
        }
        found
    }
}

/// A string literal of C and C++, in pieces if it is long.
pub fn string(text: &str) -> String {
    let mut pieces = vec![String::new()];
    for (index, character) in text.chars().enumerate() {
        if index > 0 && index % PIECE == 0 {
            pieces.push(String::new());
        }
        let piece = pieces.last_mut().expect("invariant: there is always a piece");
        match character {
            // A question mark could be part of a trigraph.
            '"' | '\\' | '?' => piece.extend(['\\', character]),
            _ if character.is_control() => {
                for byte in character.to_string().bytes() {
                    write!(piece, "\\{byte:03o}").expect("invariant: a string takes all text");
                }
            }
            _ => piece.push(character),
        }
    }
    let pieces: Vec<String> = pieces.iter().map(|piece| format!("\"{piece}\"")).collect();
    pieces.join("\n        ")
}

/// A text as it can stand in a comment, on one line.
pub fn comment(text: &str) -> String {
    let mut found = String::new();
    for (index, character) in text.chars().enumerate() {
        if index == LONGEST_COMMENT {
            found.push('…');
            break;
        }
        // Nothing may end the comment, or start another one in it.
        if (found.ends_with('*') && character == '/') || (found.ends_with('/') && character == '*')
        {
            found.push(' ');
        }
        found.push(if character.is_control() { '\u{fffd}' } else { character });
    }
    found
}

/// A value as an expression.
pub fn expression(value: &CValue) -> String {
    match value {
        CValue::Truth(value) => u8::from(*value).to_string(),
        CValue::Signed(value) => signed(*value),
        CValue::Unsigned(value) => unsigned(*value),
        CValue::Constant(name) | CValue::Address(name) => name.clone(),
        CValue::Single(bits) => {
            let (sign, exponent, digits) = (bits >> 31, bits >> 23 & 0xff, bits & 0x7f_ffff);
            hexadecimal(sign == 1, exponent.into(), u64::from(digits) << 1, SINGLE) + "f"
        }
        CValue::Double(bits) => {
            let digits = bits & 0x000f_ffff_ffff_ffff;
            hexadecimal(bits >> 63 == 1, bits >> 52 & 0x7ff, digits, DOUBLE)
        }
    }
}

fn signed(value: i128) -> String {
    if i32::try_from(value).is_ok_and(|value| value != i32::MIN) {
        return value.to_string();
    }
    match i64::try_from(value) {
        // The literal without its sign would be one too large.
        Ok(i64::MIN) => format!("(-{}LL - 1)", i64::MAX),
        Ok(value) => format!("{value}LL"),
        Err(_) => {
            let bits = value.cast_unsigned();
            let (high, low) = ((bits >> 64) as u64, bits as u64);
            format!("(__int128)((unsigned __int128){high:#x}ULL << 64 | {low:#x}ULL)")
        }
    }
}

fn unsigned(value: u128) -> String {
    match (u32::try_from(value), u64::try_from(value)) {
        (Ok(value), _) => format!("{value}u"),
        (_, Ok(value)) => format!("{value}ULL"),
        _ => {
            let (high, low) = ((value >> 64) as u64, value as u64);
            format!("((unsigned __int128){high:#x}ULL << 64 | {low:#x}ULL)")
        }
    }
}

/// An IEEE format.
#[derive(Clone, Copy)]
struct FloatFormat {
    /// The digits of its fraction, base 16.
    width: usize,
    /// What is added to exponents.
    bias: i64,
}

const SINGLE: FloatFormat = FloatFormat { width: 6, bias: 127 };
const DOUBLE: FloatFormat = FloatFormat { width: 13, bias: 1023 };

/// A finite number with all its digits, base 16, as C has it since 1999.
fn hexadecimal(minus: bool, exponent: u64, digits: u64, format: FloatFormat) -> String {
    let FloatFormat { width, bias } = format;
    let sign = if minus { "-" } else { "" };
    if exponent == 0 && digits == 0 {
        return format!("{sign}0x0p+0");
    }
    let exponent = exponent.cast_signed();
    let (first, power) = if exponent == 0 { (0, 1 - bias) } else { (1, exponent - bias) };
    let digits = format!("{digits:0width$x}");
    let digits = digits.trim_end_matches('0');
    let point = if digits.is_empty() { "" } else { "." };
    format!("{sign}0x{first}{point}{digits}p{power:+}")
}

/// Is it a number that no literal stands for?
pub fn needs_bits(value: &CValue) -> bool {
    match value {
        CValue::Single(bits) => !f32::from_bits(*bits).is_finite(),
        CValue::Double(bits) => !f64::from_bits(*bits).is_finite(),
        _ => false,
    }
}

/// What a number is, for people, if its literal does not say so.
pub fn remark(value: &CValue) -> String {
    match value {
        CValue::Single(bits) => format!(" /* {} */", f32::from_bits(*bits)),
        CValue::Double(bits) => format!(" /* {} */", f64::from_bits(*bits)),
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_become_identifiers_that_nobody_else_has() {
        let mut known = Identifiers::default();
        assert_eq!(known.take("test_1", "warm \"up\" <ü>"), "test_1_warm_up");
        assert_eq!(known.take("at", "p->next"), "at_p_next");
        assert_eq!(known.take("at", "p.next"), "at_p_next_2");
        assert_eq!(known.take("", "9 lives"), "x9_lives");
        assert!(known.take("", &"long ".repeat(100)).len() <= LONGEST_NAME);
    }

    #[test]
    fn whatever_a_name_holds_a_string_stays_one_and_a_comment_too() {
        assert_eq!(string("a\"b\\c??/\n\u{1}ü<"), "\"a\\\"b\\\\c\\?\\?/\\012\\001ü<\"");
        assert_eq!(string(&"x".repeat(100)).lines().count(), 2);
        let dangerous = comment("a */ b /* c\nd *//");
        assert!(!dangerous.contains("*/") && !dangerous.contains("/*"), "{dangerous}");
        assert!(!dangerous.contains('\n'));
        assert_eq!(comment(&"y".repeat(1000)).chars().count(), LONGEST_COMMENT + 1);
    }

    #[test]
    fn literals_keep_every_bit() {
        for (value, expected) in [
            (CValue::Signed(-5), "-5"),
            (CValue::Signed(i64::MIN.into()), "(-9223372036854775807LL - 1)"),
            (CValue::Signed(i32::MIN.into()), "-2147483648LL"),
            (CValue::Unsigned(u64::MAX.into()), "18446744073709551615ULL"),
            (CValue::Unsigned(7), "7u"),
            (CValue::Single(1.5_f32.to_bits()), "0x1.8p+0f"),
            (CValue::Single(1), "0x0.000002p-126f"),
            (CValue::Double((-0.0_f64).to_bits()), "-0x0p+0"),
            (CValue::Double(0.1_f64.to_bits()), "0x1.999999999999ap-4"),
        ] {
            assert_eq!(expression(&value), expected);
        }
        assert!(needs_bits(&CValue::Single(f32::NAN.to_bits())));
    }
}
