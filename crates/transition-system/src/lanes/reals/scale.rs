//! Bringing two registers over one denominator, and whether there is room for it.

use super::{LARGEST_COMMON, Reals};
use crate::lanes::number::greatest_common_divisor;
use crate::lanes::words::Words;

/// By what numerators are to be multiplied to be over a common denominator.
#[derive(Clone, Copy)]
pub(super) struct Scale {
    pub of_a: i64,
    pub of_b: i64,
    pub common: i64,
}

impl Scale {
    pub fn between(a: i64, b: i64) -> Option<Self> {
        let divisor = greatest_common_divisor(a.cast_unsigned(), b.cast_unsigned()).cast_signed();
        let (of_a, of_b) = (b / divisor, a / divisor);
        let common = a.checked_mul(of_a).filter(|common| *common <= LARGEST_COMMON)?;
        Some(Self { of_a, of_b, common })
    }

    /// Does the sum of two scaled numerators fit in any case?
    pub fn fits(self, a: u64, b: u64) -> bool {
        let (of_a, of_b) = (self.of_a.cast_unsigned(), self.of_b.cast_unsigned());
        bits(a) + bits(of_a) <= 62 && bits(b) + bits(of_b) <= 62
    }

    /// The scale of two registers, if both have common denominators and all
    /// scaled numerators fit.
    pub fn of<const W: usize>(a: &Reals<W>, b: &Reals<W>) -> Option<Self> {
        if a.common == 0 || b.common == 0 {
            return None;
        }
        let scale = Self::between(a.common, b.common)?;
        scale.fits(magnitude(&a.numerators), magnitude(&b.numerators)).then_some(scale)
    }
}

/// A number with as many bits as the largest lane has, sign aside.
#[inline]
pub(super) fn magnitude<const W: usize>(words: &Words<W>) -> u64 {
    let mut all = 0;
    for word in words.0.as_flattened() {
        all |= word ^ (word >> 63);
    }
    all.cast_unsigned()
}

pub(super) fn bits(magnitude: u64) -> u32 {
    64 - magnitude.leading_zeros()
}
