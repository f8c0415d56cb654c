//! The semantics of observability side by side: what one covers and another does not.
//!
//! Tags are a local judgement, operator by operator; the exact semantics compares whole runs.
//! Neither implies the other (Whalen et al., section II), so a result that holds a suite against
//! both counts both ways. The counts follow from the obligations; a document that says otherwise is
//! refused.

use std::collections::HashMap;

use obligato_model::{Criterion, Limit, Verdict};

use super::{StoredObligation, StoredResult};
use crate::error::StoreError;
use crate::json::Json;
use crate::json::print::Fields;

/// The fields of a comparison.
const FIELDS: [&str; 6] = ["first", "second", "both", "first_only", "second_only", "neither"];

/// One observability criterion under two semantics, by how many obligations are covered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SemanticsComparison {
    /// Under one.
    pub first: Criterion,
    /// Under the other.
    pub second: Criterion,
    /// Covered under both.
    pub both: usize,
    /// Covered under the first and not under the second.
    pub first_only: usize,
    /// Covered under the second and not under the first.
    pub second_only: usize,
    /// Covered under neither.
    pub neither: usize,
}

/// Every two semantics of one observability criterion that a result has verdicts for.
pub fn comparisons(result: &StoredResult) -> Vec<SemanticsComparison> {
    let judged = |criterion: &&Criterion| {
        criterion.observability().is_some()
            && of(result, **criterion).next().is_some()
            && of(result, **criterion).all(|one| !is_unsupported(one))
    };
    let judged: Vec<Criterion> = result.criteria.iter().filter(judged).copied().collect();
    let mut all = Vec::new();
    for (index, first) in judged.iter().enumerate() {
        let others = judged[index + 1..].iter().filter(|other| other.name() == first.name());
        all.extend(others.map(|second| compare(result, *first, *second)));
    }
    all
}

fn of(result: &StoredResult, criterion: Criterion) -> impl Iterator<Item = &StoredObligation> {
    result.obligations.iter().filter(move |one| one.criterion == criterion)
}

fn is_unsupported(obligation: &StoredObligation) -> bool {
    matches!(obligation.verdict, Verdict::Unresolved(Limit::Unsupported(_)))
}

fn compare(result: &StoredResult, first: Criterion, second: Criterion) -> SemanticsComparison {
    // An id is the criterion, `@`, and what is asked of where.
    let asked =
        |one: &'_ StoredObligation| one.id.split_once('@').map(|(_, asked)| asked.to_owned());
    let is_covered = |one: &StoredObligation| matches!(one.verdict, Verdict::Covered { .. });
    let seconds: HashMap<_, bool> =
        of(result, second).map(|one| (asked(one), is_covered(one))).collect();
    let mut found =
        SemanticsComparison { first, second, both: 0, first_only: 0, second_only: 0, neither: 0 };
    for one in of(result, first) {
        *match (is_covered(one), seconds.get(&asked(one))) {
            (_, None) => continue,
            (true, Some(true)) => &mut found.both,
            (true, Some(false)) => &mut found.first_only,
            (false, Some(true)) => &mut found.second_only,
            (false, Some(false)) => &mut found.neither,
        } += 1;
    }
    found
}

/// A comparison as JSON.
pub(super) fn print(comparison: &SemanticsComparison) -> String {
    let SemanticsComparison { first, second, both, first_only, second_only, neither } = comparison;
    Fields::new()
        .with_text("first", first)
        .with_text("second", second)
        .with("both", both)
        .with("first_only", first_only)
        .with("second_only", second_only)
        .with("neither", neither)
        .close()
}

/// Complains unless the comparisons of a document are those of its result.
pub(super) fn check(json: Json<'_>, result: &StoredResult) -> Result<(), StoreError> {
    let mut found = Vec::new();
    for item in json.items()? {
        let object = item.object(&FIELDS)?;
        let count = |name: &str| object.need(name)?.whole::<u32>().map(|count| count as usize);
        found.push(SemanticsComparison {
            first: super::read::read_criterion(object.need("first")?)?,
            second: super::read::read_criterion(object.need("second")?)?,
            both: count("both")?,
            first_only: count("first_only")?,
            second_only: count("second_only")?,
            neither: count("neither")?,
        });
    }
    if found != comparisons(result) {
        return Err(json.invalid("the obligations give other comparisons than these"));
    }
    Ok(())
}
