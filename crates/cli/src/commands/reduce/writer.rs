//! The smaller suite as a file.

use std::path::Path;

use obligato_model::{Interface, TestCase, TestId};
use obligato_store::Signature;
use obligato_store::file::{Draft, replace_together};
use obligato_store::suite::{CsvPrinter, Format, Printer as JsonPrinter, RifPrinter};

use super::measuring::ModelSuite;
use crate::error::CliError;

/// The format that the name of a file promises.
pub fn format_of(path: &Path) -> Result<Format, CliError> {
    let extension = path.extension().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
    match extension.as_str() {
        "csv" => Ok(Format::Csv),
        "json" => Ok(Format::Json),
        "rif" => Ok(Format::Rif),
        _ => Err(CliError::Input {
            message: format!("'{}' does not say what kind of suite to write", path.display()),
            way_out: "let its name end in .csv, .json or .rif".to_owned(),
        }),
    }
}

/// Writes these tests of the suite, with what they expect.
pub fn write(
    path: &Path,
    format: Format,
    suite: &ModelSuite,
    kept: &[TestId],
) -> Result<(), CliError> {
    let signature = Signature::new(&Interface {
        inputs: suite.signature().inputs().to_vec(),
        outputs: suite.expected.clone(),
    });
    let mut printer = Printer::new(format, &signature)?;
    let mut draft = Draft::create(path)?;
    draft.write(printer.start()?.as_bytes())?;
    for test in suite.tests(Some(kept))? {
        let test = without_unexpected(test?, suite);
        draft.write(printer.print(&test)?.as_bytes())?;
    }
    draft.write(printer.finish().as_bytes())?;
    Ok(replace_together(vec![draft])?)
}

/// The test without columns for outputs of which no test expects anything.
fn without_unexpected(mut test: TestCase, suite: &ModelSuite) -> TestCase {
    let inputs = suite.signature().inputs().len();
    let stays: Vec<bool> = (suite.signature().inputs().iter().map(|_| true))
        .chain(suite.signature().outputs().iter().map(|output| suite.expected.contains(output)))
        .collect();
    if stays[inputs..].iter().all(|stays| *stays) {
        return test;
    }
    for step in &mut test.steps {
        let mut column = stays.iter();
        step.retain(|_| column.next() == Some(&true));
    }
    test
}

/// Prints a suite in one of its formats.
enum Printer<'a> {
    Csv(CsvPrinter<'a>),
    Json(JsonPrinter<'a>),
    Rif(RifPrinter<'a>),
}

impl<'a> Printer<'a> {
    fn new(format: Format, signature: &'a Signature) -> Result<Self, CliError> {
        Ok(match format {
            Format::Csv => Self::Csv(CsvPrinter::new(signature.variables())?),
            Format::Rif => Self::Rif(RifPrinter::new(signature)),
            Format::Json | Format::Kind2 => Self::Json(JsonPrinter::for_program(signature)?),
        })
    }

    fn start(&self) -> Result<String, CliError> {
        Ok(match self {
            Self::Csv(printer) => printer.header()?,
            Self::Rif(printer) => printer.header()?,
            Self::Json(_) => String::new(),
        })
    }

    fn print(&mut self, test: &TestCase) -> Result<String, CliError> {
        Ok(match self {
            Self::Csv(printer) => printer.print(test)?,
            Self::Rif(printer) => printer.print(test)?,
            Self::Json(printer) => printer.print(test)?,
        })
    }

    fn finish(self) -> String {
        match self {
            Self::Csv(_) | Self::Rif(_) => String::new(),
            Self::Json(printer) => printer.finish(),
        }
    }
}
