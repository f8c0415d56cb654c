//! Suites: `obligato-suite` documents, CSV files with a row per step, and what other tools
//! write: the interpreter of Kind 2, and RIF.
//!
//! CSV has no types, so its reader is told them or guesses them; JSON has them and
//! can be held against those of a program. The other two are read only for a program, whose
//! [`Signature`] says what they may hold. What a format cannot hold is refused when
//! printed. Start reading at [`parse_json`], then [`parse_csv`], then [`SuiteFile`].

use std::path::{Path, PathBuf};

use obligato_model::{Suite, TestCase, Type, Variable};

use crate::error::StoreError;
use crate::file;

mod csv;
mod format;
mod json;
mod kind2;
mod rif;
mod signature;

pub use csv::{Printer as CsvPrinter, parse as parse_csv, print as print_csv};
pub use format::Format;
pub use json::{FORMAT, Printer, parse as parse_json, print as print_json};
pub use kind2::{Printer as Kind2Printer, tests as parse_kind2};
pub use rif::{Printer as RifPrinter, tests as parse_rif};
pub use signature::Signature;

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

/// Tests that are read when they are asked for.
type Tests<'a> = Box<dyn Iterator<Item = Result<TestCase, StoreError>> + 'a>;

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
        let tests: Tests<'a> = if self.is_csv() {
            Box::new(csv::tests(&self.bytes, inputs, inputs.len()).map_err(in_file)?)
        } else {
            Box::new(json::tests(&self.bytes, inputs).map_err(in_file)?)
        };
        Ok(tests.map(move |test| test.map_err(in_file)))
    }

    /// The inputs and the outputs that a JSON suite says it has.
    pub fn own_signature(&self) -> Result<Signature, StoreError> {
        json::signature(&self.bytes).map_err(|error| error.in_file(&self.path))
    }

    /// The format that its name and its first character promise.
    pub fn format(&self) -> Format {
        Format::of(&self.path, &self.bytes)
    }

    /// Its tests as tests of a program, one after the other. Each step has the values of the
    /// inputs and then those expected of the outputs; [`Signature::split`] takes them apart.
    pub fn tests_for<'a>(
        &'a self,
        signature: &'a Signature,
        format: Format,
    ) -> Result<impl Iterator<Item = Result<TestCase, StoreError>> + 'a, StoreError> {
        let (bytes, path) = (self.bytes.as_slice(), self.path.as_path());
        let in_file = move |error: StoreError| error.in_file(path);
        let tests: Result<Tests<'a>, StoreError> = match format {
            Format::Csv => csv::tests(bytes, signature.variables(), signature.inputs().len())
                .map(|tests| Box::new(tests) as _),
            Format::Json => json::tests_for(bytes, signature).map(|tests| Box::new(tests) as _),
            Format::Kind2 => kind2::tests(bytes, signature).map(|tests| Box::new(tests) as _),
            Format::Rif => rif::tests(bytes, signature).map(|tests| Box::new(tests) as _),
        };
        Ok(tests.map_err(in_file)?.map(move |test| test.map_err(in_file)))
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
