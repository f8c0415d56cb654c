//! How far a long run has come: a line on standard error, on a terminal only.

use std::io::{IsTerminal as _, Write as _, stderr};
use std::time::{Duration, Instant};

use crate::output::Verbosity;

const PAUSE: Duration = Duration::from_secs(1);

/// The line, while there is one.
pub struct Progress {
    /// When the line was last written, if there is to be one.
    last: Option<Instant>,
    written: bool,
    /// How many tests there are.
    all: usize,
    /// What is done to them: `run`, `measured`.
    done: &'static str,
}

impl Progress {
    /// None where nobody looks and where it was not wanted.
    pub fn new(verbosity: Verbosity, all: usize, done: &'static str) -> Self {
        let wanted = verbosity == Verbosity::Normal && stderr().is_terminal();
        Self { last: wanted.then(Instant::now), written: false, all, done }
    }

    /// None at all.
    pub fn none() -> Self {
        Self { last: None, written: false, all: 0, done: "" }
    }

    /// So many tests are done.
    pub fn show(&mut self, tests: usize) {
        if let Some(last) = self.last.as_mut().filter(|last| last.elapsed() >= PAUSE) {
            *last = Instant::now();
            self.written = true;
            // Nobody is left to tell when standard error is gone.
            let _ = write!(stderr(), "\r{tests} of {} tests {}", self.all, self.done);
        }
    }

    /// Takes the line away.
    pub fn end(&mut self) {
        if std::mem::take(&mut self.written) {
            let _ = write!(stderr(), "\r\x1b[K");
        }
    }
}
