//! `math.h`.
//!
//! The exact functions are the host's instructions. The others are those of the host's mathematical
//! library, which is what the program would be linked with on the same machine; the few for which
//! the host has one of its own (`cbrt`, `asinh`) are left to the environment.

use super::host::Host;
use super::number::scale;
use super::{Plain, as_int, int};
use crate::float::{double, single};
use crate::machine::Run;
use crate::shadow::Shadow;
use obligato_c_library::{DoubleFunction, SingleFunction};

/// A function of one double.
macro_rules! double1 {
    ($function:expr) => {
        (1, |host, a| {
            let function: fn(f64) -> f64 = $function;
            let given = double(a[0]);
            let result = function(given);
            note_error(host, &[given], result)?;
            Ok(result.to_bits())
        })
    };
}

/// A function of two doubles.
macro_rules! double2 {
    ($function:expr) => {
        (2, |host, a| {
            let function: fn(f64, f64) -> f64 = $function;
            let (left, right) = (double(a[0]), double(a[1]));
            let result = function(left, right);
            note_error(host, &[left, right], result)?;
            Ok(result.to_bits())
        })
    };
}

/// A function of one float.
macro_rules! single1 {
    ($function:expr) => {
        (1, |host, a| {
            let function: fn(f32) -> f32 = $function;
            let given = single(a[0]);
            let result = function(given);
            note_error(host, &[given.into()], result.into())?;
            Ok(result.to_bits().into())
        })
    };
}

/// A function of two floats.
macro_rules! single2 {
    ($function:expr) => {
        (2, |host, a| {
            let function: fn(f32, f32) -> f32 = $function;
            let (left, right) = (single(a[0]), single(a[1]));
            let result = function(left, right);
            note_error(host, &[left.into(), right.into()], result.into())?;
            Ok(result.to_bits().into())
        })
    };
}

/// Sets `errno` as glibc does: where numbers give none (a domain error, C11 7.12.1p2), and where finite ones give an infinity (a pole or range
/// error). Results that are too small set it in some versions only, and not here.
fn note_error<S: Shadow>(host: &mut Host<'_, S>, given: &[f64], result: f64) -> Run<()> {
    const DOMAIN: i32 = 33;
    const RANGE: i32 = 34;
    if result.is_nan() && !given.iter().any(|one| one.is_nan()) {
        host.set_errno(DOMAIN)
    } else if result.is_infinite() && given.iter().all(|one| one.is_finite()) {
        host.set_errno(RANGE)
    } else {
        Ok(())
    }
}

pub(super) fn double_model<S: Shadow>(function: DoubleFunction) -> (usize, Plain<S>) {
    match function {
        DoubleFunction::Fabs => double1!(f64::abs),
        DoubleFunction::Sqrt => double1!(f64::sqrt),
        DoubleFunction::Floor => double1!(f64::floor),
        DoubleFunction::Ceil => double1!(f64::ceil),
        DoubleFunction::Trunc => double1!(f64::trunc),
        DoubleFunction::Round => double1!(f64::round),
        DoubleFunction::Rint => double1!(f64::round_ties_even),
        DoubleFunction::Sin => double1!(f64::sin),
        DoubleFunction::Cos => double1!(f64::cos),
        DoubleFunction::Tan => double1!(f64::tan),
        DoubleFunction::Asin => double1!(f64::asin),
        DoubleFunction::Acos => double1!(f64::acos),
        DoubleFunction::Atan => double1!(f64::atan),
        DoubleFunction::Sinh => double1!(f64::sinh),
        DoubleFunction::Cosh => double1!(f64::cosh),
        DoubleFunction::Tanh => double1!(f64::tanh),
        DoubleFunction::Exp => double1!(f64::exp),
        DoubleFunction::Exp2 => double1!(f64::exp2),
        DoubleFunction::Expm1 => double1!(f64::exp_m1),
        DoubleFunction::Log => double1!(f64::ln),
        DoubleFunction::Log2 => double1!(f64::log2),
        DoubleFunction::Log10 => double1!(f64::log10),
        DoubleFunction::Log1p => double1!(f64::ln_1p),
        DoubleFunction::Fmod => double2!(|x, y| x % y),
        DoubleFunction::Fmin => double2!(f64::min),
        DoubleFunction::Fmax => double2!(f64::max),
        DoubleFunction::Fdim => double2!(|x, y| if x <= y { 0.0 } else { x - y }),
        DoubleFunction::Copysign => double2!(f64::copysign),
        DoubleFunction::Pow => double2!(f64::powf),
        DoubleFunction::Hypot => double2!(f64::hypot),
        DoubleFunction::Atan2 => double2!(f64::atan2),
        DoubleFunction::Fma => {
            (3, |_, a| Ok(double(a[0]).mul_add(double(a[1]), double(a[2])).to_bits()))
        }
        DoubleFunction::Ldexp => (2, |_, a| Ok(scale(double(a[0]), as_int(a[1])).to_bits())),
        DoubleFunction::Lround => (1, |_, a| Ok((double(a[0]).round() as i64).cast_unsigned())),
        DoubleFunction::Lrint => {
            (1, |_, a| Ok((double(a[0]).round_ties_even() as i64).cast_unsigned()))
        }
        DoubleFunction::Isnan => (1, |_, a| Ok(int(double(a[0]).is_nan().into()))),
        DoubleFunction::Isinf => (1, |_, a| Ok(int(infinite(double(a[0]))))),
        DoubleFunction::Finite => (1, |_, a| Ok(int(double(a[0]).is_finite().into()))),
        DoubleFunction::Signbit => (1, |_, a| Ok(a[0] >> 63 << 7)),
        DoubleFunction::Fpclassify => (1, |_, a| Ok(int(classify(double(a[0]).classify())))),
        DoubleFunction::Frexp => (2, |host, a| {
            let (fraction, exponent) = split(double(a[0]));
            host.write(a[1], &exponent.to_le_bytes())?;
            Ok(fraction.to_bits())
        }),
        DoubleFunction::Modf => (2, |host, a| {
            let (whole, fraction) = parts(double(a[0]));
            host.write(a[1], &whole.to_le_bytes())?;
            Ok(fraction.to_bits())
        }),
    }
}

pub(super) fn single_model<S: Shadow>(function: SingleFunction) -> (usize, Plain<S>) {
    match function {
        SingleFunction::Fabsf => single1!(f32::abs),
        SingleFunction::Sqrtf => single1!(f32::sqrt),
        SingleFunction::Floorf => single1!(f32::floor),
        SingleFunction::Ceilf => single1!(f32::ceil),
        SingleFunction::Truncf => single1!(f32::trunc),
        SingleFunction::Roundf => single1!(f32::round),
        SingleFunction::Rintf => single1!(f32::round_ties_even),
        SingleFunction::Sinf => single1!(f32::sin),
        SingleFunction::Cosf => single1!(f32::cos),
        SingleFunction::Tanf => single1!(f32::tan),
        SingleFunction::Asinf => single1!(f32::asin),
        SingleFunction::Acosf => single1!(f32::acos),
        SingleFunction::Atanf => single1!(f32::atan),
        SingleFunction::Sinhf => single1!(f32::sinh),
        SingleFunction::Coshf => single1!(f32::cosh),
        SingleFunction::Tanhf => single1!(f32::tanh),
        SingleFunction::Expf => single1!(f32::exp),
        SingleFunction::Exp2f => single1!(f32::exp2),
        SingleFunction::Expm1f => single1!(f32::exp_m1),
        SingleFunction::Logf => single1!(f32::ln),
        SingleFunction::Log2f => single1!(f32::log2),
        SingleFunction::Log10f => single1!(f32::log10),
        SingleFunction::Log1pf => single1!(f32::ln_1p),
        SingleFunction::Fmodf => single2!(|x, y| x % y),
        SingleFunction::Fminf => single2!(f32::min),
        SingleFunction::Fmaxf => single2!(f32::max),
        SingleFunction::Fdimf => single2!(|x, y| if x <= y { 0.0 } else { x - y }),
        SingleFunction::Copysignf => single2!(f32::copysign),
        SingleFunction::Powf => single2!(f32::powf),
        SingleFunction::Hypotf => single2!(f32::hypot),
        SingleFunction::Atan2f => single2!(f32::atan2),
        SingleFunction::Fmaf => {
            (3, |_, a| Ok(single(a[0]).mul_add(single(a[1]), single(a[2])).to_bits().into()))
        }
        SingleFunction::Ldexpf => (2, |_, a| {
            let scaled = scale(single(a[0]).into(), as_int(a[1])) as f32;
            Ok(scaled.to_bits().into())
        }),
        SingleFunction::Lroundf => (1, |_, a| Ok((single(a[0]).round() as i64).cast_unsigned())),
        SingleFunction::Lrintf => {
            (1, |_, a| Ok((single(a[0]).round_ties_even() as i64).cast_unsigned()))
        }
        SingleFunction::Isnanf => (1, |_, a| Ok(int(single(a[0]).is_nan().into()))),
        SingleFunction::Isinff => (1, |_, a| Ok(int(infinite(single(a[0]).into())))),
        SingleFunction::Finitef => (1, |_, a| Ok(int(single(a[0]).is_finite().into()))),
        SingleFunction::Signbitf => (1, |_, a| Ok(a[0] >> 31 << 3 & 8)),
        SingleFunction::Fpclassifyf => (1, |_, a| Ok(int(classify(single(a[0]).classify())))),
        SingleFunction::Frexpf => (2, |host, a| {
            let (fraction, exponent) = split(single(a[0]).into());
            host.write(a[1], &exponent.to_le_bytes())?;
            Ok((fraction as f32).to_bits().into())
        }),
        SingleFunction::Modff => (2, modff),
    }
}

fn modff<S: Shadow>(host: &mut Host<'_, S>, a: &[u64]) -> Run<u64> {
    let (whole, fraction) = parts(single(a[0]).into());
    host.write(a[1], &(whole as f32).to_le_bytes())?;
    Ok((fraction as f32).to_bits().into())
}

/// The whole part and the rest, both with the sign of the number.
fn parts(value: f64) -> (f64, f64) {
    let whole = value.trunc();
    let fraction = if value.is_infinite() { 0.0 } else { value - whole };
    (whole, fraction.copysign(value))
}

/// A fraction in `[0.5, 1)` and a power of two whose product is the number.
fn split(value: f64) -> (f64, i32) {
    const EXPONENT: u64 = 0x7ff;
    if value == 0.0 || !value.is_finite() {
        return (value, 0);
    }
    let (bits, below) = match value.to_bits() >> 52 & EXPONENT {
        // A subnormal number is made normal first.
        0 => ((value * (1_u64 << 54) as f64).to_bits(), 54),
        _ => (value.to_bits(), 0),
    };
    let exponent = (bits >> 52 & EXPONENT) as i32 - 1022 - below;
    (f64::from_bits(bits & !(EXPONENT << 52) | 1022 << 52), exponent)
}

fn infinite(value: f64) -> i32 {
    if value.is_infinite() { value.signum() as i32 } else { 0 }
}

/// glibc's numbers for the classes.
fn classify(category: std::num::FpCategory) -> i32 {
    use std::num::FpCategory;
    match category {
        FpCategory::Nan => 0,
        FpCategory::Infinite => 1,
        FpCategory::Zero => 2,
        FpCategory::Subnormal => 3,
        FpCategory::Normal => 4,
    }
}
