//! IEEE floats as gates: unpacked, computed with guard, round and sticky bits, rounded to nearest with ties to even.
//!
//! NaNs are those of x86-64: the first operand that is a NaN, made quiet, or else the default NaN. Follows the
//! structure of hardware as Muller et al. describe it (Handbook of Floating-Point Arithmetic, chapters 7 to 9), subnormals included.

use std::ops::{Deref, DerefMut};

use obligato_bit_blaster::{Gates, Words, joined};
use obligato_term::{FloatFormat, FloatOp};

mod compare;
mod convert;
mod integral;
mod product;
mod quotient;
mod round;
mod sum;

/// Bits, low bit first.
type Word<G> = Vec<<G as Gates>::Bit>;

/// The operations on floats, over any builder of gates.
#[derive(Debug)]
pub(crate) struct Floats<'g, G>(pub(crate) &'g mut G);

impl<G> Deref for Floats<'_, G> {
    type Target = G;

    fn deref(&self) -> &G {
        self.0
    }
}

impl<G> DerefMut for Floats<'_, G> {
    fn deref_mut(&mut self) -> &mut G {
        self.0
    }
}

/// The field widths of a format.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Layout {
    /// Bits of the significand, with the implicit one.
    precision: usize,
    /// Bits of the exponent.
    exponent: usize,
}

impl Layout {
    fn of(format: FloatFormat) -> Self {
        Self {
            precision: usize::from(format.fraction()) + 1,
            exponent: usize::from(format.exponent()),
        }
    }

    fn width(self) -> usize {
        self.precision + self.exponent
    }

    /// The bias of exponents, which is also the largest exponent.
    fn bias(self) -> i16 {
        (1 << (self.exponent - 1)) - 1
    }

    fn bias_number(self) -> u128 {
        (1 << (self.exponent - 1)) - 1
    }

    /// The magnitude of infinity.
    fn infinity<G: Gates>(self) -> Word<G> {
        let mut bits = vec![G::FALSE; self.precision - 1];
        bits.resize(self.width() - 1, G::TRUE);
        bits
    }

    /// The default NaN, for invalid operations without a NaN among the operands.
    fn default_nan<G: Gates>(self) -> Word<G> {
        let mut bits = self.infinity::<G>();
        bits[self.precision - 2] = G::TRUE;
        bits.push(G::TRUE);
        bits
    }
}

/// An unpacked float.
#[derive(Clone, Debug)]
pub(crate) struct Parts<G: Gates> {
    bits: Word<G>,
    sign: G::Bit,
    is_nan: G::Bit,
    is_infinite: G::Bit,
    is_zero: G::Bit,
    /// In two's complement, two bits longer than it is stored: the weight of the highest bit of the significand.
    exponent: Word<G>,
    /// The significand, with its highest bit.
    significand: Word<G>,
}

impl<G: Words> Floats<'_, G> {
    /// An operation on floats of a format, or from or to one, with a result of so many bits.
    pub(crate) fn operation(
        &mut self,
        op: FloatOp,
        format: FloatFormat,
        operands: &[Word<G>; 3],
        length: usize,
    ) -> Result<Word<G>, &'static str> {
        let layout = Layout::of(format);
        let [a, b, c] = operands;
        Ok(match op {
            FloatOp::Add => self.float_sum(layout, a, b, G::FALSE),
            FloatOp::Subtract => self.float_sum(layout, a, b, G::TRUE),
            FloatOp::Multiply => self.float_product(layout, a, b),
            FloatOp::MultiplyAdd => self.float_fused(layout, a, b, c),
            FloatOp::Divide => self.float_quotient(layout, a, b),
            FloatOp::SquareRoot => self.float_root(layout, a),
            FloatOp::Remainder if format == FloatFormat::Double => {
                return Err("the remainder of two doubles, which takes up to 2,098 subtractions");
            }
            FloatOp::Remainder => self.float_remainder(layout, a, b),
            FloatOp::Round(mode) => self.float_integral(layout, mode, a),
            FloatOp::Less => vec![self.float_less(layout, a, b)],
            FloatOp::Equal => vec![self.float_equal(layout, a, b)],
            FloatOp::Convert if format == FloatFormat::Single => self.float_widened(a),
            FloatOp::Convert => self.float_narrowed(a),
            FloatOp::FromSigned => self.float_from_signed(layout, a),
            FloatOp::FromUnsigned => self.float_from_unsigned(layout, G::FALSE, a),
            FloatOp::ToSigned => self.float_to_signed(layout, a, length),
            FloatOp::ToUnsigned => self.float_to_unsigned(layout, a, length),
        })
    }

    /// Unpacks a float. The significand of a subnormal one starts with zeros.
    fn parts(&mut self, layout: Layout, bits: &[G::Bit]) -> Parts<G> {
        let tail = &bits[..layout.precision - 1];
        let field = &bits[layout.precision - 1..layout.width() - 1];
        let (is_full, is_subnormal) = (self.all(field.iter().copied()), self.is_zero(field));
        let no_fraction = self.is_zero(tail);
        let mut stored = field.to_vec();
        stored[0] = self.or(stored[0], is_subnormal);
        stored.extend([G::FALSE, G::FALSE]);
        let offset = G::signed_number(-i64::from(layout.bias()), stored.len());
        let mut significand = tail.to_vec();
        significand.push(!is_subnormal);
        Parts {
            bits: bits.to_vec(),
            sign: bits[layout.width() - 1],
            is_nan: self.and(is_full, !no_fraction),
            is_infinite: self.and(is_full, no_fraction),
            is_zero: self.and(is_subnormal, no_fraction),
            exponent: self.add(&stored, &offset),
            significand,
        }
    }

    /// Unpacks and normalises a float: the highest bit of the significand is set unless it is zero.
    fn normal_parts(&mut self, layout: Layout, bits: &[G::Bit]) -> Parts<G> {
        let mut parts = self.parts(layout, bits);
        let (significand, distance) = self.normalise(&parts.significand, None);
        let length = parts.exponent.len();
        let distance = G::zero_extended(&distance, length);
        parts.exponent = self.subtract(&parts.exponent, &distance);
        parts.significand = significand;
        parts
    }

    /// A NaN, made quiet.
    fn quiet(layout: Layout, bits: &[G::Bit]) -> Word<G> {
        let mut bits = bits.to_vec();
        bits[layout.precision - 2] = G::TRUE;
        bits
    }

    /// The result, unless an operand is a NaN or the operation is invalid.
    fn or_nan(
        &mut self,
        layout: Layout,
        result: &[G::Bit],
        invalid: G::Bit,
        operands: &[&Parts<G>],
    ) -> Word<G> {
        let mut result = self.ite_word(invalid, &layout.default_nan::<G>(), result);
        for operand in operands.iter().rev() {
            result = self.ite_word(operand.is_nan, &Self::quiet(layout, &operand.bits), &result);
        }
        result
    }

    /// A magnitude with a sign, unless it is infinite.
    fn or_infinite(
        &mut self,
        layout: Layout,
        sign: G::Bit,
        magnitude: &[G::Bit],
        infinite: G::Bit,
    ) -> Word<G> {
        let magnitude = self.ite_word(infinite, &layout.infinity::<G>(), magnitude);
        joined(&[sign], &magnitude)
    }

    /// The sum of words in two's complement, one bit longer than the longer one.
    fn add_exponents(&mut self, a: &[G::Bit], b: &[G::Bit]) -> Word<G> {
        let length = a.len().max(b.len()) + 1;
        self.add(&G::sign_extended(a, length), &G::sign_extended(b, length))
    }
}
