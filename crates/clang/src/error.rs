//! What can go wrong between a C file and what is known of it.

use std::path::PathBuf;

use crate::process::Limit;

/// Why there is no text, no syntax or no bitcode.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ClangError {
    /// A tool or library that has to be installed.
    #[error("{what} is missing: install it with `apt-get install {package}`")]
    Missing {
        /// The tool or library.
        what: String,
        /// The Debian package that has it.
        package: &'static str,
    },
    /// The program is wrong; this is what the compiler says, with file and line.
    #[error("{0}")]
    Rejected(String),
    /// A flag or an entry of a compilation database that makes no sense here.
    #[error("{0}")]
    Input(String),
    /// A file that cannot be read or written.
    #[error("{}: {reason}", file.display())]
    File {
        /// Which.
        file: PathBuf,
        /// Why.
        reason: String,
    },
    /// The compiler needed more than it was given.
    #[error("{program} was stopped on {}: {limit}", file.display())]
    Exhausted {
        /// The compiler.
        program: String,
        /// What it was working on.
        file: PathBuf,
        /// What was too little.
        limit: Limit,
    },
    /// The compiler broke down, or said what it never should.
    #[error("{0}")]
    Internal(String),
}
