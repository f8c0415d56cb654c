//! From arguments to what is judged: a program, what its tests did, and the suite if there is one.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use obligato_formula::{COMMAND_LINE, Formulas};
use obligato_model::{Program, Recording, Suite};
use obligato_store::{Columns, Place, StoreError, file, program, recording, suite};

use crate::args::JudgeArgs;
use crate::error::CliError;

/// What is judged.
pub struct Case {
    /// What the decisions come from, as the user named it.
    pub name: String,
    /// The program.
    pub program: Program,
    /// The suite, if one was given.
    pub suite: Option<Suite>,
    /// What its tests did.
    pub recording: Recording,
    /// Who says so.
    pub origin: Origin,
}

/// Where a recording comes from.
pub enum Origin {
    /// The decisions were evaluated here.
    Replay,
    /// It was made elsewhere and read from this file.
    Recording(PathBuf),
}

/// Reads everything that the arguments name.
pub fn read(arguments: &JudgeArgs) -> Result<Case, CliError> {
    let JudgeArgs { file, tests, recording, .. } = arguments;
    match (file, tests, recording) {
        (Some(file), tests, Some(recording)) => read_recorded(file, recording, tests.as_deref()),
        (Some(file), Some(_), None) if has_extension(file, "json") => Err(CliError::Input {
            message: format!("{}: the outline of a program has no way to run", file.display()),
            way_out: "add --recording with what its tests did".to_owned(),
        }),
        (Some(file), Some(tests), None) => {
            let name = file.display().to_string();
            let formulas = Formulas::parse(&name, &read_text(file)?)?;
            replay(name, &formulas, tests)
        }
        (None, Some(tests), _) => {
            replay(COMMAND_LINE.to_owned(), &Formulas::parse_each(&arguments.decision)?, tests)
        }
        (_, None, _) => Err(CliError::Fault("judge without a suite and a recording".to_owned())),
    }
}

fn has_extension(path: &Path, extension: &str) -> bool {
    path.extension().is_some_and(|found| found.eq_ignore_ascii_case(extension))
}

/// Evaluates decisions on the tests of a suite.
fn replay(name: String, formulas: &Formulas, tests: &Path) -> Result<Case, CliError> {
    let suite = read_suite(tests, formulas)?;
    let bound = formulas.bind(&suite.inputs)?;
    let recording = bound.replay(&suite).map_err(|error| CliError::Input {
        message: format!("{}: {error}", tests.display()),
        way_out: "give it a value there".to_owned(),
    })?;
    Ok(Case { name, program: bound.program, suite: Some(suite), recording, origin: Origin::Replay })
}

/// A suite for decisions. CSV has no types, so there the decisions decide: a cell that does not
/// fit is found in its row, instead of changing the type of its column.
fn read_suite(path: &Path, formulas: &Formulas) -> Result<Suite, CliError> {
    if !has_extension(path, "csv") {
        return Ok(suite::load(path, Columns::Infer)?);
    }
    let bytes = file::read(path)?;
    let read =
        |columns: Columns<'_>| suite::parse_csv(&bytes, columns).map_err(|e| e.in_file(path));
    let guessed = read(Columns::Infer)?;
    let inputs = formulas.retype(&guessed.inputs);
    if inputs == guessed.inputs {
        return Ok(guessed);
    }
    Ok(read(Columns::Declared(&inputs))?)
}

/// The text of a decisions file.
fn read_text(path: &Path) -> Result<String, CliError> {
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
fn read_recorded(file: &Path, recorded: &Path, tests: Option<&Path>) -> Result<Case, CliError> {
    if has_extension(file, "decisions") {
        return Err(CliError::Input {
            message: format!("{}: decisions are replayed here, not recorded", file.display()),
            way_out: "leave out --recording, or name the outline of a program".to_owned(),
        });
    }
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
    Ok(Case {
        name: file.display().to_string(),
        program,
        suite,
        recording,
        origin: Origin::Recording(recorded.to_owned()),
    })
}

/// Complains unless the recording has exactly the tests of the suite.
fn check_names(
    suite: &Suite,
    suite_path: &Path,
    recording: &Recording,
    recording_path: &Path,
) -> Result<(), CliError> {
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
    Err(CliError::Input {
        message: format!("{}: test '{name}' is not in {}", path.display(), other.display()),
        way_out: "suite and recording must have the same tests".to_owned(),
    })
}
