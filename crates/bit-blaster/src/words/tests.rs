//! Every operation on words against machine arithmetic, for all words of a few bits.

use super::*;
use crate::evaluator::Evaluator;

const WIDTHS: std::ops::RangeInclusive<usize> = 1..=5;

fn word(value: u128, length: usize) -> Vec<bool> {
    Evaluator::number(value, length)
}

fn value(word: &[bool]) -> u128 {
    Evaluator::as_number(word).expect("at most 128 bits")
}

fn mask(length: usize) -> u128 {
    (1 << length) - 1
}

fn signed(value: u128, length: usize) -> i128 {
    let value = value.cast_signed();
    if value >> (length - 1) & 1 == 1 { value - (1 << length) } else { value }
}

/// Modulo 2^length.
fn wrapped(value: i128, length: usize) -> u128 {
    value.cast_unsigned() & mask(length)
}

/// All pairs of words of one length.
fn pairs(mut check: impl FnMut(usize, u128, u128)) {
    for length in WIDTHS {
        for a in 0..1 << length {
            for b in 0..1 << length {
                check(length, a, b);
            }
        }
    }
}

/// Compares an operation on two words of one length with what it should be.
fn check(
    operation: impl Fn(&mut Evaluator, &[bool], &[bool]) -> Vec<bool>,
    expected: impl Fn(u128, u128, usize) -> u128,
) {
    pairs(|length, a, b| {
        let result = operation(&mut Evaluator, &word(a, length), &word(b, length));
        assert_eq!(value(&result), expected(a, b, length), "{a}, {b} of {length} bits");
    });
}

#[test]
fn constants_extensions_and_concatenations_keep_their_values() {
    pairs(|length, a, b| {
        let (p, q) = (word(a, length), word(b, length));
        assert_eq!(p.len(), length);
        assert_eq!(value(&joined(&p, &q)), a << length | b);
        assert_eq!(value(&complement(&p)), !a & mask(length));
        for other in WIDTHS {
            assert_eq!(value(&Evaluator::zero_extended(&p, other)), a & mask(other));
            let extended = value(&Evaluator::sign_extended(&p, other));
            assert_eq!(extended, wrapped(signed(a, length), other));
        }
        let number = i64::try_from(signed(a, length)).expect("few bits");
        assert_eq!(value(&Evaluator::signed_number(number, 70)), wrapped(number.into(), 70));
    });
    assert_eq!(Evaluator::as_number(&[false; 129]), None);
    assert_eq!(value(&word(u128::MAX, 128)), u128::MAX);
}

#[test]
fn sums_and_differences_are_those_of_machine_words() {
    check(Evaluator::add, |a, b, length| (a + b) & mask(length));
    check(Evaluator::subtract, |a, b, length| {
        wrapped(signed(a, length) - signed(b, length), length)
    });
    check(|gates, a, _| gates.negate(a), |a, _, length| wrapped(-signed(a, length), length));
    for carry in [false, true] {
        let more = u128::from(carry);
        check(
            |gates, a, b| {
                let (sum, out) = gates.add_carry(a, b, carry);
                joined(&[out], &sum)
            },
            |a, b, _| a + b + more,
        );
        check(
            |gates, a, b| gates.add_with(a, b, carry),
            |a, b, length| (a + b + more) & mask(length),
        );
        check(|gates, a, _| gates.increment(a, carry), |a, _, length| (a + more) & mask(length));
        check(
            |gates, a, _| gates.negate_if(carry, a),
            |a, _, length| if carry { wrapped(-signed(a, length), length) } else { a },
        );
    }
    check(
        |gates, a, b| {
            let (less, fits) = gates.subtract_borrow(a, b);
            joined(&[fits], &less)
        },
        |a, b, length| u128::from(a >= b) << length | a.wrapping_sub(b) & mask(length),
    );
}

#[test]
fn comparisons_and_choices_are_those_of_machine_words() {
    check(|gates, a, b| vec![gates.less_unsigned(a, b)], |a, b, _| u128::from(a < b));
    check(
        |gates, a, b| vec![gates.less_signed(a, b)],
        |a, b, length| u128::from(signed(a, length) < signed(b, length)),
    );
    check(|gates, a, b| vec![gates.equal_words(a, b)], |a, b, _| u128::from(a == b));
    check(|gates, a, b| vec![gates.is_number(a, value(b))], |a, b, _| u128::from(a == b));
    check(|gates, a, _| vec![gates.is_zero(a)], |a, _, _| u128::from(a == 0));
    for test in [false, true] {
        check(|gates, a, b| gates.ite_word(test, a, b), |a, b, _| if test { a } else { b });
        check(|gates, a, _| gates.and_word(test, a), |a, _, _| if test { a } else { 0 });
    }
}

#[test]
fn products_are_those_of_machine_words_of_any_lengths() {
    pairs(|length, a, b| {
        for (other, result) in [(length, length), (1, 3), (3, 8), (length, 2 * length), (7, 4)] {
            let b = b & mask(other);
            let product = Evaluator.multiply(&word(a, length), &word(b, other), result);
            assert_eq!(product.len(), result);
            assert_eq!(value(&product), (a * b) & mask(result), "{a} * {b} in {result} bits");
        }
    });
    let (a, b) = (0xdead_beef_cafe_f00d_u128 << 64 | 0x4d, u128::MAX - 4);
    assert_eq!(value(&Evaluator.multiply(&word(a, 128), &word(b, 128), 128)), a.wrapping_mul(b));
}

#[test]
fn quotients_and_remainders_are_those_of_smt_lib() {
    check(
        |gates, a, b| gates.divide_unsigned(a, b).0,
        |a, b, length| a.checked_div(b).unwrap_or(mask(length)),
    );
    check(|gates, a, b| gates.divide_unsigned(a, b).1, |a, b, _| a.checked_rem(b).unwrap_or(a));
    check(
        |gates, a, b| gates.divide_signed(a, b).0,
        |a, b, length| {
            let (a, b) = (signed(a, length), signed(b, length));
            wrapped(a.checked_div(b).unwrap_or(if a < 0 { 1 } else { -1 }), length)
        },
    );
    check(
        |gates, a, b| gates.divide_signed(a, b).1,
        |a, b, length| {
            let (a, b) = (signed(a, length), signed(b, length));
            wrapped(a.checked_rem(b).unwrap_or(a), length)
        },
    );
    pairs(|length, a, b| {
        for size in WIDTHS {
            let b = b & mask(size);
            let (quotient, rest) = Evaluator.restoring_division(&word(a, length), &word(b, size));
            if let Some(expected) = a.checked_div(b) {
                assert_eq!((value(&quotient), value(&rest)), (expected, a % b), "{a} / {b}");
            }
        }
    });
}

#[test]
fn shifts_are_those_of_machine_words_by_any_distance() {
    pairs(|length, a, distance| {
        for size in WIDTHS {
            let distance = distance & mask(size);
            let (p, by) = (word(a, length), word(distance, size));
            let left = value(&Evaluator.shift_left(&p, &by));
            assert_eq!(left, a << distance & mask(length), "{a} << {distance}");
            for fill in [false, true] {
                let right = value(&Evaluator.shift_right(&p, &by, fill));
                let ones = if fill { mask(40) << length } else { 0 };
                assert_eq!(right, (a | ones) >> distance & mask(length), "{a} >> {distance}");
            }
            let sticky = value(&Evaluator.shift_right_sticky(&p, &by));
            let lost = u128::from(a & mask(distance as usize) != 0);
            assert_eq!(sticky, a >> distance | lost, "{a} >> {distance}");
        }
    });
}

#[test]
fn normalising_shifts_the_highest_bit_to_the_top_or_as_far_as_allowed() {
    pairs(|length, a, most| {
        let zeros = length as u128 - u128::from(u128::BITS - a.leading_zeros());
        let (normal, distance) = Evaluator.normalise(&word(a, length), None);
        let expected = (a << zeros) & mask(length);
        assert_eq!(value(&normal), expected);
        assert!(a == 0 || value(&distance) == zeros);
        let (normal, distance) = Evaluator.normalise(&word(a, length), Some(&word(most, length)));
        assert_eq!(value(&normal), a << zeros.min(most) & mask(length));
        assert!(a == 0 || value(&distance) == zeros.min(most), "{a} by at most {most}");
        assert_eq!(distance.len(), stages(length));
    });
}
