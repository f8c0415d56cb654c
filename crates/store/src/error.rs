//! Why a file could not be read or written, and where.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use crate::document::VERSION;
use crate::source::LARGEST;

/// A place in a file, as far as it is known.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// The file.
    pub path: Option<PathBuf>,
    /// The line, from 1.
    pub line: Option<usize>,
    /// The column in characters, from 1.
    pub column: Option<usize>,
}

impl fmt::Display for Place {
    /// `path:line:column: `, without what is not known.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(path) = &self.path {
            write!(f, "{}:", OneLine(&path.display().to_string()))?;
        }
        for number in [self.line, self.column].into_iter().flatten() {
            write!(f, "{number}:")?;
        }
        if *self == Self::default() { Ok(()) } else { f.write_str(" ") }
    }
}

/// Why a document could not be read or written. Prints on one line.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The system would not read or write the file.
    #[error("{place}cannot {action} the file: {source}")]
    Io {
        /// The file.
        place: Place,
        /// `read` or `write`.
        action: &'static str,
        /// The system's reason.
        source: io::Error,
    },
    /// More than any document should have.
    #[error("{place}the file is larger than {} MiB, the most that is read", LARGEST >> 20)]
    TooLarge {
        /// The file.
        place: Place,
    },
    /// Bytes that are no text.
    #[error("{place}this is not UTF-8 text")]
    NotUtf8 {
        /// The first such byte.
        place: Place,
    },
    /// Text that is not JSON, or not CSV.
    #[error("{place}{}", OneLine(reason))]
    Syntax {
        /// Where reading stopped.
        place: Place,
        /// What is wrong.
        reason: String,
    },
    /// JSON, but not this kind of document.
    #[error("{place}expected an {expected} document, but {}", OneLine(&found_format(found.as_deref())))]
    WrongFormat {
        /// The format, or where it should be.
        place: Place,
        /// What was to be read.
        expected: &'static str,
        /// What the document says it is.
        found: Option<String>,
    },
    /// The right kind of document, of a version that is not known here.
    #[error(
        "{place}this is version {} of {format}; this release reads version {VERSION}",
        OneLine(found)
    )]
    WrongVersion {
        /// The version.
        place: Place,
        /// The kind of document.
        format: &'static str,
        /// The version it says it has.
        found: String,
    },
    /// A document that says something impossible.
    #[error("{place}{}", OneLine(reason))]
    Invalid {
        /// Where.
        place: Place,
        /// What is wrong.
        reason: String,
    },
    /// A value that the format cannot hold.
    #[error("{place}{}", OneLine(reason))]
    Unwritable {
        /// The file, once it is known.
        place: Place,
        /// What cannot be written, and what to do about it.
        reason: String,
    },
}

fn found_format(found: Option<&str>) -> String {
    match found {
        Some(format) => format!("this is {}", quoted(format)),
        None => "this has no field \"format\"".to_owned(),
    }
}

impl StoreError {
    /// Where it happened.
    pub fn place(&self) -> &Place {
        match self {
            Self::Io { place, .. }
            | Self::TooLarge { place }
            | Self::NotUtf8 { place }
            | Self::Syntax { place, .. }
            | Self::WrongFormat { place, .. }
            | Self::WrongVersion { place, .. }
            | Self::Invalid { place, .. }
            | Self::Unwritable { place, .. } => place,
        }
    }

    /// The same error, in the file at `path`.
    #[must_use]
    pub fn in_file(mut self, path: &Path) -> Self {
        let (Self::Io { place, .. }
        | Self::TooLarge { place }
        | Self::NotUtf8 { place }
        | Self::Syntax { place, .. }
        | Self::WrongFormat { place, .. }
        | Self::WrongVersion { place, .. }
        | Self::Invalid { place, .. }
        | Self::Unwritable { place, .. }) = &mut self;
        place.path = Some(path.to_owned());
        self
    }

    /// A value that cannot be written.
    pub(crate) fn unwritable(reason: impl Into<String>) -> Self {
        Self::Unwritable { place: Place::default(), reason: reason.into() }
    }
}

/// A text with its control characters spelled out: a message may quote anything,
/// and must stay on its line.
struct OneLine<'a>(&'a str);

impl fmt::Display for OneLine<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.chars().try_for_each(|character| {
            if character.is_control() {
                write!(f, "{}", character.escape_default())
            } else {
                write!(f, "{character}")
            }
        })
    }
}

/// A text in quotes, cut where a message would become unreadable.
pub(crate) fn quoted(text: &str) -> String {
    match text.char_indices().nth(60) {
        Some((at, _)) => format!("'{}…'", &text[..at]),
        None => format!("'{text}'"),
    }
}
