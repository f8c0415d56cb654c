//! What a report is made of: the documents of one store, held against each other.

use std::collections::BTreeMap;

use obligato_model::{Criterion, Tally};
use obligato_store::details::{
    DecisionDetails, ErrorDetails, ObligationDetails, OutputDifference, digest,
};
use obligato_store::evidence::StoredEvidence;
use obligato_store::result::Expectation;
use obligato_store::timeline::{Sample, Timeline};
use obligato_store::{Details, StoredObligation, StoredResult};

/// The documents of a store.
#[derive(Clone, Debug)]
pub struct Report {
    /// The verdicts.
    pub result: StoredResult,
    /// What stands behind them, if it belongs to them.
    pub details: Option<Details>,
    /// The tests with their values, if they are those of the result.
    pub tests: Option<RecordedTests>,
    /// How far making tests had come after which time, if it belongs to them.
    pub timeline: Option<Timeline>,
    /// What was judged, how, by what and when, if it is known.
    pub evidence: Option<StoredEvidence>,
    /// What is missing, in words.
    pub notes: Vec<String>,
}

/// Tests with the values of inputs and outputs, as text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RecordedTests {
    /// The names of the inputs.
    pub inputs: Vec<String>,
    /// The names of the outputs; empty if they were not recorded.
    pub outputs: Vec<String>,
    /// In the order of the result.
    pub tests: Vec<TestValues>,
}

/// A test with its values.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TestValues {
    /// Its name.
    pub name: String,
    /// Per step, a value for each input and then for each output; `None` where it is open or was not seen.
    pub steps: Vec<Vec<Option<String>>>,
}

/// An obligation, with what else is known of it.
#[derive(Clone, Copy, Debug)]
pub struct DetailedObligation<'r> {
    /// The obligation, as it is stored.
    pub stored: &'r StoredObligation,
    /// Its details, if the run left any.
    pub details: Option<&'r ObligationDetails>,
}

impl Report {
    /// Puts documents together. What belongs to another run is left out, and a note says so.
    pub fn new(
        result: StoredResult,
        details: Option<Details>,
        tests: Option<RecordedTests>,
    ) -> Self {
        let mut notes = Vec::new();
        let details = match details {
            None => {
                notes.push(
                    "The store has no details.json: there is no source text and no truth table. \
                     Judge, measure or generate again to store them."
                        .to_owned(),
                );
                None
            }
            Some(details) if !details.belongs_to(&result) => {
                notes.push(
                    "The details.json of the store belongs to another result and was left out: \
                     there is no source text and no truth table."
                        .to_owned(),
                );
                None
            }
            Some(details) => Some(details),
        };
        let same =
            |tests: &RecordedTests| tests.tests.iter().map(|test| &test.name).eq(&result.tests);
        let tests = match tests {
            Some(tests) if !same(&tests) => {
                notes.push(
                    "The suite.json of the store has other tests than the result and was left out."
                        .to_owned(),
                );
                None
            }
            None if !result.tests.is_empty() => {
                notes.push(
                    "The store has no suite.json: the values of tests are not known.".to_owned(),
                );
                None
            }
            tests => tests,
        };
        Self { result, details, tests, timeline: None, evidence: None, notes }
    }

    /// With evidence, unless it belongs to another run.
    #[must_use]
    pub fn with_evidence(mut self, evidence: Option<StoredEvidence>) -> Self {
        if evidence.as_ref().is_some_and(|evidence| evidence.result != digest(&self.result)) {
            self.notes.push(
                "The evidence.json of the store belongs to another result and was left out."
                    .to_owned(),
            );
        } else {
            self.evidence = evidence;
        }
        self
    }

    /// With a timeline, unless it belongs to another run.
    #[must_use]
    pub fn with_timeline(mut self, timeline: Option<Timeline>) -> Self {
        let total = self.result.obligations.len();
        let fits = |sample: &Sample| {
            sample.covered.checked_add(sample.uncoverable).is_some_and(|sum| sum <= total)
        };
        let belongs = |timeline: &Timeline| {
            timeline.result == digest(&self.result) && timeline.samples.iter().all(fits)
        };
        if timeline.as_ref().is_some_and(|timeline| !belongs(timeline)) {
            self.notes.push(
                "The timeline.json of the store belongs to another result and was left out: \
                 coverage over time is not shown."
                    .to_owned(),
            );
        } else {
            self.timeline = timeline;
        }
        self
    }

    /// What was judged, by its name.
    pub fn subject(&self) -> &str {
        let first = self.result.obligations.first().map(|one| one.file.as_str());
        self.details.as_ref().map(|details| details.subject.as_str()).or(first).unwrap_or("nothing")
    }

    /// Each obligation with what else is known of it.
    pub fn obligations(&self) -> impl Iterator<Item = DetailedObligation<'_>> {
        let details = self.details.as_ref().map_or(&[][..], |details| &details.obligations);
        let details = details.iter().map(Some).chain(std::iter::repeat(None));
        let obligations = self.result.obligations.iter().zip(details);
        obligations.map(|(stored, details)| DetailedObligation { stored, details })
    }

    /// The decisions, as far as they are known.
    pub fn decisions(&self) -> &[DecisionDetails] {
        self.details.as_ref().map_or(&[], |details| &details.decisions)
    }

    /// The runtime errors that inputs run into, as far as they are known.
    pub fn errors(&self) -> &[ErrorDetails] {
        self.details.as_ref().map_or(&[], |details| &details.errors)
    }

    /// Per file, in order, how the obligations of each criterion ended.
    pub fn files(&self) -> BTreeMap<&str, Vec<(Criterion, Tally)>> {
        let mut files: BTreeMap<&str, Vec<(Criterion, Tally)>> = BTreeMap::new();
        for one in &self.result.obligations {
            let tallies = files.entry(&one.file).or_insert_with(|| {
                let criteria = self.result.criteria.iter();
                criteria.map(|criterion| (*criterion, Tally::default())).collect()
            });
            let of = tallies.iter_mut().find(|(criterion, _)| *criterion == one.criterion);
            if let Some((_, tally)) = of {
                tally.count(&one.verdict);
            }
        }
        files
    }

    /// Was the test made, and by which phase?
    pub fn phase_of(&self, test: usize) -> Option<&str> {
        self.details.as_ref()?.tests.get(test)?.phase.as_deref()
    }

    /// Whether a test gave the outputs that it expects, as far as that is known.
    pub fn expectation_of(&self, test: usize) -> Expectation {
        self.result.outcomes.get(test).map_or(Expectation::Unchecked, |one| one.expectation)
    }

    /// Whether a test gave the outputs that it expects, as a word: `passed` or `failed`; nothing if it expects none, or that is not known.
    pub fn outcome_of(&self, test: usize) -> Option<&'static str> {
        match self.expectation_of(test) {
            Expectation::Unchecked => None,
            Expectation::Passed => Some("passed"),
            Expectation::Failed => Some("failed"),
        }
    }

    /// Where the outputs of a test are not as it expects, as far as that is known.
    pub fn differences_of(&self, test: usize) -> &[OutputDifference] {
        let tests = self.details.as_ref().map_or(&[][..], |details| &details.tests);
        tests.get(test).map_or(&[], |test| &test.differences)
    }

    /// Was any test made?
    pub fn has_made_tests(&self) -> bool {
        (0..self.result.tests.len()).any(|test| self.phase_of(test).is_some())
    }
}
