//! Products, and fused multiply-add.

use obligato_bit_blaster::{Gates, Words, joined};

use super::{Floats, Layout, Parts, Word};

/// An exact magnitude: the highest bit of the significand is set unless it is zero, and weighs 2^exponent.
struct Exact<G: Gates> {
    sign: G::Bit,
    is_zero: G::Bit,
    exponent: Word<G>,
    significand: Word<G>,
}

impl<G: Words> Floats<'_, G> {
    pub(super) fn float_product(&mut self, layout: Layout, a: &[G::Bit], b: &[G::Bit]) -> Word<G> {
        let (left, right) = (self.normal_parts(layout, a), self.normal_parts(layout, b));
        let product = self.exact_product(layout, &left, &right);
        let significand = self.shortened(layout, &product.significand);
        let rounded = self.round(layout, &product.exponent, &significand);
        let rounded = self.and_word(!product.is_zero, &rounded);
        let infinite = self.or(left.is_infinite, right.is_infinite);
        let invalid = self.and(infinite, product.is_zero);
        let result = self.or_infinite(layout, product.sign, &rounded, infinite);
        self.or_nan(layout, &result, invalid, &[&left, &right])
    }

    fn exact_product(&mut self, layout: Layout, left: &Parts<G>, right: &Parts<G>) -> Exact<G> {
        let product = self.multiply(&left.significand, &right.significand, 2 * layout.precision);
        // The product of two numbers from 1 to 2 is one from 1 to 4.
        let top = product[product.len() - 1];
        let doubled = joined(&product[..product.len() - 1], &[G::FALSE]);
        let sum = self.add_exponents(&left.exponent, &right.exponent);
        Exact {
            sign: self.xor(left.sign, right.sign),
            is_zero: self.or(left.is_zero, right.is_zero),
            exponent: self.increment(&sum, top),
            significand: self.ite_word(top, &product, &doubled),
        }
    }

    /// The highest bits, with the others as a sticky bit.
    pub(super) fn shortened(&mut self, layout: Layout, significand: &[G::Bit]) -> Word<G> {
        let cut = significand.len().saturating_sub(layout.precision + 1);
        if cut == 0 {
            return significand.to_vec();
        }
        let lost = self.any(significand[..cut].iter().copied());
        joined(&significand[cut..], &[lost])
    }

    /// `a * b + c`, rounded once.
    pub(super) fn float_fused(
        &mut self,
        layout: Layout,
        a: &[G::Bit],
        b: &[G::Bit],
        c: &[G::Bit],
    ) -> Word<G> {
        let (left, right) = (self.normal_parts(layout, a), self.normal_parts(layout, b));
        let addend = self.normal_parts(layout, c);
        let product = self.exact_product(layout, &left, &right);
        let length = product.exponent.len();
        let third = Exact {
            sign: addend.sign,
            is_zero: addend.is_zero,
            exponent: G::sign_extended(&addend.exponent, length),
            significand: joined(&addend.significand, &vec![G::FALSE; layout.precision]),
        };
        let (sign, rounded) = self.exact_sum(layout, &product, &third);
        let infinite = self.or(left.is_infinite, right.is_infinite);
        let invalid = self.and(infinite, product.is_zero);
        let differ = self.xor(product.sign, addend.sign);
        let opposed = self.all([infinite, addend.is_infinite, differ]);
        let invalid = self.or(invalid, opposed);
        let sign = self.ite(addend.is_infinite, addend.sign, sign);
        let sign = self.ite(infinite, product.sign, sign);
        let infinite = self.or(infinite, addend.is_infinite);
        let result = self.or_infinite(layout, sign, &rounded, infinite);
        self.or_nan(layout, &result, invalid, &[&left, &right, &addend])
    }

    /// The sign and the rounded magnitude of a sum of exact numbers.
    fn exact_sum(&mut self, layout: Layout, a: &Exact<G>, b: &Exact<G>) -> (G::Bit, Word<G>) {
        let length = a.significand.len();
        // Zero is the smallest magnitude, whatever its exponent.
        let by_exponent = self.less_signed(&a.exponent, &b.exponent);
        let same = self.equal_words(&a.exponent, &b.exponent);
        let by_significand = self.less_unsigned(&a.significand, &b.significand);
        let less = self.ite(same, by_significand, by_exponent);
        let less = self.ite(b.is_zero, G::FALSE, less);
        let swap = self.or(a.is_zero, less);
        let exponent = self.ite_word(swap, &b.exponent, &a.exponent);
        let lower = self.ite_word(swap, &a.exponent, &b.exponent);
        let sign = self.ite(swap, b.sign, a.sign);
        let large = self.ite_word(swap, &b.significand, &a.significand);
        let small = self.ite_word(swap, &a.significand, &b.significand);
        let both = self.and(a.is_zero, b.is_zero);
        let small_zero = self.ite(swap, a.is_zero, b.is_zero);
        let (large, small) = (self.and_word(!both, &large), self.and_word(!small_zero, &small));
        let distance = self.subtract(&exponent, &lower);
        let shifted = self.shift_right_sticky(&joined(&small, &[G::FALSE; 3]), &distance);
        let differ = self.xor(a.sign, b.sign);
        let negated: Word<G> = G::zero_extended(&shifted, length + 4);
        let negated: Word<G> = negated.into_iter().map(|bit| self.xor(bit, differ)).collect();
        let longer = G::zero_extended(&joined(&large, &[G::FALSE; 3]), length + 4);
        let (sum, _) = self.add_carry(&longer, &negated, differ);
        let (normal, shift) = self.normalise(&sum, None);
        let exponent = self.add_exponents(&exponent, &G::signed_number(1, 2));
        let shift = G::zero_extended(&shift, exponent.len());
        let exponent = self.subtract(&exponent, &shift);
        let short = self.shortened(layout, &normal);
        let rounded = self.round(layout, &exponent, &short);
        let is_zero = self.is_zero(&sum);
        let nothing = self.and(is_zero, differ);
        (self.and(sign, !nothing), self.and_word(!is_zero, &rounded))
    }
}
