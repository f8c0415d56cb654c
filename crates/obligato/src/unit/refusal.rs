//! What is wrong with a C unit or its suite, as errors of the command line.

use std::env;
use std::path::Path;

use obligato_c_unit::{LoadError, Misfit, NativeError, RunError};
use obligato_clang::ClangError;

use crate::error::Error;
use crate::missing::no_file;

/// The error that a unit cannot be loaded.
pub fn refuse(error: LoadError) -> Error {
    match error {
        LoadError::Clang(error) => refuse_clang(error),
        LoadError::NoFunction { file, name, known } => Error::Input {
            message: format!("{} defines no function '{name}'", file.display()),
            way_out: format!("it defines {known}"),
        },
        LoadError::NotCallable { .. } => Error::Input {
            message: error.to_string(),
            way_out: "give the types of its parameters names outside of it, or test a function that calls it".to_owned(),
        },
        LoadError::VariableArrays { .. } => Error::Input {
            message: error.to_string(),
            way_out: "test a function that calls it with arrays of fixed lengths".to_owned(),
        },
        LoadError::Precondition { function, text, at, reason } => Error::Source {
            message: format!("a precondition of {function} cannot be read: {reason}"),
            details: format!("  {text}\n  {}^", " ".repeat(at)),
        },
        LoadError::Sequence { reason, .. } => Error::Input {
            message: error.to_string(),
            way_out: match reason {
                Misfit::Unknown => "--init and --event name functions without parameters",
                Misfit::TakesArguments => "write a function without parameters that calls it",
            }
            .to_owned(),
        },
        LoadError::Directory(source) => Error::MakeDirectory { path: env::temp_dir(), source },
        LoadError::Bitcode(error) => Error::Internal(error.to_string()),
    }
}

/// The same for a file that may be a header. Most headers need what is included before them.
pub fn refuse_file(file: &Path, error: LoadError) -> Error {
    let is_header = file.extension().is_some_and(|extension| extension == "h");
    match refuse(error) {
        Error::Source { message, details } if is_header => {
            let way_out = format!(
                "  {} was compiled by itself; if it needs what other files include before it, name a C file that includes it, \
                 and the function by --function",
                file.display()
            );
            let details = if details.is_empty() {
                way_out
            } else {
                format!("{}\n{way_out}", details.trim_end())
            };
            Error::Source { message, details }
        }
        other => other,
    }
}

/// The error that clang does not take a file.
pub fn refuse_clang(error: ClangError) -> Error {
    match error {
        ClangError::Rejected(message) => {
            let (first, rest) = message.split_once('\n').unwrap_or((&message, ""));
            let details = if rest.is_empty() { String::new() } else { format!("{rest}\n") };
            Error::Source { message: first.to_owned(), details }
        }
        ClangError::Internal(message) => Error::Internal(message),
        ClangError::File { file, .. } if !file.exists() => no_file(&file),
        ClangError::Missing { .. } => Error::Input {
            message: error.to_string(),
            way_out: "'obligato doctor' says what else is missing".to_owned(),
        },
        other => Error::Source { message: other.to_string(), details: String::new() },
    }
}

/// The error that a suite cannot be run.
pub fn refuse_run(error: RunError) -> Error {
    match error {
        RunError::Unit(error) => refuse(error),
        RunError::Suite(error) => {
            Error::Source { message: error.to_string(), details: String::new() }
        }
        other => Error::Internal(other.to_string()),
    }
}

/// The error that tests cannot be run as machine code.
pub fn refuse_native(error: NativeError) -> Error {
    match error {
        NativeError::Run(error) => refuse_run(error),
        other => Error::Input {
            message: other.to_string(),
            way_out: "--no-native does without machine code".to_owned(),
        },
    }
}
