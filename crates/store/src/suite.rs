//! Suites: `obligato-suite` documents, and CSV files with a row per step.
//!
//! CSV has no types, so its reader is told them or guesses them; JSON has them and
//! can be held against those of a program. What CSV cannot hold is refused when
//! printed. Start reading at [`parse_json`], then [`parse_csv`].

use std::path::Path;

use obligato_model::{Suite, Variable};

use crate::error::StoreError;
use crate::file;
use crate::variables::{self, Names};

mod csv;
mod json;

pub use csv::{parse as parse_csv, print as print_csv};
pub use json::{FORMAT, parse as parse_json, print as print_json};

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
        if let Some(step) = test.steps.iter().find(|step| step.len() != suite.inputs.len()) {
            return Err(StoreError::unwritable(format!(
                "a step of test '{}' has {} values for {} inputs",
                test.name,
                step.len(),
                suite.inputs.len()
            )));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests;
