//! Whether a stored result is good enough.
//!
//! [`gate`] is the walk: the settings and the result are read, justifications are held against it anew, [`standard`] says what is met;
//! [`ratchet`] compares with an older result, [`document`] makes JSON of what came of it.

use std::collections::BTreeMap;
use std::path::PathBuf;

use obligato_model::{Assumption, Criterion, Verdict};
use obligato_report::failing_tests;
use obligato_store::evidence::StoredEvidence;
use obligato_store::{StoredObligation, StoredResult};

use crate::config::GateSettings;
use crate::error::Error;
use crate::evidence::{self, Freshness};
use crate::justifications::Justifications;
use crate::storage;
use crate::text::printable;

mod document;
mod ratchet;
mod requirement;
mod standard;

pub use ratchet::Regression;
pub use requirement::{Allowed, Percent, Requirement};

use standard::Standard;

/// What to require of a stored result, beside what a configuration file requires.
#[derive(Debug, Clone, Default)]
pub struct GateRequest {
    /// The directory that the result is stored in.
    pub store: PathBuf,
    /// How much of which criterion is required; this wins over the configuration file.
    pub require: Vec<Requirement>,
    /// What counts besides what is covered; what the configuration file says, or nothing, if none is named.
    pub allow: Option<Vec<Allowed>>,
    /// Whether obligations of required criteria may not be unresolved.
    pub forbid_unresolved: bool,
    /// Whether every obligation of required criteria that is uncoverable needs a person's review.
    pub require_review: bool,
    /// Whether a result counts although its sources have changed since.
    pub stale_ok: bool,
    /// An older result that this one may not fall behind.
    pub ratchet: Option<PathBuf>,
    /// The file of justifications; `obligato-justifications.toml` of this directory, if it is there, unless one is named.
    pub justifications: Option<PathBuf>,
    /// The configuration file; `obligato.toml` of this directory, if it is there, unless one is named.
    pub config: Option<PathBuf>,
}

/// What came of a gate.
#[derive(Debug)]
pub struct GateResult {
    /// What made the result: `obligato 0.1.0`.
    pub tool: String,
    /// The criteria that something is required of.
    pub rows: Vec<GateRow>,
    /// Obligations of criteria that are not met, and those that may not be unresolved.
    pub missing: Vec<StoredObligation>,
    /// Obligations of required criteria that count although they were refuted within bounds only.
    pub allowed_bounded: Vec<StoredObligation>,
    /// What proofs that count assume, with the number of obligations that rest on it.
    pub assumptions: BTreeMap<Assumption, usize>,
    /// Obligations of required criteria that a proof closes and nobody has reviewed, where a review is required.
    pub unreviewed: Vec<StoredObligation>,
    /// What was judged, how, by what and when; none in stores of earlier versions.
    pub evidence: Option<StoredEvidence>,
    /// The criteria of the stored result.
    pub criteria: Vec<Criterion>,
    /// The tests that do not give the outputs that they expect.
    pub failed: Vec<String>,
    /// What is worse than in the older result; none if there is no older one.
    pub regressions: Option<Vec<Regression>>,
    /// The answer.
    pub outcome: GateOutcome,
    /// What there is to know of justifications that do not count, or are not needed.
    pub notes: Vec<String>,
}

/// A criterion, what is required of it, and what there is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GateRow {
    /// The criterion.
    pub criterion: Criterion,
    /// How much of it is required.
    pub required: Percent,
    /// How many of its obligations are covered, or closed by a verdict that counts.
    pub met: usize,
    /// How many were refuted within bounds only.
    pub bounded: usize,
    /// How many are unresolved for any other reason.
    pub unresolved: usize,
    /// How many there are.
    pub total: usize,
    /// Whether the share that is met is large enough.
    pub is_enough: bool,
}

/// The answer of a gate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GateOutcome {
    /// Everything that is required is met.
    Met,
    /// A share is too small, or something is worse than in the older result.
    Below,
    /// All shares are met, but an obligation is unresolved where none may be.
    Unresolved,
    /// All shares are met, but nobody has reviewed a proof where a review is required.
    Unreviewed,
}

impl GateOutcome {
    /// The exit code of `obligato gate`, which its document holds; part of the documented interface, never renumbered.
    pub const fn exit_code(self) -> u8 {
        match self {
            Self::Met => 0,
            Self::Below => 3,
            Self::Unresolved | Self::Unreviewed => 4,
        }
    }
}

/// Compares a stored result with what is required. A gate that is not met is an answer, not an error.
///
/// ```
/// use obligato::gate::{GateOutcome, GateRequest, gate};
/// use obligato::Stop;
/// use obligato::judge::{JudgeRequest, JudgeSubject, judge};
/// use obligato::judging::JudgingOptions;
///
/// let directory = tempfile::tempdir()?;
/// let store = directory.path().join("store");
/// let tests = directory.path().join("suite.csv");
/// std::fs::write(&tests, "x,y\n# both\n1,1\n\n# only x\n1,0\n")?;
/// let subject = JudgeSubject::Decisions { texts: vec!["x && y".to_owned()], tests };
/// let criteria = JudgingOptions::new(["decision".parse()?, "condition".parse()?]);
/// let judging = JudgingOptions { store: Some(store.clone()), ..criteria };
/// judge(&JudgeRequest { subject, judging }, &Stop::never())?;
///
/// let require = vec!["decision=100".parse()?];
/// let request = GateRequest { store, require, ..GateRequest::default() };
/// assert_eq!(gate(&request)?.outcome, GateOutcome::Met);
/// // No test has x false: three of four.
/// let request = GateRequest { require: vec!["condition=80".parse()?], ..request };
/// let result = gate(&request)?;
/// assert_eq!(result.outcome, GateOutcome::Below);
/// assert_eq!((result.rows[0].met, result.rows[0].total), (3, 4));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn gate(request: &GateRequest) -> Result<GateResult, Error> {
    let settings = GateSettings::find(request.config.as_deref())?;
    let older = request.ratchet.clone().or(settings.ratchet.clone());
    let standard = Standard::new(request, settings);
    if standard.require.is_empty() && older.is_none() {
        return Err(Error::Input {
            message: "nothing is required".to_owned(),
            way_out: "name a criterion, as in --mcdc 100, an older result by --ratchet, \
                      or write a [gate] into obligato.toml"
                .to_owned(),
        });
    }
    let older = older.map(|path| obligato_store::result::load(&path)).transpose()?;
    let mut result = storage::load(&request.store)?;
    let evidence = evidence::load(&request.store, &result)?;
    let stale = expect_fresh(evidence.as_ref(), request.stale_ok)?;
    let justifications = Justifications::load(request.justifications.as_deref())?;
    let mut notes = justifications.apply(&mut result);
    notes.extend(justifications.elsewhere(&result));
    notes.extend(failing_tests(&result).map(|failing| format!("note: {failing}")));
    notes.extend(stale);
    standard.expect_measured(&result)?;
    let compared = compare(&standard, result, older.as_ref(), notes)?;
    Ok(GateResult { evidence, ..compared })
}

/// Refuses a result whose sources have changed, unless that is accepted; says what there is to know.
fn expect_fresh(
    evidence: Option<&StoredEvidence>,
    stale_ok: bool,
) -> Result<Option<String>, Error> {
    let Some(known) = evidence else {
        let what = "an earlier version wrote it, or the files beside it belong to another result";
        return Ok(Some(format!("note: the store does not say what its sources were: {what}")));
    };
    let Freshness::Changed(files) = evidence::of_store(evidence) else {
        // Only text that is preprocessed depends on what is not there.
        let is_unknown = known.absent.is_none() && known.compiler.is_some();
        return Ok(is_unknown.then(|| {
            let what = "what was looked for and not found: a header or settings that have appeared since cannot be noticed";
            format!("note: an earlier version wrote the store, which does not say {what}")
        }));
    };
    let (names, date) = (printable(&files.join(", ")), &known.date);
    if stale_ok {
        let what = format!("since {date} these have changed, appeared or gone: {names}");
        return Ok(Some(format!(
            "warning: the result is stale and was judged all the same: {what}"
        )));
    }
    Err(Error::Input {
        message: format!(
            "the stored result is stale: since {date} {names} changed, appeared or is not here"
        ),
        way_out: "measure or generate again, or accept it by --stale-ok".to_owned(),
    })
}

fn compare(
    standard: &Standard,
    result: StoredResult,
    older: Option<&StoredResult>,
    notes: Vec<String>,
) -> Result<GateResult, Error> {
    let regressions =
        older.map(|older| ratchet::regressions(standard, older, &result)).transpose()?;
    let rows = standard.rows(&result);
    let unreviewed: Vec<StoredObligation> =
        result.obligations.iter().filter(|one| standard.is_unreviewed(one)).cloned().collect();
    let worse = regressions.as_deref().unwrap_or_default();
    let outcome = standard.outcome(&rows, worse, &unreviewed);
    let is_allowed = |one: &&StoredObligation| {
        standard.require.contains_key(&one.criterion) && standard.is_allowed_bounded(one)
    };
    let allowed_bounded = result.obligations.iter().filter(is_allowed).cloned().collect();
    let mut assumptions = BTreeMap::new();
    for one in &result.obligations {
        if standard.require.contains_key(&one.criterion)
            && standard.is_met(one)
            && let Verdict::Uncoverable(proof) = &one.verdict
        {
            for assumption in &proof.assumptions {
                *assumptions.entry(assumption.clone()).or_default() += 1;
            }
        }
    }
    let is_missing = |one: &StoredObligation| standard.is_missing(one, &rows);
    let failed: Vec<String> = result.failed_tests().map(str::to_owned).collect();
    let missing = result.obligations.into_iter().filter(is_missing).collect();
    Ok(GateResult {
        tool: result.tool,
        criteria: result.criteria,
        rows,
        missing,
        failed,
        allowed_bounded,
        assumptions,
        unreviewed,
        evidence: None,
        regressions,
        outcome,
        notes,
    })
}
