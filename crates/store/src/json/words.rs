//! Values that are one of a few words.

use super::Json;
use crate::error::{StoreError, quoted};

/// The words for the values of a type.
pub struct Words<T: 'static> {
    /// What they are words for, in messages.
    pub what: &'static str,
    /// Each word with its value.
    pub all: &'static [(&'static str, T)],
}

impl<T: Copy + PartialEq> Words<T> {
    /// Reads a string that is one of the words.
    pub fn read(&self, json: Json<'_>) -> Result<T, StoreError> {
        let text = json.string()?;
        self.value(&text).ok_or_else(|| {
            let known: Vec<&str> = self.all.iter().map(|(word, _)| *word).collect();
            json.invalid(format!(
                "no {} is called {}; there are {}",
                self.what,
                quoted(&text),
                known.join(", ")
            ))
        })
    }

    /// The value of a word.
    pub fn value(&self, text: &str) -> Option<T> {
        let found = self.all.iter().find(|(word, _)| *word == text);
        found.map(|(_, value)| *value)
    }

    /// The word for a value.
    pub fn word(&self, value: T) -> &'static str {
        let found = self.all.iter().find(|(_, other)| *other == value);
        found.expect("invariant: every value has its word").0
    }
}
