//! Quotients and remainders of integers, digit by digit: long division of
//! magnitudes, then what the signs make of it.

use super::arithmetic::add_digits;
use super::{MOST, Planes};
use crate::lanes::bools::Mask;
use crate::lanes::instruction::Arithmetic;

/// Above this many pairs of digits, a division is faster lane by lane.
const WORTH_DIVIDING: usize = 1 << 9;

/// The quotient of `a` by `b` such that the remainder is never negative, or that
/// remainder; by zero, 0. False, with nothing written, where words are faster or
/// may not be wide enough.
pub(super) fn divide<const W: usize>(
    operation: Arithmetic,
    out: &mut Planes<W>,
    a: &Planes<W>,
    b: &Planes<W>,
) -> bool {
    if a.width.max(b.width) == MOST || a.width * b.width > WORTH_DIVIDING {
        return false;
    }
    let mut quotient = [[0; W]; MOST];
    let mut rest = [[0; W]; MOST];
    let mut divisor = [[0; W]; MOST];
    let dividend = &mut quotient[..a.width];
    magnitude(dividend, a);
    magnitude(&mut divisor[..b.width], b);
    // A plane more: twice a rest that is smaller than the divisor, and a digit.
    let (rest, divisor) = (&mut rest[..=b.width], &divisor[..=b.width]);
    divide_magnitudes(dividend, divisor, rest);

    let (below, divisor_below) = (a.sign(), b.sign());
    let defined = any(divisor);
    // A rest of a negative dividend is missing to the next multiple.
    let uneven = any(rest);
    let up: Mask<W> = std::array::from_fn(|word| uneven[word] & below[word] & defined[word]);
    if operation == Arithmetic::Div {
        // -(q + 1) is !q, -q is !q + 1.
        let negative: Mask<W> = std::array::from_fn(|word| below[word] ^ divisor_below[word]);
        let mut carry = std::array::from_fn(|word| negative[word] ^ up[word]);
        for (to, digit) in out.planes.iter_mut().zip(&quotient[..=a.width]) {
            let digit = std::array::from_fn(|word| digit[word] ^ negative[word]);
            let sum = add_digits(&digit, &[0; W], &mut carry);
            *to = std::array::from_fn(|word| sum[word] & defined[word]);
        }
        out.narrow(a.width + 1);
    } else {
        let mut carry = up;
        for ((to, rest), divisor) in out.planes.iter_mut().zip(&*rest).zip(divisor) {
            let rest = std::array::from_fn(|word| rest[word] ^ up[word]);
            let divisor = std::array::from_fn(|word| divisor[word] & up[word]);
            let sum = add_digits(&divisor, &rest, &mut carry);
            *to = std::array::from_fn(|word| sum[word] & defined[word]);
        }
        out.narrow(b.width + 1);
    }
    true
}

/// The magnitude of each lane: as many digits as the number has, none a sign.
fn magnitude<const W: usize>(to: &mut [Mask<W>], of: &Planes<W>) {
    let sign = of.sign();
    let mut carry = sign;
    for (to, plane) in to.iter_mut().zip(&of.planes) {
        let flipped = std::array::from_fn(|word| plane[word] ^ sign[word]);
        *to = add_digits(&flipped, &[0; W], &mut carry);
    }
}

/// The lanes that are not zero.
fn any<const W: usize>(planes: &[Mask<W>]) -> Mask<W> {
    let join = |a: Mask<W>, b: &Mask<W>| std::array::from_fn(|word| a[word] | b[word]);
    planes.iter().fold([0; W], join)
}

/// From the highest digit of the dividend: take it down to the rest, subtract the
/// divisor where it goes in, and leave in the digit's place whether it did.
fn divide_magnitudes<const W: usize>(
    dividend: &mut [Mask<W>],
    divisor: &[Mask<W>],
    rest: &mut [Mask<W>],
) {
    let mut lower = [[0; W]; MOST];
    for digit in dividend.iter_mut().rev() {
        rest.rotate_right(1);
        rest[0] = *digit;
        // a - b is a + !b + 1, and it carries where it is not negative.
        let mut carry = [u64::MAX; W];
        for ((lower, rest), divisor) in lower.iter_mut().zip(&*rest).zip(divisor) {
            *lower = add_digits(rest, &divisor.map(|word| !word), &mut carry);
        }
        *digit = carry;
        for (rest, lower) in rest.iter_mut().zip(&lower) {
            *rest =
                std::array::from_fn(|word| rest[word] ^ (carry[word] & (rest[word] ^ lower[word])));
        }
    }
}
