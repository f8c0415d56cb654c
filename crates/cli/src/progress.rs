//! How far long work has come: a line on standard error, on a terminal only.

use std::fmt;
use std::io::{IsTerminal as _, Write as _, stderr};
use std::time::{Duration, Instant};

use crate::output::Verbosity;

/// The line changes no more often than this.
const PAUSE: Duration = Duration::from_secs(1);

/// The line, while there is one. It goes when this is dropped.
pub struct Progress {
    /// When the line was last written, if there is to be one.
    last: Option<Instant>,
    written: bool,
}

impl Progress {
    /// None where nobody looks and where it was not wanted.
    pub fn new(verbosity: Verbosity) -> Self {
        let wanted = verbosity == Verbosity::Normal && stderr().is_terminal();
        Self { last: wanted.then(Instant::now), written: false }
    }

    /// Says how far it is, unless that was said a moment ago.
    pub fn show(&mut self, line: fmt::Arguments<'_>) {
        if self.last.is_some_and(|last| last.elapsed() >= PAUSE) {
            self.announce(line);
        }
    }

    /// Says at once what begins now.
    pub fn announce(&mut self, line: fmt::Arguments<'_>) {
        if let Some(last) = &mut self.last {
            *last = Instant::now();
            self.written = true;
            // Nobody is left to tell when standard error is gone.
            let _ = write!(stderr(), "\r{line}\x1b[K");
        }
    }

    /// Takes the line away.
    pub fn end(&mut self) {
        if std::mem::take(&mut self.written) {
            let _ = write!(stderr(), "\r\x1b[K");
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.end();
    }
}

/// Shows how far work has come, as the library tells it.
pub fn progress_line(verbosity: Verbosity) -> impl FnMut(obligato::progress::Progress) {
    use obligato::progress::Progress::{Checked, Functions, Measured, Ran, RunOnMutants};
    let mut line = Progress::new(verbosity);
    move |progress| match progress {
        Checked { done, of } => line.show(format_args!("{done} of {of} files checked")),
        Functions { done, of } => line.show(format_args!("{done} of {of} functions done")),
        Measured { done, of } => line.show(format_args!("{done} of {of} tests measured")),
        RunOnMutants { done, of } => {
            line.show(format_args!("{done} of {of} tests run on mutants"));
        }
        Ran { done, of } => line.show(format_args!("{done} of {of} tests run")),
    }
}
