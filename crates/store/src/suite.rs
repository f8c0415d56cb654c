//! Suites: `obligato-suite` documents, and CSV files with a row per step.
//!
//! CSV has no types, so its reader is told them or guesses them; JSON has them and
//! can be held against those of a program. What CSV cannot hold is refused when
//! printed. Start reading at [`parse_json`], then [`parse_csv`].

use std::path::{Path, PathBuf};

use obligato_model::{Suite, TestCase, Type, Variable};

use crate::error::StoreError;
use crate::file;
use crate::variables::{self, Names};

mod csv;
mod json;

pub use csv::{parse as parse_csv, print as print_csv};
pub use json::{FORMAT, Printer, parse as parse_json, print as print_json};

/// Which inputs a suite has to have.
#[derive(Clone, Copy, Debug)]
pub enum Columns<'a> {
    /// Exactly these; the suite read lists them in this order.
    Declared(&'a [Variable]),
    /// Those it names. A JSON suite says their types; in CSV they are guessed.
    Infer,
}

/// Loads a suite: CSV if the file is called so, else JSON.
pub fn load(path: &Path, columns: Columns<'_>) -> Result<Suite, StoreError> {
    let bytes = file::read(path)?;
    let read = if is_csv(path) { parse_csv(&bytes, columns) } else { parse_json(&bytes, columns) };
    read.map_err(|error| error.in_file(path))
}

/// The bytes of a suite that is read test by test, so that it need not fit into
/// memory as values, which take many times the space of their text.
#[derive(Debug)]
pub struct SuiteFile {
    path: PathBuf,
    bytes: Vec<u8>,
}

impl SuiteFile {
    /// Reads the file at `path`, which is taken apart later.
    pub fn read(path: &Path) -> Result<Self, StoreError> {
        Ok(Self { path: path.to_owned(), bytes: file::read(path)? })
    }

    /// Are the types of the inputs only guessed?
    pub fn is_csv(&self) -> bool {
        is_csv(&self.path)
    }

    /// The inputs it has.
    pub fn inputs(&self, columns: Columns<'_>) -> Result<Vec<Variable>, StoreError> {
        let read = if self.is_csv() { csv::inputs } else { json::inputs };
        read(&self.bytes, columns).map_err(|error| error.in_file(&self.path))
    }

    /// Per column of a CSV file, whether all its cells are values of `kind`.
    pub fn columns_fitting(&self, kind: &Type) -> Result<Vec<bool>, StoreError> {
        csv::columns_fitting(&self.bytes, kind).map_err(|error| error.in_file(&self.path))
    }

    /// Its tests, with these inputs, one after the other.
    pub fn tests<'a>(
        &'a self,
        inputs: &'a [Variable],
    ) -> Result<impl Iterator<Item = Result<TestCase, StoreError>> + 'a, StoreError> {
        let in_file = |error: StoreError| error.in_file(&self.path);
        let tests: Box<dyn Iterator<Item = _> + 'a> = if self.is_csv() {
            Box::new(csv::tests(&self.bytes, inputs).map_err(in_file)?)
        } else {
            Box::new(json::tests(&self.bytes, inputs).map_err(in_file)?)
        };
        Ok(tests.map(move |test| test.map_err(in_file)))
    }
}

/// Saves a suite: CSV if the file is called so, else JSON.
pub fn save(path: &Path, suite: &Suite) -> Result<(), StoreError> {
    let printed = if is_csv(path) { print_csv(suite) } else { print_json(suite) };
    let text = printed.map_err(|error| error.in_file(path))?;
    file::write(path, text.as_bytes())
}

fn is_csv(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("csv"))
}

/// Complains about what no format can hold: names that clash, steps that do not
/// go with the inputs.
fn check(suite: &Suite) -> Result<(), StoreError> {
    variables::check(&suite.inputs, "input")?;
    let mut names = Names::new("test");
    for test in &suite.tests {
        names.add(&test.name).map_err(StoreError::unwritable)?;
        check_steps(test, suite.inputs.len())?;
    }
    Ok(())
}

fn check_steps(test: &TestCase, inputs: usize) -> Result<(), StoreError> {
    let wrong = test.steps.iter().find(|step| step.len() != inputs);
    wrong.map_or(Ok(()), |step| {
        let (name, values) = (&test.name, step.len());
        Err(StoreError::unwritable(format!(
            "a step of test '{name}' has {values} values for {inputs} inputs"
        )))
    })
}

#[cfg(test)]
mod tests;
