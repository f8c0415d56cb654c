//! Campaigns of engines: what they may spend, how far they have come, how they are stopped, and what they did.

use obligato_store::generation::StoredPhase;

pub use obligato_campaign::{
    Budget, MadeTest, Paths, Phase, PhaseReport, Status, Superfluous, Watcher,
};
pub use obligato_solver::Stop;

use crate::error::Error;

/// Work that has no answer before its end goes on only if nobody has asked to stop.
pub fn unless_stopped(stop: &Stop) -> Result<(), Error> {
    if stop.is_due() { Err(Error::Stopped) } else { Ok(()) }
}

/// The outcome of such work. Once somebody has asked to stop, whatever fails is taken for the stop: the signal that asks also ends
/// compilers and harnesses that run just then.
pub fn or_stopped<T>(outcome: Result<T, Error>, stop: &Stop) -> Result<T, Error> {
    outcome.map_err(|error| if stop.is_due() { Error::Stopped } else { error })
}

/// What a phase did, as it is stored.
pub fn stored_phase(report: &PhaseReport) -> StoredPhase {
    let PhaseReport { phase, tests, covered, uncoverable, work, .. } = *report;
    StoredPhase { phase: phase.name().to_owned(), tests, covered, uncoverable, work }
}
