//! Bounds in a result document: those of one refutation, and the groups of obligations that were refuted within the same ones.
//!
//! A bound is an object: its `kind`, its `value` or `names`, its `text` for people and what to try `next`. Text and next follow from the
//! rest, and are there for whoever reads the document. Earlier versions wrote the text alone, which is still read.

use obligato_model::verdict::Names;
use obligato_model::{Bound, BoundedGroup, Remedy};
use serde::Serialize;

use super::StoredResult;
use crate::error::StoreError;
use crate::json::Json;
use crate::json::print::{Fields, lines, quote, row};

/// The fields of a bound.
const FIELDS: [&str; 7] = ["kind", "value", "names", "more", "text", "option", "next"];

/// A bound as documents have it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct StoredBound<'a> {
    /// The kind.
    pub kind: &'static str,
    /// Its number, if it has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<u64>,
    /// The names that it is about.
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    pub names: &'a [String],
    /// How many more there are.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub more: Option<usize>,
    /// For people.
    pub text: String,
    /// The option that lifts it, with a value worth trying.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub option: Option<String>,
    /// Where there is no option, what a person can do.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next: Option<&'static str>,
}

impl<'a> From<&'a Bound> for StoredBound<'a> {
    fn from(bound: &'a Bound) -> Self {
        let (option, next) = match bound.remedy() {
            Remedy::Option(option) => (Some(option), None),
            Remedy::Person(words) => (None, Some(words)),
        };
        let names = bound.names();
        Self {
            kind: bound.kind(),
            value: bound.value(),
            names: names.map_or(&[], Names::listed),
            more: names.map(Names::more).filter(|more| *more > 0),
            text: bound.to_string(),
            option,
            next,
        }
    }
}

/// The bounds of a refutation, on one line.
pub(super) fn print(bounds: &[Bound]) -> String {
    row(bounds.iter().map(print_one))
}

fn print_one(bound: &Bound) -> String {
    let StoredBound { kind, value, names, more, text, option, next } = StoredBound::from(bound);
    let mut fields = Fields::new().with_text("kind", kind);
    if let Some(value) = value {
        fields = fields.with("value", value);
    }
    if !names.is_empty() {
        fields = fields.with("names", row(names.iter().map(|name| quote(name))));
    }
    if let Some(more) = more {
        fields = fields.with("more", more);
    }
    fields = fields.with_text("text", text);
    if let Some(option) = option {
        fields = fields.with_text("option", option);
    }
    if let Some(next) = next {
        fields = fields.with_text("next", next);
    }
    fields.close()
}

/// Reads the bounds of a refutation.
pub(super) fn read(json: Json<'_>) -> Result<Vec<Bound>, StoreError> {
    json.items()?.into_iter().map(read_one).collect()
}

fn read_one(json: Json<'_>) -> Result<Bound, StoreError> {
    if json.text().starts_with('"') {
        return Ok(Bound::read(&json.string()?));
    }
    let object = json.object(&FIELDS)?;
    let kind = object.need("kind")?.string()?;
    let text = object.need("text")?.owned_string()?;
    let value = object.get("value").map(Json::whole::<u64>).transpose()?;
    let names = object.list("names")?.into_iter().map(Json::owned_string);
    let names = names.collect::<Result<Vec<_>, _>>()?;
    let more = object.get("more").map(Json::whole::<u32>).transpose()?.unwrap_or(0);
    let known = match (value, Names::with_more(names, more as usize)) {
        (Some(value), _) => Bound::with_value(&kind, value),
        (None, Some(names)) => Bound::with_names(&kind, names),
        (None, None) => Bound::of_kind(&kind),
    };
    // A kind that a later version knows keeps its words.
    Ok(known.unwrap_or(Bound::Other(text)))
}

/// The groups of obligations that were refuted within the same bounds, a line each; none if there are none.
pub(super) fn print_groups(result: &StoredResult) -> Option<String> {
    let groups = BoundedGroup::of(result.obligations.iter().map(|one| &one.verdict));
    let group = |group: &BoundedGroup| {
        Fields::new()
            .with("obligations", group.members.len())
            .with("bounds", print(&group.bounds))
            .with_text("next", group.next())
            .close()
    };
    (!groups.is_empty()).then(|| lines(2, groups.iter().map(group)))
}
