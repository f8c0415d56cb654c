//! Quotients and remainders, by restoring division: the way it is done on paper.
//!
//! Most divisors of models are constants, whose bits fold the subtractions away in part; powers of
//! two cost nothing. By zero, all results are 0.

use super::Word;
use crate::circuit::{Circuit, Lit};

impl Word {
    /// The quotient of SMT-LIB's `div`: the remainder is never negative.
    pub fn euclidean_quotient(&self, circuit: &mut Circuit, divisor: &Self) -> Self {
        if let Some(exponent) = divisor.as_power_of_two() {
            return self.shifted_right(exponent);
        }
        let (quotient, remainder) = divide_magnitudes(circuit, self, divisor);
        let exact = remainder.is_zero(circuit);
        // Below zero, what is left over takes one more.
        let more = circuit.and(self.sign(), !exact);
        let quotient = quotient.add(circuit, &Self::new(vec![more, Lit::FALSE]));
        let negative = circuit.xor(self.sign(), divisor.sign());
        let quotient = quotient.negated_if(circuit, negative);
        quotient.or_zero(circuit, divisor)
    }

    /// The remainder of SMT-LIB's `mod`.
    pub fn euclidean_remainder(&self, circuit: &mut Circuit, divisor: &Self) -> Self {
        if let Some(exponent) = divisor.as_power_of_two() {
            return self.unsigned(exponent);
        }
        let (_, remainder) = divide_magnitudes(circuit, self, divisor);
        let result = if self.sign() == Lit::FALSE {
            remainder
        } else {
            let exact = remainder.is_zero(circuit);
            let complement = circuit.and(self.sign(), !exact);
            let rest = divisor.magnitude(circuit).subtract(circuit, &remainder);
            Self::choose(circuit, complement, &rest, &remainder)
        };
        result.or_zero(circuit, divisor)
    }

    /// The quotient of C: rounded towards zero.
    pub fn truncated_quotient(&self, circuit: &mut Circuit, divisor: &Self) -> Self {
        let (quotient, _) = divide_magnitudes(circuit, self, divisor);
        let negative = circuit.xor(self.sign(), divisor.sign());
        let quotient = quotient.negated_if(circuit, negative);
        quotient.or_zero(circuit, divisor)
    }

    /// The remainder of C: it has the sign of the dividend.
    pub fn truncated_remainder(&self, circuit: &mut Circuit, divisor: &Self) -> Self {
        let (_, remainder) = divide_magnitudes(circuit, self, divisor);
        let remainder = remainder.negated_if(circuit, self.sign());
        remainder.or_zero(circuit, divisor)
    }

    fn as_power_of_two(&self) -> Option<usize> {
        let value = self.as_constant().filter(|value| *value > 0 && value & (value - 1) == 0)?;
        Some(value.trailing_zeros() as usize)
    }

    fn negated_if(&self, circuit: &mut Circuit, test: Lit) -> Self {
        if test == Lit::FALSE {
            return self.clone();
        }
        let negated = self.negate(circuit);
        Self::choose(circuit, test, &negated, self)
    }

    /// Zero if the divisor is.
    fn or_zero(&self, circuit: &mut Circuit, divisor: &Self) -> Self {
        let by_zero = divisor.is_zero(circuit);
        Self::choose(circuit, by_zero, &Self::constant(0), self)
    }
}

/// The quotient and the remainder of the absolute values.
fn divide_magnitudes(circuit: &mut Circuit, dividend: &Word, divisor: &Word) -> (Word, Word) {
    let dividend = dividend.magnitude(circuit).trimmed();
    let divisor = divisor.magnitude(circuit).trimmed();
    // Without their signs, which are zero.
    let (digits, len) = (dividend.len() - 1, divisor.len() - 1);
    let mut quotient = vec![Lit::FALSE; digits + 1];
    let mut remainder = Word::constant(0);
    for digit in (0..digits).rev() {
        let mut bits = vec![dividend.bit(digit)];
        bits.extend(remainder.bits());
        let with_digit = Word::new(bits);
        let less = with_digit.subtract(circuit, &divisor);
        let fits = !less.sign();
        quotient[digit] = fits;
        // It is below the divisor again, or the divisor is zero and the remainder of no interest.
        remainder = Word::choose(circuit, fits, &less, &with_digit).unsigned(len).trimmed();
    }
    (Word::new(quotient).trimmed(), remainder)
}
