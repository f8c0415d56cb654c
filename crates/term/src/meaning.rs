//! What each operation computes, on numbers.

use crate::node::{BinaryOp, UnaryOp};

/// The ones of a word.
pub fn mask(width: u8) -> u128 {
    if width >= 128 { u128::MAX } else { (1 << width) - 1 }
}

/// A word read in two's complement.
pub fn signed(value: u128, width: u8) -> i128 {
    let gap = 128 - u32::from(width);
    (value << gap).cast_signed() >> gap
}

/// An operation on one word.
pub(crate) fn unary(op: UnaryOp, width: u8, value: u128) -> u128 {
    mask(width)
        & match op {
            UnaryOp::Not => !value,
            UnaryOp::Negate => value.wrapping_neg(),
        }
}

/// An operation on two words of this width.
pub(crate) fn binary(op: BinaryOp, width: u8, left: u128, right: u128) -> u128 {
    use BinaryOp as Op;
    let (low, high) = (signed(left, width), signed(right, width));
    let distance = if right < u128::from(width) { right as u32 } else { u32::from(width) };
    let result = match op {
        Op::Add => left.wrapping_add(right),
        Op::Subtract => left.wrapping_sub(right),
        Op::Multiply => left.wrapping_mul(right),
        Op::DivideUnsigned => left.checked_div(right).unwrap_or(u128::MAX),
        Op::RemainderUnsigned => left.checked_rem(right).unwrap_or(left),
        Op::DivideSigned if right == 0 => {
            if low < 0 {
                1
            } else {
                u128::MAX
            }
        }
        Op::DivideSigned => low.wrapping_div(high).cast_unsigned(),
        Op::RemainderSigned if right == 0 => left,
        Op::RemainderSigned => low.wrapping_rem(high).cast_unsigned(),
        Op::ShiftLeft => left.checked_shl(distance).unwrap_or(0),
        Op::ShiftRightUnsigned => left.checked_shr(distance).unwrap_or(0),
        Op::ShiftRightSigned => (low >> distance.min(127)).cast_unsigned(),
        Op::And => left & right,
        Op::Or => left | right,
        Op::Xor => left ^ right,
        Op::Equal => u128::from(left == right),
        Op::LessUnsigned => u128::from(left < right),
        Op::LessSigned => u128::from(low < high),
    };
    result & mask(if op.compares() { 1 } else { width })
}
