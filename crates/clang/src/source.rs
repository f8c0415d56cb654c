//! A C file and how it is compiled.

use std::path::PathBuf;

use crate::Flags;
use crate::complaint::{MOST_ERRORS, WIDTH};
use crate::process::{Job, Limits};

/// The compiler.
pub(crate) const CLANG: &str = "clang-19";

/// A C file with its flags.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// The file; relative to the directory.
    pub file: PathBuf,
    /// Where the compiler runs.
    pub directory: PathBuf,
    /// Its flags.
    pub flags: Flags,
    /// What the compiler may use.
    pub limits: Limits,
}

impl Source {
    /// clang on this file, with these arguments in front.
    pub(crate) fn job(&self, arguments: &[&str]) -> Job<'_> {
        let mut all = vec!["-fno-crash-diagnostics".to_owned()];
        all.push(format!("-ferror-limit={MOST_ERRORS}"));
        all.push(format!("-fmessage-length={WIDTH}"));
        all.extend(arguments.iter().map(|&argument| argument.to_owned()));
        all.extend(self.flags.for_original());
        all.extend(["-x", "c", "--"].map(str::to_owned));
        all.push(self.file.to_string_lossy().into_owned());
        Job { program: CLANG, arguments: all, directory: &self.directory, subject: &self.file }
    }
}
