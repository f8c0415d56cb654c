//! Explanations as JSON: an `obligato-explanation` document, described in `docs/formats.md`.

use obligato_model::Criterion;
use serde::Serialize;

use super::explanation::{ConditionExplained, Explanation, Half, Row, Shown};
use crate::error::Error;

#[derive(Serialize)]
struct Document<'a> {
    format: &'static str,
    version: u32,
    model: &'a str,
    decisions: Vec<Decision<'a>>,
}

#[derive(Serialize)]
struct Decision<'a> {
    file: &'a str,
    span: String,
    instance: &'a str,
    text: &'a str,
    /// `all` or `executed`.
    listed: &'static str,
    rows: Vec<TableRow<'a>>,
    conditions: Vec<Condition<'a>>,
}

#[derive(Serialize)]
struct TableRow<'a> {
    values: String,
    outcome: bool,
    /// Conditions, counted from 1.
    deciding: Vec<usize>,
    tests: &'a [String],
}

#[derive(Serialize)]
struct Condition<'a> {
    text: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    constant: Option<bool>,
    values: [OneValue<'a>; 2],
    pairs: Vec<Pair<'a>>,
    /// Rows, counted from 1, that differ in this condition alone and in the outcome.
    twins: &'a [(usize, usize)],
}

#[derive(Serialize)]
struct OneValue<'a> {
    value: bool,
    /// Rows, counted from 1, in which it decides the outcome.
    rows: &'a [usize],
    tests: &'a [String],
    /// Left out if nobody watched.
    #[serde(skip_serializing_if = "Option::is_none")]
    observed: Option<&'a [String]>,
    lost: &'a [String],
}

#[derive(Serialize)]
struct Pair<'a> {
    criterion: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    with_true: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    with_false: Option<&'a str>,
}

/// The document.
pub fn print(model: &str, all: &[Explanation]) -> Result<String, Error> {
    let decisions = all.iter().map(Decision::of).collect();
    let document = Document { format: "obligato-explanation", version: 1, model, decisions };
    let text = serde_json::to_string_pretty(&document);
    text.map(|text| text + "\n").map_err(|error| Error::Internal(error.to_string()))
}

impl<'a> Decision<'a> {
    fn of(explained: &'a Explanation) -> Self {
        Self {
            file: &explained.file,
            span: explained.span.to_string(),
            instance: &explained.instance,
            text: &explained.text,
            listed: if explained.complete { "all" } else { "executed" },
            rows: explained.rows.iter().map(TableRow::of).collect(),
            conditions: explained.conditions.iter().map(Condition::of).collect(),
        }
    }
}

impl<'a> TableRow<'a> {
    fn of(row: &'a Row) -> Self {
        Self {
            values: row.evaluation.vector(),
            outcome: row.evaluation.outcome,
            deciding: row.deciding.iter().map(|at| at + 1).collect(),
            tests: &row.tests,
        }
    }
}

impl<'a> Condition<'a> {
    fn of(explained: &'a ConditionExplained) -> Self {
        Self {
            text: &explained.text,
            constant: explained.constant,
            values: explained.halves.each_ref().map(OneValue::of),
            pairs: explained.pairs.iter().map(Pair::of).collect(),
            twins: &explained.twins,
        }
    }
}

impl<'a> OneValue<'a> {
    fn of(half: &'a Half) -> Self {
        let Half { value, rows, tests, observed, losses, .. } = half;
        Self { value: *value, rows, tests, observed: observed.as_deref(), lost: losses }
    }
}

impl<'a> Pair<'a> {
    fn of((criterion, shown): &'a (Criterion, Shown)) -> Self {
        let (with_true, with_false) = match shown {
            Shown::By(with_true, with_false) => {
                (Some(with_true.as_str()), Some(with_false.as_str()))
            }
            Shown::Not => (None, None),
        };
        Self { criterion: criterion.to_string(), with_true, with_false }
    }
}
