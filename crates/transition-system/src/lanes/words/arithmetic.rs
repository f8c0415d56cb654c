//! What integers and machine integers do in one lane. Each operation also gives a
//! negative number where its result does not fit.

use obligato_model::Signedness;

use crate::sort::Machine;

/// An overflow of a sum has a sign that neither operand has.
#[inline]
pub(in crate::lanes) fn add(a: i64, b: i64) -> (i64, i64) {
    let sum = a.wrapping_add(b);
    (sum, (a ^ sum) & (b ^ sum))
}

#[inline]
pub(in crate::lanes) fn subtract(a: i64, b: i64) -> (i64, i64) {
    let difference = a.wrapping_sub(b);
    (difference, (a ^ b) & (a ^ difference))
}

#[inline]
pub(in crate::lanes) fn multiply(a: i64, b: i64) -> (i64, i64) {
    let (product, overflow) = a.overflowing_mul(b);
    (product, -i64::from(overflow))
}

#[inline]
pub(in crate::lanes) fn negate(a: i64) -> (i64, i64) {
    let negated = a.wrapping_neg();
    (negated, a & negated)
}

/// The quotient whose remainder is never negative; by zero, 0.
#[inline]
pub(in crate::lanes) fn divide(a: i64, b: i64) -> (i64, i64) {
    match b {
        0 => (0, 0),
        -1 => negate(a),
        _ => (a.div_euclid(b), 0),
    }
}

/// The remainder that is never negative; by zero, 0.
#[inline]
pub(in crate::lanes) fn remainder(a: i64, b: i64) -> (i64, i64) {
    (a.checked_rem_euclid(b).unwrap_or(0), 0)
}

/// Towards zero; by zero, 0. To be wrapped.
#[inline]
pub(in crate::lanes) fn machine_divide(machine: Machine) -> impl Fn(i64, i64) -> (i64, i64) + Copy {
    let signed = machine.signedness() == Signedness::Signed;
    move |a, b| match b {
        0 => (0, 0),
        _ if signed => (a.wrapping_div(b), 0),
        _ => ((a.cast_unsigned() / b.cast_unsigned()).cast_signed(), 0),
    }
}

/// With the sign of the dividend; by zero, 0.
#[inline]
pub(in crate::lanes) fn machine_remainder(
    machine: Machine,
) -> impl Fn(i64, i64) -> (i64, i64) + Copy {
    let signed = machine.signedness() == Signedness::Signed;
    move |a, b| match b {
        0 => (0, 0),
        _ if signed => (a.wrapping_rem(b), 0),
        _ => ((a.cast_unsigned() % b.cast_unsigned()).cast_signed(), 0),
    }
}

/// To be wrapped.
#[inline]
pub(in crate::lanes) fn shift_left(machine: Machine) -> impl Fn(i64, i64) -> (i64, i64) + Copy {
    let width = u64::from(machine.bits());
    move |a, by| if by.cast_unsigned() < width { (a << by, 0) } else { (0, 0) }
}

/// The extension of the word shifts in what the sort shifts in.
#[inline]
pub(in crate::lanes) fn shift_right(machine: Machine) -> impl Fn(i64, i64) -> (i64, i64) + Copy {
    let width = u64::from(machine.bits());
    let signed = machine.signedness() == Signedness::Signed;
    move |a, by| {
        let beyond = by.cast_unsigned() >= width;
        let amount = by.cast_unsigned().min(63);
        match signed {
            true => (a >> amount, 0),
            false if beyond => (0, 0),
            false => ((a.cast_unsigned() >> amount).cast_signed(), 0),
        }
    }
}
