//! What reals do, lane by lane: over a common denominator where that fits, each
//! lane by itself where it does not.

use super::scale::{Scale, bits, magnitude};
use super::{LARGEST_COMMON, Reals, WORTH_REDUCING};
use crate::lanes::bools::{Mask, assign, contains};
use crate::lanes::instruction::{Comparison, RealOperation};
use crate::lanes::number::Ratio;
use crate::lanes::words::{add, checked, compare, pack, select, spread, subtract};

/// `test ? a : b`, lane by lane.
pub(in crate::lanes) fn choose<const W: usize>(
    out: &mut Reals<W>,
    test: &Mask<W>,
    a: &Reals<W>,
    b: &Reals<W>,
) {
    if a.common == b.common {
        out.common = a.common;
        select(&mut out.numerators, test, &a.numerators, &b.numerators);
        if a.common == 0 {
            select(&mut out.denominators, test, &a.denominators, &b.denominators);
        }
        return;
    }
    if let Some(scale) = Scale::of(a, b) {
        out.common = scale.common;
        let words = out.numerators.0.iter_mut().zip(&a.numerators.0).zip(&b.numerators.0);
        for (((out, a), b), test) in words.zip(test) {
            let test = spread(*test);
            for lane in 0..64 {
                let (a, b) = (a[lane] * scale.of_a, b[lane] * scale.of_b);
                out[lane] = b ^ (test[lane] & (a ^ b));
            }
        }
        return;
    }
    out.common = 0;
    for lane in 0..64 * W {
        let Ratio { numerator, denominator } =
            if contains(test, lane) { a.get(lane) } else { b.get(lane) };
        out.numerators.set(lane, numerator);
        out.denominators.set(lane, denominator);
    }
    out.unite();
}

/// Compares lane by lane; that never needs more room than there is.
pub(in crate::lanes) fn compare_reals<const W: usize>(
    comparison: Comparison,
    a: &Reals<W>,
    b: &Reals<W>,
) -> Mask<W> {
    if a.common == b.common && a.common != 0 {
        return compare(comparison, &a.numerators, &b.numerators);
    }
    if let Some(Scale { of_a, of_b, .. }) = Scale::of(a, b) {
        let (a, b) = (&a.numerators, &b.numerators);
        return match comparison {
            Comparison::Equal => pack(a, b, |a, b| a * of_a == b * of_b),
            Comparison::Less | Comparison::LessUnsigned => pack(a, b, |a, b| a * of_a < b * of_b),
            Comparison::LessEqual | Comparison::LessEqualUnsigned => {
                pack(a, b, |a, b| a * of_a <= b * of_b)
            }
        };
    }
    let mut mask = [0; W];
    for (word, mask) in mask.iter_mut().enumerate() {
        for bit in 0..64 {
            let lane = word * 64 + bit;
            let (left, right) = (a.cross(lane, b), b.cross(lane, a));
            let holds = match comparison {
                Comparison::Equal => left == right,
                Comparison::Less | Comparison::LessUnsigned => left < right,
                Comparison::LessEqual | Comparison::LessEqualUnsigned => left <= right,
            };
            *mask |= u64::from(holds) << bit;
        }
    }
    mask
}

impl<const W: usize> Reals<W> {
    fn denominator(&self, lane: usize) -> i64 {
        if self.common == 0 { self.denominators.get(lane) } else { self.common }
    }

    /// This numerator times the other denominator.
    fn cross(&self, lane: usize, other: &Self) -> i128 {
        i128::from(self.numerators.get(lane)) * i128::from(other.denominator(lane))
    }
}

/// `a + b` or `a - b` over a common denominator; false if that does not fit.
pub(super) fn sum<const W: usize>(
    operation: RealOperation,
    out: &mut Reals<W>,
    a: &Reals<W>,
    b: &Reals<W>,
) -> bool {
    let subtracting = operation == RealOperation::Subtract;
    if a.common == b.common && a.common != 0 {
        let mut misfits = [0; W];
        let (numerators, left, right) = (&mut out.numerators, &a.numerators, &b.numerators);
        if subtracting {
            checked(numerators, left, right, &mut misfits, subtract);
        } else {
            checked(numerators, left, right, &mut misfits, add);
        }
        out.common = a.common;
        return misfits == [0; W];
    }
    let Some(scale) = Scale::of(a, b) else { return false };
    let of_b = if subtracting { -scale.of_b } else { scale.of_b };
    let words = out.numerators.0.iter_mut().zip(&a.numerators.0).zip(&b.numerators.0);
    for ((out, a), b) in words {
        for lane in 0..64 {
            out[lane] = a[lane] * scale.of_a + b[lane] * of_b;
        }
    }
    out.common = scale.common;
    if out.common > WORTH_REDUCING {
        out.reduce();
    }
    true
}

/// `a * b` over a common denominator; false if that does not fit.
pub(super) fn product<const W: usize>(out: &mut Reals<W>, a: &Reals<W>, b: &Reals<W>) -> bool {
    let common = a.common.checked_mul(b.common);
    let Some(common) = common.filter(|common| (1..=LARGEST_COMMON).contains(common)) else {
        return false;
    };
    let (largest_a, largest_b) = (magnitude(&a.numerators), magnitude(&b.numerators));
    if bits(largest_a) + bits(largest_b) > 62 {
        return false;
    }
    let words = out.numerators.0.iter_mut().zip(&a.numerators.0).zip(&b.numerators.0);
    for ((out, a), b) in words {
        for lane in 0..64 {
            out[lane] = a[lane] * b[lane];
        }
    }
    out.common = common;
    if common > WORTH_REDUCING {
        out.reduce();
    }
    true
}

/// `a / b` over a common denominator where all lanes of `b` are the same, as
/// they are if it is a constant; false if that does not fit.
pub(super) fn quotient<const W: usize>(out: &mut Reals<W>, a: &Reals<W>, b: &Reals<W>) -> bool {
    let divisor = b.numerators.0[0][0];
    let same = b.numerators.0.as_flattened().iter().all(|lane| *lane == divisor);
    if !same || a.common == 0 || b.common == 0 || divisor == 0 || divisor == i64::MIN {
        return false;
    }
    let inverse = Ratio::new(i128::from(b.common), i128::from(divisor))
        .expect("invariant: lowest terms are no larger");
    product(out, a, &Reals::all(inverse))
}

/// Each lane by itself, in lowest terms.
pub(super) fn separately<const W: usize>(
    operation: RealOperation,
    out: &mut Reals<W>,
    a: &Reals<W>,
    b: &Reals<W>,
    spilled: &mut Mask<W>,
) {
    out.common = 0;
    for lane in 0..64 * W {
        let numerators = || i128::from(a.numerators.get(lane)) * i128::from(b.numerators.get(lane));
        let denominators = || i128::from(a.denominator(lane)) * i128::from(b.denominator(lane));
        // Words times words: no product needs more than 126 bits and a sign, and
        // no sum of two more than 127.
        let result = match operation {
            RealOperation::Add => Ratio::new(a.cross(lane, b) + b.cross(lane, a), denominators()),
            RealOperation::Subtract => {
                Ratio::new(a.cross(lane, b) - b.cross(lane, a), denominators())
            }
            RealOperation::Divide if b.numerators.get(lane) == 0 => Some(Ratio::ZERO),
            RealOperation::Divide => Ratio::new(a.cross(lane, b), b.cross(lane, a)),
            _ => Ratio::new(numerators(), denominators()),
        };
        if result.is_none() {
            assign(spilled, lane, true);
        }
        let Ratio { numerator, denominator } = result.unwrap_or(Ratio::ZERO);
        out.numerators.set(lane, numerator);
        out.denominators.set(lane, denominator);
    }
    out.unite();
}
