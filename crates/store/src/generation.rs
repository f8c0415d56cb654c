//! What `obligato generate` prints as JSON, for models and C functions alike: an `obligato-generation` document. The suite and the
//! result that belong to it are files of their own.

use obligato_model::Tally;

use crate::details::{ErrorDetails, print_error};
use crate::document;
use crate::error::StoreError;
use crate::json::print::{Fields, lines, quote};
use crate::result::{StoredResult, check, print_obligation, with_circumstances};

/// What a generation document calls itself.
pub const FORMAT: &str = "obligato-generation";

/// Tests that were made for a program, and what they and the given ones came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredGeneration<'a> {
    /// What kind of program it is.
    pub kind: GeneratedKind,
    /// The file.
    pub file: String,
    /// The main node or the function under test.
    pub function: String,
    /// What the tests depend on, besides program and criteria.
    pub seed: u64,
    /// The verdicts over all tests, the given ones first.
    pub result: &'a StoredResult,
    /// Per test of the result, where it comes from and how long it is.
    pub tests: Vec<StoredTest>,
    /// What was done, in order.
    pub phases: Vec<StoredPhase>,
    /// Was it stopped before its budget was spent?
    pub stopped: bool,
    /// The runtime errors that inputs of a C function run into.
    pub runtime_errors: Vec<&'a ErrorDetails>,
    /// Where machine code does something else than the executor: errors of this tool.
    pub tool_errors: Vec<String>,
}

/// What kind of program tests were made for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GeneratedKind {
    /// A Lustre model.
    Model,
    /// A C function.
    Unit,
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
    let StoredGeneration { kind, file, function, seed, result, .. } = document;
    check(result)?;
    let criteria = result.criteria.iter().map(|criterion| {
        print_tally(Fields::new().with_text("criterion", criterion), result.tally(*criterion))
    });
    let observed = result.observed.iter().map(|name| quote(name));
    let tests = result.tests.iter().zip(&document.tests);
    let tests = tests.map(|(name, StoredTest { phase, steps })| {
        Fields::new().with_text("name", name).with_text("phase", phase).with("steps", steps).close()
    });
    let runtime_errors = document.runtime_errors.iter().map(|error| print_error(error));
    let tool_errors = document.tool_errors.iter().map(|error| quote(error));
    let mut fields = document::start(FORMAT)
        .with_line(2, "tool", quote(&result.tool))
        .with_line(2, "file", quote(file))
        .with_line(2, "function", quote(function));
    if *kind == GeneratedKind::Model {
        fields = fields.with_line(2, "model", quote(file)).with_line(2, "main", quote(function));
    }
    let fields = fields
        .with_line(2, "seed", seed)
        .with_line(2, "stopped", document.stopped)
        .with_line(2, "observed", lines(2, observed))
        .with_line(2, "criteria", lines(2, criteria))
        .with_line(2, "phases", lines(2, document.phases.iter().map(print_phase)))
        .with_line(2, "tests", lines(2, tests));
    Ok(with_circumstances(fields, result)
        .with_line(2, "runtime_errors", lines(2, runtime_errors))
        .with_line(2, "tool_errors", lines(2, tool_errors))
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
