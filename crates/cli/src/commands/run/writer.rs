//! A run in the format asked for, test by test, to standard output or into a file.

use std::io::Write as _;

use obligato::run::{RanTest, RunPrinter, RunSubject};
use obligato_store::file::{Draft, replace_together};
use obligato_store::suite;

use crate::args::{RunArgs, RunFormat};
use crate::error::CliError;
use crate::output::Output;
use crate::trace_table;

/// Where a run goes, and how.
pub struct Writer<'a> {
    subject: &'a RunSubject,
    /// None for a table.
    printer: Option<RunPrinter<'a>>,
    draft: Option<Draft>,
}

impl<'a> Writer<'a> {
    /// A writer as the arguments ask for it. Nothing takes the name of a file yet.
    pub fn new(arguments: &RunArgs, subject: &'a RunSubject) -> Result<Self, CliError> {
        let format = match arguments.format() {
            RunFormat::Table => None,
            RunFormat::Csv => Some(suite::Format::Csv),
            RunFormat::Json => Some(suite::Format::Json),
            RunFormat::Kind2 => Some(suite::Format::Kind2),
            RunFormat::Rif => Some(suite::Format::Rif),
        };
        let printer = format.map(|format| RunPrinter::new(format, subject)).transpose()?;
        let draft = arguments.output.as_deref().map(Draft::create).transpose()?;
        Ok(Self { subject, printer, draft })
    }

    /// Writes the next test.
    pub fn write(&mut self, test: &RanTest, output: &mut Output) -> Result<(), CliError> {
        let RanTest { record, found } = test;
        let signature = self.subject.signature();
        let printed = match &mut self.printer {
            Some(printer) => printer.print(test)?,
            None if self.draft.is_none() => {
                return Ok(trace_table::write(record, found, signature, output)?);
            }
            None => {
                let mut bytes = Vec::new();
                let mut plain = anstream::StripStream::new(&mut bytes);
                trace_table::write(record, found, signature, &mut plain)?;
                plain.flush()?;
                String::from_utf8_lossy(&bytes).into_owned()
            }
        };
        self.put(&printed, output)
    }

    /// Writes what is left, and gives the file its name.
    pub fn finish(mut self, output: &mut Output) -> Result<(), CliError> {
        let rest = self.printer.take().map_or_else(String::new, RunPrinter::finish);
        self.put(&rest, output)?;
        Ok(self.draft.map_or(Ok(()), |draft| replace_together(vec![draft]))?)
    }

    fn put(&mut self, text: &str, output: &mut Output) -> Result<(), CliError> {
        match &mut self.draft {
            Some(draft) => Ok(draft.write(text.as_bytes())?),
            None => output.write_text(text),
        }
    }
}
