//! What a long experiment is at.

use obligato_experiment::{Stage, Structure};

use crate::output::Verbosity;
use crate::progress::Progress;

/// The stages, said one after the other.
pub struct Stages {
    progress: Progress,
    /// How many cases there are.
    all: usize,
    /// How many have begun.
    begun: usize,
    case: String,
}

impl Stages {
    /// So many cases to come.
    pub fn new(verbosity: Verbosity, all: usize) -> Self {
        Self { progress: Progress::new(verbosity), all, begun: 0, case: String::new() }
    }

    /// The next model, in this structure.
    pub fn begin(&mut self, name: &str, structure: Structure) {
        self.begun += 1;
        self.case = format!("{name}, {}", structure.name());
    }

    /// What is done to it.
    pub fn show(&mut self, stage: &Stage) {
        let what = match stage {
            Stage::Making(criterion, number) => format!("making suite {number} for {criterion}"),
            Stage::Proving(oracle) => format!("proving mutants equivalent, {oracle} compared"),
            Stage::Measuring => "measuring the suite".to_owned(),
            Stage::Mutating(oracle) => format!("running mutants, {oracle} compared"),
            Stage::Reducing(criterion) => format!("reducing for {criterion}"),
        };
        let Self { progress, begun, all, case } = self;
        progress.announce(format_args!("{begun} of {all}: {case}: {what}"));
    }

    /// Takes the line away.
    pub fn end(&mut self) {
        self.progress.end();
    }
}
