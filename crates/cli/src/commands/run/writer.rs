//! A run in the format asked for, test by test, to standard output or into a file.

use std::io::Write as _;

use obligato_store::file::{Draft, replace_together};
use obligato_store::run::{Findings, Printer as RunPrinter};
use obligato_store::suite::{CsvPrinter, Kind2Printer, RifPrinter};

use super::subject::Subject;
use crate::args::{RunArgs, RunFormat};
use crate::error::CliError;
use crate::output::Output;
use crate::trace_table;
use obligato::record::Record;

/// Where a run goes, and how.
pub struct Writer<'a> {
    subject: &'a Subject,
    printer: Printer<'a>,
    /// What stands before the first test.
    header: String,
    draft: Option<Draft>,
}

enum Printer<'a> {
    Table,
    Csv(CsvPrinter<'a>),
    Json(Box<RunPrinter<'a>>),
    Kind2(Kind2Printer<'a>),
    Rif(RifPrinter<'a>),
}

impl<'a> Writer<'a> {
    /// A writer as the arguments ask for it. Nothing takes the name of a file yet.
    pub fn new(arguments: &RunArgs, subject: &'a Subject) -> Result<Self, CliError> {
        let signature = subject.signature();
        let mut header = String::new();
        let printer = match arguments.format() {
            RunFormat::Table => Printer::Table,
            RunFormat::Csv => {
                let printer = CsvPrinter::new(signature.variables())?;
                header = printer.header()?;
                Printer::Csv(printer)
            }
            RunFormat::Json => {
                let printer = RunPrinter::new(&subject.path, &subject.main, signature)?;
                Printer::Json(Box::new(printer))
            }
            RunFormat::Kind2 => Printer::Kind2(Kind2Printer::new(signature)),
            RunFormat::Rif => {
                let printer = RifPrinter::new(signature);
                header = printer.header()?;
                Printer::Rif(printer)
            }
        };
        let draft = arguments.output.as_deref().map(Draft::create).transpose()?;
        Ok(Self { subject, printer, header, draft })
    }

    /// Writes the next test.
    pub fn write(
        &mut self,
        record: &Record,
        found: &Findings,
        output: &mut Output,
    ) -> Result<(), CliError> {
        let header = std::mem::take(&mut self.header);
        let text = match &mut self.printer {
            Printer::Table if self.draft.is_none() => {
                return Ok(trace_table::write(record, found, self.subject.signature(), output)?);
            }
            Printer::Table => {
                let mut text = Vec::new();
                let mut plain = anstream::StripStream::new(&mut text);
                trace_table::write(record, found, self.subject.signature(), &mut plain)?;
                plain.flush()?;
                String::from_utf8_lossy(&text).into_owned()
            }
            Printer::Csv(printer) => printer.print(&record.test)?,
            Printer::Json(printer) => printer.print(&record.test, found)?,
            Printer::Kind2(printer) => printer.print(&record.test)?,
            Printer::Rif(printer) => printer.print(&record.test)?,
        };
        self.put(&(header + &text), output)
    }

    /// Writes what is left, and gives the file its name.
    pub fn finish(mut self, output: &mut Output) -> Result<(), CliError> {
        let header = std::mem::take(&mut self.header);
        let rest = match std::mem::replace(&mut self.printer, Printer::Table) {
            Printer::Table | Printer::Csv(_) | Printer::Rif(_) => String::new(),
            Printer::Json(printer) => printer.finish(),
            Printer::Kind2(printer) => printer.finish(),
        };
        self.put(&(header + &rest), output)?;
        Ok(self.draft.map_or(Ok(()), |draft| replace_together(vec![draft]))?)
    }

    fn put(&mut self, text: &str, output: &mut Output) -> Result<(), CliError> {
        match &mut self.draft {
            Some(draft) => Ok(draft.write(text.as_bytes())?),
            None => output.write_text(text),
        }
    }
}
