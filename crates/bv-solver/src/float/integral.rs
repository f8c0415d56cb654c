//! Rounding to integral values.
//!
//! The fraction bits of a float are its lowest ones. Rounding clears them and may add one just above; the carry
//! into the exponent gives the right result.

use obligato_bit_blaster::{Words, joined};
use obligato_term::Rounding;

use super::{Floats, Layout, Word};

impl<G: Words> Floats<'_, G> {
    pub(super) fn float_integral(
        &mut self,
        layout: Layout,
        mode: Rounding,
        a: &[G::Bit],
    ) -> Word<G> {
        let parts = self.parts(layout, a);
        let magnitude = &a[..layout.width() - 1];
        let points = self.points(layout, magnitude);
        let (mut half, mut odd) = (G::FALSE, G::FALSE);
        let mut last = vec![G::FALSE; magnitude.len()];
        for (bits, here) in points.iter().enumerate().skip(1) {
            // The number of fraction bits.
            let (below, above) =
                (self.and(*here, magnitude[bits - 1]), self.and(*here, magnitude[bits]));
            half = self.or(half, below);
            odd = self.or(odd, above);
            last[bits] = *here;
        }
        let mut kept = magnitude.to_vec();
        let (mut after, mut cut_off, mut beyond) = (G::FALSE, G::FALSE, G::FALSE);
        for bit in (0..layout.precision - 1).rev() {
            // The first fraction bit is the half.
            let other = self.and(after, magnitude[bit]);
            beyond = self.or(beyond, other);
            after = self.or(after, points[bit + 1]);
            let cut = self.and(after, magnitude[bit]);
            cut_off = self.or(cut_off, cut);
            kept[bit] = self.and(magnitude[bit], !after);
        }
        let up = self.rounds_up(mode, parts.sign, [cut_off, half, beyond, odd]);
        let step = self.and_word(up, &last);
        let rounded = self.add(&kept, &step);
        let small = self.below_one(layout, mode, parts.sign, magnitude, parts.is_zero);
        let is_small = self.is_below_one(layout, magnitude);
        let rounded = self.ite_word(is_small, &small, &rounded);
        let result = joined(&[parts.sign], &rounded);
        self.ite_word(parts.is_nan, &Self::quiet(layout, a), &result)
    }

    /// One-hot: the number of fraction bits, from 1 to all that are stored. Index 0 is unused.
    fn points(&mut self, layout: Layout, magnitude: &[G::Bit]) -> Word<G> {
        let field = magnitude[layout.precision - 1..].to_vec();
        let whole = layout.bias_number() + layout.precision as u128 - 1;
        let mut points = vec![G::FALSE];
        for bits in 1..layout.precision as u128 {
            points.push(self.is_number(&field, whole - bits));
        }
        points
    }

    fn is_below_one(&mut self, layout: Layout, magnitude: &[G::Bit]) -> G::Bit {
        let field = &magnitude[layout.precision - 1..];
        self.less_unsigned(field, &G::number(layout.bias_number(), layout.exponent))
    }

    /// Is the magnitude rounded up? Takes whether the fraction is not zero, whether it is at least a half, whether bits below the
    /// half are set, and whether the integral part is odd.
    fn rounds_up(
        &mut self,
        mode: Rounding,
        sign: G::Bit,
        [inexact, half, beyond, odd]: [G::Bit; 4],
    ) -> G::Bit {
        match mode {
            Rounding::Down => self.and(sign, inexact),
            Rounding::Up => self.and(!sign, inexact),
            Rounding::TowardsZero => G::FALSE,
            Rounding::Away => half,
            Rounding::Even => {
                let either = self.or(beyond, odd);
                self.and(half, either)
            }
        }
    }

    /// A magnitude below one, rounded to zero or one.
    fn below_one(
        &mut self,
        layout: Layout,
        mode: Rounding,
        sign: G::Bit,
        magnitude: &[G::Bit],
        is_zero: G::Bit,
    ) -> Word<G> {
        let field = &magnitude[layout.precision - 1..];
        let from_half = self.is_number(field, layout.bias_number() - 1);
        let further = self.any(magnitude[..layout.precision - 1].iter().copied());
        let up = self.rounds_up(mode, sign, [!is_zero, from_half, further, G::FALSE]);
        let one = joined(
            &G::number(layout.bias_number(), layout.exponent),
            &vec![G::FALSE; layout.precision - 1],
        );
        self.and_word(up, &one)
    }
}
