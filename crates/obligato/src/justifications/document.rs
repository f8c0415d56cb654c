//! The file of justifications: read with places, and changed without touching what a person wrote around it.

use std::collections::HashSet;

use obligato_store::StoreError;
use serde::Deserialize;
use toml::Spanned;
use toml_edit::{ArrayOfTables, DocumentMut, Item, Table};

use crate::config::{place_of, text_of};

/// The list of all entries, each a table of its own in the file.
const ENTRIES: &str = "justification";

/// A reason for leaving an obligation uncovered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// The obligation.
    pub id: String,
    /// Why.
    pub reason: String,
    /// Who.
    pub author: String,
    /// When.
    pub date: String,
    /// The fingerprint of the function it was given for.
    pub fingerprint: Option<String>,
    /// Which of the obligations of its function and criterion it is for, from 1. Ids have the text of decisions in them: where only names of
    /// locals have changed, the number tells which is meant.
    pub number: Option<u32>,
    /// Is it the review of a proof, and no reason by itself?
    pub reviews_proof: bool,
}

/// What the field `verdict` of a review says: the verdict that was reviewed.
const UNCOVERABLE: &str = "uncoverable";

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Document {
    #[serde(default)]
    justification: Vec<Written>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    id: Spanned<String>,
    reason: Spanned<String>,
    author: Spanned<String>,
    date: Spanned<toml::Value>,
    fingerprint: Option<Spanned<String>>,
    number: Option<u32>,
    verdict: Option<Spanned<String>>,
}

/// Reads the file.
pub fn parse(bytes: &[u8]) -> Result<Vec<Entry>, StoreError> {
    let text = text_of(bytes)?;
    let document: Document = toml::from_str(text).map_err(|error| StoreError::Syntax {
        place: place_of(text, error.span().unwrap_or_default()),
        reason: error.message().to_owned(),
    })?;
    let mut ids = HashSet::new();
    let mut entries = Vec::new();
    for written in document.justification {
        let entry = check(&written).map_err(|(span, reason)| StoreError::Invalid {
            place: place_of(text, span),
            reason,
        })?;
        if !ids.insert(entry.id.clone()) {
            let (place, id) = (place_of(text, written.id.span()), entry.id);
            let reason = format!("there are two justifications of '{id}'");
            return Err(StoreError::Invalid { place, reason });
        }
        entries.push(entry);
    }
    Ok(entries)
}

/// The entry, or what is wrong with it and where.
fn check(written: &Written) -> Result<Entry, (std::ops::Range<usize>, String)> {
    for (name, value) in
        [("id", &written.id), ("reason", &written.reason), ("author", &written.author)]
    {
        if value.get_ref().trim().is_empty() {
            return Err((value.span(), format!("the {name} of a justification is not empty")));
        }
    }
    // A date may stand in quotes or not.
    let date = match written.date.get_ref() {
        toml::Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    if !is_date(&date) {
        let reason = format!("'{date}' is not a date; one is written YYYY-MM-DD");
        return Err((written.date.span(), reason));
    }
    let fingerprint = written.fingerprint.as_ref();
    if let Some(value) = fingerprint.filter(|value| !is_fingerprint(value.get_ref())) {
        let reason =
            "a fingerprint has 8 or 16 digits of 0-9 and a-f; 'obligato justify' writes it";
        return Err((value.span(), reason.to_owned()));
    }
    let verdict = written.verdict.as_ref();
    if let Some(value) = verdict.filter(|value| value.get_ref() != UNCOVERABLE) {
        let reason = format!("the verdict of a review is '{UNCOVERABLE}'; other entries name none");
        return Err((value.span(), reason));
    }
    Ok(Entry {
        id: written.id.get_ref().clone(),
        reason: written.reason.get_ref().clone(),
        author: written.author.get_ref().clone(),
        date,
        fingerprint: fingerprint.map(|value| value.get_ref().clone()),
        number: written.number,
        reviews_proof: verdict.is_some(),
    })
}

/// Is it a day, as the store takes it?
pub fn is_date(text: &str) -> bool {
    let parts: Vec<&str> = text.split('-').collect();
    let number = |text: &str, digits: usize| {
        let plain = text.len() == digits && text.bytes().all(|byte| byte.is_ascii_digit());
        plain.then(|| text.parse::<u32>().ok()).flatten()
    };
    let [year, month, day] = parts.as_slice() else { return false };
    let (Some(year), Some(month), Some(day)) = (number(year, 4), number(month, 2), number(day, 2))
    else {
        return false;
    };
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let last = match month {
        2 if leap => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        1..=12 => 31,
        _ => return false,
    };
    (1..=last).contains(&day)
}

fn is_fingerprint(text: &str) -> bool {
    matches!(text.len(), 8 | 16)
        && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

/// The text of the file with an entry put into it, in the place of the one with its id if there is one. Comments, order and layout
/// of everything else stay. `None` if the entries are not tables of their own, as in a file that lists them in one array.
pub fn put(text: &str, entry: &Entry) -> Option<String> {
    let mut expected = parse(text.as_bytes()).ok()?;
    let mut document: DocumentMut = text.parse().ok()?;
    if let Some(place) = expected.iter().position(|one| one.id == entry.id) {
        set_fields(entries_of(&mut document)?.get_mut(place)?, entry);
        expected[place] = entry.clone();
    } else {
        append(&mut document, entry)?;
        expected.push(entry.clone());
    }
    let changed = document.to_string();
    // toml_edit ends lines in one way only. Those within a reason belong to it and may not change.
    let is_windows = text.contains("\r\n");
    let as_before = is_windows.then(|| changed.replace("\r\n", "\n").replace('\n', "\r\n"));
    let mut texts = as_before.into_iter().chain([changed]);
    texts.find(|text| parse(text.as_bytes()).is_ok_and(|entries| entries == expected))
}

/// The entries of a file that has or can have some.
fn entries_of(document: &mut DocumentMut) -> Option<&mut ArrayOfTables> {
    let none = Item::ArrayOfTables(ArrayOfTables::new());
    document.entry(ENTRIES).or_insert(none).as_array_of_tables_mut()
}

/// Adds an entry behind everything else, comments at the end of the file included.
fn append(document: &mut DocumentMut, entry: &Entry) -> Option<()> {
    let is_first = document.is_empty() && document.trailing().as_str() == Some("");
    let mut before = document.trailing().as_str()?.to_owned();
    document.set_trailing("");
    if !before.is_empty() && !before.ends_with('\n') {
        before.push('\n');
    }
    if !is_first {
        before.push('\n');
    }
    let mut table = Table::new();
    table.decor_mut().set_prefix(before);
    set_fields(&mut table, entry);
    entries_of(document)?.push(table);
    Some(())
}

/// Gives a table the fields of an entry. Comments beside fields that it had already stay.
fn set_fields(table: &mut Table, entry: &Entry) {
    let Entry { id, reason, author, date, fingerprint, number, reviews_proof } = entry;
    let verdict = reviews_proof.then_some(UNCOVERABLE);
    let optional = [("fingerprint", fingerprint.as_deref()), ("verdict", verdict)];
    for (name, _) in optional.iter().filter(|(_, value)| value.is_none()) {
        table.remove(name);
    }
    let optional = optional.into_iter().filter_map(|(name, value)| Some((name, value?)));
    let texts: [(&str, &str); 4] =
        [("id", id), ("reason", reason), ("author", author), ("date", date)];
    let texts = texts.into_iter().chain(optional);
    let fields = texts.map(|(name, text)| (name, toml_edit::Value::from(text)));
    if number.is_none() {
        table.remove("number");
    }
    let number = number.map(|number| ("number", toml_edit::Value::from(i64::from(number))));
    for (name, mut value) in fields.chain(number) {
        if let Some(old) = table.get(name).and_then(Item::as_value) {
            *value.decor_mut() = old.decor().clone();
        }
        table[name] = Item::Value(value);
    }
}
