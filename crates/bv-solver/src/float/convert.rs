//! Conversions between formats, and from and to integers.
//!
//! A float out of the range of its integer becomes what the executor gives, as x86-64 code does: conversions are those to signed
//! words of 32 or 64 bits, which give the least number for all floats out of range; only those to more than 64 bits saturate.

use obligato_bit_blaster::{Words, complement, joined, stages};
use obligato_term::FloatFormat;

use super::{Floats, Layout, Parts, Word};

impl<G: Words> Floats<'_, G> {
    /// A single as a double.
    pub(super) fn float_widened(&mut self, a: &[G::Bit]) -> Word<G> {
        let (from, to) = (Layout::of(FloatFormat::Single), Layout::of(FloatFormat::Double));
        let one = self.normal_parts(from, a);
        let longer = G::sign_extended(&one.exponent, to.exponent);
        let field = self.add(&longer, &G::signed_number(to.bias().into(), to.exponent));
        let padding = vec![G::FALSE; to.precision - from.precision];
        let fraction = joined(&one.significand[..from.precision - 1], &padding);
        let magnitude = self.and_word(!one.is_zero, &joined(&field, &fraction));
        let result = self.or_infinite(to, one.sign, &magnitude, one.is_infinite);
        let mut nan = joined(&a[..from.precision - 1], &padding);
        nan.extend(vec![G::TRUE; to.exponent]);
        nan.push(one.sign);
        self.ite_word(one.is_nan, &Self::quiet(to, &nan), &result)
    }

    /// A double as a single.
    pub(super) fn float_narrowed(&mut self, a: &[G::Bit]) -> Word<G> {
        let (from, to) = (Layout::of(FloatFormat::Double), Layout::of(FloatFormat::Single));
        // All subnormal doubles round alike: they are far below the least single.
        let one = self.parts(from, a);
        let significand = self.shortened(to, &one.significand);
        let rounded = self.round(to, &one.exponent, &significand);
        let magnitude = self.and_word(!one.is_zero, &rounded);
        let result = self.or_infinite(to, one.sign, &magnitude, one.is_infinite);
        let mut nan = a[from.precision - to.precision..from.precision - 1].to_vec();
        nan.extend(vec![G::TRUE; to.exponent]);
        nan.push(one.sign);
        self.ite_word(one.is_nan, &Self::quiet(to, &nan), &result)
    }

    pub(super) fn float_from_signed(&mut self, layout: Layout, a: &[G::Bit]) -> Word<G> {
        let sign = a[a.len() - 1];
        let magnitude = self.negate_if(sign, a);
        self.float_from_unsigned(layout, sign, &magnitude)
    }

    pub(super) fn float_from_unsigned(
        &mut self,
        layout: Layout,
        sign: G::Bit,
        a: &[G::Bit],
    ) -> Word<G> {
        let is_zero = self.is_zero(a);
        let (normal, distance) = self.normalise(a, None);
        let length = layout.exponent.max(8) + 2;
        let highest = G::number(a.len() as u128 - 1, length);
        let exponent = self.subtract(&highest, &G::zero_extended(&distance, length));
        let significand = self.shortened(layout, &normal);
        let rounded = self.round(layout, &exponent, &significand);
        let magnitude = self.and_word(!is_zero, &rounded);
        joined(&[sign], &magnitude)
    }

    pub(super) fn float_to_signed(
        &mut self,
        layout: Layout,
        a: &[G::Bit],
        length: usize,
    ) -> Word<G> {
        let one = self.parts(layout, a);
        if length > 64 {
            let (whole, fits) = self.whole(layout, &one, 127);
            let ones = G::number(u128::MAX >> 1, 128);
            let magnitude = self.ite_word(fits, &G::zero_extended(&whole, 128), &ones);
            // The least number is one further from zero than the largest: its complement.
            let negated = self.negate_if(one.sign, &magnitude);
            let over = self.and(one.sign, !fits);
            let result = self.ite_word(over, &complement(&ones), &negated);
            return self.and_word(!one.is_nan, &result)[..length].to_vec();
        }
        let size = if length > 32 { 64 } else { 32 };
        self.machine_integer(layout, &one, size)[..length].to_vec()
    }

    pub(super) fn float_to_unsigned(
        &mut self,
        layout: Layout,
        a: &[G::Bit],
        length: usize,
    ) -> Word<G> {
        let one = self.parts(layout, a);
        match length {
            ..=16 => self.machine_integer(layout, &one, 32)[..length].to_vec(),
            17..=32 => self.machine_integer(layout, &one, 64)[..length].to_vec(),
            33..=64 => {
                // Below zero as with a sign; above, what does not fit is 2^63.
                let (whole, fits) = self.whole(layout, &one, 64);
                let fits = self.and(fits, !one.is_nan);
                let above = self.ite_word(fits, &whole, &G::number(1 << 63, 64));
                let below = self.machine_integer(layout, &one, 64);
                self.ite_word(one.sign, &below, &above)[..length].to_vec()
            }
            65.. => {
                let (whole, fits) = self.whole(layout, &one, 128);
                let magnitude = self.ite_word(fits, &whole, &[G::TRUE; 128]);
                let none = self.or(one.sign, one.is_nan);
                self.and_word(!none, &magnitude)[..length].to_vec()
            }
        }
    }

    /// The result of the machine for a conversion to a signed word.
    fn machine_integer(&mut self, layout: Layout, one: &Parts<G>, size: usize) -> Word<G> {
        let (whole, fits) = self.whole(layout, one, size - 1);
        let negated = self.negate_if(one.sign, &G::zero_extended(&whole, size));
        let fits = self.and(fits, !one.is_nan);
        // The least number itself fits, and is the result for all floats out of range.
        self.ite_word(fits, &negated, &G::number(1 << (size - 1), size))
    }

    /// The integral part of the magnitude in so many bits, and whether it fits; unspecified for NaNs.
    fn whole(&mut self, layout: Layout, one: &Parts<G>, size: usize) -> (Word<G>, G::Bit) {
        let length = one.exponent.len().max(10);
        let exponent = G::sign_extended(&one.exponent, length);
        let fits = self.less_signed(&exponent, &G::number(size as u128, length));
        let fits = self.and(fits, !one.is_infinite);
        let is_small = exponent[length - 1];
        // Shifted left from where the highest bit is the last before the point.
        let start = G::zero_extended(&one.significand, layout.precision - 1 + size);
        let distance = &exponent[..stages(size)];
        let shifted = self.shift_left(&start, distance);
        let whole = self.and_word(!is_small, &shifted[layout.precision - 1..]);
        (whole, fits)
    }
}
