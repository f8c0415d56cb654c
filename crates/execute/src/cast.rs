//! Conversions between integers, floats and pointers.
//!
//! A float whose whole part does not fit an integer has no value in C: [`expect_fitting`] finds it. [`cast`] gives what x86-64
//! code gives.

use obligato_bytecode::{Cast, FloatWidth};

use crate::finding::FindingKind;
use crate::float::{double, single};
use crate::integer::wide;

/// Converts a value of one or two registers to one of one or two registers.
pub(crate) fn cast(op: Cast, low: u64, high: u64) -> (u64, u64) {
    let whole = |width: u8| if width > 64 { wide::join(low, high) } else { u128::from(low) };
    match op {
        Cast::Truncate { from, to } | Cast::ExtendUnsigned { from, to } => {
            wide::split(wide::cut(whole(from), to.min(from)))
        }
        Cast::ExtendSigned { from, to } => {
            wide::split(wide::cut(wide::signed(whole(from), from).cast_unsigned(), to))
        }
        Cast::FloatToUnsigned { from, to } => float_to_unsigned(widened(from, low), to),
        Cast::FloatToSigned { from, to } => float_to_signed(widened(from, low), to),
        Cast::UnsignedToFloat { from, to } => {
            let number = whole(from);
            (pick(to, || number as f32, || number as f64), 0)
        }
        Cast::SignedToFloat { from, to } => {
            let number = wide::signed(whole(from), from);
            (pick(to, || number as f32, || number as f64), 0)
        }
        Cast::SingleToDouble => (f64::from(single(low)).to_bits(), 0),
        Cast::DoubleToSingle => (u64::from((double(low) as f32).to_bits()), 0),
        Cast::PointerToInteger { to } => wide::split(wide::cut(u128::from(low), to)),
        Cast::IntegerToPointer { from } => (wide::cut(whole(from), from) as u64, 0),
    }
}

/// The whole part of a float has to fit the integer that it becomes (C11 6.3.1.4).
pub(crate) fn expect_fitting(op: Cast, low: u64) -> Result<(), FindingKind> {
    let (from, width, signed) = match op {
        Cast::FloatToUnsigned { from, to } => (from, to, false),
        Cast::FloatToSigned { from, to } => (from, to, true),
        _ => return Ok(()),
    };
    let whole = widened(from, low).trunc();
    let power = i32::from(width) - i32::from(signed);
    let start = if signed { -(2_f64.powi(power)) } else { 0.0 };
    if (start..2_f64.powi(power)).contains(&whole) {
        Ok(())
    } else {
        Err(FindingKind::FloatOutOfRange { width })
    }
}

/// Every single-precision number is a double-precision one.
fn widened(width: FloatWidth, bits: u64) -> f64 {
    match width {
        FloatWidth::Single => f64::from(single(bits)),
        FloatWidth::Double => double(bits),
    }
}

fn pick(width: FloatWidth, single: impl Fn() -> f32, double: impl Fn() -> f64) -> u64 {
    match width {
        FloatWidth::Single => single().to_bits().into(),
        FloatWidth::Double => double().to_bits(),
    }
}

/// What `cvttsd2si` gives: the smallest number for all that do not fit.
fn convert_32(value: f64) -> i32 {
    let whole = value.trunc();
    if (-2_147_483_648.0..2_147_483_648.0).contains(&whole) { whole as i32 } else { i32::MIN }
}

/// The same for 64 bits.
fn convert_64(value: f64) -> i64 {
    const END: f64 = 9_223_372_036_854_775_808.0;
    if (-END..END).contains(&value) { value as i64 } else { i64::MIN }
}

fn float_to_signed(value: f64, to: u8) -> (u64, u64) {
    let whole = match to {
        ..=32 => i128::from(convert_32(value)),
        33..=64 => i128::from(convert_64(value)),
        65.. => value as i128,
    };
    wide::split(wide::cut(whole.cast_unsigned(), to))
}

fn float_to_unsigned(value: f64, to: u8) -> (u64, u64) {
    let whole = match to {
        ..=16 => i128::from(convert_32(value)).cast_unsigned(),
        17..=32 => i128::from(convert_64(value)).cast_unsigned(),
        33..=64 => {
            // The machine converts the number and what lies above 2^63, and puts the two together.
            let low = convert_64(value);
            let high = convert_64(value - 9_223_372_036_854_775_808.0);
            u128::from(((high & (low >> 63)) | low).cast_unsigned())
        }
        65.. => value as u128,
    };
    wide::split(wide::cut(whole, to))
}

#[cfg(test)]
mod tests;
