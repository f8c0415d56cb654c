//! What a bit-blaster needs of the thing that it builds gates in.

use std::fmt::Debug;
use std::ops::Not;

/// A builder of gates on single bits. Negation costs nothing, so it is the bit's own operator.
///
/// Only [`and`](Self::and) has to be written. An implementor overrides what it can build with fewer gates or clauses; it
/// is also the implementor that folds constants and gives equal gates one bit.
pub trait Gates: Sized {
    /// The output of a gate, an input, or a constant.
    type Bit: Copy + Eq + Debug + Not<Output = Self::Bit>;

    /// The constant false.
    const FALSE: Self::Bit;
    /// The constant true.
    const TRUE: Self::Bit;

    /// A constant.
    fn constant(value: bool) -> Self::Bit {
        if value { Self::TRUE } else { Self::FALSE }
    }

    /// The value of a bit, if it is a constant.
    fn as_constant(bit: Self::Bit) -> Option<bool> {
        if bit == Self::TRUE { Some(true) } else { (bit == Self::FALSE).then_some(false) }
    }

    /// `a ∧ b`.
    fn and(&mut self, a: Self::Bit, b: Self::Bit) -> Self::Bit;

    /// `a ∨ b`.
    fn or(&mut self, a: Self::Bit, b: Self::Bit) -> Self::Bit {
        !self.and(!a, !b)
    }

    /// `a ⊕ b`.
    fn xor(&mut self, a: Self::Bit, b: Self::Bit) -> Self::Bit {
        let (both, neither) = (self.and(a, b), self.and(!a, !b));
        self.and(!both, !neither)
    }

    /// `a = b`.
    fn equal(&mut self, a: Self::Bit, b: Self::Bit) -> Self::Bit {
        !self.xor(a, b)
    }

    /// `if test then first else second`.
    fn ite(&mut self, test: Self::Bit, first: Self::Bit, second: Self::Bit) -> Self::Bit {
        let (with, without) = (self.and(test, first), self.and(!test, second));
        self.or(with, without)
    }

    /// `a ⊕ b ⊕ c`: the sum bit of a full adder.
    fn parity(&mut self, a: Self::Bit, b: Self::Bit, c: Self::Bit) -> Self::Bit {
        let differ = self.xor(a, b);
        self.xor(differ, c)
    }

    /// At least two of three.
    fn majority(&mut self, a: Self::Bit, b: Self::Bit, c: Self::Bit) -> Self::Bit {
        let (both, either) = (self.and(a, b), self.or(a, b));
        let passed = self.and(either, c);
        self.or(both, passed)
    }

    /// The sum and the carry of three bits.
    fn full_adder(
        &mut self,
        a: Self::Bit,
        b: Self::Bit,
        carry: Self::Bit,
    ) -> (Self::Bit, Self::Bit) {
        let differ = self.xor(a, b);
        let sum = self.xor(differ, carry);
        let (both, passed) = (self.and(a, b), self.and(differ, carry));
        (sum, self.or(both, passed))
    }

    /// The conjunction of all bits.
    fn all(&mut self, bits: impl IntoIterator<Item = Self::Bit>) -> Self::Bit {
        bits.into_iter().fold(Self::TRUE, |all, bit| self.and(all, bit))
    }

    /// The disjunction of all bits.
    fn any(&mut self, bits: impl IntoIterator<Item = Self::Bit>) -> Self::Bit {
        !self.all(bits.into_iter().map(|bit| !bit))
    }
}

/// A builder of gates that can add inputs.
pub trait InputGates: Gates {
    /// A new input, free in every assignment.
    fn input(&mut self) -> Self::Bit;

    /// How many gates and inputs there are.
    fn size(&self) -> usize;
}
