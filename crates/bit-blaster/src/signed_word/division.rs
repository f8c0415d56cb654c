//! Quotients and remainders, rounded as SMT-LIB's integers or as C's do.
//!
//! Most divisors of models are constants, whose bits fold the subtractions away in part; powers of two cost nothing. By
//! zero, all results are 0.

use super::SignedWord;
use crate::gates::Gates;
use crate::words::Words;

impl<G: Gates> SignedWord<G> {
    /// The quotient of SMT-LIB's `div`: the remainder is never negative.
    #[must_use]
    pub fn euclidean_quotient(&self, gates: &mut G, divisor: &Self) -> Self {
        if let Some(exponent) = divisor.as_power_of_two() {
            return self.shifted_right(exponent);
        }
        let (quotient, remainder) = self.divide_magnitudes(gates, divisor);
        let exact = remainder.is_zero(gates);
        // Below zero, a remainder takes one more.
        let more = gates.and(self.sign(), !exact);
        let quotient = quotient.add(gates, &Self::new(vec![more, G::FALSE]));
        let negative = gates.xor(self.sign(), divisor.sign());
        let quotient = quotient.negated_if(gates, negative);
        quotient.or_zero(gates, divisor)
    }

    /// The remainder of SMT-LIB's `mod`.
    #[must_use]
    pub fn euclidean_remainder(&self, gates: &mut G, divisor: &Self) -> Self {
        if let Some(exponent) = divisor.as_power_of_two() {
            return self.unsigned(exponent);
        }
        let (_, remainder) = self.divide_magnitudes(gates, divisor);
        let result = if self.sign() == G::FALSE {
            remainder
        } else {
            let exact = remainder.is_zero(gates);
            let complement = gates.and(self.sign(), !exact);
            let rest = divisor.magnitude(gates).subtract(gates, &remainder);
            Self::ite(gates, complement, &rest, &remainder)
        };
        result.or_zero(gates, divisor)
    }

    /// The quotient of C: rounded towards zero.
    #[must_use]
    pub fn truncated_quotient(&self, gates: &mut G, divisor: &Self) -> Self {
        let (quotient, _) = self.divide_magnitudes(gates, divisor);
        let negative = gates.xor(self.sign(), divisor.sign());
        let quotient = quotient.negated_if(gates, negative);
        quotient.or_zero(gates, divisor)
    }

    /// The remainder of C: it has the sign of the dividend.
    #[must_use]
    pub fn truncated_remainder(&self, gates: &mut G, divisor: &Self) -> Self {
        let (_, remainder) = self.divide_magnitudes(gates, divisor);
        let remainder = remainder.negated_if(gates, self.sign());
        remainder.or_zero(gates, divisor)
    }

    /// The quotient and the remainder of the absolute values.
    fn divide_magnitudes(&self, gates: &mut G, divisor: &Self) -> (Self, Self) {
        let [dividend, divisor] = [self, divisor].map(|word| word.magnitude(gates).trimmed());
        // Without their signs, which are zero.
        let digits = &dividend.bits()[..dividend.len() - 1];
        let (quotient, remainder) =
            gates.restoring_division(digits, &divisor.bits()[..divisor.len() - 1]);
        let positive = |mut bits: Vec<G::Bit>| {
            bits.push(G::FALSE);
            Self::new(bits).trimmed()
        };
        (positive(quotient), positive(remainder))
    }

    fn as_power_of_two(&self) -> Option<usize> {
        let value = self.as_constant().filter(|value| *value > 0 && value & (value - 1) == 0)?;
        Some(value.trailing_zeros() as usize)
    }

    /// `if test then -self else self`, for a number that is not negative.
    fn negated_if(&self, gates: &mut G, test: G::Bit) -> Self {
        Self::new(gates.negate_if(test, self.bits())).trimmed()
    }

    /// Zero if the divisor is.
    fn or_zero(&self, gates: &mut G, divisor: &Self) -> Self {
        let by_zero = divisor.is_zero(gates);
        Self::ite(gates, by_zero, &Self::constant(0), self)
    }
}
