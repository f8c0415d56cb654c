//! `stdlib.h`: allocation, numbers in text, the end of the program.

use std::ops::RangeInclusive;

use obligato_bytecode::Address;
use obligato_c_library::StdlibFunction;

use super::host::Host;
use super::number::{Integer, parse_float, parse_integer};
use super::{Plain, as_int, int};
use crate::finding::FindingKind;
use crate::machine::{Run, Stop};
use crate::memory::Lifetime;
use crate::shadow::Shadow;

/// A result does not fit.
const ERANGE: i32 = 34;

pub(super) fn model<S: Shadow>(function: StdlibFunction) -> (usize, Plain<S>) {
    match function {
        StdlibFunction::Malloc => (1, |host, a| host.allocate(a[0])),
        StdlibFunction::Calloc => (2, |host, a| match a[0].checked_mul(a[1]) {
            Some(size) => host.allocate(size),
            None => Ok(0),
        }),
        StdlibFunction::AlignedAlloc => (2, |host, a| host.allocate(a[1])),
        StdlibFunction::Realloc => (2, reallocate),
        StdlibFunction::Reallocarray => (3, |host, a| match a[1].checked_mul(a[2]) {
            Some(size) => reallocate(host, &[a[0], size]),
            None => Ok(0),
        }),
        StdlibFunction::Free => (1, free),
        StdlibFunction::Abs => (1, |_, a| Ok(int(as_int(a[0]).wrapping_abs()))),
        StdlibFunction::Labs => (1, |_, a| Ok(a[0].cast_signed().wrapping_abs().cast_unsigned())),
        StdlibFunction::Div => (2, divide),
        StdlibFunction::Strtol => (3, |host, a| {
            let number = integer(host, a[0], a[1], a[2])?;
            let range = i64::MIN.into()..=i64::MAX.into();
            Ok(within(host, number, range)? as u64)
        }),
        StdlibFunction::Strtoul => {
            (3, |host, a| {
                let number = integer(host, a[0], a[1], a[2])?;
                // A minus sign negates in the type of the result; only the digits must fit.
                let most = i128::from(u64::MAX);
                if number.value.abs() > most {
                    host.set_errno(ERANGE)?;
                    return Ok(u64::MAX);
                }
                Ok(number.value as u64)
            })
        }
        StdlibFunction::Atoi => (1, |host, a| {
            let number = integer(host, a[0], 0, 10)?;
            Ok(u64::from(number.value.clamp(i64::MIN.into(), i64::MAX.into()) as u32))
        }),
        StdlibFunction::Atol => (1, |host, a| {
            let number = integer(host, a[0], 0, 10)?;
            Ok(number.value.clamp(i64::MIN.into(), i64::MAX.into()) as u64)
        }),
        StdlibFunction::Strtod => (2, |host, a| Ok(float(host, a[0], a[1])?.to_bits())),
        StdlibFunction::Atof => (1, |host, a| Ok(float(host, a[0], 0)?.to_bits())),
        StdlibFunction::Strtof => (2, |host, a| {
            let text = host.text(a[0])?;
            let (value, length) = parse_float::<f32>(&text);
            set_end(host, a[1], a[0], length)?;
            if value.is_infinite() && text[..length].iter().any(u8::is_ascii_digit) {
                host.set_errno(ERANGE)?;
            }
            Ok(value.to_bits().into())
        }),
        StdlibFunction::Exit => (1, |_, a| Err(Stop::Exit(as_int(a[0])))),
        StdlibFunction::Abort => (0, |_, _| Err(FindingKind::Abort.into())),
        // The first return. Shadows and engines learn from `returns` that there may be a second one.
        StdlibFunction::Setjmp => (1, |_, _| Ok(0)),
        StdlibFunction::Longjmp => (2, |_, _| {
            let note = "a call of 'longjmp', after which 'setjmp' returns once more".to_owned();
            Err(FindingKind::Unsupported { note }.into())
        }),
    }
}

fn free<S: Shadow>(host: &mut Host<'_, S>, a: &[u64]) -> Run<u64> {
    if a[0] != 0 {
        host.memory.release(Address(a[0]), Lifetime::Heap)?;
    }
    Ok(0)
}

fn reallocate<S: Shadow>(host: &mut Host<'_, S>, a: &[u64]) -> Run<u64> {
    let (old, size) = (a[0], a[1]);
    if old == 0 {
        return host.allocate(size);
    }
    let kept = host.memory.size_of_object(Address(old)).unwrap_or(0).min(size);
    // glibc frees the object if the size is 0.
    if size == 0 {
        return free(host, a);
    }
    let new = host.allocate(size)?;
    if new != 0 {
        host.copy(new, old, kept)?;
        free(host, a)?;
    }
    Ok(new)
}

/// Quotient and remainder share one register.
fn divide<S: Shadow>(_: &mut Host<'_, S>, a: &[u64]) -> Run<u64> {
    let (left, right) = (as_int(a[0]), as_int(a[1]));
    if right == 0 {
        return Err(FindingKind::DivisionByZero.into());
    }
    let quotient = int(left.wrapping_div(right));
    let remainder = int(left.wrapping_rem(right));
    Ok(remainder << 32 | quotient)
}

/// Reads a number, and stores the address of its end.
fn integer<S: Shadow>(host: &mut Host<'_, S>, at: u64, end: u64, base: u64) -> Run<Integer> {
    let text = host.text(at)?;
    let number = parse_integer(&text, as_int(base));
    set_end(host, end, at, number.length)?;
    Ok(number)
}

/// The number in a range that is closest; `errno` says so if it is another.
fn within<S: Shadow>(
    host: &mut Host<'_, S>,
    number: Integer,
    range: RangeInclusive<i128>,
) -> Run<i128> {
    let value = number.value.clamp(*range.start(), *range.end());
    if value != number.value {
        host.set_errno(ERANGE)?;
    }
    Ok(value)
}

fn float<S: Shadow>(host: &mut Host<'_, S>, at: u64, end: u64) -> Run<f64> {
    let text = host.text(at)?;
    let (value, length) = parse_float::<f64>(&text);
    set_end(host, end, at, length)?;
    if value.is_infinite() && text[..length].iter().any(u8::is_ascii_digit) {
        host.set_errno(ERANGE)?;
    }
    Ok(value)
}

fn set_end<S: Shadow>(host: &mut Host<'_, S>, end: u64, start: u64, length: usize) -> Run<()> {
    if end == 0 {
        return Ok(());
    }
    host.write(end, &start.wrapping_add(length as u64).to_le_bytes())
}
