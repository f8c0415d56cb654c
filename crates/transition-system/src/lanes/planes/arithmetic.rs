//! Sums and products digit by digit, and what machine integers keep of them.

use obligato_model::Signedness;

use super::{MOST, Planes, each_digit};
use crate::lanes::bools::Mask;
use crate::sort::Machine;

/// Above this many pairs of digits, a product is faster lane by lane.
const WORTH_MULTIPLYING: usize = 1 << 10;

/// Is the second operand added or subtracted?
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sign {
    Plus,
    Minus,
}

/// Adds three digits; the higher digit of the sum is the new carry.
#[inline]
pub(super) fn add_digits<const W: usize>(a: &Mask<W>, b: &Mask<W>, carry: &mut Mask<W>) -> Mask<W> {
    std::array::from_fn(|word| {
        let (a, b, carried) = (a[word], b[word], carry[word]);
        carry[word] = a ^ ((a ^ b) & (a ^ carried));
        a ^ b ^ carried
    })
}

/// `a + b` or `a - b`. Gives the lanes whose result does not fit a word.
pub(super) fn sum<const W: usize>(
    out: &mut Planes<W>,
    a: &Planes<W>,
    b: &Planes<W>,
    sign: Sign,
) -> Mask<W> {
    // -b is !b + 1.
    let flip = if sign == Sign::Minus { u64::MAX } else { 0 };
    let (mut carry, mut into_last) = ([flip; W], [0; W]);
    let width = a.width.max(b.width);
    let written = (width + 1).min(MOST);
    each_digit(a, b, written, |digit, a, b| {
        into_last = carry;
        out.planes[digit] = add_digits(a, &b.map(|word| word ^ flip), &mut carry);
    });
    out.narrow(written);
    if width < MOST {
        return [0; W];
    }
    std::array::from_fn(|word| into_last[word] ^ carry[word])
}

/// `a * b` as one sum for each digit of the narrower; false, with nothing
/// written, where words are faster or may not be wide enough.
///
/// Before the digit `n` of `b` is at work, the sum so far is `a` times less than
/// 2^n. So from its digit `n` on it is no wider than `a`, and one plane wider once
/// `a` is added; or subtracted, as the last digit is the sign.
pub(super) fn product<const W: usize>(out: &mut Planes<W>, a: &Planes<W>, b: &Planes<W>) -> bool {
    let (a, b) = if a.width < b.width { (b, a) } else { (a, b) };
    let width = a.width + b.width;
    if width > MOST || a.width * b.width > WORTH_MULTIPLYING {
        return false;
    }
    out.planes[..a.width].fill([0; W]);
    for (digit, factor) in b.planes[..b.width].iter().enumerate() {
        let top = digit + a.width;
        out.planes[top] = out.planes[top - 1];
        if *factor == [0; W] {
            continue;
        }
        let flip = if digit + 1 == b.width { u64::MAX } else { 0 };
        let mut carry = [flip; W];
        for (of_a, sum) in out.planes[digit..=top].iter_mut().enumerate() {
            let of_a = a.plane(of_a);
            let term = std::array::from_fn(|word| (of_a[word] & factor[word]) ^ flip);
            *sum = add_digits(sum, &term, &mut carry);
        }
    }
    out.narrow(width);
    true
}

/// Keeps as many digits as the sort has, extended as the sort is.
pub(super) fn wrap<const W: usize>(machine: Machine, out: &mut Planes<W>) {
    let bits = machine.bits() as usize;
    match machine.signedness() {
        Signedness::Signed => out.narrow(out.width.min(bits)),
        // By its bit pattern, so with a sign.
        Signedness::Unsigned if bits == MOST => {}
        Signedness::Unsigned => {
            let sign = out.sign();
            if sign == [0; W] && out.width <= bits {
                return;
            }
            if out.width < bits {
                out.planes[out.width..bits].fill(sign);
            }
            out.planes[bits] = [0; W];
            out.narrow(bits + 1);
        }
    }
}
