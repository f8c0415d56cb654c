//! What a gate requires, request and configuration file together, and which obligations meet it.

use std::collections::BTreeMap;

use obligato_model::{Criterion, Verdict};
use obligato_store::{StoredObligation, StoredResult};

use super::{Allowed, GateOutcome, GateRequest, GateRow, Percent, Regression};
use crate::config::GateSettings;
use crate::error::Error;

/// What is required.
pub struct Standard {
    /// How much of which criterion.
    pub require: BTreeMap<Criterion, Percent>,
    allow: Vec<Allowed>,
    forbid_unresolved: bool,
    require_review: bool,
}

impl Standard {
    /// The request wins over the file.
    pub fn new(request: &GateRequest, settings: GateSettings) -> Self {
        let mut require = settings.require;
        for one in &request.require {
            require.insert(one.criterion, one.percent);
        }
        let allow = request.allow.clone().or(settings.allow).unwrap_or_default();
        let forbid_unresolved = request.forbid_unresolved || settings.forbid_unresolved;
        let require_review = request.require_review || settings.require_review;
        Self { require, allow, forbid_unresolved, require_review }
    }

    /// A criterion that was not measured is neither met nor missed.
    pub fn expect_measured(&self, result: &StoredResult) -> Result<(), Error> {
        let missing = self.require.keys().find(|one| !result.criteria.contains(one));
        let Some(missing) = missing else { return Ok(()) };
        let known: Vec<String> = result.criteria.iter().map(ToString::to_string).collect();
        Err(Error::Input {
            message: format!("the stored result says nothing of {missing}"),
            way_out: format!("it has {}; measure with --criterion {missing}", known.join(", ")),
        })
    }

    /// Is an obligation closed in a way that counts?
    pub fn is_met(&self, obligation: &StoredObligation) -> bool {
        match obligation.verdict {
            Verdict::Covered { .. } => {
                obligation.ends_in.is_none() || self.allow.contains(&Allowed::CoveredByErrors)
            }
            Verdict::Uncoverable(_) if obligation.review.is_some() => {
                self.allow.contains(&Allowed::Uncoverable)
                    || self.allow.contains(&Allowed::Justified)
            }
            Verdict::Uncoverable(_) => {
                self.allow.contains(&Allowed::Uncoverable) && !self.require_review
            }
            Verdict::Justified(_) => self.allow.contains(&Allowed::Justified),
            Verdict::Unresolved(_) => self.is_allowed_bounded(obligation),
        }
    }

    /// Does it count only because somebody accepts refutations within bounds? Where reviews are required, a person has to say so of
    /// each: that makes it justified.
    pub fn is_allowed_bounded(&self, obligation: &StoredObligation) -> bool {
        obligation.verdict.bounds().is_some() && self.allows_bounded()
    }

    fn allows_bounded(&self) -> bool {
        self.allow.contains(&Allowed::Bounded) && !self.require_review
    }

    /// Is it closed by a proof that nobody has reviewed, where a review is required?
    pub fn is_unreviewed(&self, obligation: &StoredObligation) -> bool {
        let is_proved = matches!(obligation.verdict, Verdict::Uncoverable(_));
        let is_open = is_proved || obligation.verdict.bounds().is_some();
        self.require_review
            && is_open
            && obligation.review.is_none()
            && self.require.contains_key(&obligation.criterion)
    }

    /// How many obligations of a criterion are met.
    pub fn met(&self, result: &StoredResult, criterion: Criterion) -> usize {
        let asked = result.obligations.iter().filter(|one| one.criterion == criterion);
        asked.filter(|one| self.is_met(one)).count()
    }

    /// What there is of every criterion that something is required of.
    pub fn rows(&self, result: &StoredResult) -> Vec<GateRow> {
        let row = |(criterion, required): (&Criterion, &Percent)| {
            let (criterion, required) = (*criterion, *required);
            let tally = result.tally(criterion);
            let (met, total) = (self.met(result, criterion), tally.total());
            let is_enough = required.is_met_by(met, total);
            let (bounded, unresolved) = (tally.bounded, tally.unresolved);
            GateRow { criterion, required, met, bounded, unresolved, total, is_enough }
        };
        self.require.iter().map(row).collect()
    }

    /// Does an obligation have to be closed before the gate is met?
    pub fn is_missing(&self, obligation: &StoredObligation, rows: &[GateRow]) -> bool {
        let is_short =
            rows.iter().any(|row| row.criterion == obligation.criterion && !row.is_enough);
        let is_forbidden = self.forbid_unresolved
            && self.require.contains_key(&obligation.criterion)
            && matches!(obligation.verdict, Verdict::Unresolved(_))
            && !self.is_allowed_bounded(obligation);
        is_forbidden || (is_short && !self.is_met(obligation))
    }

    /// The answer.
    pub fn outcome(
        &self,
        rows: &[GateRow],
        regressions: &[Regression],
        unreviewed: &[StoredObligation],
    ) -> GateOutcome {
        let is_below = rows.iter().any(|row| !row.is_enough) || !regressions.is_empty();
        let is_bounded_open = !self.allows_bounded();
        let is_open = |row: &GateRow| row.unresolved > 0 || (is_bounded_open && row.bounded > 0);
        let is_unresolved = self.forbid_unresolved && rows.iter().any(is_open);
        match (is_below, is_unresolved) {
            (true, _) => GateOutcome::Below,
            (false, true) => GateOutcome::Unresolved,
            (false, false) if !unreviewed.is_empty() => GateOutcome::Unreviewed,
            (false, false) => GateOutcome::Met,
        }
    }
}
