//! Quotients, square roots and remainders, digit by digit.

use obligato_bit_blaster::{Words, complement, joined};

use super::{Floats, Layout, Word};

impl<G: Words> Floats<'_, G> {
    pub(super) fn float_quotient(&mut self, layout: Layout, a: &[G::Bit], b: &[G::Bit]) -> Word<G> {
        let (left, right) = (self.normal_parts(layout, a), self.normal_parts(layout, b));
        let (digits, rest) =
            self.digits(&left.significand, &right.significand, layout.precision + 2);
        let lost = !self.is_zero(&rest);
        let significand = joined(&digits, &[lost]);
        // The quotient of two numbers from 1 to 2 is one from 1/2 to 2.
        let top = digits[digits.len() - 1];
        let doubled = joined(&significand[..significand.len() - 1], &[G::FALSE]);
        let significand = self.ite_word(top, &significand, &doubled);
        let length = left.exponent.len() + 2;
        let (p, q) =
            (G::sign_extended(&left.exponent, length), G::sign_extended(&right.exponent, length));
        // One less where it was doubled.
        let (exponent, _) = self.add_carry(&p, &complement(&q), top);
        let significand = self.shortened(layout, &significand);
        let rounded = self.round(layout, &exponent, &significand);
        let nothing = self.or(left.is_zero, right.is_infinite);
        let rounded = self.and_word(!nothing, &rounded);
        let infinite = self.or(left.is_infinite, right.is_zero);
        let sign = self.xor(left.sign, right.sign);
        let zeros = self.and(left.is_zero, right.is_zero);
        let infinities = self.and(left.is_infinite, right.is_infinite);
        let invalid = self.or(zeros, infinities);
        let result = self.or_infinite(layout, sign, &rounded, infinite);
        self.or_nan(layout, &result, invalid, &[&left, &right])
    }

    /// So many binary digits of `a / b`, which is less than 2, the first of weight 1, and the remainder.
    fn digits(&mut self, a: &[G::Bit], b: &[G::Bit], count: usize) -> (Word<G>, Word<G>) {
        let length = a.len() + 1;
        let (mut rest, divisor) = (G::zero_extended(a, length), G::zero_extended(b, length));
        let mut digits = vec![G::FALSE; count];
        for digit in (0..count).rev() {
            let (less, fits) = self.subtract_borrow(&rest, &divisor);
            digits[digit] = fits;
            rest = self.ite_word(fits, &less, &rest);
            // The remainder is less than the divisor, so its highest bit is zero.
            rest = joined(&rest[..length - 1], &[G::FALSE]);
        }
        (digits, rest)
    }

    pub(super) fn float_root(&mut self, layout: Layout, a: &[G::Bit]) -> Word<G> {
        let one = self.normal_parts(layout, a);
        // From 1 to 4, with an even exponent.
        let odd = one.exponent[0];
        let even = joined(&[G::FALSE], &one.significand);
        let doubled = joined(&one.significand, &[G::FALSE]);
        let radicand = self.ite_word(odd, &doubled, &even);
        let (digits, rest) = self.root_digits(&radicand, layout.precision + 1);
        let lost = !self.is_zero(&rest);
        let significand = joined(&digits, &[lost]);
        let half = G::sign_extended(&one.exponent[1..], layout.exponent);
        // A root is neither subnormal nor too large.
        let field = self.add(&half, &G::number(layout.bias_number(), layout.exponent));
        let rounded = self.round_fields(layout, &field, &significand);
        let rounded = self.and_word(!one.is_zero, &rounded);
        let result = self.or_infinite(layout, one.sign, &rounded, one.is_infinite);
        let invalid = self.and(one.sign, !one.is_zero);
        self.or_nan(layout, &result, invalid, &[&one])
    }

    /// So many binary digits of the root of a number below 4, of which the last two bits before the point are the highest two,
    /// and the remainder.
    fn root_digits(&mut self, radicand: &[G::Bit], count: usize) -> (Word<G>, Word<G>) {
        let mut following = radicand.iter().rev().copied();
        let (mut root, mut rest): (Word<G>, Word<G>) = (Vec::new(), Vec::new());
        for _ in 0..count {
            let (high, low) = (following.next(), following.next());
            let next = [low.unwrap_or(G::FALSE), high.unwrap_or(G::FALSE)];
            let length = root.len() + 3;
            let with_digits = G::zero_extended(&joined(&rest, &next), length);
            let trial = G::zero_extended(&joined(&root, &[G::TRUE, G::FALSE]), length);
            let (less, fits) = self.subtract_borrow(&with_digits, &trial);
            // The remainder is at most twice the root.
            rest = self.ite_word(fits, &less, &with_digits)[..length - 1].to_vec();
            root = joined(&root, &[fits]);
        }
        (root, rest)
    }

    /// C's `fmod`.
    pub(super) fn float_remainder(
        &mut self,
        layout: Layout,
        a: &[G::Bit],
        b: &[G::Bit],
    ) -> Word<G> {
        let (left, right) = (self.normal_parts(layout, a), self.normal_parts(layout, b));
        let length = left.exponent.len() + 1;
        let (p, q) =
            (G::sign_extended(&left.exponent, length), G::sign_extended(&right.exponent, length));
        let distance = self.subtract(&p, &q);
        let most = 2 * layout.bias_number() + layout.precision as u128 - 2;
        let mut rest = G::zero_extended(&left.significand, layout.precision + 1);
        let divisor = G::zero_extended(&right.significand, layout.precision + 1);
        for step in (0..=most).rev() {
            let below = G::number(step, length);
            let active = !self.less_signed(&distance, &below);
            let (less, fits) = self.subtract_borrow(&rest, &divisor);
            let takes = self.and(fits, active);
            rest = self.ite_word(takes, &less, &rest);
            if step > 0 {
                let doubled = joined(&rest[..layout.precision], &[G::FALSE]);
                rest = self.ite_word(active, &doubled, &rest);
            }
        }
        let is_zero = self.is_zero(&rest);
        let (normal, shift) = self.normalise(&rest[..layout.precision], None);
        let exponent = self.subtract(&q, &G::zero_extended(&shift, length));
        let rounded = self.round(layout, &exponent, &normal);
        let rounded = self.and_word(!is_zero, &rounded);
        let result = joined(&[left.sign], &rounded);
        // Already less than the divisor.
        let magnitude = layout.width() - 1;
        let is_less = self.less_unsigned(&a[..magnitude], &b[..magnitude]);
        let result = self.ite_word(is_less, a, &result);
        let invalid = self.or(left.is_infinite, right.is_zero);
        self.or_nan(layout, &result, invalid, &[&left, &right])
    }
}
