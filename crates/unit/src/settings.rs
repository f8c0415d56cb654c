//! What a user may say about the inputs of a unit, in the table `[c]` of `obligato.toml`:
//!
//! ```toml
//! [c]
//! depth = 2                       # pointers behind each other
//! state = "free"                  # what is static is an input too
//! observed = ["return"]
//! sizes = { "list->items" = 4 }   # elements behind single pointers
//! ranges = { speed = [0, 300] }
//! ```

use std::collections::{BTreeMap, BTreeSet};

use obligato_model::Integer;
use serde::Deserialize;

/// How inputs are made from types, and which there are.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Settings {
    /// How many elements a pointer to numbers points to.
    pub elements: u64,
    /// How many elements a pointer to structures points to.
    pub structures: u64,
    /// How many elements single pointers point to, by name.
    pub sizes: BTreeMap<String, u64>,
    /// How many pointers behind each other point to something.
    pub depth: u32,
    /// Of an array, this many elements are inputs; the others keep their values.
    pub array: u64,
    /// Is the last character behind a `char *` always 0?
    pub terminated: bool,
    /// May a pointer also be one that came before it?
    pub alias: bool,
    /// How many calls of a function outside of the unit get a result of their own in each step; later
    /// ones get the last one again.
    pub calls: u64,
    /// Smallest and largest values, by name.
    pub ranges: BTreeMap<String, Range>,
    /// Globals that are inputs although nothing shows it.
    pub globals: BTreeSet<String>,
    /// Globals that keep their initial values although the unit reads them.
    pub fixed: BTreeSet<String>,
    /// What becomes of what is `static`.
    pub state: State,
    /// The outputs that are observed; all if there are none.
    pub observed: BTreeSet<String>,
    /// No more cells than this are inputs.
    pub most_inputs: usize,
}

/// The smallest and the largest value of an input.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "(i64, i64)")]
pub struct Range {
    /// The smallest.
    pub low: Integer,
    /// The largest.
    pub high: Integer,
}

/// What becomes of what is `static`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum State {
    /// It starts as the program says, and keeps what steps leave in it.
    Kept,
    /// It is an input, like other globals.
    Free,
}

/// Settings that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct SettingsError(String);

impl TryFrom<(i64, i64)> for Range {
    type Error = String;

    fn try_from((low, high): (i64, i64)) -> Result<Self, String> {
        if low > high {
            return Err(format!("the range [{low}, {high}] is empty"));
        }
        Ok(Self { low: low.into(), high: high.into() })
    }
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            elements: 8,
            structures: 1,
            sizes: BTreeMap::new(),
            depth: 3,
            array: 16,
            terminated: true,
            alias: false,
            calls: 4,
            ranges: BTreeMap::new(),
            globals: BTreeSet::new(),
            fixed: BTreeSet::new(),
            state: State::Kept,
            observed: BTreeSet::new(),
            most_inputs: 4096,
        }
    }
}

impl Settings {
    /// Reads the table `[c]` of a configuration; without one, everything is as usual. Other tables are for others.
    pub fn from_toml(text: &str) -> Result<Self, SettingsError> {
        #[derive(Deserialize)]
        struct File {
            c: Option<Settings>,
        }
        let file: File = toml::from_str(text).map_err(|error| SettingsError(error.to_string()))?;
        Ok(file.c.unwrap_or_default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_said_is_as_usual() {
        assert_eq!(Settings::from_toml("[other]\nx = 1\n"), Ok(Settings::default()));
        let text = "[c]\ndepth = 1\nstate = \"free\"\nranges = { speed = [-3, 300] }\n";
        let settings = Settings::from_toml(text).unwrap();
        let range = Range { low: (-3).into(), high: 300.into() };
        assert_eq!((settings.depth, settings.state, settings.elements), (1, State::Free, 8));
        assert_eq!(settings.ranges["speed"], range);
    }

    #[test]
    fn unknown_keys_and_empty_ranges_are_refused_with_their_line() {
        for (text, part) in [
            ("[c]\ndeph = 1\n", "unknown field `deph`"),
            ("[c]\nranges = { x = [3, 1] }\n", "the range [3, 1] is empty"),
            ("[c]\nstate = \"gone\"\n", "unknown variant `gone`"),
        ] {
            let error = Settings::from_toml(text).unwrap_err().to_string();
            assert!(error.contains(part) && error.contains("line 2"), "{error}");
        }
    }
}
