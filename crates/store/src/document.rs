//! What every JSON document starts with: its format and its version.
//!
//! Both are checked before anything else is looked at, so that a document of a
//! later version is told apart from a damaged one.

use crate::error::StoreError;
use crate::json::print::Fields;
use crate::json::{Json, Object};
use crate::source::Source;

/// The version of all formats that is written, and the only one that is read.
pub const VERSION: u32 = 1;

/// Opens a document of `format` that may have the `known` fields, which include
/// `format` and `version`.
pub(crate) fn open<'a>(
    source: Source<'a>,
    format: &'static str,
    known: &'static [&'static str],
) -> Result<Object<'a>, StoreError> {
    let json = Json::parse(source)?;
    let entries = json.entries()?;
    let field = |name: &str| {
        let entry = entries.iter().find(|entry| entry.name == name);
        entry.map(|entry| entry.value)
    };
    let found = match field("format") {
        None => None,
        Some(value) => Some((value, value.owned_string()?)),
    };
    if found.as_ref().is_none_or(|(_, found)| found != format) {
        let (value, found) = found.unzip();
        let place = value.unwrap_or(json).invalid("").place().clone();
        return Err(StoreError::WrongFormat { place, expected: format, found });
    }
    let version = field("version").ok_or_else(|| json.invalid("the field 'version' is missing"))?;
    if !version.text().starts_with(|c: char| c == '-' || c.is_ascii_digit()) {
        return Err(version.expected("a version number"));
    }
    if version.text() != VERSION.to_string() {
        return Err(StoreError::WrongVersion {
            place: version.invalid("").place().clone(),
            format,
            found: version.text().chars().take(20).collect(),
        });
    }
    Object::new(json, entries, known)
}

/// Starts printing a document of `format`.
pub(crate) fn start(format: &str) -> Fields {
    Fields::new()
        .with_line(2, "format", format_args!("\"{format}\""))
        .with_line(2, "version", VERSION)
}
