//! Places in source text.

use std::fmt;
use std::str::FromStr;

/// A line and a column, both counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position {
    /// Line, from 1.
    pub line: u32,
    /// Column in characters, from 1.
    pub column: u32,
}

/// A stretch of source text within one file; `end` is past the last character.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    /// The first character.
    pub start: Position,
    /// Just past the last character.
    pub end: Position,
}

impl Span {
    /// The span of a text standing alone on the first line.
    pub fn of_line(text: &str) -> Self {
        let width = u32::try_from(text.chars().count()).unwrap_or(u32::MAX - 1);
        Self {
            start: Position { line: 1, column: 1 },
            end: Position { line: 1, column: 1 + width },
        }
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.line, self.column)
    }
}

impl fmt::Display for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.start, self.end)
    }
}

/// A text that is not a span.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "a span is written line:column-line:column, counted from 1, with its end not before its start"
)]
pub struct SpanError;

impl FromStr for Position {
    type Err = SpanError;

    fn from_str(text: &str) -> Result<Self, SpanError> {
        let (line, column) = text.split_once(':').ok_or(SpanError)?;
        // Plain digits: `parse` alone would take a sign or leading zeros.
        let count = |text: &str| match text.as_bytes().first() {
            Some(b'1'..=b'9') => text.parse().map_err(|_| SpanError),
            _ => Err(SpanError),
        };
        Ok(Self { line: count(line)?, column: count(column)? })
    }
}

impl FromStr for Span {
    type Err = SpanError;

    fn from_str(text: &str) -> Result<Self, SpanError> {
        let (start, end) = text.split_once('-').ok_or(SpanError)?;
        let span = Self { start: start.parse()?, end: end.parse()? };
        if span.end < span.start { Err(SpanError) } else { Ok(span) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_span_prints_as_it_is_read() {
        let span: Span = "3:7-12:2".parse().unwrap();
        assert_eq!(span.to_string(), "3:7-12:2");
    }

    #[test]
    fn a_span_that_runs_backwards_or_counts_from_zero_is_refused() {
        for text in [
            "3:7-3:6",
            "0:1-1:1",
            "1:0-1:1",
            "1-2",
            "",
            "1:1-1:99999999999",
            "+1:1-1:2",
            "01:1-1:2",
        ] {
            assert_eq!(text.parse::<Span>(), Err(SpanError), "{text}");
        }
    }
}
