//! Every operation against the mathematics of it, on integers wide enough for all results.

use obligato_bytecode::{Binary, Unary};
use proptest::prelude::*;

use super::{
    add_signed, binary, funnel_shift, gap, multiply_signed, overflowing, subtract_signed, unary,
    wide,
};
use crate::finding::FindingKind;

/// A width with two numbers of it, small and extreme ones more often than chance would have it.
fn operands(widths: std::ops::RangeInclusive<u8>) -> impl Strategy<Value = (u8, u128, u128)> {
    let number = || {
        prop_oneof![
            any::<u128>(),
            0..8_u128,
            (0..8_u128).prop_map(u128::wrapping_neg),
            (0..128_u32).prop_map(|bit| 1 << bit),
            (0..128_u32).prop_map(|bit| (1_u128 << bit).wrapping_sub(1)),
        ]
    };
    (widths, number(), number())
        .prop_map(|(width, left, right)| (width, low_bits(left, width), low_bits(right, width)))
}

/// Bit by bit, so that it shares nothing with what it tests.
fn low_bits(value: u128, width: u8) -> u128 {
    (0..width).map(|bit| value >> bit & 1).zip(0..).fold(0, |sum, (set, bit)| sum | set << bit)
}

fn number(value: u128, width: u8) -> i128 {
    if width == 128 {
        return value.cast_signed();
    }
    // Two's complement: the last bit counts negative. At 127 bits that leaves the range on the way.
    let sign = value >> (width - 1) & 1;
    value.cast_signed().wrapping_sub((sign << width).cast_signed())
}

/// What the operation gives, by definition; `None` where it gives nothing.
fn reference(op: Binary, width: u8, left: u128, right: u128) -> Option<u128> {
    let (l, r) = (number(left, width), number(right, width));
    let distance = u32::try_from(right).ok().filter(|distance| *distance < u32::from(width));
    let value = match op {
        Binary::Add => left.wrapping_add(right),
        Binary::Subtract | Binary::Difference => left.wrapping_sub(right),
        Binary::Multiply => left.wrapping_mul(right),
        Binary::DivideUnsigned => left.checked_div(right)?,
        Binary::RemainderUnsigned => left.checked_rem(right)?,
        Binary::DivideSigned | Binary::RemainderSigned => {
            let quotient = l.checked_div(r)?;
            if number(low_bits(quotient.cast_unsigned(), width), width) != quotient {
                return None;
            }
            let remainder = l - quotient * r;
            (if op == Binary::DivideSigned { quotient } else { remainder }).cast_unsigned()
        }
        Binary::ShiftLeft => (0..distance?).fold(left, |value, _| value.wrapping_mul(2)),
        Binary::ShiftRightUnsigned => (0..distance?).fold(left, |value, _| value / 2),
        Binary::ShiftRightSigned => {
            (0..distance?).fold(l, |value, _| value.div_euclid(2)).cast_unsigned()
        }
        Binary::And => left & right,
        Binary::Or => left | right,
        Binary::Xor => left ^ right,
        Binary::MinimumUnsigned => left.min(right),
        Binary::MaximumUnsigned => left.max(right),
        Binary::MinimumSigned => l.min(r).cast_unsigned(),
        Binary::MaximumSigned => l.max(r).cast_unsigned(),
    };
    Some(low_bits(value, width))
}

const ALL: [Binary; 17] = [
    Binary::Add,
    Binary::Subtract,
    Binary::Multiply,
    Binary::DivideUnsigned,
    Binary::DivideSigned,
    Binary::RemainderUnsigned,
    Binary::RemainderSigned,
    Binary::ShiftLeft,
    Binary::ShiftRightUnsigned,
    Binary::ShiftRightSigned,
    Binary::And,
    Binary::Or,
    Binary::Xor,
    Binary::MinimumUnsigned,
    Binary::MinimumSigned,
    Binary::MaximumUnsigned,
    Binary::MaximumSigned,
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn narrow_operations_are_those_of_arithmetic((width, left, right) in operands(1..=64)) {
        for op in ALL {
            let seen = binary(op, left as u64, right as u64, gap(width)).ok().map(u128::from);
            prop_assert_eq!(seen, reference(op, width, left, right), "{:?} of {} bits", op, width);
        }
    }

    #[test]
    fn wide_operations_are_those_of_arithmetic((width, left, right) in operands(65..=128)) {
        for op in ALL {
            let seen = wide::binary(op, left, right, width).ok().map(|(value, _)| value);
            prop_assert_eq!(seen, reference(op, width, left, right), "{:?} of {} bits", op, width);
        }
    }

    #[test]
    fn signed_overflow_is_a_result_that_does_not_fit((width, left, right) in operands(1..=64)) {
        let (l, r) = (number(left, width), number(right, width));
        let fits = |value: i128| number(low_bits(value.cast_unsigned(), width), width) == value;
        let (left, right) = (left as u64, right as u64);
        for (op, exact, seen) in [
            (Binary::Add, l + r, add_signed(left, right, gap(width))),
            (Binary::Subtract, l - r, subtract_signed(left, right, gap(width))),
            (Binary::Multiply, l * r, multiply_signed(left, right, gap(width))),
        ] {
            let expected = (low_bits(exact.cast_unsigned(), width) as u64, !fits(exact));
            prop_assert_eq!(seen, expected, "{:?} of {} bits", op, width);
            prop_assert_eq!(overflowing(op, true, left, right, gap(width)), expected);
        }
    }

    #[test]
    fn unsigned_overflow_is_a_result_that_does_not_fit((width, left, right) in operands(1..=64)) {
        let (l, r) = (left.cast_signed(), right.cast_signed());
        // Products of two numbers of 64 bits fit into 128 bits, but not with a sign.
        let product = left.wrapping_mul(right);
        for (op, value, fits) in [
            (Binary::Add, left + right, low_bits(left + right, width) == left + right),
            (Binary::Subtract, left.wrapping_sub(right), l >= r),
            (Binary::Multiply, product, low_bits(product, width) == product),
        ] {
            let seen = overflowing(op, false, left as u64, right as u64, gap(width));
            prop_assert_eq!(seen, (low_bits(value, width) as u64, !fits), "{:?}", op);
        }
    }

    #[test]
    fn wide_overflow_is_the_same_at_a_width_where_both_can_be_asked((width, left, right) in operands(65..=126)) {
        let (l, r) = (number(left, width), number(right, width));
        let fits = |value: i128| number(low_bits(value.cast_unsigned(), width), width) == value;
        for (op, exact) in
            [(Binary::Add, Some(l + r)), (Binary::Subtract, Some(l - r)), (Binary::Multiply, l.checked_mul(r))]
        {
            let (_, overflow) = wide::overflowing(op, true, left, right, width);
            prop_assert_eq!(overflow, !exact.is_some_and(fits), "{:?} of {} bits", op, width);
        }
    }

    #[test]
    fn bits_are_counted_and_turned_around((width, value, _) in operands(1..=64)) {
        let bits: Vec<u128> = (0..width).map(|bit| value >> bit & 1).collect();
        let ask = |op: Unary| unary(op, value as u64, gap(width));
        let zeros = |mut bits: Box<dyn Iterator<Item = &u128>>| {
            bits.position(|bit| *bit == 1).unwrap_or(width.into()) as u64
        };
        prop_assert_eq!(u128::from(ask(Unary::CountOnes)), bits.iter().sum::<u128>());
        prop_assert_eq!(ask(Unary::CountTrailingZeros), zeros(Box::new(bits.iter())));
        prop_assert_eq!(ask(Unary::CountLeadingZeros), zeros(Box::new(bits.iter().rev())));
        let reversed = bits.iter().fold(0, |value, bit| value << 1 | bit);
        prop_assert_eq!(u128::from(ask(Unary::ReverseBits)), reversed);
        let magnitude = number(value, width).unsigned_abs();
        prop_assert_eq!(u128::from(ask(Unary::Absolute)), low_bits(magnitude, width));
    }

    #[test]
    fn bytes_are_swapped(value: u64) {
        let swapped = value.to_le_bytes().iter().fold(0, |word, byte| word << 8 | u64::from(*byte));
        prop_assert_eq!(unary(Unary::SwapBytes, value, 0), swapped);
        let half = value as u32;
        prop_assert_eq!(unary(Unary::SwapBytes, half.into(), 32), u64::from(half.swap_bytes()));
    }

    #[test]
    fn a_funnel_shift_takes_a_window_of_both((width, high, low) in operands(1..=64), distance: u64) {
        let pair: Vec<u128> = (0..width).map(|bit| low >> bit & 1)
            .chain((0..width).map(|bit| high >> bit & 1)).collect();
        let moved = (distance % u64::from(width)) as usize;
        let window = |from: usize| {
            pair[from..from + usize::from(width)].iter().rev().fold(0, |value, bit| value << 1 | bit)
        };
        let (high, low) = (high as u64, low as u64);
        prop_assert_eq!(u128::from(funnel_shift(false, high, low, distance, width)), window(moved));
        let left = window(usize::from(width) - moved);
        prop_assert_eq!(u128::from(funnel_shift(true, high, low, distance, width)), left);
    }
}

#[test]
fn what_has_no_result_says_why() {
    assert_eq!(binary(Binary::DivideSigned, 1, 0, 32), Err(FindingKind::DivisionByZero));
    let smallest = 1 << 31;
    let minus_one = u64::from(u32::MAX);
    let op = Binary::RemainderSigned;
    assert_eq!(binary(op, smallest, minus_one, 32), Err(FindingKind::SignedOverflow { op }));
    let shifted = binary(Binary::ShiftLeft, 1, minus_one, 32);
    assert_eq!(shifted, Err(FindingKind::ShiftOutOfRange { distance: -1, width: 32 }));
}
