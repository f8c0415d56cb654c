//! One verdict for each obligation, from those that parts have.

use obligato_campaign::judging::{PartsContradict, merge_parts};
use obligato_model::{TestId, Verdict};
use obligato_store::result::TestOutcome;
use obligato_store::{StoredObligation, StoredResult};

use super::Part;
use super::suites::MergedSuite;
use crate::TOOL;
use crate::error::Error;

/// A merged result, and where its verdicts come from.
pub struct MergedVerdicts {
    /// The result.
    pub result: StoredResult,
    /// Per obligation, the number of the part that its verdict comes from, or the first of several.
    pub origins: Vec<usize>,
}

/// Takes for each obligation the best verdict that a part has. A test in one part and a proof in another contradict each other, and
/// are refused.
pub fn merge(parts: &[Part], suite: &MergedSuite) -> Result<MergedVerdicts, Error> {
    let Some((first, _)) = parts.split_first() else {
        return Err(Error::Internal("there is nothing to merge".to_owned()));
    };
    let mut obligations = Vec::with_capacity(first.result.obligations.len());
    let mut origins = Vec::with_capacity(obligations.capacity());
    for (index, obligation) in first.result.obligations.iter().enumerate() {
        let verdicts: Vec<&Verdict> =
            parts.iter().map(|part| &part.result.obligations[index].verdict).collect();
        let place = |part: usize, test: TestId| TestId::new(suite.places[part][test.index()]);
        let merged = merge_parts(&verdicts, place);
        let (origin, verdict) =
            merged.map_err(|PartsContradict { covering, proving }| Error::Input {
                message: format!(
                    "{} has a test for {} and {} a proof that there is none",
                    parts[covering].name(),
                    obligation.id,
                    parts[proving].name()
                ),
                way_out: "one of the two is wrong; check the proof with 'obligato check-proof'"
                    .to_owned(),
            })?;
        origins.push(origin);
        let mut reviews = parts.iter().map(|part| part.result.obligations[index].review.clone());
        let is_proved = matches!(verdict, Verdict::Uncoverable(_));
        let review = if is_proved { reviews.find_map(|review| review) } else { None };
        let ends_in = ends_in(parts, index);
        obligations.push(StoredObligation { verdict, review, ends_in, ..obligation.clone() });
    }
    let result = StoredResult {
        tool: TOOL.to_owned(),
        criteria: first.result.criteria.clone(),
        tests: suite.names.clone(),
        outcomes: outcomes(parts, suite),
        observed: first.result.observed.clone(),
        functions: first.result.functions.clone(),
        shard: None,
        obligations,
    };
    Ok(MergedVerdicts { result, origins })
}

/// The runtime error that ends the tests of an obligation, if no part covers it without one.
fn ends_in(parts: &[Part], index: usize) -> Option<String> {
    let of_parts = parts.iter().map(|part| &part.result.obligations[index]);
    let covered = of_parts.filter(|one| matches!(one.verdict, Verdict::Covered { .. }));
    let errors: Option<Vec<&String>> = covered.map(|one| one.ends_in.as_ref()).collect();
    errors?.first().map(|error| (*error).clone())
}

/// How each test went. A test that several parts have fails if it fails in one.
fn outcomes(parts: &[Part], suite: &MergedSuite) -> Vec<TestOutcome> {
    if parts.iter().all(|part| part.result.outcomes.is_empty()) {
        return Vec::new();
    }
    let mut outcomes = vec![TestOutcome::default(); suite.names.len()];
    for (part, places) in parts.iter().zip(&suite.places) {
        for (outcome, place) in part.result.outcomes.iter().zip(places) {
            let known = &mut outcomes[*place];
            known.expectation = known.expectation.max(outcome.expectation);
            if known.error.is_none() {
                known.error.clone_from(&outcome.error);
            }
        }
    }
    outcomes
}
