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

/// A kind of document, and the fields it may have, which include `format` and `version`.
pub(crate) struct Format {
    pub name: &'static str,
    pub known: &'static [&'static str],
}

/// Opens a document of this kind.
pub(crate) fn open<'a>(
    source: Source<'a>,
    format: &'static str,
    known: &'static [&'static str],
) -> Result<Object<'a>, StoreError> {
    open_any(source, &[Format { name: format, known }]).map(|(_, object)| object)
}

/// Opens a document of one of these kinds, the first of which is the usual one; says which
/// it is.
pub(crate) fn open_any<'a>(
    source: Source<'a>,
    formats: &[Format],
) -> Result<(&'static str, Object<'a>), StoreError> {
    let json = Json::parse(source)?;
    let entries = json.entries()?;
    let field = |name: &str| {
        let entry = entries.iter().find(|entry| entry.name == name);
        entry.map(|entry| entry.value)
    };
    let named = match field("format") {
        None => None,
        Some(value) => Some((value, value.owned_string()?)),
    };
    let (value, named) = named.unzip();
    let found = formats.iter().find(|format| named.as_deref() == Some(format.name));
    let Some(Format { name: format, known }) = found else {
        let place = value.unwrap_or(json).invalid("").place().clone();
        return Err(StoreError::WrongFormat { place, expected: formats[0].name, found: named });
    };
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
    Ok((format, Object::new(json, entries, known)?))
}

/// Starts printing a document of `format`.
pub(crate) fn start(format: &str) -> Fields {
    Fields::new()
        .with_line(2, "format", format_args!("\"{format}\""))
        .with_line(2, "version", VERSION)
}
