//! `stdio.h`: text into memory and out of it, and printing. Files are the world's.

use super::format::{Source, format};
use super::host::Host;
use super::scan::scan;
use super::{Plain, int};
use crate::machine::Run;
use crate::shadow::Shadow;

/// No limit on what is written.
const UNBOUNDED: u64 = u64::MAX;

pub(super) fn find<S: Shadow>(name: &str) -> Option<(usize, Plain<S>)> {
    Some(match name {
        "printf" => (1, |host, a| print(host, a[0], listed(a, 1))),
        "vprintf" => (2, |host, a| print(host, a[0], Source::List(a[1]))),
        "__printf_chk" => (2, |host, a| print(host, a[1], listed(a, 2))),
        "puts" => (1, |host, a| {
            let mut text = host.text(a[0])?;
            text.push(b'\n');
            host.print(&text)?;
            Ok(length(&text))
        }),
        "putchar" => (1, |host, a| {
            host.print(&[a[0] as u8])?;
            Ok(u64::from(a[0] as u8))
        }),
        "sprintf" => (2, |host, a| write(host, a[0], UNBOUNDED, a[1], listed(a, 2))),
        "vsprintf" => (3, |host, a| write(host, a[0], UNBOUNDED, a[1], Source::List(a[2]))),
        "snprintf" => (3, |host, a| write(host, a[0], a[1], a[2], listed(a, 3))),
        "vsnprintf" => (4, |host, a| write(host, a[0], a[1], a[2], Source::List(a[3]))),
        "__sprintf_chk" => (4, |host, a| write(host, a[0], UNBOUNDED, a[3], listed(a, 4))),
        "__vsprintf_chk" => (5, |host, a| write(host, a[0], UNBOUNDED, a[3], Source::List(a[4]))),
        "__snprintf_chk" => (5, |host, a| write(host, a[0], a[1], a[4], listed(a, 5))),
        "__vsnprintf_chk" => (6, |host, a| write(host, a[0], a[1], a[4], Source::List(a[5]))),
        "sscanf" | "__isoc99_sscanf" | "__isoc23_sscanf" => {
            (2, |host, a| read(host, a[0], a[1], listed(a, 2)))
        }
        "vsscanf" | "__isoc99_vsscanf" | "__isoc23_vsscanf" => {
            (3, |host, a| read(host, a[0], a[1], Source::List(a[2])))
        }
        _ => return None,
    })
}

/// How long a printed text is, as an `int`.
fn length(text: &[u8]) -> u64 {
    u64::from(text.len() as u32)
}

/// The arguments behind the first ones.
fn listed(arguments: &[u64], first: usize) -> Source<'_> {
    Source::Listed(arguments[first..].iter())
}

fn print<S: Shadow>(host: &mut Host<'_, S>, pattern: u64, source: Source<'_>) -> Run<u64> {
    let text = format(host, pattern, source)?;
    host.print(&text)?;
    Ok(length(&text))
}

/// Writes as much of the text as fits with a zero behind it, and gives the length of all of it.
fn write<S: Shadow>(
    host: &mut Host<'_, S>,
    to: u64,
    room: u64,
    pattern: u64,
    source: Source<'_>,
) -> Run<u64> {
    let mut text = format(host, pattern, source)?;
    let whole = length(&text);
    if room > 0 {
        text.truncate(usize::try_from(room - 1).unwrap_or(usize::MAX));
        text.push(0);
        host.write(to, &text)?;
    }
    Ok(whole)
}

fn read<S: Shadow>(
    host: &mut Host<'_, S>,
    text: u64,
    pattern: u64,
    source: Source<'_>,
) -> Run<u64> {
    let text = host.text(text)?;
    Ok(int(scan(host, &text, pattern, source)?))
}
