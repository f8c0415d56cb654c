//! Where text goes: standard output for results, standard error for the one line of an error.
//!
//! Commands always write with colour; this module takes the colour out again when `--color`,
//! `NO_COLOR` or a stream that is no terminal asks for it. A closed pipe (`obligato … | head -1`)
//! is the reader's choice and no error: the rest of the output is dropped and the command's own
//! exit code stands.

use std::fmt;
use std::io::{self, BufWriter, Write};

use anstream::{AutoStream, ColorChoice};
use anstyle::{AnsiColor, Style};

use crate::args::ColourWhen;
use crate::error::CliError;

pub use obligato::text::{abridged, counted, printable};

/// For what is as it should be.
pub const GOOD: Style = AnsiColor::Green.on_default();
/// For what is missing or wrong.
pub const BAD: Style = AnsiColor::Red.on_default().bold();
/// For what can be skipped when reading fast.
pub const FAINT: Style = Style::new().dimmed();

/// How much a command says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verbosity {
    /// Results and remarks.
    Normal,
    /// Only what was asked for and what is wrong.
    Quiet,
}

/// Standard output, made safe to write to.
pub struct Output {
    sink: Box<dyn Write>,
    verbosity: Verbosity,
    reader: Reader,
}

#[derive(Debug, PartialEq, Eq)]
enum Reader {
    Listening,
    Gone,
}

impl Output {
    /// Standard output with colours as asked for.
    pub fn stdout(colour: ColourWhen, verbosity: Verbosity) -> Self {
        let stdout = io::stdout();
        let choice = resolve(colour, AutoStream::choice(&stdout));
        let sink = Box::new(BufWriter::new(AutoStream::new(stdout, choice)));
        Self::new(sink, verbosity)
    }

    fn new(sink: Box<dyn Write>, verbosity: Verbosity) -> Self {
        Self { sink, verbosity, reader: Reader::Listening }
    }

    /// Standard error, in plain text, for what is to be said beside a result on standard output.
    pub fn beside(&self) -> Self {
        Self::new(Box::new(AutoStream::never(io::stderr())), self.verbosity)
    }

    /// Whether remarks are wanted.
    pub const fn verbosity(&self) -> Verbosity {
        self.verbosity
    }

    /// Writes a finished text as it is.
    pub fn write_text(&mut self, text: &str) -> Result<(), CliError> {
        self.write_all(text.as_bytes())?;
        Ok(())
    }

    /// Writes one line of remark, unless the user asked for quiet.
    pub fn remark(&mut self, line: fmt::Arguments<'_>) -> Result<(), CliError> {
        if self.verbosity == Verbosity::Normal {
            writeln!(self, "{line}")?;
        }
        Ok(())
    }

    /// Hands everything to the reader; a full disk behind standard output shows here at the latest.
    pub fn finish(&mut self) -> Result<(), CliError> {
        self.flush()?;
        Ok(())
    }

    fn forgive_closed_pipe<T>(&mut self, result: io::Result<T>, instead: T) -> io::Result<T> {
        match result {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {
                self.reader = Reader::Gone;
                Ok(instead)
            }
            other => other,
        }
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.reader == Reader::Gone {
            return Ok(bytes.len());
        }
        let result = self.sink.write(bytes);
        self.forgive_closed_pipe(result, bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.reader == Reader::Gone {
            return Ok(());
        }
        let result = self.sink.flush();
        self.forgive_closed_pipe(result, ())
    }
}

/// Writes `obligato: error: …` as exactly one line on standard error, and below it the line of
/// source that is wrong, where there is one.
pub fn write_error(error: &CliError, colour: ColourWhen) {
    let stderr = io::stderr();
    let choice = resolve(colour, AutoStream::choice(&stderr));
    let line = format!("obligato: {BAD}error:{BAD:#} {}\n{}", error.one_line(), error.snippet());
    // Nobody is left to tell when standard error itself is gone; the exit code still speaks.
    let _ = AutoStream::new(stderr, choice).write_all(line.as_bytes());
}

fn resolve(colour: ColourWhen, automatic: ColorChoice) -> ColorChoice {
    match colour {
        ColourWhen::Auto => automatic,
        ColourWhen::Always => ColorChoice::AlwaysAnsi,
        ColourWhen::Never => ColorChoice::Never,
    }
}

#[cfg(test)]
mod tests;
