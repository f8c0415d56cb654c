//! Details: `obligato-details` documents, what stands behind the verdicts of a result.
//!
//! A result says how each obligation ended. Whoever shows it to people wants more: the source, the truth
//! table of each decision with the tests of each row, where an effect got lost, where tests come from
//! and since which of them an obligation is covered. All of it is known when a suite is
//! judged and nowhere else, so it is kept then, beside the result that it belongs to.

use std::fmt;
use std::path::Path;

use obligato_model::{Position, Span};

use crate::StoredResult;
use crate::error::StoreError;
use crate::file;
use crate::generation::StoredPhase;

mod digest;
mod print;
mod read;

pub use digest::digest;
pub use print::print;
pub(crate) use print::print_error;
pub use read::parse;

/// What a details document calls itself.
pub const FORMAT: &str = "obligato-details";

/// What stands behind the verdicts of one result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Details {
    /// What wrote it: `obligato 0.1.0`.
    pub tool: String,
    /// The [`digest`] of the result that it belongs to.
    pub result: String,
    /// What was judged, as the user named it.
    pub subject: String,
    /// What kind of program that is.
    pub kind: SubjectKind,
    /// The command that judged it.
    pub command: String,
    /// The files that obligations lie in, as far as they could be read.
    pub sources: Vec<SourceFile>,
    /// Per test of the result.
    pub tests: Vec<TestDetails>,
    /// What was done to make tests, in order.
    pub phases: Vec<StoredPhase>,
    /// The runtime errors that inputs run into, as a search found them.
    pub errors: Vec<ErrorDetails>,
    /// All decisions.
    pub decisions: Vec<DecisionDetails>,
    /// Per obligation of the result.
    pub obligations: Vec<ObligationDetails>,
}

/// What kind of program is judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SubjectKind {
    /// Decisions written as text.
    Decisions,
    /// The outline of a program.
    Outline,
    /// A Lustre model.
    Model,
    /// A C function.
    Unit,
}

impl SubjectKind {
    /// The word of documents.
    pub fn word(self) -> &'static str {
        read::SUBJECT_KINDS.word(self)
    }
}

/// A source file as it was when the suite was judged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceFile {
    /// Its name, as obligations have it.
    pub file: String,
    /// Its lines.
    pub lines: Vec<String>,
}

/// Where a test comes from, and how it ended.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TestDetails {
    /// The phase that made it, if it was not given.
    pub phase: Option<String>,
    /// Why it ended before its last step did.
    pub ending: Option<EndingDetails>,
    /// Where an output is not what the test expects; the first of them if there are very many.
    pub differences: Vec<OutputDifference>,
}

/// An output that is not what a test expects.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutputDifference {
    /// The step, from 0.
    pub step: usize,
    /// The output.
    pub output: String,
    /// What the test expects.
    pub expected: String,
    /// What the output was; none if the test ended before it was there.
    pub found: Option<String>,
}

impl fmt::Display for OutputDifference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { step, output, expected, found } = self;
        match found {
            Some(found) => write!(f, "step {step}: {output} is {found}, expected {expected}"),
            None => write!(f, "step {step}: no {output}, expected {expected}"),
        }
    }
}

/// Why a test ended early.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EndingDetails {
    /// What ended it.
    pub kind: EndingKind,
    /// The step in which it did, from 0.
    pub step: usize,
    /// Why, in words that point into the source.
    pub text: String,
}

/// What ended a test early.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EndingKind {
    /// A runtime error of the program: `fault` in documents.
    RuntimeError,
    /// The program ended itself.
    Exit,
    /// A construct that is not executed.
    Unsupported,
    /// A limit of the executor.
    Limit,
}

impl EndingKind {
    /// The word of documents.
    pub fn word(self) -> &'static str {
        read::ENDING_KINDS.word(self)
    }
}

/// A runtime error that inputs run into.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ErrorDetails {
    /// The file it occurs in.
    pub file: String,
    /// The function it occurs in.
    pub function: String,
    /// Where; nothing if the code has no place in the file.
    pub at: Option<Position>,
    /// What happens, in words that point into the source.
    pub text: String,
    /// What a caller has to pass for it to occur; empty if every caller runs into it with some values.
    pub callers: Vec<CallerDetails>,
}

/// Something that a caller may pass.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallerDetails {
    /// What, in words: `p = NULL`.
    pub passes: String,
    /// The option that rules it out, if there is one.
    pub ruled_out_by: Option<String>,
}

impl ErrorDetails {
    /// The condition on what a caller passes, in words; none if it depends on nothing of the kind.
    pub fn condition(&self) -> Option<String> {
        let passed: Vec<&str> = self.callers.iter().map(|one| one.passes.as_str()).collect();
        (!passed.is_empty()).then(|| format!("if a caller passes {}", passed.join(" and ")))
    }

    /// The options that rule it out, one of which is enough.
    pub fn options(&self) -> impl Iterator<Item = &str> {
        self.callers.iter().filter_map(|one| one.ruled_out_by.as_deref())
    }
}

/// A decision with its truth table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DecisionDetails {
    /// The file it lies in.
    pub file: String,
    /// The function or node instance it lies in.
    pub function: String,
    /// Where it stands.
    pub span: Span,
    /// Its text.
    pub text: String,
    /// From left to right.
    pub conditions: Vec<ConditionDetails>,
    /// Which rows there are.
    pub listed: Listed,
    /// True before false from the left.
    pub rows: Vec<RowDetails>,
}

/// A condition of a decision.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConditionDetails {
    /// Where it stands.
    pub span: Span,
    /// Its text.
    pub text: String,
    /// Its value, if it can only have one.
    pub constant: Option<bool>,
}

/// Which rows of a truth table are listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Listed {
    /// All that the decision can have.
    All,
    /// Those that tests have.
    Executed,
    /// Some of those: there are more.
    Some,
    /// None: whole evaluations were not kept.
    None,
}

/// A row of a truth table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RowDetails {
    /// `T`, `F` or `-` per condition.
    pub values: String,
    /// What the decision is then.
    pub outcome: bool,
    /// The conditions that decide the outcome, from 0.
    pub deciding: Vec<usize>,
    /// The first tests that have it, by their positions.
    pub tests: Vec<usize>,
    /// How many more have it.
    pub more: usize,
}

/// What else is known of an obligation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ObligationDetails {
    /// The decision it is about, by its position.
    pub decision: Option<usize>,
    /// The condition of the decision it is about, from 0.
    pub condition: Option<usize>,
    /// The value or the outcome that it asks for.
    pub value: Option<bool>,
    /// The first test with which, together with those before it, it is covered.
    pub since: Option<usize>,
    /// The kind of fault of a mutant.
    pub operator: Option<String>,
    /// Where an effect got lost, in words that point into the source.
    pub lost: Vec<String>,
}

impl Details {
    /// Do they stand behind the verdicts of this result?
    pub fn belongs_to(&self, result: &StoredResult) -> bool {
        self.result == digest(result)
            && self.obligations.len() == result.obligations.len()
            && self.tests.len() == result.tests.len()
    }
}

/// Loads a details document.
pub fn load(path: &Path) -> Result<Details, StoreError> {
    parse(&file::read(path)?).map_err(|error| error.in_file(path))
}

/// Says in which field what does not fit together; the same for what is read and for what is to be written.
fn check(details: &Details) -> Result<(), (&'static str, String)> {
    for (at, decision) in details.decisions.iter().enumerate() {
        check_table(decision, details.tests.len())
            .map_err(|reason| ("decisions", format!("decision {at}: {reason}")))?;
    }
    for (at, obligation) in details.obligations.iter().enumerate() {
        let refuse =
            |what: &str| Err(("obligations", format!("obligation {at}: there is no {what}")));
        let conditions = match obligation.decision {
            None => 0,
            Some(decision) => match details.decisions.get(decision) {
                None => return refuse(&format!("decision {decision}")),
                Some(decision) => decision.conditions.len(),
            },
        };
        if let Some(condition) = obligation.condition.filter(|at| *at >= conditions) {
            return refuse(&format!("condition {condition} of its decision"));
        }
        if let Some(test) = obligation.since.filter(|test| *test >= details.tests.len()) {
            return refuse(&format!("test {test}"));
        }
    }
    Ok(())
}

fn check_table(decision: &DecisionDetails, tests: usize) -> Result<(), String> {
    let conditions = decision.conditions.len();
    for RowDetails { values, deciding, tests: having, .. } in &decision.rows {
        if values.len() != conditions || !values.bytes().all(|value| b"TF-".contains(&value)) {
            return Err(format!("a row needs T, F or - for each of {conditions} conditions"));
        }
        if let Some(condition) = deciding.iter().find(|at| **at >= conditions) {
            return Err(format!("there is no condition {condition}"));
        }
        if let Some(test) = having.iter().find(|test| **test >= tests) {
            return Err(format!("there is no test {test}"));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests;
