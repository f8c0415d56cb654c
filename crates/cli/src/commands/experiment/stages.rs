//! What a long experiment is at.

use obligato::experiment::{CaseStage, Stage};

use crate::output::Verbosity;
use crate::progress::Progress;

/// The stages, said one after the other.
pub struct Stages {
    progress: Progress,
}

impl Stages {
    /// Nothing is said yet.
    pub fn new(verbosity: Verbosity) -> Self {
        Self { progress: Progress::new(verbosity) }
    }

    /// Says which case it is and what is done to it.
    pub fn show(&mut self, at: CaseStage<'_>) {
        let what = match at.stage {
            Stage::Making(criterion, number) => format!("making suite {number} for {criterion}"),
            Stage::Proving(oracle) => format!("proving mutants equivalent, {oracle} compared"),
            Stage::Measuring => "measuring the suite".to_owned(),
            Stage::Mutating(oracle) => format!("running mutants, {oracle} compared"),
            Stage::Reducing(criterion) => format!("reducing for {criterion}"),
        };
        let CaseStage { case, of, model, structure, .. } = at;
        let structure = structure.name();
        self.progress.announce(format_args!("{case} of {of}: {model}, {structure}: {what}"));
    }

    /// Takes the line away.
    pub fn end(&mut self) {
        self.progress.end();
    }
}
