//! Formatted output: the conversions of `printf`.

use super::as_int;
use super::host::Host;
use crate::finding::{ExecutionLimit, FindingKind};
use crate::float::double;
use crate::machine::Run;
use crate::shadow::Shadow;
use crate::variadic::OVERFLOW_AREA;

/// Where the arguments behind the format come from.
pub(super) enum Source<'a> {
    /// The arguments of the call.
    Listed(std::slice::Iter<'a, u64>),
    /// A `va_list` at this address.
    List(u64),
}

impl Source<'_> {
    /// The next argument: a word.
    pub(super) fn next<S: Shadow>(&mut self, host: &mut Host<'_, S>) -> Run<u64> {
        match self {
            Self::Listed(words) => words.next().copied().ok_or_else(|| {
                let (function, problem) = ("printf".to_owned(), "too few arguments".to_owned());
                FindingKind::InvalidArgument { function, problem }.into()
            }),
            Self::List(list) => {
                let field = list.wrapping_add(OVERFLOW_AREA);
                let area = host.memory.load::<8>(field)?;
                let word = host.read(area, 8)?;
                host.memory.store::<8>(field, area.wrapping_add(8))?;
                Ok(word.iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte)))
            }
        }
    }
}

/// The flags, width, precision and length of a conversion.
#[expect(clippy::struct_excessive_bools, reason = "the flags of the format, each by its own name")]
#[derive(Clone, Copy, Debug, Default)]
struct Directive {
    left: bool,
    plus: bool,
    space: bool,
    alternate: bool,
    zero: bool,
    width: usize,
    precision: Option<usize>,
    /// How many bytes an integer has.
    size: u64,
}

/// The largest width of a field.
const WIDEST: i64 = 1 << 20;

/// The text of a format with its arguments.
pub(super) fn format<S: Shadow>(
    host: &mut Host<'_, S>,
    format: u64,
    mut source: Source<'_>,
) -> Run<Vec<u8>> {
    let format = host.text(format)?;
    let mut text = Vec::new();
    let mut rest = format.as_slice();
    while let [byte, after @ ..] = rest {
        rest = after;
        if *byte != b'%' {
            text.push(*byte);
            continue;
        }
        let directive = read_directive(host, &mut rest, &mut source)?;
        let [letter, after @ ..] = rest else { break };
        rest = after;
        convert(host, &mut text, directive, *letter, &mut source)?;
        if text.len() as u64 > host.most_bytes {
            return Err(FindingKind::Limit(ExecutionLimit::Memory).into());
        }
    }
    Ok(text)
}

fn read_directive<S: Shadow>(
    host: &mut Host<'_, S>,
    rest: &mut &[u8],
    source: &mut Source<'_>,
) -> Run<Directive> {
    let mut directive = Directive::default();
    while let [flag @ (b'-' | b'+' | b' ' | b'#' | b'0'), after @ ..] = *rest {
        match flag {
            b'-' => directive.left = true,
            b'+' => directive.plus = true,
            b' ' => directive.space = true,
            b'#' => directive.alternate = true,
            _ => directive.zero = true,
        }
        *rest = after;
    }
    let width = read_count(host, rest, source)?.unwrap_or(0);
    directive.left |= width < 0;
    directive.width = width.unsigned_abs() as usize;
    if let [b'.', after @ ..] = *rest {
        *rest = after;
        let precision = read_count(host, rest, source)?.unwrap_or(0);
        directive.precision = usize::try_from(precision).ok();
    }
    directive.size = read_size(rest, "printing")?.into();
    Ok(directive)
}

/// The length modifiers of a conversion (C11 7.21.6.1p7, 7.21.6.2p11): how many bytes the argument has. `what` is done with it.
pub(super) fn read_size(rest: &mut &[u8], what: &str) -> Run<u8> {
    let mut size = 4;
    loop {
        (size, *rest) = match *rest {
            [b'h', b'h', after @ ..] => (1, after),
            [b'h', after @ ..] => (2, after),
            [b'l' | b'q' | b'j' | b'z' | b't', after @ ..] => (8, after),
            [b'L', ..] => {
                return Err(
                    FindingKind::Unsupported { note: format!("{what} a long double") }.into()
                );
            }
            _ => return Ok(size),
        };
    }
}

/// A number in the format, or an argument for `*`.
fn read_count<S: Shadow>(
    host: &mut Host<'_, S>,
    rest: &mut &[u8],
    source: &mut Source<'_>,
) -> Run<Option<i64>> {
    if let [b'*', after @ ..] = *rest {
        *rest = after;
        let count = i64::from(as_int(source.next(host)?));
        return Ok(Some(count.clamp(-WIDEST, WIDEST)));
    }
    let mut count = None;
    while let [digit @ b'0'..=b'9', after @ ..] = *rest {
        *rest = after;
        count = Some((count.unwrap_or(0) * 10 + i64::from(digit - b'0')).min(WIDEST));
    }
    Ok(count)
}

fn convert<S: Shadow>(
    host: &mut Host<'_, S>,
    text: &mut Vec<u8>,
    directive: Directive,
    letter: u8,
    source: &mut Source<'_>,
) -> Run<()> {
    let written = match letter {
        b'%' => {
            text.push(b'%');
            return Ok(());
        }
        b'n' => {
            let at = source.next(host)?;
            let count = (text.len() as u64).to_le_bytes();
            return host.write(at, &count[..directive.size as usize]);
        }
        b'd' | b'i' => signed(directive, source.next(host)?),
        b'u' | b'o' | b'x' | b'X' => unsigned(directive, letter, source.next(host)?),
        b'p' => match source.next(host)? {
            0 => pad(directive, "", b"(nil)", false),
            address => pad(directive, "0x", format!("{address:x}").as_bytes(), false),
        },
        b'c' => pad(directive, "", &[source.next(host)? as u8], false),
        b's' => {
            let at = source.next(host)?;
            let text = match (at, directive.precision) {
                (0, None | Some(6..)) => b"(null)".to_vec(),
                (0, Some(_)) => Vec::new(),
                (_, Some(limit)) => host.text_up_to(at, limit as u64)?,
                (_, None) => host.text(at)?,
            };
            pad(directive, "", &text, false)
        }
        b'f' | b'F' | b'e' | b'E' | b'g' | b'G' => {
            float(directive, letter, double(source.next(host)?))
        }
        other => {
            let note = format!("the conversion '%{}'", char::from(other));
            return Err(FindingKind::Unsupported { note }.into());
        }
    };
    text.extend_from_slice(&written);
    Ok(())
}

fn signed(directive: Directive, word: u64) -> Vec<u8> {
    let gap = 64 - 8 * directive.size;
    let value = (word << gap).cast_signed() >> gap;
    let sign = sign_of(directive, value < 0);
    let digits = with_precision(directive, value.unsigned_abs().to_string(), value == 0);
    pad(directive, sign, digits.as_bytes(), directive.precision.is_none())
}

fn unsigned(directive: Directive, letter: u8, word: u64) -> Vec<u8> {
    let gap = 64 - 8 * directive.size;
    let value = word << gap >> gap;
    let digits = match letter {
        b'o' => format!("{value:o}"),
        b'x' => format!("{value:x}"),
        b'X' => format!("{value:X}"),
        _ => value.to_string(),
    };
    let mut digits = with_precision(directive, digits, value == 0);
    let prefix = match letter {
        b'x' if directive.alternate && value != 0 => "0x",
        b'X' if directive.alternate && value != 0 => "0X",
        b'o' if directive.alternate && !digits.starts_with('0') => {
            digits.insert(0, '0');
            ""
        }
        _ => "",
    };
    pad(directive, prefix, digits.as_bytes(), directive.precision.is_none())
}

fn sign_of(directive: Directive, negative: bool) -> &'static str {
    match (negative, directive.plus, directive.space) {
        (true, ..) => "-",
        (false, true, _) => "+",
        (false, false, true) => " ",
        (false, false, false) => "",
    }
}

/// Pads to the digits of the precision; zero with precision 0 has no digits.
fn with_precision(directive: Directive, digits: String, zero: bool) -> String {
    match directive.precision {
        Some(0) if zero => String::new(),
        Some(least) => format!("{digits:0>least$}"),
        None => digits,
    }
}

fn float(directive: Directive, letter: u8, value: f64) -> Vec<u8> {
    let sign = sign_of(directive, value.is_sign_negative());
    let magnitude = value.abs();
    let mut digits = if value.is_nan() {
        "nan".to_owned()
    } else if value.is_infinite() {
        "inf".to_owned()
    } else {
        let precision = directive.precision.unwrap_or(6);
        match letter.to_ascii_lowercase() {
            b'f' => fixed(magnitude, precision, directive.alternate),
            b'e' => scientific(magnitude, precision, directive.alternate),
            _ => general(magnitude, precision.max(1), directive.alternate),
        }
    };
    if letter.is_ascii_uppercase() {
        digits.make_ascii_uppercase();
    }
    pad(directive, sign, digits.as_bytes(), value.is_finite())
}

fn fixed(value: f64, precision: usize, point: bool) -> String {
    let dot = if point && precision == 0 { "." } else { "" };
    format!("{value:.precision$}{dot}")
}

fn scientific(value: f64, precision: usize, point: bool) -> String {
    let (mantissa, exponent) = scientific_parts(value, precision);
    let dot = if point && precision == 0 { "." } else { "" };
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{mantissa}{dot}e{sign}{:02}", exponent.unsigned_abs())
}

fn scientific_parts(value: f64, precision: usize) -> (String, i32) {
    let text = format!("{value:.precision$e}");
    match text.split_once('e') {
        Some((mantissa, exponent)) => (mantissa.to_owned(), exponent.parse().unwrap_or(0)),
        None => (text, 0),
    }
}

/// `%g`: the shorter of the two styles, without trailing zeros in the fraction.
fn general(value: f64, significant: usize, keep_zeros: bool) -> String {
    let (_, exponent) = scientific_parts(value, significant - 1);
    let last = i64::try_from(significant - 1).unwrap_or(i64::MAX);
    let fraction = usize::try_from(last - i64::from(exponent));
    let text = match fraction {
        Ok(fraction) if exponent >= -4 => fixed(value, fraction, keep_zeros),
        _ => scientific(value, significant - 1, keep_zeros),
    };
    if keep_zeros {
        return text;
    }
    let (mantissa, exponent) = text.split_at(text.find('e').unwrap_or(text.len()));
    if !mantissa.contains('.') {
        return text;
    }
    let mantissa = mantissa.trim_end_matches('0').trim_end_matches('.');
    format!("{mantissa}{exponent}")
}

/// Pads to the width: with zeros after the prefix, or with spaces on either side.
fn pad(directive: Directive, prefix: &str, body: &[u8], zeros_fit: bool) -> Vec<u8> {
    let missing = directive.width.saturating_sub(prefix.len() + body.len());
    let mut text = Vec::with_capacity(missing + prefix.len() + body.len());
    let zeros = directive.zero && zeros_fit && !directive.left;
    if !directive.left && !zeros {
        text.resize(missing, b' ');
    }
    text.extend_from_slice(prefix.as_bytes());
    if zeros {
        text.resize(text.len() + missing, b'0');
    }
    text.extend_from_slice(body);
    if directive.left {
        text.resize(text.len() + missing, b' ');
    }
    text
}
