//! Conversions. Floats that do not fit an integer get what x86-64 code gives, as in the executor; [`fits`] tells which do.

use obligato_bytecode::{Cast, FloatWidth};
use obligato_term::{FloatFormat, FloatOp, Term, Terms};

use crate::float::{format_of, is_nan, less};
use crate::operation::{cut, join};

/// Converts the value of one or two registers; the result has its own width.
pub(crate) fn cast(terms: &mut Terms, op: Cast, low: Term, high: Option<Term>) -> Term {
    match op {
        Cast::Truncate { from, to } => {
            let value = value(terms, low, high, from);
            terms.extract(value, 0, to)
        }
        Cast::ExtendUnsigned { from, to } => {
            let value = value(terms, low, high, from);
            terms.zero_extend(value, to)
        }
        Cast::ExtendSigned { from, to } => {
            let value = value(terms, low, high, from);
            terms.sign_extend(value, to)
        }
        Cast::FloatToUnsigned { from, to } => {
            let float = Float::new(terms, from, low);
            let whole = float.to_unsigned(terms, to);
            cut(terms, whole, to)
        }
        Cast::FloatToSigned { from, to } => {
            let float = Float::new(terms, from, low);
            let whole = float.to_signed(terms, to);
            cut(terms, whole, to)
        }
        Cast::UnsignedToFloat { from, to } => {
            let value = value(terms, low, high, from);
            let format = format_of(to);
            terms.float(FloatOp::FromUnsigned, format, &[value], format.width())
        }
        Cast::SignedToFloat { from, to } => {
            let value = value(terms, low, high, from);
            let format = format_of(to);
            terms.float(FloatOp::FromSigned, format, &[value], format.width())
        }
        Cast::SingleToDouble => {
            let value = cut(terms, low, 32);
            terms.float(FloatOp::Convert, FloatFormat::Single, &[value], 64)
        }
        Cast::DoubleToSingle => terms.float(FloatOp::Convert, FloatFormat::Double, &[low], 32),
        Cast::PointerToInteger { to } if to <= 64 => cut(terms, low, to),
        Cast::PointerToInteger { to } => terms.zero_extend(low, to),
        Cast::IntegerToPointer { from } => {
            let value = value(terms, low, high, from.min(64));
            terms.zero_extend(value, 64)
        }
    }
}

fn value(terms: &mut Terms, low: Term, high: Option<Term>, width: u8) -> Term {
    match high {
        Some(high) if width > 64 => join(terms, low, high, width),
        _ => cut(terms, low, width),
    }
}

/// One bit: does the whole part of a float fit the integer that it becomes? None if no float becomes an integer.
pub(crate) fn fits(terms: &mut Terms, op: Cast, low: Term) -> Option<Term> {
    let (from, width, signed) = match op {
        Cast::FloatToUnsigned { from, to } => (from, to, false),
        Cast::FloatToSigned { from, to } => (from, to, true),
        _ => return None,
    };
    let float = Float::new(terms, from, low);
    let power = i32::from(width) - i32::from(signed);
    let before = if signed { float.before_signed(terms, power) } else { float.number(terms, -1.0) };
    let above = less(terms, float.format, before, float.bits);
    let below = float.below(terms, power);
    Some(terms.and(above, below))
}

/// A float that becomes an integer.
struct Float {
    format: FloatFormat,
    bits: Term,
}

impl Float {
    fn new(terms: &mut Terms, width: FloatWidth, register: Term) -> Self {
        let format = format_of(width);
        Self { format, bits: cut(terms, register, format.width()) }
    }

    /// The bits of a double that is a number of the format as well.
    fn number(&self, terms: &mut Terms, value: f64) -> Term {
        let bits = match self.format {
            FloatFormat::Single => u128::from((value as f32).to_bits()),
            FloatFormat::Double => u128::from(value.to_bits()),
        };
        terms.constant(bits, self.format.width())
    }

    /// One bit: is it less than this power of two?
    fn below(&self, terms: &mut Terms, power: i32) -> Term {
        let end = self.number(terms, 2_f64.powi(power));
        less(terms, self.format, self.bits, end)
    }

    /// The largest number of the format whose whole part is below a signed word of `power + 1` bits: one below the smallest
    /// such word if the format has it, else the next number that it has.
    fn before_signed(&self, terms: &mut Terms, power: i32) -> Term {
        let start = -(2_f64.powi(power));
        let bits = match self.format {
            FloatFormat::Single if power < 24 => u128::from(((start - 1.0) as f32).to_bits()),
            FloatFormat::Single => u128::from((start as f32).to_bits()) + 1,
            FloatFormat::Double if power < 53 => u128::from((start - 1.0).to_bits()),
            FloatFormat::Double => u128::from(start.to_bits()) + 1,
        };
        terms.constant(bits, self.format.width())
    }

    /// One bit: does the whole part fit into a signed word of `power + 1` bits?
    fn fits_signed(&self, terms: &mut Terms, power: i32) -> Term {
        let before = self.before_signed(terms, power);
        let above = less(terms, self.format, before, self.bits);
        let below = self.below(terms, power);
        terms.and(above, below)
    }

    /// What `cvttss2si` and its like give: the smallest number for all that do not fit.
    fn convert(&self, terms: &mut Terms, width: u8) -> Term {
        let fits = self.fits_signed(terms, i32::from(width) - 1);
        let whole = terms.float(FloatOp::ToSigned, self.format, &[self.bits], width);
        let smallest = terms.constant(1 << (width - 1), width);
        terms.choose(fits, whole, smallest)
    }

    fn to_signed(&self, terms: &mut Terms, to: u8) -> Term {
        match to {
            ..=32 => self.convert(terms, 32),
            33..=64 => self.convert(terms, 64),
            65.. => self.saturated_signed(terms),
        }
    }

    fn to_unsigned(&self, terms: &mut Terms, to: u8) -> Term {
        match to {
            ..=16 => self.convert(terms, 32),
            17..=32 => self.convert(terms, 64),
            33..=64 => {
                // The machine converts the number and what lies above 2^63, and puts the two together.
                let signed = self.convert(terms, 64);
                let small = self.below(terms, 63);
                let nan = is_nan(terms, self.format, self.bits);
                let lower = terms.or(small, nan);
                let huge = self.below(terms, 64);
                let upper = terms.float(FloatOp::ToUnsigned, self.format, &[self.bits], 64);
                let smallest = terms.constant(1 << 63, 64);
                let upper = terms.choose(huge, upper, smallest);
                terms.choose(lower, signed, upper)
            }
            65.. => self.saturated_unsigned(terms),
        }
    }

    /// The nearest number of 128 bits; zero for what is no number.
    fn saturated_signed(&self, terms: &mut Terms) -> Term {
        let fits = self.fits_signed(terms, 127);
        let whole = terms.float(FloatOp::ToSigned, self.format, &[self.bits], 128);
        let negative = terms.extract(self.bits, self.format.width() - 1, 1);
        let (smallest, largest) =
            (terms.constant(1 << 127, 128), terms.constant(u128::MAX >> 1, 128));
        let end = terms.choose(negative, smallest, largest);
        self.or_zero(terms, fits, whole, end)
    }

    fn saturated_unsigned(&self, terms: &mut Terms) -> Term {
        let below = self.below(terms, 128);
        let negative = terms.extract(self.bits, self.format.width() - 1, 1);
        let positive = terms.not(negative);
        let fits = terms.and(below, positive);
        let whole = terms.float(FloatOp::ToUnsigned, self.format, &[self.bits], 128);
        let (zero, largest) = (terms.constant(0, 128), terms.constant(u128::MAX, 128));
        let end = terms.choose(negative, zero, largest);
        self.or_zero(terms, fits, whole, end)
    }

    fn or_zero(&self, terms: &mut Terms, fits: Term, whole: Term, end: Term) -> Term {
        let nan = is_nan(terms, self.format, self.bits);
        let zero = terms.constant(0, 128);
        let other = terms.choose(nan, zero, end);
        terms.choose(fits, whole, other)
    }
}
