//! Suites as files, in the format that their name promises.

use std::borrow::Borrow;
use std::path::Path;

use obligato_model::TestCase;
use obligato_store::Signature;
use obligato_store::file::{Draft, replace_together};
use obligato_store::suite::{CsvPrinter, Format, Printer as JsonPrinter, RifPrinter};

use crate::error::Error;

/// The format that the name of a file promises.
pub fn format_of(path: &Path) -> Result<Format, Error> {
    let extension = path.extension().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
    match extension.as_str() {
        "csv" => Ok(Format::Csv),
        "json" => Ok(Format::Json),
        "rif" => Ok(Format::Rif),
        _ => Err(Error::Input {
            message: format!("'{}' does not say what kind of suite to write", path.display()),
            way_out: "let its name end in .csv, .json or .rif".to_owned(),
        }),
    }
}

/// Complains about a file that cannot be written, or that cannot hold tests of this signature, before
/// long work is done for it.
pub fn expect_writable(path: &Path, signature: &Signature) -> Result<(), Error> {
    Printer::new(format_of(path)?, signature)?.start()?;
    // A draft that is dropped leaves nothing behind.
    Draft::create(path)?;
    Ok(())
}

/// Writes tests; each step has values for the inputs and then the outputs of the signature.
pub fn write_suite(
    path: &Path,
    signature: &Signature,
    tests: impl Iterator<Item = Result<impl Borrow<TestCase>, Error>>,
) -> Result<(), Error> {
    let mut printer = Printer::new(format_of(path)?, signature)?;
    let mut draft = Draft::create(path)?;
    draft.write(printer.start()?.as_bytes())?;
    for test in tests {
        draft.write(printer.print(test?.borrow())?.as_bytes())?;
    }
    draft.write(printer.finish().as_bytes())?;
    Ok(replace_together(vec![draft])?)
}

/// Prints a suite in one of its formats.
enum Printer<'a> {
    Csv(CsvPrinter<'a>),
    Json(JsonPrinter<'a>),
    Rif(RifPrinter<'a>),
}

impl<'a> Printer<'a> {
    fn new(format: Format, signature: &'a Signature) -> Result<Self, Error> {
        Ok(match format {
            Format::Csv => Self::Csv(CsvPrinter::new(signature.variables())?),
            Format::Rif => Self::Rif(RifPrinter::new(signature)),
            Format::Json | Format::Kind2 => Self::Json(JsonPrinter::for_program(signature)?),
        })
    }

    fn start(&self) -> Result<String, Error> {
        Ok(match self {
            Self::Csv(printer) => printer.header()?,
            Self::Rif(printer) => printer.header()?,
            Self::Json(_) => String::new(),
        })
    }

    fn print(&mut self, test: &TestCase) -> Result<String, Error> {
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
