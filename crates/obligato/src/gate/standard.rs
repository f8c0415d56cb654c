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
        Self { require, allow, forbid_unresolved }
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
            Verdict::Covered { .. } => true,
            Verdict::Uncoverable(_) => self.allow.contains(&Allowed::Uncoverable),
            Verdict::Justified(_) => self.allow.contains(&Allowed::Justified),
            Verdict::Unresolved(_) => false,
        }
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
            GateRow { criterion, required, met, unresolved: tally.unresolved, total, is_enough }
        };
        self.require.iter().map(row).collect()
    }

    /// Does an obligation have to be closed before the gate is met?
    pub fn is_missing(&self, obligation: &StoredObligation, rows: &[GateRow]) -> bool {
        let is_short =
            rows.iter().any(|row| row.criterion == obligation.criterion && !row.is_enough);
        let is_forbidden = self.forbid_unresolved
            && self.require.contains_key(&obligation.criterion)
            && matches!(obligation.verdict, Verdict::Unresolved(_));
        is_forbidden || (is_short && !self.is_met(obligation))
    }

    /// The answer.
    pub fn outcome(&self, rows: &[GateRow], regressions: &[Regression]) -> GateOutcome {
        let is_below = rows.iter().any(|row| !row.is_enough) || !regressions.is_empty();
        let is_unresolved = self.forbid_unresolved && rows.iter().any(|row| row.unresolved > 0);
        match (is_below, is_unresolved) {
            (true, _) => GateOutcome::Below,
            (false, true) => GateOutcome::Unresolved,
            (false, false) => GateOutcome::Met,
        }
    }
}
