//! Sums and differences.

use obligato_bit_blaster::{Words, joined};

use super::{Floats, Layout, Word};

impl<G: Words> Floats<'_, G> {
    /// `a + b`, or `a - b` if `turn` is set.
    pub(super) fn float_sum(
        &mut self,
        layout: Layout,
        a: &[G::Bit],
        b: &[G::Bit],
        turn: G::Bit,
    ) -> Word<G> {
        let (left, right) = (self.parts(layout, a), self.parts(layout, b));
        let right_sign = self.xor(right.sign, turn);
        let differ = self.xor(left.sign, right_sign);
        // The bits of magnitudes are ordered as the magnitudes are.
        let magnitude = layout.width() - 1;
        let swap = self.less_unsigned(&a[..magnitude], &b[..magnitude]);
        let (large, small) = (self.ite_word(swap, b, a), self.ite_word(swap, a, b));
        let sign = self.ite(swap, right_sign, left.sign);
        let (large, small) = (self.stored(layout, &large), self.stored(layout, &small));
        let distance = self.subtract(&large.0, &small.0);
        // Three bits after the last are enough for rounding (guard, round and sticky).
        let shifted = self.shift_right_sticky(&joined(&small.1, &[G::FALSE; 3]), &distance);
        let longer = G::zero_extended(&joined(&large.1, &[G::FALSE; 3]), layout.precision + 4);
        let negated: Word<G> = G::zero_extended(&shifted, layout.precision + 4);
        let negated: Word<G> = negated.into_iter().map(|bit| self.xor(bit, differ)).collect();
        let (sum, _) = self.add_carry(&longer, &negated, differ);
        // The highest bit of the sum weighs twice that of the larger.
        let stored = self.increment(&G::zero_extended(&large.0, layout.exponent + 1), G::TRUE);
        let rounded = self.round_sum(layout, &stored, &sum);
        // A difference of zero is positive.
        let is_zero = self.is_zero(&sum);
        let nothing = self.and(is_zero, differ);
        let sign = self.and(sign, !nothing);
        let infinite = self.or(left.is_infinite, right.is_infinite);
        let opposed = self.all([left.is_infinite, right.is_infinite, differ]);
        let result = self.or_infinite(layout, sign, &rounded, infinite);
        self.or_nan(layout, &result, opposed, &[&left, &right])
    }

    /// The biased exponent, at least one, and the significand with its highest bit.
    fn stored(&mut self, layout: Layout, bits: &[G::Bit]) -> (Word<G>, Word<G>) {
        let mut field = bits[layout.precision - 1..layout.width() - 1].to_vec();
        let is_low = self.is_zero(&field);
        field[0] = self.or(field[0], is_low);
        let significand = joined(&[!is_low], &bits[..layout.precision - 1]);
        (field, significand)
    }
}
