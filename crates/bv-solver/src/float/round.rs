//! Rounding to a format.

use obligato_bit_blaster::{Gates, Words, joined};

use super::{Floats, Layout, Word};

impl<G: Words> Floats<'_, G> {
    /// The magnitude of `significand`, whose highest bit is set and weighs 2^`exponent` and whose lowest stands for all that
    /// comes after it, in a format. The exponent is in two's complement.
    pub(super) fn round(
        &mut self,
        layout: Layout,
        exponent: &[G::Bit],
        significand: &[G::Bit],
    ) -> Word<G> {
        let significand = long_enough::<G>(layout, significand);
        let length = exponent.len().max(layout.exponent + 2) + 1;
        let exponent = G::sign_extended(exponent, length);
        // The distance below the least normal exponent.
        let least = G::signed_number((1 - layout.bias()).into(), length);
        let below = self.subtract(&least, &exponent);
        let is_small = self.less_signed(&exponent, &least);
        let distance = self.and_word(is_small, &below);
        let shifted = self.shift_right_sticky(&significand, &distance[..length - 1]);
        let stored = self.add(&exponent, &G::signed_number(layout.bias().into(), length));
        let field = self.and_word(!is_small, &stored[..layout.exponent]);
        let rounded = self.round_fields(layout, &field, &shifted);
        let most = G::signed_number(layout.bias().into(), length);
        let is_large = self.less_signed(&most, &exponent);
        self.ite_word(is_large, &layout.infinity::<G>(), &rounded)
    }

    /// Rounds a significand that has the weight its stored exponent says. A carry out of it raises the exponent, up to
    /// infinity.
    pub(super) fn round_fields(
        &mut self,
        layout: Layout,
        field: &[G::Bit],
        significand: &[G::Bit],
    ) -> Word<G> {
        let cut = significand.len() - layout.precision;
        let (rest, kept) = significand.split_at(cut);
        let (half, beyond) = (rest[cut - 1], self.any(rest[..cut - 1].iter().copied()));
        let more = self.or(beyond, kept[0]);
        let up = self.and(half, more);
        let packed = joined(field, &kept[..layout.precision - 1]);
        self.increment(&packed, up)
    }

    /// The same for a significand that may start with zeros, whose highest bit weighs 2 to an exponent as it is stored, one
    /// bit longer, of which no bit is lost when the result is subnormal.
    pub(super) fn round_sum(
        &mut self,
        layout: Layout,
        stored: &[G::Bit],
        significand: &[G::Bit],
    ) -> Word<G> {
        let one = G::number(1, stored.len());
        let room = self.subtract(stored, &one);
        let (normal, distance) = self.normalise(significand, Some(&room));
        let distance = G::zero_extended(&distance, stored.len());
        let field = self.subtract(stored, &distance);
        let top = normal[normal.len() - 1];
        let field = self.and_word(top, &field);
        let rounded = self.round_fields(layout, &field[..layout.exponent], &normal);
        // Beyond the largest exponent before anything is rounded.
        let full = self.all(field[..layout.exponent].iter().copied());
        let is_large = self.any([field[layout.exponent], full]);
        self.ite_word(is_large, &layout.infinity::<G>(), &rounded)
    }
}

/// Pads a significand to at least two bits behind those that are kept.
fn long_enough<G: Gates>(layout: Layout, significand: &[G::Bit]) -> Word<G> {
    let mut longer = vec![G::FALSE; (layout.precision + 2).saturating_sub(significand.len())];
    longer.extend(significand);
    longer
}
