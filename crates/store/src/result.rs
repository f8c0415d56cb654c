//! Results: `obligato-result` documents, every obligation with its verdict.
//!
//! A result stands by itself: it is written from an assessment and its program, and
//! read back without either, so obligations are known by their stable keys and
//! places are spelled out.

use std::collections::HashSet;
use std::path::Path;

use obligato_model::{Assessment, Criterion, Justification, Program, Span, Tally, Verdict};

use crate::error::{StoreError, quoted};
use crate::file;

mod bound;
mod comparison;
mod function;
mod outcome;
mod print;
mod read;
mod shard;
mod verdict;

pub use bound::StoredBound;
pub use comparison::{SemanticsComparison, comparisons};
pub use function::StoredFunction;
pub use outcome::{Expectation, TestOutcome};
pub use print::print;
pub(crate) use print::{check, print_obligation, with_circumstances};
pub use read::parse;
pub(crate) use read::{read_criteria, read_names};
pub use shard::StoredShard;
pub(crate) use verdict::{print_limit, print_proof, read_limit, read_proof};

/// What a result document calls itself.
pub const FORMAT: &str = "obligato-result";

/// A judged suite, as it is stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredResult {
    /// What wrote it: `obligato 0.1.0`.
    pub tool: String,
    /// What was asked, also where nothing was found to ask it of.
    pub criteria: Vec<Criterion>,
    /// The names of the tests; a [`TestId`](obligato_model::TestId) is a position
    /// here.
    pub tests: Vec<String>,
    /// How each test went; empty if that is not known.
    pub outcomes: Vec<TestOutcome>,
    /// The variables to which effects were followed, if they were.
    pub observed: Vec<String>,
    /// The functions that obligations lie in, as far as their text is known.
    pub functions: Vec<StoredFunction>,
    /// If it is a part of a whole, which.
    pub shard: Option<StoredShard>,
    /// All obligations of the criteria.
    pub obligations: Vec<StoredObligation>,
}

/// An obligation with how it ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredObligation {
    /// The text of its [`Key`](obligato_model::Key).
    pub id: String,
    /// The criterion that asks.
    pub criterion: Criterion,
    /// The file it lies in.
    pub file: String,
    /// The function or node it lies in.
    pub function: String,
    /// Where in the file.
    pub span: Span,
    /// What it asks, for people.
    pub text: String,
    /// How it ended.
    pub verdict: Verdict,
    /// Of an obligation that was proved uncoverable, what a person says who has reviewed that.
    pub review: Option<Justification>,
    /// Of one that is covered, but not without a test that ends with a runtime error: that error, in words that point
    /// into the source.
    pub ends_in: Option<String>,
}

impl StoredResult {
    /// What is stored of an assessment of `program` against `criteria`.
    pub fn new(
        tool: impl Into<String>,
        criteria: &[Criterion],
        assessment: &Assessment,
        program: &Program,
    ) -> Result<Self, StoreError> {
        let obligations = &assessment.plan.obligations;
        if obligations.len() != assessment.verdicts.len() {
            return Err(StoreError::unwritable(format!(
                "there are {} verdicts for {} obligations",
                assessment.verdicts.len(),
                obligations.len()
            )));
        }
        let stored = obligations.iter().zip(&assessment.verdicts);
        let stored = stored.map(|(obligation, verdict)| {
            let found = program.functions().get(obligation.function.index());
            let function = found.ok_or_else(|| {
                let id = &obligation.key;
                StoreError::unwritable(format!("obligation {id} lies in no function"))
            })?;
            Ok(StoredObligation {
                id: obligation.key.to_string(),
                criterion: obligation.criterion,
                file: program.file(function.file).to_owned(),
                function: function.name.clone(),
                span: obligation.span,
                text: obligation.text.clone(),
                verdict: verdict.clone(),
                review: None,
                ends_in: None,
            })
        });
        Ok(Self {
            tool: tool.into(),
            criteria: criteria.to_vec(),
            tests: assessment.tests.clone(),
            outcomes: Vec::new(),
            observed: Vec::new(),
            functions: Vec::new(),
            shard: None,
            obligations: stored.collect::<Result<_, StoreError>>()?,
        })
    }

    /// The same, with how each test went. If there is nothing to say of any test, nothing is kept.
    #[must_use]
    pub fn with_outcomes(self, mut outcomes: Vec<TestOutcome>) -> Self {
        if outcomes.iter().all(|one| *one == TestOutcome::default()) {
            outcomes.clear();
        }
        Self { outcomes, ..self }
    }

    /// The names of the tests that did not give the outputs that they expect.
    pub fn failed_tests(&self) -> impl Iterator<Item = &str> {
        let failed =
            |(_, outcome): &(&String, &TestOutcome)| outcome.expectation == Expectation::Failed;
        self.tests.iter().zip(&self.outcomes).filter(failed).map(|(name, _)| name.as_str())
    }

    /// The same, with the names of what was observed.
    #[must_use]
    pub fn observing(self, observed: Vec<String>) -> Self {
        Self { observed, ..self }
    }

    /// The same, with the code that was judged.
    #[must_use]
    pub fn of_functions(self, functions: Vec<StoredFunction>) -> Self {
        Self { functions, ..self }
    }

    /// The same, as a part of a whole if it is one.
    #[must_use]
    pub fn of_shard(self, shard: Option<StoredShard>) -> Self {
        Self { shard, ..self }
    }

    /// The function that an obligation lies in, if its text is known.
    pub fn function_of(&self, obligation: &StoredObligation) -> Option<&StoredFunction> {
        self.functions
            .iter()
            .find(|one| one.function == obligation.function && one.file == obligation.file)
    }

    /// How the obligations of one criterion ended.
    pub fn tally(&self, criterion: Criterion) -> Tally {
        let mut tally = Tally::default();
        let asked = self.obligations.iter().filter(|obligation| obligation.criterion == criterion);
        asked.for_each(|obligation| tally.count(&obligation.verdict));
        tally
    }
}

/// Loads a result document.
pub fn load(path: &Path) -> Result<StoredResult, StoreError> {
    parse(&file::read(path)?).map_err(|error| error.in_file(path))
}

/// Saves a result document.
pub fn save(path: &Path, result: &StoredResult) -> Result<(), StoreError> {
    let text = print(result).map_err(|error| error.in_file(path))?;
    file::write(path, text.as_bytes())
}

/// Takes obligations one by one and says what is wrong with them; the same for
/// those that are read and those that are to be written.
struct Check<'a> {
    criteria: &'a [Criterion],
    tests: usize,
    ids: HashSet<String>,
}

impl<'a> Check<'a> {
    fn new(criteria: &'a [Criterion], tests: usize) -> Self {
        let ids = HashSet::new();
        Self { criteria, tests, ids }
    }

    fn add(&mut self, obligation: &StoredObligation) -> Result<(), String> {
        let id = quoted(&obligation.id);
        if obligation.id.is_empty() {
            return Err("the id of this obligation is empty".to_owned());
        }
        if !self.criteria.contains(&obligation.criterion) {
            let criterion = obligation.criterion;
            return Err(format!("obligation {id}: '{criterion}' is not among the criteria"));
        }
        verdict::check(&obligation.verdict, self.tests)
            .and_then(|()| obligation.review.as_ref().map_or(Ok(()), verdict::check_justification))
            .map_err(|reason| format!("obligation {id}: {reason}"))?;
        if obligation.ends_in.is_some() && !matches!(obligation.verdict, Verdict::Covered { .. }) {
            return Err(format!("obligation {id}: only tests end, and it is covered by none"));
        }
        if !self.ids.insert(obligation.id.clone()) {
            return Err(format!("there are two of obligation {id}"));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
