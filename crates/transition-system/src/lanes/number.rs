//! Between exact values and the numbers that a lane holds.

use obligato_model::{Integer, Rational, Value};

use crate::sort::Sort;

/// A rational of a lane, in lowest terms with a positive denominator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Ratio {
    /// Above the line.
    pub numerator: i64,
    /// Below the line, positive.
    pub denominator: i64,
}

impl Ratio {
    pub(super) const ZERO: Self = Self { numerator: 0, denominator: 1 };

    /// `numerator / denominator` in lowest terms, if it fits. The denominator
    /// must not be zero.
    pub fn new(numerator: i128, denominator: i128) -> Option<Self> {
        let divisor = match (u64::try_from(numerator.unsigned_abs()), u64::try_from(denominator)) {
            (Ok(above), Ok(below)) => u128::from(greatest_common_divisor(above, below)),
            _ => wide_divisor(numerator.unsigned_abs(), denominator.unsigned_abs()),
        };
        let divisor = divisor.cast_signed() * denominator.signum();
        Some(Self {
            numerator: i64::try_from(numerator / divisor).ok()?,
            denominator: i64::try_from(denominator / divisor).ok()?,
        })
    }

    /// The exact value.
    pub fn exact(self) -> Rational {
        Rational::from_parts_signed(self.numerator.into(), self.denominator.into())
    }
}

/// The greatest common divisor, by Stein's method; of 0 and `b`, `b`.
pub(super) fn greatest_common_divisor(mut a: u64, mut b: u64) -> u64 {
    if a == 0 || b == 0 {
        return a | b;
    }
    let twos = (a | b).trailing_zeros();
    a >>= a.trailing_zeros();
    while b != 0 {
        b >>= b.trailing_zeros();
        (a, b) = (a.min(b), a.abs_diff(b));
    }
    a << twos
}

fn wide_divisor(mut a: u128, mut b: u128) -> u128 {
    while let (Err(_), _) | (_, Err(_)) = (u64::try_from(a), u64::try_from(b)) {
        if b == 0 {
            return a;
        }
        (a, b) = (b, a % b);
    }
    u128::from(greatest_common_divisor(a as u64, b as u64))
}

/// The word that holds an integer of this sort, if one does.
pub(super) fn word_of(sort: Sort, value: &Integer) -> Option<i64> {
    match sort {
        Sort::Machine(machine) => Some(machine.word(value)),
        _ => i64::try_from(value).ok(),
    }
}

/// The integer of this sort that a word holds.
pub(super) fn integer_of(sort: Sort, word: i64) -> Integer {
    match sort {
        Sort::Machine(machine) => machine.integer(word),
        _ => word.into(),
    }
}

/// The lane's form of a rational, if it has one.
pub(super) fn ratio_of(value: &Rational) -> Option<Ratio> {
    Some(Ratio {
        numerator: i64::try_from(value.numerator()).ok()?,
        denominator: i64::try_from(value.denominator()).ok()?,
    })
}

/// Can a lane hold this value of the sort?
pub(super) fn fits(sort: Sort, value: &Value) -> bool {
    match value {
        Value::Int(integer) => word_of(sort, integer).is_some(),
        Value::Real(rational) => ratio_of(rational).is_some(),
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn any_size() -> impl Strategy<Value = i128> {
        (any::<i128>(), 1..128_u32).prop_map(|(value, shift)| value >> shift)
    }

    proptest! {
        #[test]
        fn a_ratio_is_the_exact_quotient_if_it_fits(a in any_size(), b in any_size()) {
            prop_assume!(b != 0);
            let exact = Rational::from_parts_signed(a.into(), b.into());
            prop_assert_eq!(Ratio::new(a, b), ratio_of(&exact));
            if let Some(ratio) = Ratio::new(a, b) {
                prop_assert_eq!(ratio.exact(), exact);
            }
        }

        #[test]
        fn the_divisor_divides_and_leaves_nothing_in_common(a: u64, b: u64, shift in 0..64_u32) {
            let (a, b) = (a >> shift, b);
            let divisor = greatest_common_divisor(a, b);
            prop_assert_eq!((a % divisor, b % divisor), (0, 0));
            prop_assert_eq!(greatest_common_divisor(a / divisor, b / divisor), 1);
        }
    }
}
