//! How far a long run has come: a line on standard error, on a terminal only.

use std::io::{IsTerminal as _, Write as _, stderr, stdout};
use std::time::{Duration, Instant};

use crate::args::{RunArgs, RunFormat};
use crate::output::Verbosity;

const PAUSE: Duration = Duration::from_secs(1);

/// The line, while there is one.
pub struct Progress {
    /// When the line was last written, if there is to be one.
    last: Option<Instant>,
    written: bool,
    /// How many tests there are.
    all: usize,
}

impl Progress {
    /// None where nobody looks, where it was not wanted, and where the run itself scrolls by.
    pub fn new(arguments: &RunArgs, verbosity: Verbosity, all: usize) -> Self {
        let scrolls = arguments.output.is_none() && stdout().is_terminal();
        let scrolls =
            scrolls || arguments.format() == RunFormat::Table && arguments.output.is_none();
        let wanted = verbosity == Verbosity::Normal && stderr().is_terminal() && !scrolls;
        Self { last: wanted.then(Instant::now), written: false, all }
    }

    /// So many tests have run.
    pub fn show(&mut self, tests: usize) {
        if let Some(last) = self.last.as_mut().filter(|last| last.elapsed() >= PAUSE) {
            *last = Instant::now();
            self.written = true;
            // Nobody is left to tell when standard error is gone.
            let _ = write!(stderr(), "\r{tests} of {} tests run", self.all);
        }
    }

    /// Takes the line away.
    pub fn end(&mut self) {
        if std::mem::take(&mut self.written) {
            let _ = write!(stderr(), "\r\x1b[K");
        }
    }
}
