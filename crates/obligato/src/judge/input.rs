//! From a request to what is judged: a program, the tests, and who says what they did.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use obligato_decisions_file::{BoundFormulas, COMMAND_LINE, Formulas, is_number};
use obligato_model::{Program, Recording, Suite, Type, Variable};
use obligato_store::details::SourceFile;
use obligato_store::{Columns, Place, StoreError, SuiteFile, file, program, recording, suite};

use super::JudgeSubject;
use super::kind::{self, SUITES};
use crate::details::{says_the_same, sources};
use crate::error::Error;
use crate::key_path::key_path;
use crate::subject::SubjectKind;

/// What is judged.
pub struct JudgedCase {
    /// What the decisions come from, as the request named it.
    pub name: String,
    /// The tests and what they did.
    pub tests: Tests,
}

/// Tests, and where what they did comes from.
pub enum Tests {
    /// The decisions are evaluated here on each of them.
    Replayed {
        /// The decisions.
        formulas: BoundFormulas,
        /// The suite.
        suite: SuiteFile,
        /// Its file.
        path: PathBuf,
    },
    /// They ran elsewhere.
    Recorded {
        /// The program.
        program: Program,
        /// What happened.
        recording: Recording,
        /// Its file.
        path: PathBuf,
        /// The suite, if one was given.
        suite: Option<Suite>,
    },
}

impl JudgedCase {
    /// What kind of thing is judged.
    pub fn kind(&self) -> SubjectKind {
        match &self.tests {
            Tests::Replayed { .. } => SubjectKind::Decisions,
            Tests::Recorded { .. } => SubjectKind::Outline,
        }
    }

    /// How many tests there are, counted no further than this.
    pub fn count_up_to(&self, most: usize) -> Result<usize, Error> {
        match &self.tests {
            Tests::Replayed { formulas, suite, .. } => {
                let tests = suite.tests(&formulas.program.interface.inputs)?;
                let count = tests.take(most).try_fold(0, |count, test| test.map(|_| count + 1))?;
                Ok(count)
            }
            Tests::Recorded { recording, .. } => Ok(recording.tests.len()),
        }
    }

    /// The source of what is judged, if it is at hand: that of a program stands beside its outline, and is left out if it
    /// says something else.
    pub fn sources(&self) -> Vec<SourceFile> {
        let program = self.program();
        match &self.tests {
            Tests::Replayed { .. } => sources(program, Path::new("")),
            Tests::Recorded { .. } => {
                let directory = Path::new(&self.name).parent().unwrap_or(Path::new(""));
                let mut found = sources(program, directory);
                found.retain(|source| says_the_same(program, source));
                found
            }
        }
    }

    /// The program that is judged.
    pub fn program(&self) -> &Program {
        match &self.tests {
            Tests::Replayed { formulas, .. } => &formulas.program,
            Tests::Recorded { program, .. } => program,
        }
    }

    /// The program alone.
    pub fn into_program(self) -> Program {
        match self.tests {
            Tests::Replayed { formulas, .. } => formulas.program,
            Tests::Recorded { program, .. } => program,
        }
    }
}

/// Reads everything that a request names.
pub fn read(subject: &JudgeSubject) -> Result<JudgedCase, Error> {
    if let Some(tests) = subject.tests() {
        kind::of(tests, SUITES)?;
    }
    match subject {
        JudgeSubject::DecisionsFile { file, tests } => {
            let formulas = Formulas::parse(&key_path(file), &read_text(file)?)?;
            replay(file.display().to_string(), &formulas, tests)
        }
        JudgeSubject::Decisions { texts, tests } => {
            replay(COMMAND_LINE.to_owned(), &Formulas::parse_each(texts)?, tests)
        }
        JudgeSubject::Outline { file, recording, tests } => {
            read_recorded(file, recording, tests.as_deref())
        }
    }
}

/// Decisions to be evaluated on the tests of a suite.
fn replay(name: String, formulas: &Formulas, path: &Path) -> Result<JudgedCase, Error> {
    let suite = SuiteFile::read(path)?;
    let inputs = inputs_of(&suite, formulas)?;
    let formulas = formulas.bind(&inputs)?;
    let path = path.to_owned();
    Ok(JudgedCase { name, tests: Tests::Replayed { formulas, suite, path } })
}

/// The inputs of a suite for decisions. CSV has no types, so there the decisions decide: a cell
/// that does not fit is found in its row, instead of changing the type of its column.
fn inputs_of(suite: &SuiteFile, formulas: &Formulas) -> Result<Vec<Variable>, Error> {
    let inputs = suite.inputs(Columns::Infer)?;
    if !suite.is_csv() {
        return Ok(inputs);
    }
    if formulas.has_equalities() {
        // Columns of 0 and 1 may be either, and the decisions use them as Booleans.
        let booleans = suite.columns_fitting(&Type::Bool)?;
        let column = |name: &str| inputs.iter().position(|input| input.name == name);
        formulas.check_equalities(|left, right| {
            let Some((left, right)) = column(left).zip(column(right)) else { return false };
            [left, right].iter().all(|at| is_number(&inputs[*at].kind))
                && !(booleans[left] && booleans[right])
        })?;
    }
    Ok(formulas.retype(&inputs))
}

/// The text of a decisions file.
fn read_text(path: &Path) -> Result<String, Error> {
    let bytes = file::read(path)?;
    String::from_utf8(bytes).map_err(|error| {
        let good = String::from_utf8_lossy(&error.as_bytes()[..error.utf8_error().valid_up_to()]);
        let line_start = good.rfind('\n').map_or(0, |at| at + 1);
        let place = Place {
            path: Some(path.to_owned()),
            line: Some(good.matches('\n').count() + 1),
            column: Some(good[line_start..].chars().count() + 1),
        };
        StoreError::NotUtf8 { place }.into()
    })
}

/// A program and a recording made elsewhere.
fn read_recorded(file: &Path, recorded: &Path, tests: Option<&Path>) -> Result<JudgedCase, Error> {
    let program = program::load(file)?;
    let recording = recording::load(recorded, &program)?;
    let suite = match tests {
        None => None,
        Some(tests) => {
            let suite = suite::load(tests, Columns::Declared(&program.interface.inputs))?;
            check_names(&suite, tests, &recording, recorded)?;
            Some(suite)
        }
    };
    let (name, path) = (file.display().to_string(), recorded.to_owned());
    Ok(JudgedCase { name, tests: Tests::Recorded { program, recording, path, suite } })
}

/// Complains unless the recording has exactly the tests of the suite.
fn check_names(
    suite: &Suite,
    suite_path: &Path,
    recording: &Recording,
    recording_path: &Path,
) -> Result<(), Error> {
    let listed: Vec<&str> = suite.tests.iter().map(|test| test.name.as_str()).collect();
    let recorded: Vec<&str> = recording.tests.iter().map(|test| test.name.as_str()).collect();
    let absent = |names: &[&str], from: &[&str]| {
        let there: HashSet<&str> = from.iter().copied().collect();
        names.iter().find(|name| !there.contains(*name)).map(|name| (*name).to_owned())
    };
    let (path, other, name) = if let Some(name) = absent(&recorded, &listed) {
        (recording_path, suite_path, name)
    } else if let Some(name) = absent(&listed, &recorded) {
        (suite_path, recording_path, name)
    } else {
        return Ok(());
    };
    Err(Error::Input {
        message: format!("{}: test '{name}' is not in {}", path.display(), other.display()),
        way_out: "suite and recording must have the same tests".to_owned(),
    })
}
