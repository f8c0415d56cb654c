//! What a long experiment is at: a line on standard error, on a terminal only.

use std::io::{IsTerminal as _, Write as _, stderr};

use obligato_experiment::{Stage, Structure};

use crate::output::Verbosity;

/// The line.
pub struct Stages {
    wanted: bool,
    /// How many cases there are.
    all: usize,
    /// How many have begun.
    begun: usize,
    case: String,
}

impl Stages {
    /// None where nobody looks and where it was not wanted.
    pub fn new(verbosity: Verbosity, all: usize) -> Self {
        let wanted = verbosity == Verbosity::Normal && stderr().is_terminal();
        Self { wanted, all, begun: 0, case: String::new() }
    }

    /// The next model, in this structure.
    pub fn begin(&mut self, name: &str, structure: Structure) {
        self.begun += 1;
        self.case = format!("{name}, {}", structure.name());
    }

    /// What is done to it.
    pub fn show(&self, stage: &Stage) {
        let what = match stage {
            Stage::Measuring => "measuring the suite".to_owned(),
            Stage::Mutating(oracle) => format!("running mutants, {oracle} compared"),
            Stage::Reducing(criterion) => format!("reducing for {criterion}"),
        };
        if self.wanted {
            // Nobody is left to tell when standard error is gone.
            let Self { begun, all, case, .. } = self;
            let _ = write!(stderr(), "\r\x1b[K{begun} of {all}: {case}: {what}");
        }
    }

    /// Takes the line away.
    pub fn end(&self) {
        if self.wanted {
            let _ = write!(stderr(), "\r\x1b[K");
        }
    }
}
