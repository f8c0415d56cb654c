//! Reading result documents.

use obligato_model::Criterion;

use super::{
    Check, FORMAT, StoredObligation, StoredResult, comparison, function, outcome, shard, verdict,
};
use crate::document;
use crate::error::StoreError;
use crate::json::Json;
use crate::source::Source;
use crate::variables::DistinctNames;

/// Reads a result document.
pub fn parse(bytes: &[u8]) -> Result<StoredResult, StoreError> {
    let source = Source::of(bytes)?;
    let known = &[
        "format",
        "version",
        "tool",
        "criteria",
        "tests",
        "outcomes",
        "observed",
        "functions",
        "shard",
        "comparisons",
        "bounded",
        "obligations",
    ];
    let root = document::open(source, FORMAT, known)?;
    let tool = root.need("tool")?.owned_string()?;
    let criteria = read_criteria(root.need("criteria")?)?;
    let tests = read_names("test", root.need("tests")?.items()?)?;
    let outcomes = root.get("outcomes").map(|json| outcome::read(json, tests.len())).transpose()?;
    let outcomes = outcomes.unwrap_or_default();
    let observed = read_names("observed variable", root.list("observed")?)?;
    let functions = root.list("functions")?.into_iter().map(function::read);
    let functions = functions.collect::<Result<Vec<_>, _>>()?;
    let shard = root.get("shard").map(|json| shard::read(json, tests.len())).transpose()?;
    let mut check = Check::new(&criteria, tests.len());
    let mut obligations = Vec::new();
    for item in root.need("obligations")?.items()? {
        let obligation = read_obligation(item)?;
        check.add(&obligation).map_err(|reason| item.invalid(reason))?;
        obligations.push(obligation);
    }
    let result =
        StoredResult { tool, criteria, tests, outcomes, observed, functions, shard, obligations };
    if let Some(compared) = root.get("comparisons") {
        comparison::check(compared, &result)?;
    }
    Ok(result)
}

/// Names of one kind, each once.
pub(crate) fn read_names(
    what: &'static str,
    items: Vec<Json<'_>>,
) -> Result<Vec<String>, StoreError> {
    let mut names = DistinctNames::new(what);
    let mut all = Vec::new();
    for item in items {
        let name = item.owned_string()?;
        names.add(&name).map_err(|reason| item.invalid(reason))?;
        all.push(name);
    }
    Ok(all)
}

/// Criteria, each once.
pub(crate) fn read_criteria(json: Json<'_>) -> Result<Vec<Criterion>, StoreError> {
    let mut names = DistinctNames::new("criterion");
    let mut criteria = Vec::new();
    for item in json.items()? {
        let criterion = read_criterion(item)?;
        // By its printed form: a default variant may be spelled out or not.
        names.add(&criterion.to_string()).map_err(|reason| item.invalid(reason))?;
        criteria.push(criterion);
    }
    Ok(criteria)
}

pub(super) fn read_criterion(json: Json<'_>) -> Result<Criterion, StoreError> {
    let parsed = json.string()?.parse();
    parsed.map_err(|error: obligato_model::criterion::UnknownCriterion| {
        json.invalid(error.to_string())
    })
}

fn read_obligation(json: Json<'_>) -> Result<StoredObligation, StoreError> {
    let object = json.object(&verdict::FIELDS)?;
    let text = |name: &str| object.need(name)?.owned_string();
    Ok(StoredObligation {
        id: text("id")?,
        criterion: read_criterion(object.need("criterion")?)?,
        file: text("file")?,
        function: text("function")?,
        span: object.need("span")?.parsed()?,
        text: text("text")?,
        verdict: verdict::read(&object)?,
        review: verdict::read_review(&object)?,
        ends_in: object.get("ends_in").map(Json::owned_string).transpose()?,
    })
}
