//! A source text and its lines: from byte spans to lines and columns.
//!
//! The tree holds byte offsets only, two `u32` per place. A [`Source`] turns them into
//! [`Position`]s when a message is shown, and fetches the line for the caret.

use std::fmt;

use obligato_model::{Position, Span};

/// A stretch of bytes in the source text; `end` is past the last byte.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ByteSpan {
    /// The first byte.
    pub start: u32,
    /// Just past the last byte.
    pub end: u32,
}

impl ByteSpan {
    /// The bytes from `start` up to, but not including, `end`.
    pub fn new(start: u32, end: u32) -> Self {
        Self { start, end }
    }

    /// From the start of this span to the end of `other`.
    #[must_use]
    pub fn to(self, other: Self) -> Self {
        Self { start: self.start, end: other.end.max(self.end) }
    }
}

impl fmt::Debug for ByteSpan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "@{}..{}", self.start, self.end)
    }
}

/// A source text with a table of its lines.
#[derive(Clone, Debug)]
pub struct Source<'t> {
    bytes: &'t [u8],
    /// Where each line starts; the first is 0.
    lines: Vec<u32>,
    /// Places in long lines, with how many characters of the line come before each: a file may
    /// be one line.
    landmarks: Vec<(u32, u32)>,
}

/// Bytes between two landmarks of a line.
const STRIDE: usize = 512;

impl<'t> Source<'t> {
    /// The table of lines of `bytes`, which need not be UTF-8.
    pub fn new(bytes: &'t [u8]) -> Self {
        let mut lines = vec![0];
        let ends = bytes.iter().enumerate().filter(|(_, byte)| **byte == b'\n');
        lines.extend(ends.map(|(index, _)| u32::try_from(index + 1).unwrap_or(u32::MAX)));
        let landmarks = landmarks(bytes, &lines);
        Self { bytes, lines, landmarks }
    }

    /// How many lines there are; a text without a line end has one.
    pub fn line_count(&self) -> usize {
        self.lines.len()
    }

    /// The line and column of a byte. A column counts characters; what is not UTF-8 counts
    /// as one character per byte sequence that cannot be decoded.
    pub fn position(&self, offset: u32) -> Position {
        let line = self.lines.partition_point(|start| *start <= offset) - 1;
        let passed = self.landmarks.partition_point(|(place, _)| *place <= offset);
        let landmark = self.landmarks[..passed].last().filter(|(at, _)| *at > self.lines[line]);
        let (start, characters) = landmark.copied().unwrap_or((self.lines[line], 0));
        let end = (offset as usize).min(self.bytes.len());
        let between = String::from_utf8_lossy(&self.bytes[(start as usize).min(end)..end]);
        let column = characters as usize + between.chars().count() + 1;
        Position {
            line: u32::try_from(line + 1).unwrap_or(u32::MAX),
            column: u32::try_from(column).unwrap_or(u32::MAX),
        }
    }

    /// The lines and columns of a span.
    pub fn span(&self, span: ByteSpan) -> Span {
        Span { start: self.position(span.start), end: self.position(span.end.max(span.start)) }
    }

    /// A whole line, counted from 1, without its end; what is not UTF-8 is replaced by `�`.
    pub fn line(&self, number: u32) -> String {
        let index = (number as usize).saturating_sub(1);
        let Some(start) = self.lines.get(index).map(|start| *start as usize) else {
            return String::new();
        };
        let end = self.lines.get(index + 1).map_or(self.bytes.len(), |next| *next as usize - 1);
        let line = &self.bytes[start.min(end)..end];
        String::from_utf8_lossy(line.strip_suffix(b"\r").unwrap_or(line)).into_owned()
    }
}

fn landmarks(bytes: &[u8], lines: &[u32]) -> Vec<(u32, u32)> {
    let mut found = Vec::new();
    for (index, start) in lines.iter().enumerate() {
        let start = *start as usize;
        let end = lines.get(index + 1).map_or(bytes.len(), |next| *next as usize);
        if end.saturating_sub(start) <= STRIDE {
            continue;
        }
        let (mut at, mut last, mut characters) = (start, start, 0);
        for chunk in bytes[start..end].utf8_chunks() {
            let lengths = chunk.valid().chars().map(char::len_utf8);
            for length in lengths.chain([chunk.invalid().len()]).filter(|length| *length > 0) {
                if at - last >= STRIDE {
                    found.push((at as u32, characters));
                    last = at;
                }
                at += length;
                characters += 1;
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_position_counts_lines_and_characters_from_one() {
        let source = Source::new("ab\nçd\n".as_bytes());
        assert_eq!(source.position(0).to_string(), "1:1");
        assert_eq!(source.position(2).to_string(), "1:3");
        assert_eq!(source.position(5).to_string(), "2:2");
        assert_eq!(source.span(ByteSpan::new(3, 6)).to_string(), "2:1-2:3");
        assert_eq!(source.line_count(), 3);
    }

    #[test]
    fn the_columns_of_a_long_line_are_those_of_counting_from_its_start() {
        let mut text = b"short\n".to_vec();
        for piece in 0..700 {
            text.extend_from_slice(if piece % 7 == 3 {
                b"\xff\xe2\x82"
            } else {
                "aç€".as_bytes()
            });
        }
        text.extend_from_slice(b"\nend");
        let source = Source::new(&text);
        assert!(source.landmarks.len() > 4);
        for offset in 6..text.len() - 3 {
            let counted = String::from_utf8_lossy(&text[6..offset]).chars().count() as u32 + 1;
            assert_eq!(source.position(offset as u32), Position { line: 2, column: counted });
        }
        assert_eq!(source.position(text.len() as u32 - 1).to_string(), "3:3");
    }

    #[test]
    fn a_position_past_the_end_is_the_end() {
        let source = Source::new(b"ab");
        assert_eq!(source.position(99).to_string(), "1:3");
    }

    #[test]
    fn a_line_comes_without_its_end_and_is_empty_where_there_is_none() {
        let source = Source::new(b"one\r\ntwo\n\xff!");
        assert_eq!(source.line(1), "one");
        assert_eq!(source.line(2), "two");
        assert_eq!(source.line(3), "\u{fffd}!");
        assert_eq!(source.line(4), "");
        assert_eq!(source.line(0), "one");
    }
}
