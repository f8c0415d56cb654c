//! Words of bits, low bit first, and their arithmetic modulo 2^length.
//!
//! The operands of one operation have one length unless it says otherwise.

use std::ops::Not;

use crate::gates::Gates;
use crate::signed_word::SignedWord;

mod division;
mod shift;

pub use shift::stages;

/// Every bit negated.
pub fn complement<Bit: Copy + Not<Output = Bit>>(word: &[Bit]) -> Vec<Bit> {
    word.iter().map(|bit| !*bit).collect()
}

/// The concatenation of two words.
pub fn joined<Bit: Copy>(high: &[Bit], low: &[Bit]) -> Vec<Bit> {
    [low, high].concat()
}

/// The arithmetic of words, for everything that builds gates.
pub trait Words: Gates {
    /// A number as a word.
    fn number(value: u128, length: usize) -> Vec<Self::Bit> {
        (0..length).map(|bit| Self::constant(bit < 128 && value >> bit & 1 == 1)).collect()
    }

    /// A number in two's complement as a word.
    fn signed_number(value: i64, length: usize) -> Vec<Self::Bit> {
        (0..length).map(|bit| Self::constant(value >> bit.min(63) & 1 == 1)).collect()
    }

    /// The unsigned value of a word, if all its bits are constants and it has at most 128 of them.
    fn as_number(word: &[Self::Bit]) -> Option<u128> {
        if word.len() > 128 {
            return None;
        }
        let bits = word.iter().rev();
        bits.copied()
            .try_fold(0, |value, bit| Some(value << 1 | u128::from(Self::as_constant(bit)?)))
    }

    /// Extended by zeros, or truncated.
    fn zero_extended(word: &[Self::Bit], length: usize) -> Vec<Self::Bit> {
        (0..length).map(|bit| word.get(bit).copied().unwrap_or(Self::FALSE)).collect()
    }

    /// Extended by its last bit, or truncated.
    fn sign_extended(word: &[Self::Bit], length: usize) -> Vec<Self::Bit> {
        let sign = word.last().copied().unwrap_or(Self::FALSE);
        (0..length).map(|bit| word.get(bit).copied().unwrap_or(sign)).collect()
    }

    /// The sum of two words and a carry, and the carry out of it.
    fn add_carry(
        &mut self,
        a: &[Self::Bit],
        b: &[Self::Bit],
        mut carry: Self::Bit,
    ) -> (Vec<Self::Bit>, Self::Bit) {
        let mut sum = Vec::with_capacity(a.len());
        for (p, q) in a.iter().zip(b) {
            let (bit, next) = self.full_adder(*p, *q, carry);
            sum.push(bit);
            carry = next;
        }
        (sum, carry)
    }

    /// The sum of two words and a carry. No gate computes the carry out of it.
    fn add_with(&mut self, a: &[Self::Bit], b: &[Self::Bit], carry: Self::Bit) -> Vec<Self::Bit> {
        let (Some((p, low)), Some((q, other))) = (a.split_last(), b.split_last()) else {
            return Vec::new();
        };
        let (mut sum, carry) = self.add_carry(low, other, carry);
        sum.push(self.parity(*p, *q, carry));
        sum
    }

    /// `a + b`.
    fn add(&mut self, a: &[Self::Bit], b: &[Self::Bit]) -> Vec<Self::Bit> {
        self.add_with(a, b, Self::FALSE)
    }

    /// `a - b`.
    fn subtract(&mut self, a: &[Self::Bit], b: &[Self::Bit]) -> Vec<Self::Bit> {
        self.add_with(a, &complement(b), Self::TRUE)
    }

    /// `a - b`, and whether that needs no borrow: `a ≥ b` without signs.
    fn subtract_borrow(&mut self, a: &[Self::Bit], b: &[Self::Bit]) -> (Vec<Self::Bit>, Self::Bit) {
        self.add_carry(a, &complement(b), Self::TRUE)
    }

    /// `a + bit`.
    fn increment(&mut self, a: &[Self::Bit], bit: Self::Bit) -> Vec<Self::Bit> {
        self.add_with(a, &vec![Self::FALSE; a.len()], bit)
    }

    /// `-a`.
    fn negate(&mut self, a: &[Self::Bit]) -> Vec<Self::Bit> {
        self.increment(&complement(a), Self::TRUE)
    }

    /// `if test then -a else a`.
    fn negate_if(&mut self, test: Self::Bit, a: &[Self::Bit]) -> Vec<Self::Bit> {
        let flipped: Vec<Self::Bit> = a.iter().map(|bit| self.xor(*bit, test)).collect();
        self.increment(&flipped, test)
    }

    /// `a < b` without signs.
    fn less_unsigned(&mut self, a: &[Self::Bit], b: &[Self::Bit]) -> Self::Bit {
        a.iter().zip(b).fold(Self::FALSE, |less, (p, q)| self.majority(!*p, *q, less))
    }

    /// `a < b` in two's complement.
    fn less_signed(&mut self, a: &[Self::Bit], b: &[Self::Bit]) -> Self::Bit {
        let (mut a, mut b) = (a.to_vec(), b.to_vec());
        if let (Some(p), Some(q)) = (a.last_mut(), b.last_mut()) {
            std::mem::swap(p, q);
        }
        self.less_unsigned(&a, &b)
    }

    /// `a = b`.
    fn equal_words(&mut self, a: &[Self::Bit], b: &[Self::Bit]) -> Self::Bit {
        let equal: Vec<Self::Bit> = a.iter().zip(b).map(|(p, q)| self.equal(*p, *q)).collect();
        self.all(equal)
    }

    /// `a = value`.
    fn is_number(&mut self, a: &[Self::Bit], value: u128) -> Self::Bit {
        self.equal_words(a, &Self::number(value, a.len()))
    }

    /// `a = 0`.
    fn is_zero(&mut self, a: &[Self::Bit]) -> Self::Bit {
        !self.any(a.iter().copied())
    }

    /// `if test then a else b`.
    fn ite_word(&mut self, test: Self::Bit, a: &[Self::Bit], b: &[Self::Bit]) -> Vec<Self::Bit> {
        a.iter().zip(b).map(|(p, q)| self.ite(test, *p, *q)).collect()
    }

    /// `if bit then a else 0`.
    fn and_word(&mut self, bit: Self::Bit, a: &[Self::Bit]) -> Vec<Self::Bit> {
        a.iter().map(|one| self.and(*one, bit)).collect()
    }

    /// `a * b` modulo 2^`length`, of operands of any lengths without signs.
    fn multiply(&mut self, a: &[Self::Bit], b: &[Self::Bit], length: usize) -> Vec<Self::Bit> {
        let [a, b] = [a, b].map(|word| SignedWord::new(joined(&[Self::FALSE], word)));
        a.multiply(self, &b, length).resized(length).into_bits()
    }

    /// The quotient and the remainder without signs. By zero, the quotient is all ones and the remainder the dividend, as
    /// in SMT-LIB.
    fn divide_unsigned(
        &mut self,
        a: &[Self::Bit],
        b: &[Self::Bit],
    ) -> (Vec<Self::Bit>, Vec<Self::Bit>) {
        division::divide_unsigned(self, a, b)
    }

    /// The quotient and the remainder in two's complement, rounded towards zero.
    fn divide_signed(
        &mut self,
        a: &[Self::Bit],
        b: &[Self::Bit],
    ) -> (Vec<Self::Bit>, Vec<Self::Bit>) {
        division::divide_signed(self, a, b)
    }

    /// The digits of the quotient, as many as `a` has, and the remainder, as short as `b` is without the zeros at its top.
    /// Their values by zero are left to the caller.
    fn restoring_division(
        &mut self,
        a: &[Self::Bit],
        b: &[Self::Bit],
    ) -> (Vec<Self::Bit>, Vec<Self::Bit>) {
        division::restoring_division(self, a, b)
    }

    /// Shifts towards the high end. Zeros come in; the distance may have any length.
    fn shift_left(&mut self, word: &[Self::Bit], distance: &[Self::Bit]) -> Vec<Self::Bit> {
        shift::shift_left(self, word, distance)
    }

    /// Shifts towards the low end. `fill` comes in; the distance may have any length.
    fn shift_right(
        &mut self,
        word: &[Self::Bit],
        distance: &[Self::Bit],
        fill: Self::Bit,
    ) -> Vec<Self::Bit> {
        shift::shift_right(self, word, distance, fill)
    }

    /// Shifts towards the low end. Zeros come in, and the lowest bit is set if any bit that was shifted out was.
    fn shift_right_sticky(&mut self, word: &[Self::Bit], distance: &[Self::Bit]) -> Vec<Self::Bit> {
        shift::shift_right_sticky(self, word, distance)
    }

    /// Shifts left until the highest bit is set, but at most by `most`: the word and the distance. Zero stays zero.
    fn normalise(
        &mut self,
        word: &[Self::Bit],
        most: Option<&[Self::Bit]>,
    ) -> (Vec<Self::Bit>, Vec<Self::Bit>) {
        shift::normalise(self, word, most)
    }
}

impl<G: Gates> Words for G {}

#[cfg(test)]
mod tests;
