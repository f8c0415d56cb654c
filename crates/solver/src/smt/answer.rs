//! Reads answers: where one ends, what is in it, and values as exact numbers.
//!
//! An answer is a word, a string or a list in parentheses (SMT-LIB 2.6, section 3.9). Nothing here
//! recurses, so it does not matter how deep a list is nested.

use obligato_model::{Integer, Rational, Value};

use super::SmtError;

/// An answer that is longer than this many bytes is refused.
const LONGEST: usize = 1 << 28;

/// Finds the ends of answers in a stream of bytes.
#[derive(Debug, Default)]
pub(super) struct Splitter {
    answer: Vec<u8>,
    depth: usize,
    /// Within a string or a quoted symbol, up to this byte.
    quote: Option<u8>,
}

impl Splitter {
    /// The answer that ends with this byte, if one does.
    pub(super) fn next(&mut self, byte: u8) -> Option<Result<String, SmtError>> {
        if self.answer.is_empty() && byte.is_ascii_whitespace() {
            return None;
        }
        match (self.quote, byte) {
            (Some(quote), _) => self.quote = (quote != byte).then_some(quote),
            (None, b'"' | b'|') => self.quote = Some(byte),
            (None, b'(') => self.depth += 1,
            (None, b')') => self.depth = self.depth.saturating_sub(1),
            _ => {}
        }
        let whole = self.quote.is_none() && self.depth == 0 && matches!(byte, b')' | b'\n');
        self.answer.push(byte);
        if self.answer.len() > LONGEST {
            return Some(Err(SmtError::Garbled(format!("it is longer than {LONGEST} bytes"))));
        }
        whole.then(|| {
            let answer = std::mem::take(&mut self.answer);
            let text = String::from_utf8(answer);
            text.map(|text| text.trim().to_owned())
                .map_err(|_| SmtError::Garbled("it is not UTF-8".to_owned()))
        })
    }
}

/// The message of an answer that is an error.
pub(super) fn error(answer: &str) -> Option<&str> {
    if answer == "unsupported" {
        return Some(answer);
    }
    let message = answer.strip_prefix("(error")?.strip_suffix(')')?;
    Some(message.trim().trim_matches('"'))
}

/// What an answer to `get-info` says: the `x` of `(:keyword x)`.
pub(super) fn info(answer: &str) -> Option<&str> {
    match &*items(answer)? {
        [keyword, value] if keyword.starts_with(':') => Some(value.trim_matches('"')),
        _ => None,
    }
}

/// The items of a list, as text.
pub(super) fn items(answer: &str) -> Option<Vec<&str>> {
    let mut items = Vec::new();
    let mut depth = 0_usize;
    let mut start = 0;
    for (place, token) in tokens(answer) {
        let is_item = match token {
            "(" => {
                depth += 1;
                if depth == 2 {
                    start = place;
                }
                false
            }
            ")" => {
                depth = depth.checked_sub(1)?;
                depth == 1
            }
            _ => {
                if depth == 1 {
                    start = place;
                }
                depth == 1
            }
        };
        if is_item {
            items.push(&answer[start..place + token.len()]);
        }
    }
    (depth == 0 && answer.starts_with('(')).then_some(items)
}

/// Why there are no values in an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unreadable {
    /// One is a root of a polynomial.
    Irrational,
    /// One is something else.
    Unknown,
}

/// The values in an answer to `get-value`: the `v` of each `(symbol v)`.
pub(super) fn values(answer: &str) -> Result<Vec<Value>, Unreadable> {
    let pairs = items(answer).ok_or(Unreadable::Unknown)?;
    let value_of = |pair| match &*items(pair).ok_or(Unreadable::Unknown)? {
        [_, value] => value_of(value),
        _ => Err(Unreadable::Unknown),
    };
    pairs.into_iter().map(value_of).collect()
}

/// The value of a ground term over `-` and `/`.
fn value_of(text: &str) -> Result<Value, Unreadable> {
    // Operations that are open, each with its operands so far; the outermost has none of its own.
    let mut open: Vec<(&str, Vec<Value>)> = vec![("", Vec::new())];
    for (_, token) in tokens(text) {
        let value = match token {
            "(" => {
                open.push(("", Vec::new()));
                continue;
            }
            ")" => {
                let (operation, operands) = open.pop().ok_or(Unreadable::Unknown)?;
                apply(operation, &operands).ok_or(Unreadable::Unknown)?
            }
            "-" | "/" => {
                open.last_mut().ok_or(Unreadable::Unknown)?.0 = token;
                continue;
            }
            "root-obj" => return Err(Unreadable::Irrational),
            _ => constant(token).ok_or(Unreadable::Unknown)?,
        };
        open.last_mut().ok_or(Unreadable::Unknown)?.1.push(value);
    }
    match open.pop() {
        Some(("", mut values)) if values.len() == 1 && open.is_empty() => {
            values.pop().ok_or(Unreadable::Unknown)
        }
        _ => Err(Unreadable::Unknown),
    }
}

fn apply(operation: &str, operands: &[Value]) -> Option<Value> {
    match (operation, operands) {
        ("-", [Value::Int(a)]) => Some(Value::Int(-a)),
        ("-", [Value::Real(a)]) => Some(Value::Real(-a)),
        ("/", [Value::Real(a), Value::Real(b)]) if !b.is_zero() => Some(Value::Real(a / b)),
        _ => None,
    }
}

fn constant(token: &str) -> Option<Value> {
    let digits = |text: &str, radix| Integer::from_str_radix(text, radix).ok();
    if let Some(hexadecimal) = token.strip_prefix("#x") {
        return digits(hexadecimal, 16).map(Value::Int);
    }
    if let Some(binary) = token.strip_prefix("#b") {
        return digits(binary, 2).map(Value::Int);
    }
    if let Some((whole, fraction)) = token.split_once('.') {
        let below = Integer::from(10).pow(fraction.len());
        let above = digits(&format!("{whole}{fraction}"), 10)?;
        return Some(Value::Real(Rational::from_parts_signed(above, below)));
    }
    match token {
        "true" => Some(Value::Bool(true)),
        "false" => Some(Value::Bool(false)),
        _ if token.starts_with(|first: char| first.is_ascii_digit()) => {
            digits(token, 10).map(Value::Int)
        }
        _ => None,
    }
}

/// Parentheses, strings, symbols and numbers, each with its place.
fn tokens(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut place = 0;
    std::iter::from_fn(move || {
        let rest = text[place..].trim_start();
        let start = text.len() - rest.len();
        let first = rest.chars().next()?;
        let length = match first {
            '(' | ')' => 1,
            '"' => string_length(rest),
            '|' => rest[1..].find('|').map_or(rest.len(), |end| end + 2),
            _ => rest
                .find(|c: char| c.is_whitespace() || matches!(c, '(' | ')' | '"' | '|'))
                .unwrap_or(rest.len()),
        };
        place = start + length;
        Some((start, &rest[..length]))
    })
}

/// A string ends at its first quote that is not doubled.
fn string_length(text: &str) -> usize {
    let bytes = text.as_bytes();
    let mut end = 1;
    while end < bytes.len() {
        match (bytes[end], bytes.get(end + 1)) {
            (b'"', Some(b'"')) => end += 2,
            (b'"', _) => return end + 1,
            _ => end += 1,
        }
    }
    bytes.len()
}

#[cfg(test)]
mod tests;
