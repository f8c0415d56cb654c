//! What came of a campaign, as JSON.

use obligato_engines_lustre::Phase;
use obligato_store::generation::{
    StoredGeneration, StoredPhase, StoredTest, print as print_stored,
};

use super::Generation;
use super::summary::reports;
use crate::campaign::stored_phase;
use crate::error::CliError;

/// The document.
pub fn print(generation: &Generation<'_>, seed: u64) -> Result<String, CliError> {
    let Generation { loaded, given, outcome, result, stopped, .. } = generation;
    let given = given.iter().map(|steps| StoredTest { phase: Phase::Given.name(), steps: *steps });
    let made = outcome
        .tests
        .iter()
        .map(|made| StoredTest { phase: made.phase.name(), steps: made.test.steps.len() });
    Ok(print_stored(&StoredGeneration {
        model: loaded.path.clone(),
        main: loaded.main().to_owned(),
        seed,
        result,
        tests: given.chain(made).collect(),
        phases: phases(generation),
        stopped: *stopped,
    })?)
}

/// What the phases did, as it is printed and stored.
pub fn phases(generation: &Generation<'_>) -> Vec<StoredPhase> {
    reports(generation).map(|report| stored_phase(&report)).collect()
}
