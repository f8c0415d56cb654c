//! From a case to evidence: decisions are replayed test by test, and only what a test has shown is
//! kept of it; a recording is digested as it is.

use obligato_criteria::{Collector, Contradiction, Evidence, Vectors, collect};
use obligato_decisions_file::BoundFormulas;
use obligato_decisions_file::replay::ReplayError;
use obligato_model::Watched;
use obligato_store::{StoreError, SuiteFile};

use super::input::{JudgedCase, Tests};
use crate::campaign::{Stop, unless_stopped};
use crate::error::Error;

/// What the tests of a case have shown, unless `stop` comes before the last.
pub fn measure(case: &JudgedCase, vectors: Vectors, stop: &Stop) -> Result<Evidence, Error> {
    unless_stopped(stop)?;
    match &case.tests {
        Tests::Replayed { formulas, suite, path } => replay(formulas, suite, vectors, stop)
            .map_err(|failure| match failure {
                ReplayFailure::Suite(error) => error.into(),
                ReplayFailure::Replay(error) => Error::Input {
                    message: format!("{}: {error}", path.display()),
                    way_out: "give it a value there".to_owned(),
                },
                ReplayFailure::Stopped => Error::Stopped,
                ReplayFailure::Contradiction(error) => Error::Internal(error.to_string()),
            }),
        Tests::Recorded { program, recording, .. } => {
            collect(program, recording, vectors).map_err(|error| disbelieve(case, &error))
        }
    }
}

/// A recording that cannot be true is wrong input, unless it was made here.
pub fn disbelieve(case: &JudgedCase, reason: &dyn std::error::Error) -> Error {
    match &case.tests {
        Tests::Replayed { .. } => Error::Internal(reason.to_string()),
        Tests::Recorded { path, .. } => Error::Input {
            message: format!("{}: {reason}", path.display()),
            way_out: "make the recording again with the program that is judged".to_owned(),
        },
    }
}

/// Why a replay stopped.
#[derive(Debug, thiserror::Error)]
enum ReplayFailure {
    #[error(transparent)]
    Suite(#[from] StoreError),
    #[error(transparent)]
    Replay(#[from] ReplayError),
    #[error(transparent)]
    Contradiction(#[from] Contradiction),
    #[error("stopped before the end")]
    Stopped,
}

fn replay(
    formulas: &BoundFormulas,
    suite: &SuiteFile,
    vectors: Vectors,
    stop: &Stop,
) -> Result<Evidence, ReplayFailure> {
    let program = &formulas.program;
    let watched = Watched::default();
    let mut collector = Collector::new(program, &watched, vectors);
    let mut evidence = Evidence::new(program, watched, vectors);
    for test in suite.tests(&program.interface.inputs)? {
        if stop.is_due() {
            return Err(ReplayFailure::Stopped);
        }
        let test = test?;
        collector.begin(&test.name);
        formulas.replay_test(&test, |events| -> Result<(), ReplayFailure> {
            Ok(events.iter().try_for_each(|event| collector.take(event))?)
        })?;
        evidence.add(collector.finish()?);
    }
    Ok(evidence)
}
