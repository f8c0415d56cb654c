//! Numbers in text, as `strtol` and `strtod` read them.

use std::str::FromStr;

/// An integer that was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Integer {
    /// Its value, saturated beyond the range of every C type, so that callers see that it does not fit.
    pub(super) value: i128,
    /// The number of bytes consumed, leading spaces included; 0 if there was no number.
    pub(super) length: usize,
}

/// Further digits do not change the result: the value exceeds every C type.
const ENOUGH: i128 = 1 << 100;

/// Reads an integer in the given base; base 0 takes the base from the prefix.
pub(super) fn parse_integer(text: &[u8], base: i32) -> Integer {
    let none = Integer { value: 0, length: 0 };
    let start = skip_spaces(text);
    let (negative, mut at) = sign(text, start);
    let hexadecimal = text[at..].len() > 2
        && text[at] == b'0'
        && matches!(text[at + 1], b'x' | b'X')
        && text[at + 2].is_ascii_hexdigit();
    let base = match base {
        0 | 16 if hexadecimal => {
            at += 2;
            16
        }
        0 if text.get(at) == Some(&b'0') => 8,
        0 => 10,
        2..=36 => base.cast_unsigned(),
        _ => return none,
    };
    let digits = text[at..].iter().map_while(|byte| char::from(*byte).to_digit(base));
    let (mut value, mut count) = (0_i128, 0);
    for digit in digits {
        value = (value * i128::from(base) + i128::from(digit)).min(ENOUGH);
        count += 1;
    }
    if count == 0 {
        return none;
    }
    Integer { value: if negative { -value } else { value }, length: at + count }
}

/// A float type that text is read as.
pub(super) trait Float: FromStr + Copy {
    /// `mantissa * 2^exponent`, rounded to nearest.
    fn scaled(mantissa: u64, exponent: i32) -> Self;
    /// The negated number.
    fn negated(self) -> Self;
    /// Not a number.
    const NAN: Self;
    /// Positive infinity.
    const INFINITY: Self;
    /// Zero.
    const ZERO: Self;
}

impl Float for f64 {
    fn scaled(mantissa: u64, exponent: i32) -> Self {
        scale(mantissa as Self, exponent)
    }
    fn negated(self) -> Self {
        -self
    }
    const NAN: Self = Self::NAN;
    const INFINITY: Self = Self::INFINITY;
    const ZERO: Self = 0.0;
}

impl Float for f32 {
    fn scaled(mantissa: u64, exponent: i32) -> Self {
        scale(mantissa as f64, exponent) as Self
    }
    fn negated(self) -> Self {
        -self
    }
    const NAN: Self = Self::NAN;
    const INFINITY: Self = Self::INFINITY;
    const ZERO: Self = 0.0;
}

/// `value * 2^exponent`, rounded once: `ldexp`.
pub(super) fn scale(mut value: f64, mut exponent: i32) -> f64 {
    // Powers of two are exact while the result is normal; two steps reach from one end of the range to the
    // other, and only the last one can round.
    let power = |exponent: i32| f64::from_bits(((exponent + 1023) as u64) << 52);
    while exponent > 1023 {
        value *= power(1023);
        exponent -= 1023;
        if value.is_infinite() || value == 0.0 {
            return value;
        }
    }
    // Going down, the intermediate results must stay normal: steps of 969 leave room for all 53 bits.
    while exponent < -1022 {
        value *= power(-1022 + 53);
        exponent += 1022 - 53;
        if value == 0.0 {
            return value;
        }
    }
    value * power(exponent)
}

/// Reads a float; returns it with the number of bytes consumed, leading spaces included; 0 if there was no number.
pub(super) fn parse_float<F: Float>(text: &[u8]) -> (F, usize) {
    let start = skip_spaces(text);
    let (negative, at) = sign(text, start);
    let rest = &text[at..];
    let begins =
        |word: &[u8]| rest.len() >= word.len() && rest[..word.len()].eq_ignore_ascii_case(word);
    let (value, length) = if begins(b"infinity") {
        (F::INFINITY, 8)
    } else if begins(b"inf") {
        (F::INFINITY, 3)
    } else if begins(b"nan") {
        (F::NAN, 3)
    } else if begins(b"0x") {
        hexadecimal(rest)
    } else {
        decimal(rest)
    };
    if length == 0 {
        return (F::ZERO, 0);
    }
    (if negative { value.negated() } else { value }, at + length)
}

fn decimal<F: Float>(text: &[u8]) -> (F, usize) {
    let digits = |from: usize| text[from..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    let whole = digits(0);
    let mut end = whole;
    let mut any = whole > 0;
    if text.get(end) == Some(&b'.') {
        let fraction = digits(end + 1);
        any |= fraction > 0;
        end += 1 + fraction;
    }
    if !any {
        return (F::ZERO, 0);
    }
    if matches!(text.get(end), Some(b'e' | b'E')) {
        let (_, first) = sign(text, end + 1);
        let exponent = if first <= text.len() { digits(first) } else { 0 };
        if exponent > 0 {
            end = first + exponent;
        }
    }
    let number = String::from_utf8_lossy(&text[..end]);
    (number.parse().unwrap_or(F::ZERO), end)
}

fn hexadecimal<F: Float>(text: &[u8]) -> (F, usize) {
    let (mut mantissa, mut exponent, mut any, mut point, mut end) = (0_u64, 0_i32, false, false, 2);
    while let Some(byte) = text.get(end) {
        match char::from(*byte).to_digit(16) {
            Some(digit) => {
                any = true;
                if mantissa >> 58 == 0 {
                    mantissa = mantissa << 4 | u64::from(digit);
                    exponent -= if point { 4 } else { 0 };
                } else {
                    // Bits beyond the mantissa become a sticky bit.
                    mantissa |= u64::from(digit != 0);
                    exponent = exponent.saturating_add(if point { 0 } else { 4 });
                }
            }
            None if *byte == b'.' && !point => point = true,
            None => break,
        }
        end += 1;
    }
    if !any {
        // Only the zero before the `x`.
        return (F::ZERO, 1);
    }
    if matches!(text.get(end), Some(b'p' | b'P')) {
        let (negative, first) = sign(text, end + 1);
        let digits = text.get(first..).unwrap_or(&[]);
        let digits = digits.iter().take_while(|byte| byte.is_ascii_digit());
        let (mut value, mut count) = (0_i32, 0);
        for digit in digits {
            value = (value * 10 + i32::from(digit - b'0')).min(100_000);
            count += 1;
        }
        if count > 0 {
            exponent = exponent.saturating_add(if negative { -value } else { value });
            end = first + count;
        }
    }
    (F::scaled(mantissa, exponent), end)
}

/// The number of leading spaces.
pub(super) fn skip_spaces(text: &[u8]) -> usize {
    text.iter().take_while(|byte| matches!(byte, b' ' | 9..=13)).count()
}

/// Is there a minus sign, and where does what follows the sign start?
fn sign(text: &[u8], at: usize) -> (bool, usize) {
    match text.get(at) {
        Some(b'-') => (true, at + 1),
        Some(b'+') => (false, at + 1),
        _ => (false, at),
    }
}
