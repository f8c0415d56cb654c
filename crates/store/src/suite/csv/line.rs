//! The lines of a CSV file and the cells of a line.

use std::borrow::Cow;

use crate::error::StoreError;
use crate::source::Source;

/// One line, without what ends it.
#[derive(Clone, Copy, Debug)]
pub struct Line<'a> {
    source: Source<'a>,
    pub text: &'a str,
}

/// One cell, unquoted.
#[derive(Debug)]
pub struct Cell<'a> {
    /// The byte of the line at which it starts.
    pub offset: usize,
    pub text: Cow<'a, str>,
}

/// The lines of a text; a line break at the very end starts no further line.
pub fn lines(source: Source<'_>) -> impl Iterator<Item = Line<'_>> + Clone {
    source.0.lines().map(move |text| Line { source, text })
}

impl<'a> Line<'a> {
    /// A complaint about this line.
    pub fn invalid(self, reason: impl Into<String>) -> StoreError {
        self.invalid_at(0, reason)
    }

    /// A complaint about what stands at byte `offset` of this line.
    pub fn invalid_at(self, offset: usize, reason: impl Into<String>) -> StoreError {
        self.source.invalid(self.text, offset, reason)
    }

    fn syntax(self, offset: usize, reason: &str) -> StoreError {
        StoreError::Syntax {
            place: self.source.place(self.source.offset_of(self.text) + offset),
            reason: reason.to_owned(),
        }
    }

    /// Complains about a carriage return in the line: some programs end lines with
    /// it alone, and then all rows would seem to be one.
    pub fn check_break(self) -> Result<(), StoreError> {
        let reason = "a carriage return must be followed by a line feed";
        let found = self.text.find('\r');
        found.map_or(Ok(()), |at| Err(self.syntax(at, reason)))
    }

    /// Does this line name a test? A cell that starts so is written in quotes.
    pub fn is_name(self) -> bool {
        self.text.starts_with('#')
    }

    /// The name on such a line.
    pub fn name(self) -> Option<&'a str> {
        let name = self.text.strip_prefix('#')?;
        let name = name.strip_prefix(' ').unwrap_or(name);
        (!name.is_empty()).then_some(name)
    }

    /// Puts the cells of this line into `cells`.
    pub fn split(self, cells: &mut Vec<Cell<'a>>) -> Result<(), StoreError> {
        cells.clear();
        let syntax = |offset, reason| self.syntax(offset, reason);
        let mut offset = 0;
        loop {
            let rest = &self.text[offset..];
            let (text, length) = if rest.starts_with('"') {
                unquote(rest)
                    .ok_or_else(|| syntax(offset, "this quoted cell does not end on its line"))?
            } else {
                let length = rest.find(',').unwrap_or(rest.len());
                if let Some(quote) = rest[..length].find('"') {
                    let reason = "a cell with a quote in it must be quoted as a whole";
                    return Err(syntax(offset + quote, reason));
                }
                (Cow::Borrowed(&rest[..length]), length)
            };
            cells.push(Cell { offset, text });
            offset += length;
            match self.text[offset..].chars().next() {
                None => return Ok(()),
                Some(',') => offset += 1,
                Some(_) => {
                    let reason = "expected a comma after the closing quote of a cell";
                    return Err(syntax(offset, reason));
                }
            }
        }
    }
}

/// The text of the quoted cell that `rest` starts with, and the bytes it takes.
fn unquote(rest: &str) -> Option<(Cow<'_, str>, usize)> {
    let mut text = Cow::Borrowed("");
    let mut start = 1;
    loop {
        let end = start + rest[start..].find('"')?;
        text += &rest[start..end];
        if !rest[end + 1..].starts_with('"') {
            return Some((text, end + 1));
        }
        text += "\"";
        start = end + 2;
    }
}

/// A cell as it is written; `None` if no line can hold it. The first cell of a
/// line must not look like a name, nor like the mark some editors put at the
/// start of a file.
pub fn quote(text: &str) -> Option<Cow<'_, str>> {
    if text.contains(['\n', '\r']) {
        return None;
    }
    if text.contains([',', '"']) || text.starts_with(['#', '\u{feff}']) {
        return Some(Cow::Owned(format!("\"{}\"", text.replace('"', "\"\""))));
    }
    Some(Cow::Borrowed(text))
}
