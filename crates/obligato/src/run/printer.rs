//! A run as a document, test by test.

use obligato_store::run::Printer as JsonPrinter;
use obligato_store::suite::{CsvPrinter, Format, Kind2Printer, RifPrinter};

use super::{RanTest, RunSubject};
use crate::error::Error;

/// Prints a run in one of the formats of suites; the pieces make the document. As JSON it is an `obligato-run` document,
/// which holds what was found too.
pub struct RunPrinter<'a> {
    printer: Printer<'a>,
    /// What stands before the first test.
    header: String,
}

enum Printer<'a> {
    Csv(CsvPrinter<'a>),
    Json(Box<JsonPrinter<'a>>),
    Kind2(Kind2Printer<'a>),
    Rif(RifPrinter<'a>),
}

impl<'a> RunPrinter<'a> {
    /// Refuses variables that the format cannot hold.
    pub fn new(format: Format, subject: &'a RunSubject) -> Result<Self, Error> {
        let signature = subject.signature();
        let mut header = String::new();
        let printer = match format {
            Format::Csv => {
                let printer = CsvPrinter::new(signature.variables())?;
                header = printer.header()?;
                Printer::Csv(printer)
            }
            Format::Json => {
                let printer = JsonPrinter::new(&subject.path, &subject.main, signature)?;
                Printer::Json(Box::new(printer))
            }
            Format::Kind2 => Printer::Kind2(Kind2Printer::new(signature)),
            Format::Rif => {
                let printer = RifPrinter::new(signature);
                header = printer.header()?;
                Printer::Rif(printer)
            }
        };
        Ok(Self { printer, header })
    }

    /// The next test.
    pub fn print(&mut self, test: &RanTest) -> Result<String, Error> {
        let steps = &test.record.test;
        let printed = match &mut self.printer {
            Printer::Csv(printer) => printer.print(steps)?,
            Printer::Json(printer) => printer.print(steps, &test.found)?,
            Printer::Kind2(printer) => printer.print(steps)?,
            Printer::Rif(printer) => printer.print(steps)?,
        };
        Ok(std::mem::take(&mut self.header) + &printed)
    }

    /// The rest of the document.
    pub fn finish(self) -> String {
        let rest = match self.printer {
            Printer::Csv(_) | Printer::Rif(_) => String::new(),
            Printer::Json(printer) => printer.finish(),
            Printer::Kind2(printer) => printer.finish(),
        };
        self.header + &rest
    }
}
