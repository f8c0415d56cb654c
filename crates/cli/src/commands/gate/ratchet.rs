//! A result held against an older one: nothing may be worse.

use std::collections::HashMap;

use obligato_model::Criterion;
use obligato_store::{StoredObligation, StoredResult};

use super::Gate;
use crate::error::CliError;
use obligato::Error;
use obligato::gate::Percent;

/// Something that is worse than before.
pub enum Slip<'a> {
    /// A smaller share of a criterion is met.
    Share {
        /// The criterion.
        criterion: Criterion,
        /// How much was met.
        before: Percent,
        /// How much is.
        now: Percent,
    },
    /// An obligation was met, and is not any more.
    Lost(&'a StoredObligation),
}

/// What is worse. A criterion that the older result has must be in the new one.
pub fn slips<'a>(
    gate: &Gate,
    older: &StoredResult,
    newer: &'a StoredResult,
) -> Result<Vec<Slip<'a>>, CliError> {
    let mut slips = Vec::new();
    for criterion in &older.criteria {
        if !newer.criteria.contains(criterion) {
            return Err(CliError::from(Error::Input {
                message: format!(
                    "the older result has {criterion}, and the stored one says nothing of it"
                ),
                way_out: format!("measure with --criterion {criterion} as well"),
            }));
        }
        let count = |result: &StoredResult| {
            (gate.met(result, *criterion), result.tally(*criterion).total())
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
            slips.push(Slip::Share { criterion: *criterion, before, now });
        }
    }
    let before: HashMap<&str, &StoredObligation> =
        older.obligations.iter().map(|one| (one.id.as_str(), one)).collect();
    let lost = newer.obligations.iter().filter(|one| {
        !gate.is_met(one) && before.get(one.id.as_str()).is_some_and(|older| gate.is_met(older))
    });
    slips.extend(lost.map(Slip::Lost));
    Ok(slips)
}
