//! Reading result documents.

use obligato_model::Criterion;

use super::{Check, FORMAT, StoredObligation, StoredResult, verdict};
use crate::document;
use crate::error::StoreError;
use crate::json::Json;
use crate::source::Source;
use crate::variables::Names;

/// Reads a result document.
pub fn parse(bytes: &[u8]) -> Result<StoredResult, StoreError> {
    let source = Source::of(bytes)?;
    let known = &["format", "version", "tool", "criteria", "tests", "obligations"];
    let root = document::open(source, FORMAT, known)?;
    let tool = root.need("tool")?.owned_string()?;
    let criteria = read_criteria(root.need("criteria")?)?;
    let mut names = Names::new("test");
    let mut tests = Vec::new();
    for item in root.need("tests")?.items()? {
        let name = item.owned_string()?;
        names.add(&name).map_err(|reason| item.invalid(reason))?;
        tests.push(name);
    }
    let mut check = Check::new(&criteria, tests.len());
    let mut obligations = Vec::new();
    for item in root.need("obligations")?.items()? {
        let obligation = read_obligation(item)?;
        check.add(&obligation).map_err(|reason| item.invalid(reason))?;
        obligations.push(obligation);
    }
    Ok(StoredResult { tool, criteria, tests, obligations })
}

fn read_criteria(json: Json<'_>) -> Result<Vec<Criterion>, StoreError> {
    let mut names = Names::new("criterion");
    let mut criteria = Vec::new();
    for item in json.items()? {
        let criterion = read_criterion(item)?;
        // By its printed form: a default variant may be spelled out or not.
        names.add(&criterion.to_string()).map_err(|reason| item.invalid(reason))?;
        criteria.push(criterion);
    }
    Ok(criteria)
}

fn read_criterion(json: Json<'_>) -> Result<Criterion, StoreError> {
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
    })
}
