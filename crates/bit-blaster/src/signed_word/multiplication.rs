//! Products: rows of one operand, one for each digit of the other that is not 0.
//!
//! A constant is written with the digits 1, 0 and -1, no two that are not 0 side by side (Reitwiesner 1960), so that it
//! has few rows.

use super::SignedWord;
use crate::gates::Gates;
use crate::words::Words;

/// A digit of the multiplier.
enum Digit<Bit> {
    Zero,
    /// The row counts if the bit is set.
    Plus(Bit),
    /// The row counts negative if the bit is set.
    Minus(Bit),
}

impl<G: Gates> SignedWord<G> {
    /// The product modulo 2^`len`, as a word of at most `len` bits.
    #[must_use]
    pub fn multiply(&self, gates: &mut G, other: &Self, len: usize) -> Self {
        let [a, b] = [self, other].map(|word| word.resized(word.len().min(len)).trimmed());
        let (long, short) = if a.unknown_bits() < b.unknown_bits() { (b, a) } else { (a, b) };
        let mut product = Vec::with_capacity(len);
        let mut high = Self::constant(0);
        for (index, digit) in short.digits().into_iter().enumerate().take(len) {
            high = high.add_row(gates, &long, &digit, len - index);
            product.push(high.bit(0));
            high = high.shifted_right(1);
        }
        let rest = len - product.len();
        product.extend(high.0.iter().take(rest));
        Self(product).trimmed()
    }

    /// Adds the row of a digit modulo 2^`most`: no bit above that comes down again.
    fn add_row(self, gates: &mut G, long: &Self, digit: &Digit<G::Bit>, most: usize) -> Self {
        let len = (self.len().max(long.len()) + 1).min(most);
        let row = |gates: &mut G, bit| gates.and_word(bit, &long.resized(len).0);
        let sum = match *digit {
            Digit::Zero => return self,
            Digit::Plus(bit) => {
                let row = row(gates, bit);
                gates.add(&self.resized(len).0, &row)
            }
            Digit::Minus(bit) => {
                let row = row(gates, bit);
                gates.subtract(&self.resized(len).0, &row)
            }
        };
        Self(sum).trimmed()
    }

    fn unknown_bits(&self) -> usize {
        self.0.iter().filter(|bit| G::as_constant(**bit).is_none()).count()
    }

    fn digits(&self) -> Vec<Digit<G::Bit>> {
        if let Some(value) = self.as_constant() {
            return non_adjacent_digits::<G>(value);
        }
        let digit = |(index, bit): (usize, &G::Bit)| match *bit {
            bit if bit == G::FALSE => Digit::Zero,
            // The sign counts negative.
            bit if index + 1 == self.len() => Digit::Minus(bit),
            bit => Digit::Plus(bit),
        };
        self.0.iter().enumerate().map(digit).collect()
    }
}

fn non_adjacent_digits<G: Gates>(value: i128) -> Vec<Digit<G::Bit>> {
    let mut digits = Vec::new();
    let mut rest = value;
    while rest != 0 {
        let odd = rest & 1 == 1;
        // 11 is 100 - 1; for 3 itself that is one row more.
        let negative = rest & 3 == 3 && rest != 3;
        digits.push(match (odd, negative) {
            (false, _) => Digit::Zero,
            (true, false) => Digit::Plus(G::TRUE),
            (true, true) => Digit::Minus(G::TRUE),
        });
        rest = (rest >> 1) + i128::from(negative);
    }
    digits
}
