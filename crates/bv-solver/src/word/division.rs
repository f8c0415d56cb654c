//! Quotients and remainders, by restoring division: the way it is done on paper.
//!
//! By zero, the quotient is all ones and the remainder the dividend, as in SMT-LIB; that is what the digits come
//! to by themselves. A constant divisor makes the rows as short as it is.

use obligato_solver::Literal;

use super::{Word, as_number, zero_extended};
use crate::gates::{FALSE, Gates};

impl Gates {
    /// The quotient and the remainder, without signs.
    pub(crate) fn divide_unsigned(&mut self, a: &[Literal], b: &[Literal]) -> (Word, Word) {
        let length = a.len();
        if let Some(divisor) = as_number(b).filter(|one| one.is_power_of_two()) {
            let split = divisor.trailing_zeros() as usize;
            return (zero_extended(&a[split..], length), zero_extended(&a[..split], length));
        }
        // Without the zeros at its top.
        let size = b.iter().rposition(|bit| *bit != FALSE).map_or(0, |last| last + 1);
        let divisor = zero_extended(b, size + 1);
        let mut quotient = vec![FALSE; length];
        let mut rest: Word = Vec::new();
        for digit in (0..length).rev() {
            let mut with_digit = vec![a[digit]];
            with_digit.extend(&rest);
            let with_digit = zero_extended(&with_digit, size + 1);
            let (less, fits) = self.subtract_borrow(&with_digit, &divisor);
            quotient[digit] = fits;
            rest = self.choose_word(fits, &less[..size], &with_digit[..size]);
        }
        let rest = zero_extended(&rest, length);
        // A short remainder has no room for the dividend.
        let by_zero = if size < length { self.is_zero(b) } else { FALSE };
        (quotient, self.choose_word(by_zero, a, &rest))
    }

    /// The quotient and the remainder in two's complement, towards zero.
    pub(crate) fn divide_signed(&mut self, a: &[Literal], b: &[Literal]) -> (Word, Word) {
        let (p, q) = (a[a.len() - 1], b[b.len() - 1]);
        let (dividend, divisor) = (self.negate_if(p, a), self.negate_if(q, b));
        let (quotient, rest) = self.divide_unsigned(&dividend, &divisor);
        let differ = self.xor(p, q);
        (self.negate_if(differ, &quotient), self.negate_if(p, &rest))
    }

    /// The difference, and whether there was no need to borrow.
    pub(crate) fn subtract_borrow(&mut self, a: &[Literal], b: &[Literal]) -> (Word, Literal) {
        self.add_carry(a, &super::complement(b), crate::gates::TRUE)
    }
}
