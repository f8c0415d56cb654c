//! The file of justifications: read with places, and changed without touching what a person wrote around it.

use std::collections::HashSet;
use std::fmt::Write as _;

use obligato_store::StoreError;
use serde::Deserialize;
use toml::Spanned;

use crate::config::{place_of, text_of};

/// How every entry of the file starts.
const HEADER: &str = "[[justification]]";

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
}

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
        let reason = "a fingerprint has 8 digits of 0-9 and a-f; 'obligato justify' writes it";
        return Err((value.span(), reason.to_owned()));
    }
    Ok(Entry {
        id: written.id.get_ref().clone(),
        reason: written.reason.get_ref().clone(),
        author: written.author.get_ref().clone(),
        date,
        fingerprint: fingerprint.map(|value| value.get_ref().clone()),
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
    text.len() == 8 && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

/// The text of the file with an entry put into it, in the place of the one with its id if there is one. `None` if that cannot be
/// done without changing anything else, as in a file that is laid out in a way of its own.
pub fn put(text: &str, entry: &Entry) -> Option<String> {
    let mut expected = parse(text.as_bytes()).ok()?;
    let known = expected.iter().position(|one| one.id == entry.id);
    let mut changed = text.to_owned();
    if let Some(place) = known {
        let (start, end) = *blocks(text).get(place)?;
        // Comments and blank lines behind an entry may belong to the next one.
        let end = start + end_of_entry(&text[start..end]);
        changed.replace_range(start..end, &print(entry));
        expected[place] = entry.clone();
    } else {
        if !changed.is_empty() && !changed.ends_with('\n') {
            changed.push('\n');
        }
        if !changed.is_empty() {
            changed.push('\n');
        }
        changed.push_str(&print(entry));
        expected.push(entry.clone());
    }
    (parse(changed.as_bytes()).ok()? == expected).then_some(changed)
}

/// Where the entry itself ends in its block, before comments and blank lines.
fn end_of_entry(block: &str) -> usize {
    let (mut end, mut at) = (0, 0);
    for line in block.split_inclusive('\n') {
        at += line.len();
        let bare = line.trim();
        if !bare.is_empty() && !bare.starts_with('#') {
            end = at;
        }
    }
    end
}

/// Where each entry starts and ends, from its header to the next.
fn blocks(text: &str) -> Vec<(usize, usize)> {
    let mut starts = Vec::new();
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        if line.trim_start().starts_with(HEADER) {
            starts.push(at);
        }
        at += line.len();
    }
    let ends = starts.iter().skip(1).copied().chain([text.len()]);
    starts.iter().copied().zip(ends).collect()
}

fn print(entry: &Entry) -> String {
    let mut text = format!("{HEADER}\n");
    let Entry { id, reason, author, date, fingerprint } = entry;
    let fingerprint = fingerprint.as_ref().map(|value| ("fingerprint", value));
    let fields = [("id", id), ("reason", reason), ("author", author), ("date", date)];
    for (name, value) in fields.into_iter().chain(fingerprint) {
        let value = toml::Value::String(value.clone());
        writeln!(text, "{name} = {value}").expect("invariant: a string takes all text");
    }
    text
}
