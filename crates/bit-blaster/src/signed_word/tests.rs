//! Every operation on signed words against machine arithmetic, for all numbers of a few bits.

use super::*;
use crate::evaluator::Evaluator;

type Word = SignedWord<Evaluator>;

const BITS: std::ops::RangeInclusive<u32> = 1..=5;

fn numbers(bits: u32) -> std::ops::Range<i128> {
    -(1 << (bits - 1))..1 << (bits - 1)
}

fn word(value: i128, bits: u32) -> Word {
    Word::constant(value).resized(bits as usize)
}

/// Compares an operation with what it should be, for all pairs of numbers of equal and of different lengths.
fn check(
    operation: impl Fn(&mut Evaluator, &Word, &Word) -> Word,
    expected: impl Fn(i128, i128) -> i128,
) {
    for (left, right) in BITS.flat_map(|left| BITS.map(move |right| (left, right))) {
        for (a, b) in numbers(left).flat_map(|a| numbers(right).map(move |b| (a, b))) {
            let result = operation(&mut Evaluator, &word(a, left), &word(b, right));
            let value = result.as_constant().expect("every bit is a constant");
            assert_eq!(value, expected(a, b), "{a} of {left} bits, {b} of {right} bits");
        }
    }
}

/// A bit as the number 0 or 1.
fn digit(bit: bool) -> Word {
    Word::new(vec![bit, false])
}

fn modulo(value: i128, bits: u32) -> i128 {
    value & ((1 << bits) - 1)
}

#[test]
fn sums_products_and_magnitudes_are_exact() {
    check(|gates, a, b| a.add(gates, b), |a, b| a + b);
    check(|gates, a, b| a.subtract(gates, b), |a, b| a - b);
    check(|gates, a, _| a.negate(gates), |a, _| -a);
    check(|gates, a, _| a.magnitude(gates), |a, _| a.abs());
    check(|gates, a, b| a.multiply(gates, b, a.len() + b.len()), |a, b| a * b);
    for bits in [1, 2, 4, 7] {
        let len = bits as usize;
        check(|gates, a, b| a.multiply(gates, b, len).unsigned(len), |a, b| modulo(a * b, bits));
    }
}

#[test]
fn quotients_and_remainders_are_rounded_as_smt_lib_and_c_do() {
    let or_zero =
        |of: fn(i128, i128) -> i128| move |a: i128, b: i128| if b == 0 { 0 } else { of(a, b) };
    check(|gates, a, b| a.euclidean_quotient(gates, b), or_zero(i128::div_euclid));
    check(|gates, a, b| a.euclidean_remainder(gates, b), or_zero(i128::rem_euclid));
    check(|gates, a, b| a.truncated_quotient(gates, b), or_zero(|a, b| a / b));
    check(|gates, a, b| a.truncated_remainder(gates, b), or_zero(|a, b| a % b));
}

#[test]
fn comparisons_and_choices_are_exact() {
    check(|gates, a, b| digit(a.less(gates, b)), |a, b| i128::from(a < b));
    check(|gates, a, b| digit(a.equal(gates, b)), |a, b| i128::from(a == b));
    check(|gates, a, _| digit(a.is_zero(gates)), |a, _| i128::from(a == 0));
    for test in [false, true] {
        check(|gates, a, b| Word::ite(gates, test, a, b), |a, b| if test { a } else { b });
    }
    for bits in BITS {
        check(
            |gates, a, _| digit(a.exceeds(gates, bits as usize)),
            |a, _| i128::from(!numbers(bits).contains(&a)),
        );
    }
}

#[test]
fn shifts_by_variable_and_by_known_distances_are_those_of_integers() {
    let distance = |b: i128| modulo(b, 5);
    check(|gates, a, b| a.shift_right(gates, &b.unsigned(5)), |a, b| a >> distance(b));
    for bits in BITS {
        let len = bits as usize;
        check(
            |gates, a, b| a.shift_left(gates, &b.unsigned(5), len).unsigned(len),
            |a, b| modulo(a << distance(b), bits),
        );
        check(|_, a, _| a.shifted_right(len), |a, _| a >> bits);
    }
}

#[test]
fn lengths_change_as_they_say() {
    check(|_, a, _| a.clone().trimmed(), |a, _| a);
    check(|_, a, _| a.complement(), |a, _| !a);
    check(|_, a, b| a.bitwise(b, |p, q| p ^ q), |a, b| a ^ b);
    for bits in BITS {
        let len = bits as usize;
        check(|_, a, _| a.unsigned(len), |a, _| modulo(a, bits));
        check(|_, a, _| a.resized(len).unsigned(len), |a, _| modulo(a, bits));
        check(
            |_, a, _| a.cut(len).unsigned(len),
            |a, _| modulo(a, bits - 1) | i128::from(a < 0) << (bits - 1),
        );
    }
    for value in numbers(6) {
        let least = BITS.end() + 1;
        assert!(signed_bits(value) <= least);
        assert_eq!(Word::constant(value).len(), signed_bits(value) as usize);
        assert_eq!(Word::constant(value), word(value, least).trimmed());
    }
    assert_eq!(word(1, 129).as_constant(), None, "it may not fit");
}
