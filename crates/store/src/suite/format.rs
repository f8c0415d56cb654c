//! The formats of suites, and how a file is known to have one.

use std::path::Path;

/// A format that a suite can have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// A header and a row per step.
    Csv,
    /// An `obligato-suite` document, or what `obligato run` prints as JSON.
    Json,
    /// What the interpreter of Kind 2 reads.
    Kind2,
    /// What the tools around Lustre V6 exchange.
    Rif,
}

impl Format {
    /// The format of a file of this name: `.csv`, `.rif`, and for all others JSON, which is
    /// Kind 2's if it starts with a list.
    pub fn of(path: &Path, bytes: &[u8]) -> Self {
        let is = |name: &str| {
            path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case(name))
        };
        let text = bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes);
        if is("csv") {
            Self::Csv
        } else if is("rif") {
            Self::Rif
        } else if text.trim_ascii_start().starts_with(b"[") {
            Self::Kind2
        } else {
            Self::Json
        }
    }
}
