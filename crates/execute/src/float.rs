//! IEEE floats: single and double precision, as bits in a register.
//!
//! The host's arithmetic is that of the standard, rounding to nearest, and so is the target's. Functions
//! that the standard does not define exactly (`pow`) are those of the host's mathematical library.

use obligato_bytecode::{FloatBinary, FloatComparison, FloatUnary, FloatWidth};

/// The bits of a single-precision number.
#[inline(always)]
pub(crate) fn single(bits: u64) -> f32 {
    f32::from_bits(bits as u32)
}

/// The bits of a double-precision number.
#[inline(always)]
pub(crate) fn double(bits: u64) -> f64 {
    f64::from_bits(bits)
}

/// The operations, for one precision each.
macro_rules! precision {
    ($name:ident, $float:ty) => {
        mod $name {
            use super::{FloatBinary, FloatComparison, FloatUnary};

            #[inline]
            pub(super) fn binary(op: FloatBinary, left: $float, right: $float) -> $float {
                match op {
                    FloatBinary::Add => left + right,
                    FloatBinary::Subtract => left - right,
                    FloatBinary::Multiply => left * right,
                    FloatBinary::Divide => left / right,
                    FloatBinary::Remainder => left % right,
                    FloatBinary::Minimum => left.min(right),
                    FloatBinary::Maximum => left.max(right),
                    FloatBinary::CopySign => left.copysign(right),
                    FloatBinary::Power => left.powf(right),
                }
            }

            pub(super) fn unary(op: FloatUnary, value: $float) -> $float {
                // The machine's rounding makes a quiet NaN of a signalling one, as all arithmetic does; Rust's keeps it.
                let value = match op {
                    FloatUnary::Negate | FloatUnary::Absolute => value,
                    _ if value.is_nan() => value + value,
                    _ => value,
                };
                match op {
                    FloatUnary::Negate => -value,
                    FloatUnary::Absolute => value.abs(),
                    FloatUnary::SquareRoot => value.sqrt(),
                    FloatUnary::Floor => value.floor(),
                    FloatUnary::Ceiling => value.ceil(),
                    FloatUnary::Truncate => value.trunc(),
                    FloatUnary::Round => value.round(),
                    // The rounding mode is always the default one, to nearest, ties to even.
                    FloatUnary::RoundEven | FloatUnary::Rint | FloatUnary::NearbyInt => {
                        value.round_ties_even()
                    }
                }
            }

            #[inline]
            pub(super) fn compare(op: FloatComparison, left: $float, right: $float) -> bool {
                op.less && left < right
                    || op.equal && left == right
                    || op.greater && left > right
                    || op.unordered && (left.is_nan() || right.is_nan())
            }

            pub(super) fn multiply_add(
                fused: bool,
                left: $float,
                right: $float,
                addend: $float,
            ) -> $float {
                if fused { left.mul_add(right, addend) } else { left * right + addend }
            }
        }
    };
}

precision!(singles, f32);
precision!(doubles, f64);

/// An operation on two floats.
#[inline]
pub(crate) fn binary(op: FloatBinary, width: FloatWidth, left: u64, right: u64) -> u64 {
    match width {
        FloatWidth::Single => singles::binary(op, single(left), single(right)).to_bits().into(),
        FloatWidth::Double => doubles::binary(op, double(left), double(right)).to_bits(),
    }
}

/// An operation on one float. Signs change on NaNs too.
pub(crate) fn unary(op: FloatUnary, width: FloatWidth, value: u64) -> u64 {
    match width {
        FloatWidth::Single => singles::unary(op, single(value)).to_bits().into(),
        FloatWidth::Double => doubles::unary(op, double(value)).to_bits(),
    }
}

/// Is the order of the two one of those listed?
#[inline]
pub(crate) fn compare(op: FloatComparison, width: FloatWidth, left: u64, right: u64) -> bool {
    match width {
        FloatWidth::Single => singles::compare(op, single(left), single(right)),
        FloatWidth::Double => doubles::compare(op, double(left), double(right)),
    }
}

/// `left * right + addend`.
pub(crate) fn multiply_add(fused: bool, width: FloatWidth, operands: [u64; 3]) -> u64 {
    match width {
        FloatWidth::Single => {
            let [left, right, addend] = operands.map(single);
            singles::multiply_add(fused, left, right, addend).to_bits().into()
        }
        FloatWidth::Double => {
            let [left, right, addend] = operands.map(double);
            doubles::multiply_add(fused, left, right, addend).to_bits()
        }
    }
}

/// Is the float in one of the classes of LLVM's mask? From bit 0 on: signalling and quiet NaN, then minus
/// infinity, normal, subnormal, zero, then the positive ones in reverse.
pub(crate) fn is_class(mask: u16, width: FloatWidth, value: u64) -> bool {
    use std::num::FpCategory;
    let (category, negative, quiet) = match width {
        FloatWidth::Single => {
            let float = single(value);
            (float.classify(), float.is_sign_negative(), value >> 22 & 1 == 1)
        }
        FloatWidth::Double => {
            let float = double(value);
            (float.classify(), float.is_sign_negative(), value >> 51 & 1 == 1)
        }
    };
    let distance = match category {
        FpCategory::Nan => return mask >> u16::from(quiet) & 1 == 1,
        FpCategory::Infinite => 0,
        FpCategory::Normal => 1,
        FpCategory::Subnormal => 2,
        FpCategory::Zero => 3,
    };
    let bit = if negative { 2 + distance } else { 9 - distance };
    mask >> bit & 1 == 1
}

#[cfg(test)]
mod tests;
