//! What kind of file a name promises. A file of another kind is refused by its name, before a
//! reader complains about a text that was never meant for it.

use std::path::Path;

use crate::error::Error;

/// A kind of file that `judge` reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Decisions as text.
    Decisions,
    /// A document in JSON.
    Json,
    /// A suite in CSV.
    Csv,
}

/// Kinds that are accepted in one place, with what is said where another is given.
#[derive(Debug, Clone, Copy)]
pub struct Accepted {
    kinds: &'static [(&'static str, Kind)],
    words: &'static str,
}

/// What can be judged.
pub const SUBJECTS: Accepted = Accepted {
    kinds: &[("decisions", Kind::Decisions), ("json", Kind::Json)],
    words: "judge reads decisions (NAME.decisions) and program outlines (NAME.json)",
};

/// What can hold a suite.
pub const SUITES: Accepted = Accepted {
    kinds: &[("csv", Kind::Csv), ("json", Kind::Json)],
    words: "a suite is a CSV file (NAME.csv) or a JSON file (NAME.json)",
};

/// The kind of the file called `path`, if it is accepted.
pub fn of(path: &Path, accepted: Accepted) -> Result<Kind, Error> {
    let extension = path.extension().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
    let found = accepted.kinds.iter().find(|(name, _)| *name == extension);
    found.map(|(_, kind)| *kind).ok_or_else(|| {
        let what = match extension.as_str() {
            "c" | "h" => "this is called as C sources are",
            "lus" => "this is called as Lustre models are",
            _ => "the name does not say what this is",
        };
        Error::Input {
            message: format!("{}: {what}", path.display()),
            way_out: accepted.words.to_owned(),
        }
    })
}
