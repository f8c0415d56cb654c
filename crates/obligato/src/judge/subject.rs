//! What can be judged.

use std::path::{Path, PathBuf};

use super::kind::{self, Kind, SUBJECTS, SUITES};
use crate::error::Error;

/// Decisions or a program, and the tests that it is judged by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum JudgeSubject {
    /// Decisions in a file, evaluated on every test.
    DecisionsFile {
        /// The file, with one decision per line.
        file: PathBuf,
        /// The suite.
        tests: PathBuf,
    },
    /// Decisions as texts, evaluated on every test.
    Decisions {
        /// The decisions.
        texts: Vec<String>,
        /// The suite.
        tests: PathBuf,
    },
    /// The outline of a program, whose tests ran elsewhere.
    Outline {
        /// The outline.
        file: PathBuf,
        /// What happened in the tests.
        recording: PathBuf,
        /// The suite, if it is to be stored with the result.
        tests: Option<PathBuf>,
    },
}

impl JudgeSubject {
    /// What a file is by the end of its name: decisions (`.decisions`), which need a suite, or the outline of a program (`.json`),
    /// which needs a recording.
    pub fn of_file(
        file: &Path,
        tests: Option<&Path>,
        recording: Option<&Path>,
    ) -> Result<Self, Error> {
        let subject = kind::of(file, SUBJECTS)?;
        if let Some(tests) = tests {
            kind::of(tests, SUITES)?;
        }
        let file = file.to_owned();
        match (subject, tests, recording) {
            (Kind::Json, tests, Some(recording)) => Ok(Self::Outline {
                file,
                recording: recording.to_owned(),
                tests: tests.map(Path::to_owned),
            }),
            (_, _, Some(_)) => Err(Error::Input {
                message: format!("{}: decisions are replayed here, not recorded", file.display()),
                way_out: "leave out --recording, or name the outline of a program".to_owned(),
            }),
            (Kind::Json, _, None) => Err(Error::Input {
                message: format!("{}: the outline of a program has no way to run", file.display()),
                way_out: "add --recording with what its tests did".to_owned(),
            }),
            (_, Some(tests), None) => Ok(Self::DecisionsFile { file, tests: tests.to_owned() }),
            (_, None, None) => Err(Error::Input {
                message: format!("{}: there are no tests to judge by", file.display()),
                way_out: "add --tests with a suite".to_owned(),
            }),
        }
    }

    /// The suite, if there is one.
    pub fn tests(&self) -> Option<&Path> {
        match self {
            Self::DecisionsFile { tests, .. } | Self::Decisions { tests, .. } => Some(tests),
            Self::Outline { tests, .. } => tests.as_deref(),
        }
    }
}
