//! What a recording says was watched for: the fields `effects` and `kills`.
//!
//! An effect or a kill that is not recorded did not happen only if somebody looked,
//! so a recording declares what it looked for, and has no event of another kind.

use obligato_model::{RecordedEvent, Watched};

use super::event::{OBSERVABILITIES, STRENGTHS};
use crate::error::{StoreError, quoted};
use crate::json::Object;
use crate::json::print::{Fields, quote, row};
use crate::json::words::Words;

/// Reads what was watched for.
pub fn read(root: &Object<'_>) -> Result<Watched, StoreError> {
    Ok(Watched {
        effects: read_words(root, "effects", &OBSERVABILITIES)?,
        kills: read_words(root, "kills", &STRENGTHS)?,
    })
}

fn read_words<T: Copy + PartialEq>(
    root: &Object<'_>,
    field: &str,
    words: &Words<T>,
) -> Result<Vec<T>, StoreError> {
    let mut values = Vec::new();
    for item in root.list(field)? {
        let value = words.read(item)?;
        if values.contains(&value) {
            return Err(item.invalid(twice(words.word(value))));
        }
        values.push(value);
    }
    Ok(values)
}

fn twice(word: &str) -> String {
    format!("{} is declared twice", quoted(word))
}

/// Adds what was watched for, unless that was nothing.
pub fn print(fields: Fields, watched: &Watched) -> Result<Fields, StoreError> {
    let fields = print_words(fields, "effects", &OBSERVABILITIES, &watched.effects)?;
    print_words(fields, "kills", &STRENGTHS, &watched.kills)
}

fn print_words<T: Copy + PartialEq>(
    fields: Fields,
    field: &str,
    words: &Words<T>,
    values: &[T],
) -> Result<Fields, StoreError> {
    for (index, value) in values.iter().enumerate() {
        if values[..index].contains(value) {
            return Err(StoreError::unwritable(twice(words.word(*value))));
        }
    }
    if values.is_empty() {
        return Ok(fields);
    }
    let printed = values.iter().map(|value| quote(words.word(*value)));
    Ok(fields.with_line(2, field, row(printed)))
}

/// Complains about an event that nobody watched for.
pub fn check(event: &RecordedEvent, watched: &Watched) -> Result<(), String> {
    let (declared, field, word) = match event {
        RecordedEvent::Observed(_, semantics) => {
            (watched.effects.contains(semantics), "effects", semantics.name())
        }
        RecordedEvent::Killed(_, strength) => {
            (watched.kills.contains(strength), "kills", strength.name())
        }
        _ => return Ok(()),
    };
    if declared {
        return Ok(());
    }
    Err(format!(
        "the recording does not say that it watched for this; add \"{word}\" to its field \"{field}\""
    ))
}
