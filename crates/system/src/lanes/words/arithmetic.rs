//! What integers and machine integers do, lane by lane.

use obligato_model::Signedness;

use super::{Words, checked, zip};
use crate::lanes::bools::Mask;
use crate::lanes::instruction::{Arithmetic, Bitwise};
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
fn multiply(a: i64, b: i64) -> (i64, i64) {
    let (product, overflow) = a.overflowing_mul(b);
    (product, -i64::from(overflow))
}

#[inline]
pub(in crate::lanes) fn negate(a: i64) -> (i64, i64) {
    let negated = a.wrapping_neg();
    (negated, a & negated)
}

pub(super) fn integer<const W: usize>(
    operation: Arithmetic,
    out: &mut Words<W>,
    a: &Words<W>,
    b: &Words<W>,
    spilled: &mut Mask<W>,
) {
    match operation {
        Arithmetic::Negate => checked(out, a, a, spilled, |a, _| negate(a)),
        Arithmetic::Add => checked(out, a, b, spilled, add),
        Arithmetic::Subtract => checked(out, a, b, spilled, subtract),
        Arithmetic::Multiply => checked(out, a, b, spilled, multiply),
        Arithmetic::Div => checked(out, a, b, spilled, |a, b| match b {
            0 => (0, 0),
            -1 => negate(a),
            _ => (a.div_euclid(b), 0),
        }),
        Arithmetic::Mod => zip(out, a, b, |a, b| a.checked_rem_euclid(b).unwrap_or(0)),
    }
}

/// Applies an operation and wraps its results. What to wrap to is decided
/// outside the loop.
#[inline]
pub(super) fn wrap<const W: usize>(
    machine: Machine,
    out: &mut Words<W>,
    a: &Words<W>,
    b: &Words<W>,
    operation: impl Fn(i64, i64) -> i64,
) {
    let unused = 64 - machine.bits();
    match machine.signedness() {
        _ if unused == 0 => zip(out, a, b, operation),
        Signedness::Signed => zip(out, a, b, |a, b| operation(a, b) << unused >> unused),
        Signedness::Unsigned => zip(out, a, b, |a, b| {
            (operation(a, b).cast_unsigned() << unused >> unused).cast_signed()
        }),
    }
}

pub(super) fn machine_integer<const W: usize>(
    machine: Machine,
    operation: Arithmetic,
    out: &mut Words<W>,
    a: &Words<W>,
    b: &Words<W>,
) {
    let signed = machine.signedness() == Signedness::Signed;
    match operation {
        Arithmetic::Negate => wrap(machine, out, a, a, |a, _| a.wrapping_neg()),
        Arithmetic::Add => wrap(machine, out, a, b, i64::wrapping_add),
        Arithmetic::Subtract => wrap(machine, out, a, b, i64::wrapping_sub),
        Arithmetic::Multiply => wrap(machine, out, a, b, i64::wrapping_mul),
        Arithmetic::Div if signed => wrap(machine, out, a, b, |a, b| match b {
            0 => 0,
            _ => a.wrapping_div(b),
        }),
        Arithmetic::Mod if signed => zip(out, a, b, |a, b| match b {
            0 => 0,
            _ => a.wrapping_rem(b),
        }),
        Arithmetic::Div => zip(out, a, b, |a, b| {
            let quotient = a.cast_unsigned().checked_div(b.cast_unsigned());
            quotient.unwrap_or(0).cast_signed()
        }),
        Arithmetic::Mod => zip(out, a, b, |a, b| {
            let remainder = a.cast_unsigned().checked_rem(b.cast_unsigned());
            remainder.unwrap_or(0).cast_signed()
        }),
    }
}

pub(super) fn bits<const W: usize>(
    machine: Machine,
    operation: Bitwise,
    out: &mut Words<W>,
    a: &Words<W>,
    b: &Words<W>,
) {
    let width = u64::from(machine.bits());
    let amount = |by: i64| by.cast_unsigned().min(63) as u32;
    let left = |a: i64, by: i64| if by.cast_unsigned() < width { a << amount(by) } else { 0 };
    let right = |a: i64, by: i64| {
        let shifted = (a.cast_unsigned() >> amount(by)).cast_signed();
        if by.cast_unsigned() < width { shifted } else { 0 }
    };
    match operation {
        Bitwise::Not => wrap(machine, out, a, a, |a, _| !a),
        // Both operands are extended alike, and so is what is made of them.
        Bitwise::And => zip(out, a, b, |a, b| a & b),
        Bitwise::Or => zip(out, a, b, |a, b| a | b),
        Bitwise::Xor => zip(out, a, b, |a, b| a ^ b),
        Bitwise::ShiftLeft => wrap(machine, out, a, b, left),
        // The extension shifts in what the sort shifts in.
        Bitwise::ShiftRight if machine.signedness() == Signedness::Signed => {
            zip(out, a, b, |a, b| a >> amount(b));
        }
        Bitwise::ShiftRight => zip(out, a, b, right),
    }
}
