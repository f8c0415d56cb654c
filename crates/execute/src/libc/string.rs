//! `string.h` and `strings.h`.

use obligato_c_library::StringFunction;

use super::host::Host;
use super::{Plain, int};
use crate::machine::Run;
use crate::shadow::Shadow;

pub(super) fn model<S: Shadow>(function: StringFunction) -> (usize, Plain<S>) {
    match function {
        StringFunction::Memcpy => (3, |host, a| host.copy_apart(a[0], a[1], a[2]).map(|()| a[0])),
        StringFunction::Mempcpy => {
            (3, |host, a| host.copy_apart(a[0], a[1], a[2]).map(|()| a[0].wrapping_add(a[2])))
        }
        StringFunction::Memmove => (3, |host, a| host.copy(a[0], a[1], a[2]).map(|()| a[0])),
        StringFunction::Bcopy => (3, |host, a| host.copy(a[1], a[0], a[2]).map(|()| 0)),
        StringFunction::Memset => (3, |host, a| fill(host, a[0], a[1] as u8, a[2])),
        StringFunction::Bzero => (2, |host, a| fill(host, a[0], 0, a[1])),
        StringFunction::Memcmp => (3, memcmp),
        StringFunction::Memchr => (3, memchr),
        StringFunction::Strlen => (1, |host, a| Ok(host.text(a[0])?.len() as u64)),
        StringFunction::Strnlen => (2, |host, a| Ok(host.text_up_to(a[0], a[1])?.len() as u64)),
        StringFunction::Strcpy => (2, |host, a| copy_text(host, a[0], a[1]).map(|_| a[0])),
        StringFunction::Stpcpy => {
            (2, |host, a| Ok(a[0].wrapping_add(copy_text(host, a[0], a[1])?)))
        }
        StringFunction::Strncpy => (3, strncpy),
        StringFunction::Strcat => (2, |host, a| {
            let end = a[0].wrapping_add(host.text(a[0])?.len() as u64);
            copy_text(host, end, a[1]).map(|_| a[0])
        }),
        StringFunction::Strncat => (3, strncat),
        StringFunction::Strcmp => (2, |host, a| compare(host, a, u64::MAX, |byte| byte)),
        StringFunction::Strncmp => (3, |host, a| compare(host, a, a[2], |byte| byte)),
        StringFunction::Strcasecmp => {
            (2, |host, a| compare(host, a, u64::MAX, |byte| byte.to_ascii_lowercase()))
        }
        StringFunction::Strncasecmp => {
            (3, |host, a| compare(host, a, a[2], |byte| byte.to_ascii_lowercase()))
        }
        StringFunction::Strchr => (2, strchr),
        StringFunction::Strrchr => (2, strrchr),
        StringFunction::Strstr => (2, strstr),
        StringFunction::Strspn => (2, |host, a| Ok(span(host, a, true)? as u64)),
        StringFunction::Strcspn => (2, |host, a| Ok(span(host, a, false)? as u64)),
        StringFunction::Strpbrk => (2, strpbrk),
        StringFunction::Strdup => (1, |host, a| duplicate(host, a[0], u64::MAX)),
        StringFunction::Strndup => (2, |host, a| duplicate(host, a[0], a[1])),
    }
}

fn fill<S: Shadow>(host: &mut Host<'_, S>, to: u64, byte: u8, size: u64) -> Run<u64> {
    if size > 0 {
        crate::machine::spend(host.steps, size)?;
        let (bytes, marks) = host.memory.bytes_mut(obligato_bytecode::Address(to), size)?;
        bytes.fill(byte);
        marks.fill(host.touched.clone());
        host.shadow.moved(marks);
    }
    Ok(to)
}

/// Copies a string with its terminating zero; returns its length.
fn copy_text<S: Shadow>(host: &mut Host<'_, S>, to: u64, from: u64) -> Run<u64> {
    let length = host.text(from)?.len() as u64;
    host.copy_apart(to, from, length + 1)?;
    Ok(length)
}

/// What a comparison gives for the first bytes that differ. The standard only says which sign it has; glibc subtracts.
fn difference(left: u8, right: u8) -> u64 {
    int(i32::from(left) - i32::from(right))
}

fn memcmp<S: Shadow>(host: &mut Host<'_, S>, a: &[u64]) -> Run<u64> {
    let left = host.read(a[0], a[2])?;
    let right = host.read(a[1], a[2])?;
    let differing = left.iter().zip(&right).find(|(l, r)| l != r);
    Ok(differing.map_or(0, |(l, r)| difference(*l, *r)))
}

fn memchr<S: Shadow>(host: &mut Host<'_, S>, a: &[u64]) -> Run<u64> {
    // Only the bytes up to the match need to be accessible.
    if a[2] == 0 {
        return Ok(0);
    }
    let rest = host.memory.rest(obligato_bytecode::Address(a[0]))?;
    let within = &rest[..rest.len().min(usize::try_from(a[2]).unwrap_or(usize::MAX))];
    let found = within.iter().position(|byte| *byte == a[1] as u8);
    match found {
        Some(at) => {
            host.read(a[0], at as u64 + 1)?;
            Ok(a[0].wrapping_add(at as u64))
        }
        None => host.read(a[0], a[2]).map(|_| 0),
    }
}

fn strncpy<S: Shadow>(host: &mut Host<'_, S>, a: &[u64]) -> Run<u64> {
    let length = host.text_up_to(a[1], a[2])?.len() as u64;
    host.copy_apart(a[0], a[1], length)?;
    fill(host, a[0].wrapping_add(length), 0, a[2] - length)?;
    Ok(a[0])
}

fn strncat<S: Shadow>(host: &mut Host<'_, S>, a: &[u64]) -> Run<u64> {
    let end = a[0].wrapping_add(host.text(a[0])?.len() as u64);
    let length = host.text_up_to(a[1], a[2])?.len() as u64;
    host.copy_apart(end, a[1], length)?;
    host.write(end.wrapping_add(length), &[0])?;
    Ok(a[0])
}

/// Compares two strings up to a limit; reads nothing beyond the first difference.
fn compare<S: Shadow>(
    host: &mut Host<'_, S>,
    a: &[u64],
    limit: u64,
    fold: fn(u8) -> u8,
) -> Run<u64> {
    let (left, left_ended) = host.text_within(a[0], limit)?;
    let (right, right_ended) = host.text_within(a[1], limit)?;
    let common = left.iter().zip(&right);
    if let Some((l, r)) = common.map(|(l, r)| (fold(*l), fold(*r))).find(|(l, r)| l != r) {
        return Ok(difference(l, r));
    }
    // One is a prefix of the other: the next byte of each has to be accessible.
    let shorter = left.len().min(right.len()) as u64;
    if shorter < limit {
        if left.len() as u64 == shorter && !left_ended {
            host.read(a[0], shorter + 1)?;
        }
        if right.len() as u64 == shorter && !right_ended {
            host.read(a[1], shorter + 1)?;
        }
    }
    let next = |text: &[u8]| text.get(shorter as usize).copied().map_or(0, fold);
    Ok(difference(next(&left), next(&right)))
}

fn strchr<S: Shadow>(host: &mut Host<'_, S>, a: &[u64]) -> Run<u64> {
    let (text, ended) = host.text_within(a[0], u64::MAX)?;
    let wanted = a[1] as u8;
    if let Some(at) = text.iter().position(|byte| *byte == wanted) {
        return Ok(a[0].wrapping_add(at as u64));
    }
    if !ended {
        host.read(a[0], text.len() as u64 + 1)?;
    }
    Ok(if wanted == 0 { a[0].wrapping_add(text.len() as u64) } else { 0 })
}

fn strrchr<S: Shadow>(host: &mut Host<'_, S>, a: &[u64]) -> Run<u64> {
    let text = host.text(a[0])?;
    let wanted = a[1] as u8;
    let found =
        if wanted == 0 { Some(text.len()) } else { text.iter().rposition(|byte| *byte == wanted) };
    Ok(found.map_or(0, |at| a[0].wrapping_add(at as u64)))
}

fn strstr<S: Shadow>(host: &mut Host<'_, S>, a: &[u64]) -> Run<u64> {
    let (text, part) = (host.text(a[0])?, host.text(a[1])?);
    if part.is_empty() {
        return Ok(a[0]);
    }
    crate::machine::spend(host.steps, (text.len() * part.len()) as u64)?;
    let found = text.windows(part.len()).position(|window| window == part);
    Ok(found.map_or(0, |at| a[0].wrapping_add(at as u64)))
}

/// The length of the prefix whose bytes all are, or all are not, in a set.
fn span<S: Shadow>(host: &mut Host<'_, S>, a: &[u64], inside: bool) -> Run<usize> {
    let (text, set) = (host.text(a[0])?, host.text(a[1])?);
    Ok(text.iter().take_while(|byte| set.contains(byte) == inside).count())
}

fn strpbrk<S: Shadow>(host: &mut Host<'_, S>, a: &[u64]) -> Run<u64> {
    let at = span(host, a, false)? as u64;
    let length = host.text(a[0])?.len() as u64;
    Ok(if at < length { a[0].wrapping_add(at) } else { 0 })
}

fn duplicate<S: Shadow>(host: &mut Host<'_, S>, from: u64, limit: u64) -> Run<u64> {
    let length = host.text_up_to(from, limit)?.len() as u64;
    let copy = host.allocate(length + 1)?;
    host.copy(copy, from, length)?;
    host.write(copy.wrapping_add(length), &[0])?;
    Ok(copy)
}
