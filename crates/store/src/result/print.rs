//! Printing result documents.

use super::{
    Check, FORMAT, StoredObligation, StoredResult, bound, comparison, comparisons, function,
    outcome, shard, verdict,
};
use crate::document;
use crate::error::StoreError;
use crate::json::print::{Fields, lines, quote, row};
use crate::variables::DistinctNames;

/// Prints a result document. Refuses what [`parse`](super::parse) would refuse.
pub fn print(result: &StoredResult) -> Result<String, StoreError> {
    check(result)?;
    let criteria = result.criteria.iter().map(|criterion| quote(&criterion.to_string()));
    let tests = result.tests.iter().map(|test| quote(test));
    let obligations = result.obligations.iter().map(print_obligation);
    let mut fields = document::start(FORMAT)
        .with_line(2, "tool", quote(&result.tool))
        .with_line(2, "criteria", row(criteria))
        .with_line(2, "tests", lines(2, tests));
    if !result.outcomes.is_empty() {
        fields = fields.with_line(2, "outcomes", outcome::print(&result.outcomes));
    }
    if !result.observed.is_empty() {
        let observed = result.observed.iter().map(|name| quote(name));
        fields = fields.with_line(2, "observed", lines(2, observed));
    }
    fields = with_code(fields, result);
    Ok(fields.with_line(2, "obligations", lines(2, obligations)).close_line())
}

/// What stands beside the obligations of a result where tests were made: which tests pass, and all that [`with_code`] adds.
pub(crate) fn with_circumstances(mut fields: Fields, result: &StoredResult) -> Fields {
    if !result.outcomes.is_empty() {
        fields = fields.with_line(2, "outcomes", outcome::print(&result.outcomes));
    }
    with_code(fields, result)
}

/// The code that was judged, the shard, how criteria compare, and which bounds leave something open.
fn with_code(mut fields: Fields, result: &StoredResult) -> Fields {
    if !result.functions.is_empty() {
        let functions = result.functions.iter().map(function::print);
        fields = fields.with_line(2, "functions", lines(2, functions));
    }
    if let Some(shard) = &result.shard {
        fields = fields.with_line(2, "shard", shard::print(shard));
    }
    let compared = comparisons(result);
    if !compared.is_empty() {
        let compared = compared.iter().map(comparison::print);
        fields = fields.with_line(2, "comparisons", lines(2, compared));
    }
    if let Some(groups) = bound::print_groups(result) {
        fields = fields.with_line(2, "bounded", groups);
    }
    fields
}

/// Says what is wrong with a result that [`parse`](super::parse) would refuse.
pub(crate) fn check(result: &StoredResult) -> Result<(), StoreError> {
    let mut names = DistinctNames::new("criterion");
    for criterion in &result.criteria {
        names.add(&criterion.to_string()).map_err(StoreError::unwritable)?;
    }
    let mut names = DistinctNames::new("test");
    for test in &result.tests {
        names.add(test).map_err(StoreError::unwritable)?;
    }
    if !result.outcomes.is_empty() && result.outcomes.len() != result.tests.len() {
        let (outcomes, tests) = (result.outcomes.len(), result.tests.len());
        return Err(StoreError::unwritable(format!("{outcomes} outcomes of {tests} tests")));
    }
    let mut names = DistinctNames::new("observed variable");
    for variable in &result.observed {
        names.add(variable).map_err(StoreError::unwritable)?;
    }
    for one in &result.functions {
        function::check(&one.fingerprint, 8).map_err(StoreError::unwritable)?;
        if let Some(code) = &one.code {
            function::check(code, 16).map_err(StoreError::unwritable)?;
        }
    }
    if let Some(shard) = &result.shard {
        shard::check(shard, result.tests.len()).map_err(StoreError::unwritable)?;
    }
    let mut check = Check::new(&result.criteria, result.tests.len());
    for obligation in &result.obligations {
        check.add(obligation).map_err(StoreError::unwritable)?;
    }
    Ok(())
}

/// An obligation on one line.
pub(crate) fn print_obligation(obligation: &StoredObligation) -> String {
    let fields = Fields::new()
        .with_text("id", &obligation.id)
        .with_text("criterion", obligation.criterion)
        .with_text("file", &obligation.file)
        .with_text("function", &obligation.function)
        .with_text("span", obligation.span)
        .with_text("text", &obligation.text);
    let fields = verdict::print(fields, &obligation.verdict);
    let fields = match &obligation.ends_in {
        Some(error) => fields.with_text("ends_in", error),
        None => fields,
    };
    match &obligation.review {
        None => fields.close(),
        Some(review) => verdict::print_review(fields, review).close(),
    }
}
