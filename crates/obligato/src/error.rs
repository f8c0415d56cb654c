//! Why a request could not be carried out.
//!
//! Answers are no errors: a gate that is not met, or an obligation that stays unresolved, is plain data.

use std::io;
use std::path::PathBuf;

pub use obligato_decisions_file::FormulaError;
use obligato_store::StoreError;

use crate::missing::no_file;
use crate::snippet::{snippet, snippet_at};

/// The one error type of the library.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// Something the request names is not there or not of the right kind.
    #[error("{message}; {way_out}")]
    Input {
        /// What is wrong, naming the file.
        message: String,
        /// What to do about it.
        way_out: String,
    },
    /// A file could not be read, does not hold what it should, or could not be written.
    #[error(transparent)]
    File(StoreError),
    /// A decision that cannot be understood.
    #[error(transparent)]
    Decision(#[from] FormulaError),
    /// A source text that cannot be used.
    #[error("{message}")]
    Source {
        /// The first thing that is wrong, with its place.
        message: String,
        /// Its source line, what may help, and everything else that is wrong.
        details: String,
    },
    /// A directory could not be made.
    #[error("cannot make the directory '{}': {source}", path.display())]
    MakeDirectory {
        /// The directory as the user knows it.
        path: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
    /// Work was stopped that has no answer before its end.
    #[error("stopped before the end")]
    Stopped,
    /// An invariant of obligato does not hold.
    #[error("this is a fault of obligato, please report it: {0}")]
    Internal(String),
}

impl From<StoreError> for Error {
    /// That a file is not there has a way out.
    fn from(error: StoreError) -> Self {
        match &error {
            StoreError::Io { place, action: "read", source }
                if source.kind() == io::ErrorKind::NotFound =>
            {
                place.path.as_deref().map(no_file).unwrap_or(Self::File(error))
            }
            _ => Self::File(error),
        }
    }
}

impl From<obligato_transition_system::Error> for Error {
    /// Readers gave every input a value of its type, so a simulation has no reason to refuse one.
    fn from(error: obligato_transition_system::Error) -> Self {
        Self::Internal(error.to_string())
    }
}

/// Who can do something about an error.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Blame {
    /// The user: the request or a file it names is wrong.
    Input,
    /// The machine or the tool: something cannot be written, was stopped, or is a bug.
    Tool,
}

impl Error {
    /// Who can do something about it.
    pub fn blame(&self) -> Blame {
        match self {
            Self::File(StoreError::Io { action: "write", .. })
            | Self::MakeDirectory { .. }
            | Self::Stopped
            | Self::Internal(_) => Blame::Tool,
            // This includes what cannot be stored: then the input says something twice.
            Self::Input { .. } | Self::Decision(_) | Self::Source { .. } | Self::File(_) => {
                Blame::Input
            }
        }
    }

    /// The source line and a caret below what is wrong, where that helps; empty otherwise.
    pub fn snippet(&self) -> String {
        match self {
            Self::Decision(error) => snippet(&error.line, error.at.column as usize),
            Self::File(error) => snippet_at(error.place()),
            Self::Source { details, .. } => details.clone(),
            _ => String::new(),
        }
    }
}
