//! How the tests of a result went, and which obligations only tests cover that end with a runtime error.

use std::collections::HashSet;

use obligato_campaign::{Knowledge, assess};
use obligato_criteria::Evidence;
use obligato_model::{Assessment, Program, TestId, Verdict};
use obligato_store::StoredResult;
use obligato_store::details::{EndingKind, TestDetails};
use obligato_store::result::TestOutcome;

use crate::error::Error;
use crate::expectations::Expectations;

/// What is known of the runs of a suite, for every language.
#[derive(Clone, Copy)]
pub struct SuiteRuns<'a> {
    /// The program.
    pub program: &'a Program,
    /// What the tests have shown, as far as it counts.
    pub evidence: &'a Evidence,
    /// The verdicts over it.
    pub assessment: &'a Assessment,
    /// Which tests gave the outputs that they expect.
    pub expectations: &'a Expectations,
    /// Per test, how it ended; empty if there is nothing to say of any.
    pub details: &'a [TestDetails],
}

impl SuiteRuns<'_> {
    /// The result with how each test went, and with the runtime errors of the tests that obligations cannot be covered without.
    pub fn complete(&self, result: StoredResult) -> Result<StoredResult, Error> {
        let mut outcomes = self.expectations.outcomes(&result.tests);
        for (outcome, details) in outcomes.iter_mut().zip(self.details) {
            outcome.error = error_of(details).map(str::to_owned);
        }
        let mut result = result.with_outcomes(outcomes);
        self.mark_errors(&mut result)?;
        Ok(result)
    }

    /// Marks what is covered, but not by the tests that end without a runtime error: judges once more without the others.
    fn mark_errors(&self, result: &mut StoredResult) -> Result<(), Error> {
        let numbered = result.outcomes.iter().enumerate();
        let ending = numbered.filter(|(_, one)| one.error.is_some());
        let ending: HashSet<TestId> = ending.map(|(at, _)| TestId::new(at)).collect();
        if ending.is_empty() {
            return Ok(());
        }
        let mut others = self.evidence.clone();
        others.discount(self.program, &ending);
        let plan = self.assessment.plan.clone();
        let without = assess(self.program, plan, &others, &Knowledge::default())
            .map_err(|error| Error::Internal(error.to_string()))?;
        let outcomes = &result.outcomes;
        for (obligation, without) in result.obligations.iter_mut().zip(&without.verdicts) {
            if !matches!(without, Verdict::Covered { .. }) {
                obligation.ends_in = error_among(&obligation.verdict, outcomes).map(str::to_owned);
            }
        }
        Ok(())
    }
}

/// The runtime error that ended a test.
fn error_of(details: &TestDetails) -> Option<&str> {
    let ending =
        details.ending.as_ref().filter(|ending| ending.kind == EndingKind::RuntimeError)?;
    Some(&ending.text)
}

/// The runtime error of the first test that covers an obligation and ends with one.
fn error_among<'a>(verdict: &Verdict, outcomes: &'a [TestOutcome]) -> Option<&'a str> {
    let Verdict::Covered { tests, pair } = verdict else { return None };
    let pair = pair.iter().flat_map(|pair| [pair.with_true, pair.with_false]);
    let mut tests = tests.iter().copied().chain(pair);
    tests.find_map(|test| outcomes.get(test.index())?.error.as_deref())
}
