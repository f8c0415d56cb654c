//! Integers of 1 to 64 bits in one register, and of 65 to 128 bits in two.
//!
//! A narrow integer lies in the lower bits of its register and the rest is clear. Most of what can be
//! asked of it is asked of it moved to the upper end of the register, where the machine's own overflow
//! and sign are those of the narrow number; so a width is kept as that distance, the `gap`.

use obligato_bytecode::{Address, Binary, Comparison, Unary};

use crate::finding::FindingKind;

/// The number of unused bits in a register that holds a number of this width.
pub(crate) fn gap(width: u8) -> u8 {
    64 - width
}

/// The lower `64 - gap` bits.
#[inline(always)]
pub(crate) fn cut(value: u64, gap: u8) -> u64 {
    value & (u64::MAX >> gap)
}

/// The signed number that the lower `64 - gap` bits stand for.
#[inline(always)]
pub(crate) fn signed(value: u64, gap: u8) -> i64 {
    (value << gap).cast_signed() >> gap
}

/// The number at the upper end of a register, where its sign is the register's.
#[inline(always)]
fn raised(value: u64, gap: u8) -> i64 {
    (value << gap).cast_signed()
}

/// `left + right` of signed numbers, cut, and whether it overflowed.
#[inline(always)]
pub(crate) fn add_signed(left: u64, right: u64, gap: u8) -> (u64, bool) {
    let (sum, overflow) = raised(left, gap).overflowing_add(raised(right, gap));
    (sum.cast_unsigned() >> gap, overflow)
}

/// `left - right` of signed numbers, cut, and whether it overflowed.
#[inline(always)]
pub(crate) fn subtract_signed(left: u64, right: u64, gap: u8) -> (u64, bool) {
    let (difference, overflow) = raised(left, gap).overflowing_sub(raised(right, gap));
    (difference.cast_unsigned() >> gap, overflow)
}

/// `left * right` of signed numbers, cut, and whether it overflowed.
#[inline(always)]
pub(crate) fn multiply_signed(left: u64, right: u64, gap: u8) -> (u64, bool) {
    let (product, overflow) = raised(left, gap).overflowing_mul(signed(right, gap));
    (product.cast_unsigned() >> gap, overflow)
}

/// `left < right` of signed numbers.
#[inline(always)]
pub(crate) fn less_signed(left: u64, right: u64, gap: u8) -> bool {
    raised(left, gap) < raised(right, gap)
}

/// Any operation on two numbers; overflow of sums, differences and products wraps.
#[inline]
pub(crate) fn binary(op: Binary, left: u64, right: u64, gap: u8) -> Result<u64, FindingKind> {
    let value = match op {
        Binary::Add => left.wrapping_add(right),
        Binary::Subtract => left.wrapping_sub(right),
        Binary::Difference => {
            if !Address(left).is_beside(Address(right)) {
                return Err(FindingKind::PointersApart);
            }
            left.wrapping_sub(right)
        }
        Binary::Multiply => left.wrapping_mul(right),
        Binary::DivideUnsigned => left.checked_div(right).ok_or(FindingKind::DivisionByZero)?,
        Binary::RemainderUnsigned => left.checked_rem(right).ok_or(FindingKind::DivisionByZero)?,
        Binary::DivideSigned | Binary::RemainderSigned => {
            return divide_signed(op, left, right, gap);
        }
        Binary::ShiftLeft | Binary::ShiftRightUnsigned | Binary::ShiftRightSigned => {
            return shift(op, left, right, gap);
        }
        Binary::And => left & right,
        Binary::Or => left | right,
        Binary::Xor => left ^ right,
        Binary::MinimumUnsigned => left.min(right),
        Binary::MaximumUnsigned => left.max(right),
        Binary::MinimumSigned => {
            if less_signed(left, right, gap) {
                left
            } else {
                right
            }
        }
        Binary::MaximumSigned => {
            if less_signed(left, right, gap) {
                right
            } else {
                left
            }
        }
    };
    Ok(cut(value, gap))
}

fn divide_signed(op: Binary, left: u64, right: u64, gap: u8) -> Result<u64, FindingKind> {
    let (left, right) = (signed(left, gap), signed(right, gap));
    if right == 0 {
        return Err(FindingKind::DivisionByZero);
    }
    // The one quotient that does not fit; the machine traps on the remainder too.
    if right == -1 && left == i64::MIN >> gap {
        return Err(FindingKind::SignedOverflow { op });
    }
    let value = if op == Binary::DivideSigned { left / right } else { left % right };
    Ok(cut(value.cast_unsigned(), gap))
}

/// A shift; `Err` with a distance out of range.
#[inline(always)]
pub(crate) fn shift(op: Binary, left: u64, right: u64, gap: u8) -> Result<u64, FindingKind> {
    let width = 64 - gap;
    if right >= u64::from(width) {
        return Err(FindingKind::ShiftOutOfRange { distance: signed(right, gap), width });
    }
    let value = match op {
        Binary::ShiftLeft => left << right,
        Binary::ShiftRightUnsigned => left >> right,
        _ => (signed(left, gap) >> right).cast_unsigned(),
    };
    Ok(cut(value, gap))
}

/// A left shift of a signed number that is not negative, with a result that fits (C11 6.5.7).
#[inline(always)]
pub(crate) fn shift_left_signed(left: u64, right: u64, gap: u8) -> Result<u64, FindingKind> {
    let value = shift(Binary::ShiftLeft, left, right, gap)?;
    // Neither the sign nor a bit that gets there may be set.
    let lost = left >> (u64::from(63 - gap) - right);
    if lost == 0 { Ok(value) } else { Err(FindingKind::SignedOverflow { op: Binary::ShiftLeft }) }
}

/// An operation on one number.
pub(crate) fn unary(op: Unary, value: u64, gap: u8) -> u64 {
    let count = match op {
        Unary::SwapBytes => return value.swap_bytes() >> gap,
        Unary::ReverseBits => return value.reverse_bits() >> gap,
        Unary::Absolute => return cut(signed(value, gap).unsigned_abs(), gap),
        Unary::CountOnes => value.count_ones(),
        Unary::CountLeadingZeros => cut(value, gap).leading_zeros() - u32::from(gap),
        Unary::CountTrailingZeros => value.trailing_zeros().min(64 - u32::from(gap)),
    };
    u64::from(count)
}

/// `left op right` for addition, subtraction and multiplication, with whether it overflowed.
pub(crate) fn overflowing(
    op: Binary,
    of_signed: bool,
    left: u64,
    right: u64,
    gap: u8,
) -> (u64, bool) {
    match (op, of_signed) {
        (Binary::Subtract, true) => subtract_signed(left, right, gap),
        (Binary::Multiply, true) => multiply_signed(left, right, gap),
        (_, true) => add_signed(left, right, gap),
        (Binary::Subtract, false) => (cut(left.wrapping_sub(right), gap), left < right),
        (Binary::Multiply, false) => {
            let (product, overflow) = (left << gap).overflowing_mul(right);
            (product >> gap, overflow)
        }
        (_, false) => {
            let (sum, overflow) = (left << gap).overflowing_add(right << gap);
            (sum >> gap, overflow)
        }
    }
}

/// The upper or the lower half of two numbers put side by side and shifted.
pub(crate) fn funnel_shift(left: bool, high: u64, low: u64, distance: u64, width: u8) -> u64 {
    let pair = u128::from(high) << width | u128::from(low);
    let distance = distance % u64::from(width);
    let value = if left { pair << distance >> width } else { pair >> distance };
    cut(value as u64, gap(width))
}

/// Integers of 65 to 128 bits.
pub(crate) mod wide {
    use super::{Binary, Comparison, FindingKind};

    /// The number that two registers hold.
    pub(crate) fn join(low: u64, high: u64) -> u128 {
        u128::from(high) << 64 | u128::from(low)
    }

    /// The two registers of a number.
    pub(crate) fn split(value: u128) -> (u64, u64) {
        (value as u64, (value >> 64) as u64)
    }

    /// The lower `width` bits.
    pub(crate) fn cut(value: u128, width: u8) -> u128 {
        value & (u128::MAX >> (128 - width))
    }

    /// The signed number that the lower `width` bits stand for.
    pub(crate) fn signed(value: u128, width: u8) -> i128 {
        let gap = 128 - width;
        (value << gap).cast_signed() >> gap
    }

    /// Any comparison.
    pub(crate) fn compare(op: Comparison, left: u128, right: u128, width: u8) -> bool {
        let (l, r) = (signed(left, width), signed(right, width));
        match op {
            Comparison::Equal => left == right,
            Comparison::NotEqual => left != right,
            Comparison::LessUnsigned => left < right,
            Comparison::LessEqualUnsigned => left <= right,
            Comparison::GreaterUnsigned => left > right,
            Comparison::GreaterEqualUnsigned => left >= right,
            Comparison::LessSigned => l < r,
            Comparison::LessEqualSigned => l <= r,
            Comparison::GreaterSigned => l > r,
            Comparison::GreaterEqualSigned => l >= r,
        }
    }

    /// Any operation on two numbers, cut, and whether it overflowed as one of signed numbers.
    pub(crate) fn binary(
        op: Binary,
        left: u128,
        right: u128,
        width: u8,
    ) -> Result<(u128, bool), FindingKind> {
        let (l, r) = (signed(left, width), signed(right, width));
        let value = match op {
            Binary::Add | Binary::Subtract | Binary::Difference | Binary::Multiply => {
                return Ok(overflowing(op, true, left, right, width));
            }
            Binary::DivideUnsigned => left.checked_div(right).ok_or(FindingKind::DivisionByZero)?,
            Binary::RemainderUnsigned => {
                left.checked_rem(right).ok_or(FindingKind::DivisionByZero)?
            }
            Binary::DivideSigned | Binary::RemainderSigned => {
                if r == 0 {
                    return Err(FindingKind::DivisionByZero);
                }
                if r == -1 && l == i128::MIN >> (128 - width) {
                    return Err(FindingKind::SignedOverflow { op });
                }
                (if op == Binary::DivideSigned { l / r } else { l % r }).cast_unsigned()
            }
            Binary::ShiftLeft | Binary::ShiftRightUnsigned | Binary::ShiftRightSigned => {
                if right >= u128::from(width) {
                    return Err(FindingKind::ShiftOutOfRange { distance: r as i64, width });
                }
                match op {
                    Binary::ShiftLeft => {
                        let lost = cut(left, width) >> (u128::from(width) - 1 - right);
                        return Ok((cut(left << right, width), lost != 0));
                    }
                    Binary::ShiftRightUnsigned => left >> right,
                    _ => (l >> right).cast_unsigned(),
                }
            }
            Binary::And => left & right,
            Binary::Or => left | right,
            Binary::Xor => left ^ right,
            Binary::MinimumUnsigned => left.min(right),
            Binary::MaximumUnsigned => left.max(right),
            Binary::MinimumSigned => l.min(r).cast_unsigned(),
            Binary::MaximumSigned => l.max(r).cast_unsigned(),
        };
        Ok((cut(value, width), false))
    }

    /// `left op right` for addition, subtraction and multiplication, with whether it overflowed.
    pub(crate) fn overflowing(
        op: Binary,
        of_signed: bool,
        left: u128,
        right: u128,
        width: u8,
    ) -> (u128, bool) {
        let gap = 128 - width;
        let (value, overflow) = if of_signed {
            let (l, r) = ((left << gap).cast_signed(), (right << gap).cast_signed());
            let (value, overflow) = match op {
                Binary::Subtract => l.overflowing_sub(r),
                Binary::Multiply => l.overflowing_mul(r >> gap),
                _ => l.overflowing_add(r),
            };
            (value.cast_unsigned(), overflow)
        } else {
            match op {
                Binary::Subtract => (left << gap).overflowing_sub(right << gap),
                Binary::Multiply => (left << gap).overflowing_mul(right),
                _ => (left << gap).overflowing_add(right << gap),
            }
        };
        (value >> gap, overflow)
    }
}

#[cfg(test)]
mod tests;
