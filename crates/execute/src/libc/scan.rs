//! Formatted input: the conversions of `sscanf`.

use super::format::{Source, read_size};
use super::host::Host;
use super::number::{parse_float, parse_integer, skip_spaces};
use crate::finding::FindingKind;
use crate::machine::Run;
use crate::shadow::Shadow;

/// A conversion of the format.
#[derive(Clone, Copy, Debug)]
struct Directive<'a> {
    /// Read, but not stored.
    skipped: bool,
    width: usize,
    size: usize,
    letter: u8,
    /// The characters between `%[` and `]`.
    set: &'a [u8],
}

/// The number of conversions stored, or -1 if the input ended before the first.
pub(super) fn scan<S: Shadow>(
    host: &mut Host<'_, S>,
    text: &[u8],
    format: u64,
    mut source: Source<'_>,
) -> Run<i32> {
    let format = host.text(format)?;
    let mut rest = format.as_slice();
    let (mut at, mut stored) = (0, 0);
    while let [byte, after @ ..] = rest {
        if skip_spaces(rest) > 0 {
            rest = &rest[skip_spaces(rest)..];
            at += skip_spaces(&text[at..]);
            continue;
        }
        rest = after;
        if *byte != b'%' {
            match text.get(at) {
                Some(found) if found == byte => at += 1,
                None if stored == 0 => return Ok(-1),
                _ => break,
            }
            continue;
        }
        let Some(directive) = read_directive(&mut rest)? else { break };
        if directive.letter == b'n' {
            store(host, &mut source, directive, at as u64)?;
            continue;
        }
        if !matches!(directive.letter, b'c' | b'[') {
            at += skip_spaces(&text[at..]);
        }
        if at >= text.len() && stored == 0 && directive.letter != b'%' {
            return Ok(-1);
        }
        let input = &text[at..];
        let input = &input[..input.len().min(directive.width)];
        match convert(host, input, directive, &mut source)? {
            Some(length) => at += length,
            None => break,
        }
        stored += i32::from(!directive.skipped && directive.letter != b'%');
    }
    Ok(stored)
}

fn read_directive<'a>(rest: &mut &'a [u8]) -> Run<Option<Directive<'a>>> {
    let mut directive =
        Directive { skipped: false, width: usize::MAX, size: 4, letter: 0, set: &[] };
    if let [b'*', after @ ..] = *rest {
        directive.skipped = true;
        *rest = after;
    }
    let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
    if digits > 0 {
        let width = parse_integer(&rest[..digits], 10).value;
        directive.width = usize::try_from(width).unwrap_or(usize::MAX);
        *rest = &rest[digits..];
    }
    directive.size = read_size(rest, "reading")?.into();
    let [letter, after @ ..] = *rest else { return Ok(None) };
    directive.letter = *letter;
    *rest = after;
    if *letter == b'[' {
        // A leading bracket belongs to the set.
        let start = if after.first() == Some(&b'^') { 2 } else { 1 };
        let Some(end) = after.iter().skip(start).position(|byte| *byte == b']') else {
            return Ok(None);
        };
        directive.set = &after[..start + end];
        *rest = &after[start + end + 1..];
    }
    Ok(Some(directive))
}

/// The number of bytes that the conversion consumed, or `None` if the input does not match.
fn convert<S: Shadow>(
    host: &mut Host<'_, S>,
    input: &[u8],
    directive: Directive<'_>,
    source: &mut Source<'_>,
) -> Run<Option<usize>> {
    let base = match directive.letter {
        b'd' | b'u' => 10,
        b'i' => 0,
        b'x' | b'X' | b'p' => 16,
        b'o' => 8,
        b'f' | b'F' | b'e' | b'E' | b'g' | b'G' | b'a' => {
            return convert_float(host, input, directive, source);
        }
        b'%' => return Ok((input.first() == Some(&b'%')).then_some(1)),
        b'c' | b's' | b'[' => return convert_text(host, input, directive, source),
        other => {
            let note = format!("the conversion '%{}' when reading", char::from(other));
            return Err(FindingKind::Unsupported { note }.into());
        }
    };
    let number = parse_integer(input, base);
    if number.length == 0 {
        return Ok(None);
    }
    let size = if directive.letter == b'p' { 8 } else { directive.size };
    let value = if matches!(directive.letter, b'd' | b'i') {
        number.value.clamp(i64::MIN.into(), i64::MAX.into()) as u64
    } else {
        number.value.clamp(-i128::from(u64::MAX), u64::MAX.into()) as u64
    };
    store(host, source, Directive { size, ..directive }, value)?;
    Ok(Some(number.length))
}

fn convert_float<S: Shadow>(
    host: &mut Host<'_, S>,
    input: &[u8],
    directive: Directive<'_>,
    source: &mut Source<'_>,
) -> Run<Option<usize>> {
    let (bits, length) = if directive.size == 8 {
        let (value, length) = parse_float::<f64>(input);
        (value.to_bits(), length)
    } else {
        let (value, length) = parse_float::<f32>(input);
        (value.to_bits().into(), length)
    };
    if length == 0 {
        return Ok(None);
    }
    store(host, source, directive, bits)?;
    Ok(Some(length))
}

fn convert_text<S: Shadow>(
    host: &mut Host<'_, S>,
    input: &[u8],
    directive: Directive<'_>,
    source: &mut Source<'_>,
) -> Run<Option<usize>> {
    let length = match directive.letter {
        b'c' if directive.width == usize::MAX => input.len().min(1),
        b'c' => input.len(),
        b's' => input.iter().take_while(|byte| !matches!(byte, b' ' | 9..=13)).count(),
        _ => input.iter().take_while(|byte| in_set(directive.set, **byte)).count(),
    };
    if length == 0 {
        return Ok(None);
    }
    if !directive.skipped {
        let to = source.next(host)?;
        host.write(to, &input[..length])?;
        if directive.letter != b'c' {
            host.write(to.wrapping_add(length as u64), &[0])?;
        }
    }
    Ok(Some(length))
}

/// Is the byte in a set like `^a-z_`?
fn in_set(set: &[u8], byte: u8) -> bool {
    let (inside, mut rest) = match set {
        [b'^', rest @ ..] => (false, rest),
        _ => (true, set),
    };
    let mut found = false;
    loop {
        (found, rest) = match *rest {
            [low, b'-', high, ref after @ ..] => (found || (low..=high).contains(&byte), after),
            [single, ref after @ ..] => (found || single == byte, after),
            [] => return found == inside,
        };
    }
}

fn store<S: Shadow>(
    host: &mut Host<'_, S>,
    source: &mut Source<'_>,
    directive: Directive<'_>,
    value: u64,
) -> Run<()> {
    if directive.skipped {
        return Ok(());
    }
    let to = source.next(host)?;
    host.write(to, &value.to_le_bytes()[..directive.size])
}
