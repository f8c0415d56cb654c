//! A result held against an older one: nothing may be worse.

use std::collections::HashMap;

use obligato_model::Criterion;
use obligato_store::{StoredObligation, StoredResult};

use super::{Percent, Standard};
use crate::error::Error;

/// Something that is worse than in an older result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Regression {
    /// A smaller share of a criterion is met.
    Share {
        /// The criterion.
        criterion: Criterion,
        /// How much was met.
        before: Percent,
        /// How much is.
        now: Percent,
    },
    /// An obligation was met, and no longer is.
    Lost(Box<StoredObligation>),
}

/// What is worse. A criterion that the older result has must be in the new one.
pub fn regressions(
    standard: &Standard,
    older: &StoredResult,
    newer: &StoredResult,
) -> Result<Vec<Regression>, Error> {
    let mut regressions = Vec::new();
    for criterion in &older.criteria {
        if !newer.criteria.contains(criterion) {
            return Err(Error::Input {
                message: format!(
                    "the older result has {criterion}, and the stored one says nothing of it"
                ),
                way_out: format!("measure with --criterion {criterion} as well"),
            });
        }
        let count = |result: &StoredResult| {
            (standard.met(result, *criterion), result.tally(*criterion).total())
        };
        let ((met_before, total_before), (met, total)) = (count(older), count(newer));
        // As fractions, for rounding would let small losses pass. Nothing to cover is all of it.
        let is_less = match (total_before, total) {
            (_, 0) => false,
            (0, _) => met < total,
            _ => (met as u128) * (total_before as u128) < (met_before as u128) * (total as u128),
        };
        if is_less {
            let before = Percent::of(met_before, total_before);
            let now = Percent::of(met, total);
            regressions.push(Regression::Share { criterion: *criterion, before, now });
        }
    }
    let before: HashMap<&str, &StoredObligation> =
        older.obligations.iter().map(|one| (one.id.as_str(), one)).collect();
    let lost = newer.obligations.iter().filter(|one| {
        !standard.is_met(one)
            && before.get(one.id.as_str()).is_some_and(|older| standard.is_met(older))
    });
    regressions.extend(lost.cloned().map(Box::new).map(Regression::Lost));
    Ok(regressions)
}
