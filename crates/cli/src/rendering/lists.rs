//! The first lines of a long list, and how many more there are.

use std::io::Write as _;

use crate::error::CliError;
use crate::output::{Output, printable};

/// So many lines are listed where there is no way to see them all.
pub const MOST_LISTED: usize = 16;

/// The first lines, and how many more there are.
pub fn write_first(lines: &[String], output: &mut Output) -> Result<(), CliError> {
    for line in lines.iter().take(MOST_LISTED) {
        writeln!(output, "  {}", printable(line))?;
    }
    write_rest(lines.len(), output)
}

/// How many more there are than are listed.
pub fn write_rest(count: usize, output: &mut Output) -> Result<(), CliError> {
    if count > MOST_LISTED {
        writeln!(output, "  … and {} more", count - MOST_LISTED)?;
    }
    Ok(())
}

/// The first few of many lines, where a command shows all of them.
pub struct Listed {
    lines: Vec<String>,
    count: usize,
    /// Where all of them are.
    all: &'static str,
}

/// No more of a kind than this are kept.
const MOST_KEPT: usize = 20;

impl Listed {
    /// None yet; `all` says how to see what is not listed.
    pub fn new(all: &'static str) -> Self {
        Self { lines: Vec::new(), count: 0, all }
    }

    /// One more.
    pub fn push(&mut self, line: impl FnOnce() -> String) {
        if self.count < MOST_KEPT {
            self.lines.push(line());
        }
        self.count += 1;
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.count
    }

    /// A line each, and how many more there are.
    pub fn write_first(&self, output: &mut Output) -> Result<(), CliError> {
        for line in self.lines.iter().take(MOST_LISTED) {
            writeln!(output, "  {line}")?;
        }
        write_rest(self.count, output)
    }

    /// A line each, and where all of them are.
    pub fn write(&self, output: &mut Output) -> Result<(), CliError> {
        for line in &self.lines {
            writeln!(output, "  {line}")?;
        }
        if self.count > self.lines.len() {
            writeln!(output, "  … and {} more; {}", self.count - self.lines.len(), self.all)?;
        }
        Ok(())
    }
}
