//! Exact integers in two's complement, bit by bit.
//!
//! Every operation gives as many bits as its exact result can have, so nothing overflows here; a caller that knows better
//! truncates the result. Words of any lengths go together, because a word is its sign, repeated, beyond its end.

use std::fmt;

use crate::gates::Gates;
use crate::words::{Words, complement};

mod division;
mod multiplication;

/// An integer in two's complement, low bit first. The last bit is the sign; there is at least one.
pub struct SignedWord<G: Gates>(Vec<G::Bit>);

impl<G: Gates> SignedWord<G> {
    /// The word with these bits, the last of them its sign.
    pub fn new(bits: Vec<G::Bit>) -> Self {
        debug_assert!(!bits.is_empty(), "a word has a sign");
        Self(bits)
    }

    /// A constant, in as few bits as it takes.
    pub fn constant(value: i128) -> Self {
        Self((0..signed_bits(value)).map(|bit| G::constant(value >> bit & 1 == 1)).collect())
    }

    /// The value, if it is a constant of at most 128 bits.
    pub fn as_constant(&self) -> Option<i128> {
        if self.len() <= 128 { self.value(G::as_constant) } else { None }
    }

    /// The value that its bits make, if all of them are known.
    pub fn value(&self, bit: impl Fn(G::Bit) -> Option<bool>) -> Option<i128> {
        let fill = if bit(self.sign())? { -1 } else { 0 };
        self.0
            .iter()
            .rev()
            .try_fold(fill, |value: i128, one| Some(value << 1 | i128::from(bit(*one)?)))
    }

    /// The bits, low ones first.
    pub fn bits(&self) -> &[G::Bit] {
        &self.0
    }

    /// The bits, low ones first.
    pub fn into_bits(self) -> Vec<G::Bit> {
        self.0
    }

    /// How many bits there are.
    #[allow(clippy::len_without_is_empty, reason = "there is always a sign")]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Is it below zero?
    pub fn sign(&self) -> G::Bit {
        self.0[self.0.len() - 1]
    }

    /// A bit, also beyond the end.
    pub fn bit(&self, index: usize) -> G::Bit {
        self.0.get(index).copied().unwrap_or(self.sign())
    }

    /// Modulo 2^`len`, or extended by its sign.
    #[must_use]
    pub fn resized(&self, len: usize) -> Self {
        Self((0..len.max(1)).map(|index| self.bit(index)).collect())
    }

    /// The low bits but one, and the sign.
    #[must_use]
    pub fn cut(&self, len: usize) -> Self {
        let digits = (0..len.max(1) - 1).map(|index| self.bit(index));
        Self(digits.chain([self.sign()]).collect())
    }

    /// Without repetitions of the sign.
    #[must_use]
    pub fn trimmed(mut self) -> Self {
        while self.0.len() > 1 && self.0[self.0.len() - 2] == self.sign() {
            self.0.pop();
        }
        self
    }

    /// The low bits as a number that is not negative.
    #[must_use]
    pub fn unsigned(&self, len: usize) -> Self {
        let mut bits: Vec<G::Bit> = (0..len).map(|index| self.bit(index)).collect();
        bits.push(G::FALSE);
        Self(bits)
    }

    /// Divided by 2^`by`, rounded down.
    #[must_use]
    pub fn shifted_right(&self, by: usize) -> Self {
        Self((by..self.len().max(by + 1)).map(|index| self.bit(index)).collect())
    }

    /// Every bit negated: `-x - 1`.
    #[must_use]
    pub fn complement(&self) -> Self {
        Self(complement(&self.0))
    }

    /// Applies a function to the bits of two words, pair by pair.
    #[must_use]
    pub fn bitwise(&self, other: &Self, mut of: impl FnMut(G::Bit, G::Bit) -> G::Bit) -> Self {
        let len = self.len().max(other.len());
        Self((0..len).map(|index| of(self.bit(index), other.bit(index))).collect())
    }

    /// `self + other`.
    #[must_use]
    pub fn add(&self, gates: &mut G, other: &Self) -> Self {
        let [a, b] = self.with(other, 1);
        Self(gates.add(&a, &b)).trimmed()
    }

    /// `self - other`.
    #[must_use]
    pub fn subtract(&self, gates: &mut G, other: &Self) -> Self {
        let [a, b] = self.with(other, 1);
        Self(gates.subtract(&a, &b)).trimmed()
    }

    /// `-self`.
    #[must_use]
    pub fn negate(&self, gates: &mut G) -> Self {
        Self::constant(0).subtract(gates, self)
    }

    /// `|self|`.
    #[must_use]
    pub fn magnitude(&self, gates: &mut G) -> Self {
        if self.sign() == G::FALSE {
            return self.clone();
        }
        // Without a sign, the magnitude of the least number of n bits has n bits as well.
        let mut bits = gates.negate_if(self.sign(), &self.0);
        bits.push(G::FALSE);
        Self(bits)
    }

    /// `self < other`.
    pub fn less(&self, gates: &mut G, other: &Self) -> G::Bit {
        let [a, b] = self.with(other, 0);
        gates.less_signed(&a, &b)
    }

    /// `self = other`.
    pub fn equal(&self, gates: &mut G, other: &Self) -> G::Bit {
        let [mut a, mut b] = self.with(other, 0);
        // From the top, where a short word repeats its sign and pairs of bits are equal gates.
        a.reverse();
        b.reverse();
        gates.equal_words(&a, &b)
    }

    /// `self = 0`.
    pub fn is_zero(&self, gates: &mut G) -> G::Bit {
        gates.is_zero(&self.0)
    }

    /// `if test then first else second`.
    #[must_use]
    pub fn ite(gates: &mut G, test: G::Bit, first: &Self, second: &Self) -> Self {
        match G::as_constant(test) {
            Some(true) => first.clone(),
            Some(false) => second.clone(),
            None => first.bitwise(second, |a, b| gates.ite(test, a, b)).trimmed(),
        }
    }

    /// Does it need more than this many bits?
    pub fn exceeds(&self, gates: &mut G, len: usize) -> G::Bit {
        if self.len() <= len {
            return G::FALSE;
        }
        let beyond = &self.0[len - 1..self.len() - 1];
        beyond.iter().fold(G::FALSE, |any, bit| {
            let differ = gates.xor(*bit, self.sign());
            gates.or(any, differ)
        })
    }

    /// `self * 2^distance` modulo 2^`len`, for a distance that is not negative.
    #[must_use]
    pub fn shift_left(&self, gates: &mut G, distance: &Self, len: usize) -> Self {
        let digits = &distance.0[..distance.len() - 1];
        Self(gates.shift_left(&self.resized(len).0, digits)).trimmed()
    }

    /// `self / 2^distance`, rounded down, for a distance that is not negative.
    #[must_use]
    pub fn shift_right(&self, gates: &mut G, distance: &Self) -> Self {
        let digits = &distance.0[..distance.len() - 1];
        Self(gates.shift_right(&self.0, digits, self.sign())).trimmed()
    }

    /// The bits of two words, extended to the length of the longer one and so many more.
    fn with(&self, other: &Self, more: usize) -> [Vec<G::Bit>; 2] {
        let len = self.len().max(other.len()) + more;
        [self, other].map(|word| word.resized(len).0)
    }
}

// Derived, these would ask of the builder of gates what only its bits have to be.
impl<G: Gates> Clone for SignedWord<G> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<G: Gates> fmt::Debug for SignedWord<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("SignedWord").field(&self.0).finish()
    }
}

impl<G: Gates> PartialEq for SignedWord<G> {
    fn eq(&self, other: &Self) -> bool {
        self.0 == other.0
    }
}

impl<G: Gates> Eq for SignedWord<G> {}

/// How many bits a number has in two's complement, its sign included.
pub fn signed_bits(value: i128) -> u32 {
    let magnitude = if value < 0 { !value } else { value };
    129 - magnitude.leading_zeros()
}

#[cfg(test)]
mod tests;
