//! What `obligato generate` prints as JSON: an `obligato-generation` document. Nothing reads it back;
//! the suite and the result that belong to it are files of their own.

use obligato_model::Tally;

use crate::document;
use crate::error::StoreError;
use crate::json::print::{Fields, lines, quote};
use crate::result::{StoredResult, check, print_obligation};

/// What a generation document calls itself.
pub const FORMAT: &str = "obligato-generation";

/// Tests that were made for a model, and what they and the given ones came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredGeneration<'a> {
    /// The file.
    pub model: String,
    /// The main node.
    pub main: String,
    /// What the tests depend on, besides model and criteria.
    pub seed: u64,
    /// The verdicts over all tests, the given ones first.
    pub result: &'a StoredResult,
    /// Per test of the result, where it comes from and how long it is.
    pub tests: Vec<StoredTest>,
    /// What was done, in order.
    pub phases: Vec<StoredPhase>,
    /// Was it stopped before its budget was spent?
    pub stopped: bool,
}

/// A test of a generation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StoredTest {
    /// The phase that made it, or `given`.
    pub phase: &'static str,
    /// How many steps it has.
    pub steps: usize,
}

/// What a phase did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredPhase {
    /// Its name.
    pub phase: String,
    /// Tests it made or, where they were given, read.
    pub tests: usize,
    /// Obligations that came to be covered.
    pub covered: usize,
    /// Obligations that were proved uncoverable.
    pub uncoverable: usize,
    /// Units of work.
    pub work: u64,
}

/// Prints a generation document.
pub fn print(document: &StoredGeneration<'_>) -> Result<String, StoreError> {
    let StoredGeneration { model, main, seed, result, tests, phases, stopped } = document;
    check(result)?;
    let criteria = result.criteria.iter().map(|criterion| {
        print_tally(Fields::new().with_text("criterion", criterion), result.tally(*criterion))
    });
    let observed = result.observed.iter().map(|name| quote(name));
    let tests = result.tests.iter().zip(tests).map(|(name, StoredTest { phase, steps })| {
        Fields::new().with_text("name", name).with_text("phase", phase).with("steps", steps).close()
    });
    Ok(document::start(FORMAT)
        .with_line(2, "tool", quote(&result.tool))
        .with_line(2, "model", quote(model))
        .with_line(2, "main", quote(main))
        .with_line(2, "seed", seed)
        .with_line(2, "stopped", stopped)
        .with_line(2, "observed", lines(2, observed))
        .with_line(2, "criteria", lines(2, criteria))
        .with_line(2, "phases", lines(2, phases.iter().map(print_phase)))
        .with_line(2, "tests", lines(2, tests))
        .with_line(2, "obligations", lines(2, result.obligations.iter().map(print_obligation)))
        .close_line())
}

fn print_tally(fields: Fields, tally: Tally) -> String {
    let Tally { covered, uncoverable, justified, bounded, unresolved } = tally;
    fields
        .with("covered", covered)
        .with("uncoverable", uncoverable)
        .with("justified", justified)
        .with("bounded", bounded)
        .with("unresolved", unresolved)
        .close()
}

/// A phase on one line.
pub(crate) fn print_phase(phase: &StoredPhase) -> String {
    let StoredPhase { phase, tests, covered, uncoverable, work } = phase;
    Fields::new()
        .with_text("phase", phase)
        .with("tests", tests)
        .with("covered", covered)
        .with("uncoverable", uncoverable)
        .with("work", work)
        .close()
}
