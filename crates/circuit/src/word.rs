//! Words: integers in two's complement, bit by bit.
//!
//! Every operation gives as many bits as its exact result can have, so nothing overflows here; a
//! caller that knows better cuts the result. Words of any lengths go together, because a word is
//! its sign, repeated, beyond its end. Constants cost no gates: whatever meets a constant bit folds.

use crate::circuit::{Circuit, Lit};
use crate::interval::signed_bits;

mod division;

/// An integer in two's complement, low bit first. The last bit is the sign; there is at least one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Word(Vec<Lit>);

impl Word {
    /// The word with these bits, the last of them its sign.
    pub fn new(bits: Vec<Lit>) -> Self {
        debug_assert!(!bits.is_empty(), "a word has a sign");
        Self(bits)
    }

    /// A constant, in as few bits as it takes.
    pub fn constant(value: i128) -> Self {
        Self((0..signed_bits(value)).map(|bit| Lit::constant(value >> bit & 1 == 1)).collect())
    }

    /// The value, if it is a constant.
    pub fn as_constant(&self) -> Option<i128> {
        self.value(Lit::as_constant)
    }

    /// The value that its bits make, if all of them are known.
    pub fn value(&self, bit: impl Fn(Lit) -> Option<bool>) -> Option<i128> {
        let fill = if bit(self.sign())? { -1 } else { 0 };
        self.0
            .iter()
            .rev()
            .try_fold(fill, |value: i128, lit| Some(value << 1 | i128::from(bit(*lit)?)))
    }

    /// The bits, low ones first.
    pub fn bits(&self) -> &[Lit] {
        &self.0
    }

    /// How many bits there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Is it below zero?
    pub fn sign(&self) -> Lit {
        self.0[self.0.len() - 1]
    }

    /// A bit, also beyond the end.
    pub fn bit(&self, index: usize) -> Lit {
        self.0.get(index).copied().unwrap_or(self.sign())
    }

    /// The low bits, and beyond the end the sign.
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

    /// The low bits as a number from zero.
    #[must_use]
    pub fn unsigned(&self, len: usize) -> Self {
        let mut bits: Vec<Lit> = (0..len).map(|index| self.bit(index)).collect();
        bits.push(Lit::FALSE);
        Self(bits)
    }

    /// Times 2^by.
    #[must_use]
    pub fn shifted_left(&self, by: usize) -> Self {
        let mut bits = vec![Lit::FALSE; by];
        bits.extend(&self.0);
        Self(bits)
    }

    /// Over 2^by, rounded down.
    #[must_use]
    pub fn shifted_right(&self, by: usize) -> Self {
        Self((by..self.len().max(by + 1)).map(|index| self.bit(index)).collect())
    }

    /// Every bit flipped: `-x - 1`.
    #[must_use]
    pub fn complement(&self) -> Self {
        Self(self.0.iter().map(|lit| !*lit).collect())
    }

    /// Bit by bit.
    pub fn bitwise(&self, other: &Self, mut of: impl FnMut(Lit, Lit) -> Lit) -> Self {
        let len = self.len().max(other.len());
        Self((0..len).map(|index| of(self.bit(index), other.bit(index))).collect())
    }

    pub fn add(&self, circuit: &mut Circuit, other: &Self) -> Self {
        self.add_carry(circuit, other, Lit::FALSE)
    }

    pub fn subtract(&self, circuit: &mut Circuit, other: &Self) -> Self {
        self.add_carry(circuit, &other.complement(), Lit::TRUE)
    }

    pub fn negate(&self, circuit: &mut Circuit) -> Self {
        Self::constant(0).subtract(circuit, self)
    }

    fn add_carry(&self, circuit: &mut Circuit, other: &Self, mut carry: Lit) -> Self {
        let len = self.len().max(other.len()) + 1;
        let mut sum = Vec::with_capacity(len);
        for index in 0..len {
            let (a, b) = (self.bit(index), other.bit(index));
            let differ = circuit.xor(a, b);
            sum.push(circuit.xor(differ, carry));
            if index + 1 < len {
                let (both, passed) = (circuit.and(a, b), circuit.and(differ, carry));
                carry = circuit.or(both, passed);
            }
        }
        Self(sum).trimmed()
    }

    /// The absolute value.
    pub fn magnitude(&self, circuit: &mut Circuit) -> Self {
        if self.sign() == Lit::FALSE {
            return self.clone();
        }
        let negated = self.negate(circuit);
        let mut magnitude = Self::choose(circuit, self.sign(), &negated, self);
        // Of n bits, the least number is the only one whose magnitude needs n bits and a sign.
        magnitude = magnitude.resized(self.len() + 1);
        magnitude.0[self.len()] = Lit::FALSE;
        magnitude
    }

    /// The product modulo 2^len, as a word of `len` bits at most. Row by row (the schoolbook's way),
    /// for the set bits of the operand with the fewer bits that are not constant.
    pub fn multiply(&self, circuit: &mut Circuit, other: &Self, len: usize) -> Self {
        let unknown = |word: &Self| word.0.iter().filter(|lit| lit.as_constant().is_none()).count();
        let (long, short) =
            if unknown(self) < unknown(other) { (other, self) } else { (self, other) };
        let mut product = Vec::with_capacity(len);
        let mut high = Self::constant(0);
        for (index, bit) in short.0.iter().enumerate().take(len) {
            let row = Self(long.0.iter().map(|lit| circuit.and(*lit, *bit)).collect()).trimmed();
            // The sign counts negative.
            let last = index + 1 == short.len();
            high = if last { high.subtract(circuit, &row) } else { high.add(circuit, &row) };
            product.push(high.bit(0));
            high = high.shifted_right(1);
            // What is above 2^len cannot come down again.
            if high.len() > len - product.len() {
                high = high.resized(len - product.len());
            }
        }
        let rest = len - product.len();
        product.extend(high.0.iter().take(rest));
        Self(product).trimmed()
    }

    /// `self < other`.
    pub fn less(&self, circuit: &mut Circuit, other: &Self) -> Lit {
        let len = self.len().max(other.len());
        let mut less = Lit::FALSE;
        for index in 0..len {
            let (mut a, mut b) = (self.bit(index), other.bit(index));
            if index + 1 == len {
                (a, b) = (b, a);
            }
            let below = circuit.and(!a, b);
            let not_above = circuit.or(!a, b);
            let still = circuit.and(not_above, less);
            less = circuit.or(below, still);
        }
        less
    }

    /// `self = other`.
    pub fn equal(&self, circuit: &mut Circuit, other: &Self) -> Lit {
        let len = self.len().max(other.len());
        // From the top, where a short word has only its sign to show.
        (0..len).rev().fold(Lit::TRUE, |all, index| {
            let equal = circuit.equal(self.bit(index), other.bit(index));
            circuit.and(all, equal)
        })
    }

    /// `self = 0`.
    pub fn is_zero(&self, circuit: &mut Circuit) -> Lit {
        !circuit.any(self.0.iter().copied())
    }

    /// `if test then first else second`.
    pub fn choose(circuit: &mut Circuit, test: Lit, first: &Self, second: &Self) -> Self {
        match test.as_constant() {
            Some(true) => first.clone(),
            Some(false) => second.clone(),
            None => first.bitwise(second, |a, b| circuit.choose(test, a, b)).trimmed(),
        }
    }

    /// Does it need more than this many bits?
    pub fn exceeds(&self, circuit: &mut Circuit, len: usize) -> Lit {
        if self.len() <= len {
            return Lit::FALSE;
        }
        let sign = self.sign();
        let beyond = self.0[len - 1..self.len() - 1].to_vec();
        beyond.into_iter().fold(Lit::FALSE, |any, lit| {
            let differ = circuit.xor(lit, sign);
            circuit.or(any, differ)
        })
    }
}

#[cfg(test)]
mod tests;
