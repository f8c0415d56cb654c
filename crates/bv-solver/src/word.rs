//! Words of literals, low bit first, and their arithmetic modulo 2^length.
//!
//! Lengths are the caller's business: operands of one operation have one length unless it says otherwise.

use obligato_solver::Literal;

use crate::gates::{FALSE, Gates, TRUE, as_constant, constant};

mod division;
mod multiplication;
mod shift;

pub(crate) use shift::stages;

/// Literals, low bit first.
pub(crate) type Word = Vec<Literal>;

/// A number as a word.
pub(crate) fn number(value: u128, length: usize) -> Word {
    (0..length).map(|bit| constant(bit < 128 && value >> bit & 1 == 1)).collect()
}

/// A number in two's complement as a word.
pub(crate) fn signed_number(value: i64, length: usize) -> Word {
    (0..length).map(|bit| constant(value >> bit.min(63) & 1 == 1)).collect()
}

/// The number that a word is, if all its bits are constants and it has at most 128 of them.
pub(crate) fn as_number(word: &[Literal]) -> Option<u128> {
    if word.len() > 128 {
        return None;
    }
    word.iter().rev().try_fold(0, |value, bit| Some(value << 1 | u128::from(as_constant(*bit)?)))
}

/// Filled up with zeros, or cut.
pub(crate) fn zero_extended(word: &[Literal], length: usize) -> Word {
    (0..length).map(|bit| word.get(bit).copied().unwrap_or(FALSE)).collect()
}

/// Filled up with its last bit, or cut.
pub(crate) fn sign_extended(word: &[Literal], length: usize) -> Word {
    let sign = word.last().copied().unwrap_or(FALSE);
    (0..length).map(|bit| word.get(bit).copied().unwrap_or(sign)).collect()
}

/// Every bit turned over.
pub(crate) fn complement(word: &[Literal]) -> Word {
    word.iter().map(|bit| !*bit).collect()
}

/// The first above the second.
pub(crate) fn joined(high: &[Literal], low: &[Literal]) -> Word {
    [low, high].concat()
}

impl Gates {
    /// The sum, and what is carried out of it.
    pub(crate) fn add_carry(
        &mut self,
        a: &[Literal],
        b: &[Literal],
        mut carry: Literal,
    ) -> (Word, Literal) {
        let mut sum = Word::with_capacity(a.len());
        for (p, q) in a.iter().zip(b) {
            sum.push(self.sum(*p, *q, carry));
            carry = self.majority(*p, *q, carry);
        }
        (sum, carry)
    }

    pub(crate) fn add(&mut self, a: &[Literal], b: &[Literal]) -> Word {
        self.add_carry(a, b, FALSE).0
    }

    pub(crate) fn subtract(&mut self, a: &[Literal], b: &[Literal]) -> Word {
        self.add_carry(a, &complement(b), TRUE).0
    }

    /// One more if the bit is set.
    pub(crate) fn increment(&mut self, a: &[Literal], bit: Literal) -> Word {
        self.add_carry(a, &vec![FALSE; a.len()], bit).0
    }

    pub(crate) fn negate(&mut self, a: &[Literal]) -> Word {
        self.increment(&complement(a), TRUE)
    }

    /// Negated if the bit is set.
    pub(crate) fn negate_if(&mut self, test: Literal, a: &[Literal]) -> Word {
        let turned: Word = a.iter().map(|bit| self.xor(*bit, test)).collect();
        self.increment(&turned, test)
    }

    pub(crate) fn less_unsigned(&mut self, a: &[Literal], b: &[Literal]) -> Literal {
        a.iter().zip(b).fold(FALSE, |less, (p, q)| self.majority(!*p, *q, less))
    }

    pub(crate) fn less_signed(&mut self, a: &[Literal], b: &[Literal]) -> Literal {
        let (mut a, mut b) = (a.to_vec(), b.to_vec());
        if let (Some(p), Some(q)) = (a.last_mut(), b.last_mut()) {
            std::mem::swap(p, q);
        }
        self.less_unsigned(&a, &b)
    }

    pub(crate) fn equal_words(&mut self, a: &[Literal], b: &[Literal]) -> Literal {
        let equal: Word = a.iter().zip(b).map(|(p, q)| self.equal(*p, *q)).collect();
        self.all(equal)
    }

    pub(crate) fn is_number(&mut self, a: &[Literal], value: u128) -> Literal {
        self.equal_words(a, &number(value, a.len()))
    }

    pub(crate) fn is_zero(&mut self, a: &[Literal]) -> Literal {
        !self.any(a.iter().copied())
    }

    pub(crate) fn choose_word(&mut self, test: Literal, a: &[Literal], b: &[Literal]) -> Word {
        a.iter().zip(b).map(|(p, q)| self.choose(test, *p, *q)).collect()
    }

    /// Each bit, if this one is set.
    pub(crate) fn and_word(&mut self, bit: Literal, a: &[Literal]) -> Word {
        a.iter().map(|one| self.and(*one, bit)).collect()
    }
}
