//! `stdio.h`: text into memory and out of it, and printing to the standard streams. Files belong to the environment.

use super::format::{Source, format};
use super::host::Host;
use super::scan::scan;
use super::stream::Stream;
use super::{Plain, int};
use crate::machine::Run;
use crate::shadow::Shadow;
use obligato_c_library::StdioFunction;

/// No limit on what is written.
const UNBOUNDED: u64 = u64::MAX;

pub(super) fn model<S: Shadow>(function: StdioFunction) -> (usize, Plain<S>) {
    match function {
        StdioFunction::Printf => (1, |host, a| print(host, Stream::Output, a[0], listed(a, 1))),
        StdioFunction::Vprintf => {
            (2, |host, a| print(host, Stream::Output, a[0], Source::List(a[1])))
        }
        StdioFunction::PrintfChk => (2, |host, a| print(host, Stream::Output, a[1], listed(a, 2))),
        StdioFunction::Fprintf => {
            (2, |host, a| print(host, host.stream(a[0])?, a[1], listed(a, 2)))
        }
        StdioFunction::Vfprintf => {
            (3, |host, a| print(host, host.stream(a[0])?, a[1], Source::List(a[2])))
        }
        StdioFunction::FprintfChk => {
            (3, |host, a| print(host, host.stream(a[0])?, a[2], listed(a, 3)))
        }
        StdioFunction::Puts => (1, |host, a| {
            let mut text = host.text(a[0])?;
            text.push(b'\n');
            host.print(Stream::Output, &text)?;
            Ok(length(&text))
        }),
        StdioFunction::Fputs => (2, |host, a| {
            let text = host.text(a[0])?;
            host.print(host.stream(a[1])?, &text)?;
            Ok(1)
        }),
        StdioFunction::Putchar => (1, |host, a| put(host, Stream::Output, a[0])),
        StdioFunction::Fputc => (2, |host, a| put(host, host.stream(a[1])?, a[0])),
        StdioFunction::Fwrite => (4, |host, a| {
            let bytes = host.read(a[0], a[1].saturating_mul(a[2]))?;
            host.print(host.stream(a[3])?, &bytes)?;
            Ok(if a[1] == 0 { 0 } else { a[2] })
        }),
        // Output is unbuffered. A null pointer stands for all streams.
        StdioFunction::Fflush => (1, |host, a| {
            if a[0] != 0 {
                host.stream(a[0])?;
            }
            Ok(0)
        }),
        StdioFunction::Sprintf => (2, |host, a| write(host, a[0], UNBOUNDED, a[1], listed(a, 2))),
        StdioFunction::Vsprintf => {
            (3, |host, a| write(host, a[0], UNBOUNDED, a[1], Source::List(a[2])))
        }
        StdioFunction::Snprintf => (3, |host, a| write(host, a[0], a[1], a[2], listed(a, 3))),
        StdioFunction::Vsnprintf => {
            (4, |host, a| write(host, a[0], a[1], a[2], Source::List(a[3])))
        }
        StdioFunction::SprintfChk => {
            (4, |host, a| write(host, a[0], UNBOUNDED, a[3], listed(a, 4)))
        }
        StdioFunction::VsprintfChk => {
            (5, |host, a| write(host, a[0], UNBOUNDED, a[3], Source::List(a[4])))
        }
        StdioFunction::SnprintfChk => (5, |host, a| write(host, a[0], a[1], a[4], listed(a, 5))),
        StdioFunction::VsnprintfChk => {
            (6, |host, a| write(host, a[0], a[1], a[4], Source::List(a[5])))
        }
        StdioFunction::Sscanf => (2, |host, a| read(host, a[0], a[1], listed(a, 2))),
        StdioFunction::Vsscanf => (3, |host, a| read(host, a[0], a[1], Source::List(a[2]))),
    }
}

/// The length of printed text, as an `int`.
fn length(text: &[u8]) -> u64 {
    u64::from(text.len() as u32)
}

/// The arguments behind the fixed ones.
fn listed(arguments: &[u64], first: usize) -> Source<'_> {
    Source::Listed(arguments[first..].iter())
}

fn put<S: Shadow>(host: &mut Host<'_, S>, stream: Stream, byte: u64) -> Run<u64> {
    host.print(stream, &[byte as u8])?;
    Ok(u64::from(byte as u8))
}

fn print<S: Shadow>(
    host: &mut Host<'_, S>,
    stream: Stream,
    pattern: u64,
    source: Source<'_>,
) -> Run<u64> {
    let text = format(host, pattern, source)?;
    host.print(stream, &text)?;
    Ok(length(&text))
}

/// Writes as much of the text as fits, with a terminating zero; returns the length of the whole text.
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
