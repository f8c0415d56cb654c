//! The text of a document, and where in it something stands.

use crate::error::{Place, StoreError};

/// Larger documents are refused: no suite of that size is meant, and what it is
/// read into takes several times the space.
pub const LARGEST: u64 = 1 << 30;

/// The whole text of a document, without a byte order mark.
#[derive(Clone, Copy, Debug)]
pub struct Source<'a>(pub &'a str);

impl<'a> Source<'a> {
    /// The text in `bytes`.
    pub fn of(bytes: &'a [u8]) -> Result<Self, StoreError> {
        if bytes.len() as u64 > LARGEST {
            let place = Place::default();
            return Err(StoreError::TooLarge { place });
        }
        match str::from_utf8(bytes) {
            Ok(text) => Ok(Self(text.strip_prefix('\u{feff}').unwrap_or(text))),
            Err(error) => {
                let good = str::from_utf8(&bytes[..error.valid_up_to()])
                    .expect("invariant: the bytes up to there are valid");
                let place = Self(good).place(good.len());
                Err(StoreError::NotUtf8 { place })
            }
        }
    }

    /// The line and column of the character at or around byte `offset`.
    pub fn place(self, offset: usize) -> Place {
        let before = &self.0[..self.0.floor_char_boundary(offset)];
        let line_start = before.rfind('\n').map_or(0, |at| at + 1);
        Place {
            path: None,
            line: Some(before.bytes().filter(|byte| *byte == b'\n').count() + 1),
            column: Some(before[line_start..].chars().count() + 1),
        }
    }

    /// Where `part`, a slice of this text, starts in it.
    pub fn offset_of(self, part: &str) -> usize {
        (part.as_ptr() as usize).saturating_sub(self.0.as_ptr() as usize)
    }

    /// A complaint about what stands at byte `offset` of `part`, a slice of this text.
    pub fn invalid(self, part: &str, offset: usize, reason: impl Into<String>) -> StoreError {
        StoreError::Invalid {
            place: self.place(self.offset_of(part) + offset),
            reason: reason.into(),
        }
    }

    /// The byte offset of a line and a byte column, both from 1.
    pub fn offset_at(self, line: usize, column: usize) -> usize {
        let start: usize =
            self.0.split_inclusive('\n').take(line.saturating_sub(1)).map(str::len).sum();
        start + column.saturating_sub(1)
    }
}
