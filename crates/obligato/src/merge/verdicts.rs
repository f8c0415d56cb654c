//! One verdict for each obligation, from those that parts have.

use obligato_campaign::judging::{covered_by_parts, left_to_another_shard};
use obligato_model::{Bound, Limit, Pair, TestId, Verdict, strongest};
use obligato_store::result::TestOutcome;
use obligato_store::{StoredObligation, StoredResult};

use super::Part;
use super::suites::MergedSuite;
use crate::TOOL;
use crate::error::Error;
use crate::shards::is_left;

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
        let verdicts: Vec<(usize, &Verdict)> = parts
            .iter()
            .enumerate()
            .map(|(part, other)| (part, &other.result.obligations[index].verdict))
            .collect();
        let (origin, verdict) =
            join(&verdicts, suite).map_err(|(covering, proving)| Error::Input {
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

/// The best of verdicts, by the number of the part; which parts contradict each other, if they do.
fn join(
    verdicts: &[(usize, &Verdict)],
    suite: &MergedSuite,
) -> Result<(usize, Verdict), (usize, usize)> {
    let is_covered = |one: &&(usize, &Verdict)| matches!(one.1, Verdict::Covered { .. });
    let is_proved = |one: &&(usize, &Verdict)| matches!(one.1, Verdict::Uncoverable(_));
    let is_justified = |one: &&(usize, &Verdict)| matches!(one.1, Verdict::Justified(_));
    let covering = verdicts.iter().find(is_covered);
    let proving = verdicts.iter().find(is_proved);
    match (covering, proving) {
        (Some(covering), Some(proving)) => Err((covering.0, proving.0)),
        (Some((part, _)), None) => Ok((*part, covered(verdicts, suite))),
        (None, Some((part, proof))) => Ok((*part, (*proof).clone())),
        (None, None) => match verdicts.iter().find(is_justified) {
            Some((part, reason)) => Ok((*part, (*reason).clone())),
            None => Ok(open(verdicts)),
        },
    }
}

/// By the tests of all parts that cover it.
fn covered(verdicts: &[(usize, &Verdict)], suite: &MergedSuite) -> Verdict {
    let place = |part: usize, test: TestId| TestId::new(suite.places[part][test.index()]);
    let mut all: Vec<TestId> = Vec::new();
    let mut shown: Option<Pair> = None;
    for (part, verdict) in verdicts {
        let Verdict::Covered { tests, pair } = verdict else { continue };
        all.extend(tests.iter().map(|test| place(*part, *test)));
        if let (None, Some(pair)) = (shown, pair) {
            shown = Some(Pair {
                with_true: place(*part, pair.with_true),
                with_false: place(*part, pair.with_false),
            });
        }
    }
    all.sort_unstable();
    all.dedup();
    covered_by_parts(all, shown)
}

/// A refutation within bounds, the one that says most; else what stood in the way of whoever tried; of suites, the furthest that one got.
fn open(verdicts: &[(usize, &Verdict)]) -> (usize, Verdict) {
    let bounded: Vec<&(usize, &Verdict)> =
        verdicts.iter().filter(|(_, verdict)| verdict.bounds().is_some()).collect();
    let bounds: Vec<&[Bound]> =
        bounded.iter().filter_map(|(_, verdict)| verdict.bounds()).collect();
    // Each part has shown its own refutation, so the one that is kept is kept as it is: no bound is left out of it.
    if let Some((part, verdict)) = strongest(&bounds).map(|at| bounded[at]) {
        return (*part, (*verdict).clone());
    }
    let tried = verdicts.iter().filter(|(_, verdict)| !is_left(verdict));
    let furthest = tried.reduce(|best, other| match (best.1, other.1) {
        (Verdict::Unresolved(Limit::Suite(one)), Verdict::Unresolved(Limit::Suite(two)))
            if two > one =>
        {
            other
        }
        _ => best,
    });
    match furthest.or(verdicts.first()) {
        Some((part, verdict)) => (*part, (*verdict).clone()),
        None => (0, left_to_another_shard()),
    }
}
