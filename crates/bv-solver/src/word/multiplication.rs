//! Products: rows of one operand, one for each bit of the other.
//!
//! A constant is written with the digits 1, 0 and -1, no two that are not 0 side by side (Reitwiesner 1960), so that it has few rows.

use obligato_solver::Literal;

use super::{Word, as_number, zero_extended};
use crate::gates::{FALSE, Gates, as_constant};

impl Gates {
    /// The product modulo 2^length, of operands of any lengths without signs.
    pub(crate) fn multiply(&mut self, a: &[Literal], b: &[Literal], length: usize) -> Word {
        let known =
            |word: &[Literal]| word.iter().filter(|bit| as_constant(**bit).is_some()).count();
        let (long, short) = if b.len() - known(b) <= a.len() - known(a) { (a, b) } else { (b, a) };
        if let Some(value) = as_number(short) {
            return self.multiply_constant(long, value, length);
        }
        let mut product = vec![FALSE; length];
        for (index, bit) in short.iter().enumerate().take(length) {
            let row = self.and_word(*bit, &zero_extended(long, length - index));
            let sum = self.add(&product[index..], &row);
            product.splice(index.., sum);
        }
        product
    }

    fn multiply_constant(&mut self, word: &[Literal], value: u128, length: usize) -> Word {
        let mut product = vec![FALSE; length];
        let mut rest = value;
        for index in 0..length {
            if rest == 0 {
                break;
            }
            if rest & 1 == 1 {
                let row = zero_extended(word, length - index);
                // Digits 11 are one less than 100.
                let negative = rest & 2 == 2 && rest != 3;
                let sum = if negative {
                    self.subtract(&product[index..], &row)
                } else {
                    self.add(&product[index..], &row)
                };
                product.splice(index.., sum);
                rest = (rest >> 1) + u128::from(negative);
            } else {
                rest >>= 1;
            }
        }
        product
    }
}
