//! Comparisons.

use obligato_bit_blaster::Words;

use super::{Floats, Layout};

impl<G: Words> Floats<'_, G> {
    pub(super) fn float_less(&mut self, layout: Layout, a: &[G::Bit], b: &[G::Bit]) -> G::Bit {
        let magnitude = layout.width() - 1;
        let (p, q) = (a[magnitude], b[magnitude]);
        let (low, high) = (&a[..magnitude], &b[..magnitude]);
        let below = self.less_unsigned(low, high);
        let above = self.less_unsigned(high, low);
        let (first, second) = (self.is_zero(low), self.is_zero(high));
        let not_zeros = !self.and(first, second);
        let apart = self.and(p, not_zeros);
        // Of one sign, by magnitude; otherwise the negative one, but zeros are equal.
        let same = self.ite(p, above, below);
        let differ = self.xor(p, q);
        let less = self.ite(differ, apart, same);
        let ordered = self.is_ordered(layout, a, b);
        self.and(less, ordered)
    }

    pub(super) fn float_equal(&mut self, layout: Layout, a: &[G::Bit], b: &[G::Bit]) -> G::Bit {
        let magnitude = layout.width() - 1;
        let (low, high) = (&a[..magnitude], &b[..magnitude]);
        let same = self.equal_words(a, b);
        let (first, second) = (self.is_zero(low), self.is_zero(high));
        let zeros = self.and(first, second);
        let equal = self.or(same, zeros);
        let ordered = self.is_ordered(layout, a, b);
        self.and(equal, ordered)
    }

    /// Is neither a NaN?
    fn is_ordered(&mut self, layout: Layout, a: &[G::Bit], b: &[G::Bit]) -> G::Bit {
        let (first, second) = (self.is_nan(layout, a), self.is_nan(layout, b));
        self.and(!first, !second)
    }

    fn is_nan(&mut self, layout: Layout, bits: &[G::Bit]) -> G::Bit {
        let full = self.all(bits[layout.precision - 1..layout.width() - 1].iter().copied());
        let whole = self.is_zero(&bits[..layout.precision - 1]);
        self.and(full, !whole)
    }
}
