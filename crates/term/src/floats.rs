//! What operations on floats compute: the arithmetic of the host, which is that of the standard.
//!
//! The standard leaves open which bits stand for what is no number, and a compiler may exchange operands. Here they are
//! those of x86-64 code as it is written: the first operand that is no number, made quiet, or else the default one.
//! Conversions to integers that do not fit are those of the executor of C units, which are that machine's too.

use crate::meaning::{mask, signed};
use crate::node::{FloatFormat, FloatOp, Rounding};

/// The arithmetic of one format: the same text for both. What is no number comes out in any bits.
macro_rules! arithmetic {
    ($name:ident, $float:ty) => {
        fn $name(op: FloatOp, from: u8, operands: [u128; 3]) -> u128 {
            let float = |bits: u128| <$float>::from_bits(bits as _);
            let [a, b, c] = operands.map(float);
            let result = match op {
                FloatOp::Add => a + b,
                FloatOp::Subtract => a - b,
                FloatOp::Multiply => a * b,
                FloatOp::Divide => a / b,
                FloatOp::Remainder => a % b,
                FloatOp::MultiplyAdd => a.mul_add(b, c),
                FloatOp::SquareRoot => a.sqrt(),
                FloatOp::Round(Rounding::Down) => a.floor(),
                FloatOp::Round(Rounding::Up) => a.ceil(),
                FloatOp::Round(Rounding::TowardsZero) => a.trunc(),
                FloatOp::Round(Rounding::Away) => a.round(),
                FloatOp::Round(Rounding::Even) => a.round_ties_even(),
                FloatOp::FromSigned => signed(operands[0], from) as $float,
                FloatOp::FromUnsigned => operands[0] as $float,
                FloatOp::Less => return u128::from(a < b),
                FloatOp::Equal => return u128::from(a == b),
                FloatOp::Convert | FloatOp::ToSigned | FloatOp::ToUnsigned => a,
            };
            result.to_bits().into()
        }
    };
}

arithmetic!(single, f32);
arithmetic!(double, f64);

/// An operation in a format, from words of `from` bits to one of `to` bits.
pub(crate) fn float(
    op: FloatOp,
    format: FloatFormat,
    from: u8,
    to: u8,
    operands: [u128; 3],
) -> u128 {
    match op {
        FloatOp::Convert => return convert(format, operands[0]),
        FloatOp::ToSigned => return to_signed(value(format, operands[0]), to) & mask(to),
        FloatOp::ToUnsigned => return to_unsigned(value(format, operands[0]), to) & mask(to),
        FloatOp::Less | FloatOp::Equal | FloatOp::FromSigned | FloatOp::FromUnsigned => {}
        _ => {
            if let Some(none) = operands.into_iter().find(|one| is_nan(format, *one)) {
                return quiet(format, none);
            }
        }
    }
    let result = match format {
        FloatFormat::Single => single(op, from, operands),
        FloatFormat::Double => double(op, from, operands),
    };
    if !matches!(op, FloatOp::Less | FloatOp::Equal) && is_nan(format, result) {
        return default_nan(format);
    }
    result
}

/// The bits of infinity.
fn infinity(format: FloatFormat) -> u128 {
    mask(format.exponent()) << format.fraction()
}

fn is_nan(format: FloatFormat, bits: u128) -> bool {
    bits & mask(format.width() - 1) > infinity(format)
}

fn quiet(format: FloatFormat, bits: u128) -> u128 {
    bits | 1 << (format.fraction() - 1)
}

fn default_nan(format: FloatFormat) -> u128 {
    quiet(format, infinity(format) | 1 << (format.width() - 1))
}

/// Every single is a double.
fn value(format: FloatFormat, bits: u128) -> f64 {
    match format {
        FloatFormat::Single => f32::from_bits(bits as u32).into(),
        FloatFormat::Double => f64::from_bits(bits as u64),
    }
}

/// From this format to the other. The highest bits of what is no number stay.
fn convert(format: FloatFormat, bits: u128) -> u128 {
    let other = match format {
        FloatFormat::Single => FloatFormat::Double,
        FloatFormat::Double => FloatFormat::Single,
    };
    if is_nan(format, bits) {
        let sign = bits >> (format.width() - 1) << (other.width() - 1);
        let fraction = (bits & mask(format.fraction())) << 64 >> format.fraction();
        return quiet(other, sign | infinity(other) | fraction << other.fraction() >> 64);
    }
    match format {
        FloatFormat::Single => value(format, bits).to_bits().into(),
        FloatFormat::Double => (value(format, bits) as f32).to_bits().into(),
    }
}

/// The conversions of the machine: the least number for all that does not fit.
fn to_signed(value: f64, to: u8) -> u128 {
    let whole = match to {
        ..=32 => i128::from(fitting(value, 31) as i32),
        33..=64 => i128::from(fitting(value, 63) as i64),
        65.. => value as i128,
    };
    whole.cast_unsigned()
}

/// The value without what comes after the point if it is below 2^bits, else -2^bits.
fn fitting(value: f64, bits: i32) -> f64 {
    let end = 2_f64.powi(bits);
    let whole = value.trunc();
    if (-end..end).contains(&whole) { whole } else { -end }
}

fn to_unsigned(value: f64, to: u8) -> u128 {
    match to {
        ..=16 => to_signed(value, 32),
        17..=32 => to_signed(value, 64),
        33..=64 => {
            // The machine converts the number and what lies above 2^63, and puts the two together.
            let (low, above) = (fitting(value, 63) as i64, value - 2_f64.powi(63));
            let high = fitting(above, 63) as i64;
            ((high & (low >> 63)) | low).cast_unsigned().into()
        }
        65.. => value as u128,
    }
}

#[cfg(test)]
mod tests;
