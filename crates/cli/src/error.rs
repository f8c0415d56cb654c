//! Why a run could not be completed. Each kind of error has its exit code.
//!
//! Outcomes that are answers rather than errors (a gate not met, a tool missing) are an
//! [`Exit`] returned by the command, not an error.

use std::io;
use std::path::PathBuf;

use obligato_decisions_file::FormulaError;
use obligato_store::StoreError;

use crate::exit::Exit;
use crate::missing::no_file;
use crate::output::printable;
use crate::snippet::{snippet, snippet_at};

/// The one error type of the command line.
#[derive(Debug, thiserror::Error)]
pub enum CliError {
    /// The arguments do not make sense.
    #[error("{message}; try '{help_command}'")]
    Usage {
        /// What is wrong, with a suggestion where there is one.
        message: String,
        /// The command that shows the help to read, such as `obligato doctor --help`.
        help_command: String,
    },
    /// Something the arguments name is not there or not of the right kind.
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
    /// A model that cannot be used.
    #[error("{message}")]
    Model {
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
    /// The output stream failed (a closed pipe is not a failure and never comes here).
    #[error("cannot write the output: {0}")]
    WriteOutput(#[from] io::Error),
    /// What should not be possible.
    #[error("this is a fault of obligato, please report it: {0}")]
    Fault(String),
}

impl From<StoreError> for CliError {
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

impl CliError {
    /// The exit code this kind of error ends with.
    pub fn exit(&self) -> Exit {
        match self {
            Self::File(StoreError::Io { action: "write", .. })
            | Self::MakeDirectory { .. }
            | Self::WriteOutput(_)
            | Self::Fault(_) => Exit::ToolError,
            // This includes what cannot be stored: then the input says something twice.
            Self::Usage { .. }
            | Self::Input { .. }
            | Self::Decision(_)
            | Self::Model { .. }
            | Self::File(_) => Exit::InputError,
        }
    }

    /// The message on one line: what users typed may hold line breaks and terminal controls, and
    /// neither a log reader nor a terminal should see them raw.
    pub fn one_line(&self) -> String {
        printable(&self.to_string())
    }

    /// The source line and a caret below what is wrong, where that helps; empty otherwise.
    pub fn snippet(&self) -> String {
        match self {
            Self::Decision(error) => snippet(&error.line, error.at.column as usize),
            Self::File(error) => snippet_at(error.place()),
            Self::Model { details, .. } => details.clone(),
            _ => String::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_message_stays_on_one_line_whatever_it_quotes() {
        let error = CliError::Input {
            message: "no file 'a\nb\u{1b}[31m'".into(),
            way_out: "name another".into(),
        };
        assert_eq!(error.one_line(), r"no file 'a\nb\u{1b}[31m'; name another");
    }

    #[test]
    fn what_the_user_can_mend_exits_2_and_what_the_tool_cannot_do_exits_1() {
        let failure = || io::Error::other("disk full");
        let usage = CliError::Usage { message: String::new(), help_command: String::new() };
        let write = CliError::MakeDirectory { path: "x".into(), source: failure() };
        assert_eq!(usage.exit(), Exit::InputError);
        assert_eq!(write.exit(), Exit::ToolError);
        assert_eq!(CliError::from(failure()).exit(), Exit::ToolError);
    }
}
