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

pub(super) fn find<S: Shadow>(name: &str) -> Option<(usize, Plain<S>)> {
    of_double(name).or_else(|| of_single(name)).or_else(|| with_pointer(name))
}

/// A function of one double.
macro_rules! double1 {
    ($function:expr) => {
        (1, |_, a| {
            let function: fn(f64) -> f64 = $function;
            Ok(function(double(a[0])).to_bits())
        })
    };
}

/// A function of two doubles.
macro_rules! double2 {
    ($function:expr) => {
        (2, |_, a| {
            let function: fn(f64, f64) -> f64 = $function;
            Ok(function(double(a[0]), double(a[1])).to_bits())
        })
    };
}

/// A function of one float.
macro_rules! single1 {
    ($function:expr) => {
        (1, |_, a| {
            let function: fn(f32) -> f32 = $function;
            Ok(function(single(a[0])).to_bits().into())
        })
    };
}

/// A function of two floats.
macro_rules! single2 {
    ($function:expr) => {
        (2, |_, a| {
            let function: fn(f32, f32) -> f32 = $function;
            Ok(function(single(a[0]), single(a[1])).to_bits().into())
        })
    };
}

fn of_double<S: Shadow>(name: &str) -> Option<(usize, Plain<S>)> {
    Some(match name {
        "fabs" => double1!(f64::abs),
        "sqrt" => double1!(f64::sqrt),
        "floor" => double1!(f64::floor),
        "ceil" => double1!(f64::ceil),
        "trunc" => double1!(f64::trunc),
        "round" => double1!(f64::round),
        "rint" | "nearbyint" | "roundeven" => double1!(f64::round_ties_even),
        "sin" => double1!(f64::sin),
        "cos" => double1!(f64::cos),
        "tan" => double1!(f64::tan),
        "asin" => double1!(f64::asin),
        "acos" => double1!(f64::acos),
        "atan" => double1!(f64::atan),
        "sinh" => double1!(f64::sinh),
        "cosh" => double1!(f64::cosh),
        "tanh" => double1!(f64::tanh),
        "exp" => double1!(f64::exp),
        "exp2" => double1!(f64::exp2),
        "expm1" => double1!(f64::exp_m1),
        "log" => double1!(f64::ln),
        "log2" => double1!(f64::log2),
        "log10" => double1!(f64::log10),
        "log1p" => double1!(f64::ln_1p),
        "fmod" => double2!(|x, y| x % y),
        "fmin" => double2!(f64::min),
        "fmax" => double2!(f64::max),
        "fdim" => double2!(|x, y| if x <= y { 0.0 } else { x - y }),
        "copysign" => double2!(f64::copysign),
        "pow" => double2!(f64::powf),
        "hypot" => double2!(f64::hypot),
        "atan2" => double2!(f64::atan2),
        "fma" => (3, |_, a| Ok(double(a[0]).mul_add(double(a[1]), double(a[2])).to_bits())),
        "ldexp" | "scalbn" => (2, |_, a| Ok(scale(double(a[0]), as_int(a[1])).to_bits())),
        "lround" | "llround" => (1, |_, a| Ok((double(a[0]).round() as i64).cast_unsigned())),
        "lrint" | "llrint" => {
            (1, |_, a| Ok((double(a[0]).round_ties_even() as i64).cast_unsigned()))
        }
        "__isnan" | "isnan" => (1, |_, a| Ok(int(double(a[0]).is_nan().into()))),
        "__isinf" | "isinf" => (1, |_, a| Ok(int(infinite(double(a[0]))))),
        "__finite" | "finite" => (1, |_, a| Ok(int(double(a[0]).is_finite().into()))),
        "__signbit" => (1, |_, a| Ok(a[0] >> 63 << 7)),
        "__fpclassify" => (1, |_, a| Ok(int(classify(double(a[0]).classify())))),
        _ => return None,
    })
}

fn of_single<S: Shadow>(name: &str) -> Option<(usize, Plain<S>)> {
    Some(match name {
        "fabsf" => single1!(f32::abs),
        "sqrtf" => single1!(f32::sqrt),
        "floorf" => single1!(f32::floor),
        "ceilf" => single1!(f32::ceil),
        "truncf" => single1!(f32::trunc),
        "roundf" => single1!(f32::round),
        "rintf" | "nearbyintf" | "roundevenf" => single1!(f32::round_ties_even),
        "sinf" => single1!(f32::sin),
        "cosf" => single1!(f32::cos),
        "tanf" => single1!(f32::tan),
        "asinf" => single1!(f32::asin),
        "acosf" => single1!(f32::acos),
        "atanf" => single1!(f32::atan),
        "sinhf" => single1!(f32::sinh),
        "coshf" => single1!(f32::cosh),
        "tanhf" => single1!(f32::tanh),
        "expf" => single1!(f32::exp),
        "exp2f" => single1!(f32::exp2),
        "expm1f" => single1!(f32::exp_m1),
        "logf" => single1!(f32::ln),
        "log2f" => single1!(f32::log2),
        "log10f" => single1!(f32::log10),
        "log1pf" => single1!(f32::ln_1p),
        "fmodf" => single2!(|x, y| x % y),
        "fminf" => single2!(f32::min),
        "fmaxf" => single2!(f32::max),
        "fdimf" => single2!(|x, y| if x <= y { 0.0 } else { x - y }),
        "copysignf" => single2!(f32::copysign),
        "powf" => single2!(f32::powf),
        "hypotf" => single2!(f32::hypot),
        "atan2f" => single2!(f32::atan2),
        "fmaf" => (3, |_, a| Ok(single(a[0]).mul_add(single(a[1]), single(a[2])).to_bits().into())),
        "ldexpf" | "scalbnf" => (2, |_, a| {
            let scaled = scale(single(a[0]).into(), as_int(a[1])) as f32;
            Ok(scaled.to_bits().into())
        }),
        "lroundf" | "llroundf" => (1, |_, a| Ok((single(a[0]).round() as i64).cast_unsigned())),
        "lrintf" | "llrintf" => {
            (1, |_, a| Ok((single(a[0]).round_ties_even() as i64).cast_unsigned()))
        }
        "__isnanf" | "isnanf" => (1, |_, a| Ok(int(single(a[0]).is_nan().into()))),
        "__isinff" | "isinff" => (1, |_, a| Ok(int(infinite(single(a[0]).into())))),
        "__finitef" | "finitef" => (1, |_, a| Ok(int(single(a[0]).is_finite().into()))),
        "__signbitf" => (1, |_, a| Ok(a[0] >> 31 << 3 & 8)),
        "__fpclassifyf" => (1, |_, a| Ok(int(classify(single(a[0]).classify())))),
        _ => return None,
    })
}

fn with_pointer<S: Shadow>(name: &str) -> Option<(usize, Plain<S>)> {
    Some(match name {
        "frexp" => (2, |host, a| {
            let (fraction, exponent) = split(double(a[0]));
            host.write(a[1], &exponent.to_le_bytes())?;
            Ok(fraction.to_bits())
        }),
        "frexpf" => (2, |host, a| {
            let (fraction, exponent) = split(single(a[0]).into());
            host.write(a[1], &exponent.to_le_bytes())?;
            Ok((fraction as f32).to_bits().into())
        }),
        "modf" => (2, |host, a| {
            let (whole, fraction) = parts(double(a[0]));
            host.write(a[1], &whole.to_le_bytes())?;
            Ok(fraction.to_bits())
        }),
        "modff" => (2, modff),
        _ => return None,
    })
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
