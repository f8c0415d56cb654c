//! Recordings: `obligato-recording` documents, what a replay elsewhere saw.
//!
//! The events of a test are short tokens, numbered by the program document the
//! recording goes with. Start reading at [`parse`]; the tokens are in `event`.

use std::path::Path;

use obligato_model::{Program, RecordedEvent, RecordedTest, Recording, Watched};

use crate::document;
use crate::error::{Place, StoreError, quoted};
use crate::file;
use crate::json::Json;
use crate::json::print::{Fields, lines, quote};
use crate::source::Source;
use crate::variables::DistinctNames;

mod event;
mod watched;

/// What a recording document calls itself.
pub const FORMAT: &str = "obligato-recording";

/// Longer runs of events are printed as several strings.
const WIDTH: usize = 90;

/// Loads a recording of `program`.
pub fn load(path: &Path, program: &Program) -> Result<Recording, StoreError> {
    parse(&file::read(path)?, program).map_err(|error| error.in_file(path))
}

/// Saves a recording of `program`.
pub fn save(path: &Path, recording: &Recording, program: &Program) -> Result<(), StoreError> {
    let text = print(recording, program).map_err(|error| error.in_file(path))?;
    file::write(path, text.as_bytes())
}

/// Reads a recording document of `program`.
pub fn parse(bytes: &[u8], program: &Program) -> Result<Recording, StoreError> {
    let source = Source::of(bytes)?;
    let root = document::open(source, FORMAT, &["format", "version", "effects", "kills", "tests"])?;
    let watched = watched::read(&root)?;
    let mut names = DistinctNames::new("test");
    let mut tests = Vec::new();
    for item in root.need("tests")?.items()? {
        let object = item.object(&["name", "events"])?;
        let name_field = object.need("name")?;
        let name = name_field.owned_string()?;
        names.add(&name).map_err(|reason| name_field.invalid(reason))?;
        let field = object.need("events")?;
        let strings = if field.text().starts_with('[') { field.items()? } else { vec![field] };
        let mut events = Vec::new();
        for string in strings {
            events.extend(read_events(string, &name, program, &watched)?);
        }
        tests.push(RecordedTest { name, events });
    }
    Ok(Recording { watched, tests })
}

fn read_events(
    json: Json<'_>,
    owner: &str,
    program: &Program,
    watched: &Watched,
) -> Result<Vec<RecordedEvent>, StoreError> {
    let text = json.string()?;
    let mut events = Vec::new();
    for token in text.split_ascii_whitespace() {
        let event = event::parse(token, program);
        let event = event.and_then(|event| match watched::check(&event, watched) {
            Ok(()) => Ok(event),
            Err(reason) => Err(format!("{}: {reason}", quoted(token))),
        });
        let event = event.map_err(|reason| {
            // With escapes in the string, offsets in it say nothing about the source.
            let offset = match text {
                std::borrow::Cow::Borrowed(_) => Source(&text).offset_of(token) + 1,
                std::borrow::Cow::Owned(_) => 0,
            };
            json.invalid_at(offset, format!("test {}: {reason}", quoted(owner)))
        })?;
        events.push(event);
    }
    Ok(events)
}

/// Prints a recording document. Refuses names that clash, events that are none of
/// the program, and those that were not watched for.
pub fn print(recording: &Recording, program: &Program) -> Result<String, StoreError> {
    let mut names = DistinctNames::new("test");
    let mut tests = Vec::with_capacity(recording.tests.len());
    for test in &recording.tests {
        names.add(&test.name).map_err(StoreError::unwritable)?;
        let mut rows = vec![String::new()];
        for event in &test.events {
            let printed = watched::check(event, &recording.watched)
                .and_then(|()| event::print(event, program));
            let token = printed.map_err(|reason| {
                StoreError::unwritable(format!("test '{}': {reason}", test.name))
            })?;
            let row = rows.last_mut().expect("invariant: there is a row from the start");
            if row.is_empty() {
                *row = token;
            } else if row.len() + 1 + token.len() <= WIDTH {
                row.push(' ');
                row.push_str(&token);
            } else {
                rows.push(token);
            }
        }
        let events = match rows.as_slice() {
            [row] => quote(row),
            rows => lines(4, rows.iter().map(|row| quote(row))),
        };
        let fields = Fields::new().with_text("name", &test.name);
        tests.push(fields.with("events", events).close());
    }
    let fields = watched::print(document::start(FORMAT), &recording.watched)?;
    Ok(fields.with_line(2, "tests", lines(2, tests)).close_line())
}

/// Reads one event of `program`: `d1c2=T(3,4)>strict`.
pub fn parse_event(token: &str, program: &Program) -> Result<RecordedEvent, StoreError> {
    event::parse(token, program)
        .map_err(|reason| StoreError::Invalid { place: Place::default(), reason })
}

/// Prints one event of `program`, as [`parse_event`] reads it.
pub fn print_event(event: &RecordedEvent, program: &Program) -> Result<String, StoreError> {
    event::print(event, program).map_err(StoreError::unwritable)
}

#[cfg(test)]
mod tests;
