//! What operations on floats compute: the arithmetic of the host, which is that of the standard.

use crate::meaning::{mask, signed};
use crate::node::{FloatFormat, FloatOp, Rounding};

/// The operations of one format: the same text for both.
macro_rules! format {
    ($name:ident, $float:ty, $other:ty) => {
        fn $name(op: FloatOp, from: u8, to: u8, operands: [u128; 3]) -> u128 {
            let float = |bits: u128| <$float>::from_bits(bits as _);
            let [a, b, c] = operands.map(float);
            let bits = |value: $float| u128::from(value.to_bits());
            match op {
                FloatOp::Add => bits(a + b),
                FloatOp::Subtract => bits(a - b),
                FloatOp::Multiply => bits(a * b),
                FloatOp::Divide => bits(a / b),
                FloatOp::Remainder => bits(a % b),
                FloatOp::MultiplyAdd => bits(a.mul_add(b, c)),
                FloatOp::SquareRoot => bits(a.sqrt()),
                FloatOp::Round(Rounding::Down) => bits(a.floor()),
                FloatOp::Round(Rounding::Up) => bits(a.ceil()),
                FloatOp::Round(Rounding::TowardsZero) => bits(a.trunc()),
                FloatOp::Round(Rounding::Away) => bits(a.round()),
                FloatOp::Round(Rounding::Even) => bits(a.round_ties_even()),
                FloatOp::Less => u128::from(a < b),
                FloatOp::Equal => u128::from(a == b),
                FloatOp::Convert => u128::from((a as $other).to_bits()),
                FloatOp::FromSigned => bits(signed(operands[0], from) as $float),
                FloatOp::FromUnsigned => bits(operands[0] as $float),
                // The conversions of the host saturate, and give zero for what is no number.
                FloatOp::ToSigned => (a as i128).cast_unsigned() & mask(to),
                FloatOp::ToUnsigned => (a as u128) & mask(to),
            }
        }
    };
}

format!(single, f32, f64);
format!(double, f64, f32);

/// An operation in a format, from words of `from` bits to one of `to` bits.
pub(crate) fn float(
    op: FloatOp,
    format: FloatFormat,
    (from, to): (u8, u8),
    operands: [u128; 3],
) -> u128 {
    match format {
        FloatFormat::Single => single(op, from, to, operands),
        FloatFormat::Double => double(op, from, to, operands),
    }
}
