//! Why a run could not be completed. Each kind of error has its exit code.
//!
//! Outcomes that are answers rather than errors (a gate not met, a tool missing) are an
//! [`Exit`] returned by the command, not an error.

use std::io;

use obligato::error::FormulaError;
use obligato::error::{Blame, Error};
use obligato_store::StoreError;

use crate::exit::Exit;
use crate::output::printable;

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
    /// The library could not do what was asked for.
    #[error(transparent)]
    Failed(#[from] Error),
    /// The output stream failed (a closed pipe is not a failure and never comes here).
    #[error("cannot write the output: {0}")]
    WriteOutput(#[from] io::Error),
}

impl From<FormulaError> for CliError {
    fn from(error: FormulaError) -> Self {
        Self::Failed(error.into())
    }
}

impl From<StoreError> for CliError {
    fn from(error: StoreError) -> Self {
        Self::Failed(error.into())
    }
}

impl CliError {
    /// The exit code this kind of error ends with.
    pub fn exit(&self) -> Exit {
        match self {
            Self::WriteOutput(_) => Exit::ToolError,
            Self::Usage { .. } => Exit::InputError,
            Self::Failed(error) => match error.blame() {
                Blame::Input => Exit::InputError,
                Blame::Tool => Exit::ToolError,
            },
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
            Self::Failed(error) => error.snippet(),
            Self::Usage { .. } | Self::WriteOutput(_) => String::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_message_stays_on_one_line_whatever_it_quotes() {
        let error = CliError::from(Error::Input {
            message: "no file 'a\nb\u{1b}[31m'".into(),
            way_out: "name another".into(),
        });
        assert_eq!(error.one_line(), r"no file 'a\nb\u{1b}[31m'; name another");
    }

    #[test]
    fn what_the_user_can_mend_exits_2_and_what_the_tool_cannot_do_exits_1() {
        let failure = || io::Error::other("disk full");
        let usage = CliError::Usage { message: String::new(), help_command: String::new() };
        let write = Error::MakeDirectory { path: "x".into(), source: failure() };
        assert_eq!(usage.exit(), Exit::InputError);
        assert_eq!(CliError::from(write).exit(), Exit::ToolError);
        assert_eq!(CliError::from(failure()).exit(), Exit::ToolError);
    }
}
