//! Words taken apart again: how stored texts become data.

use std::fmt;

/// What is printed for a reason, the words for it in documents of earlier releases, which are read too, and the reason.
pub type Templates<T> = &'static [(&'static str, &'static [&'static str], T)];

/// The reason that a text stands for, in the words of this release or of an earlier one.
pub fn find<T>(templates: Templates<T>, text: &str) -> Option<&'static T> {
    let found = templates.iter().find(|(now, before, _)| *now == text || before.contains(&text));
    found.map(|(_, _, reason)| reason)
}

/// The words for a reason.
pub fn words_for<T: PartialEq>(templates: Templates<T>, reason: &T) -> Option<&'static str> {
    let found = templates.iter().find(|(_, _, one)| one == reason);
    found.map(|(words, _, _)| *words)
}

/// What stands between a beginning and an end.
pub fn between<'t>(text: &'t str, start: &str, end: &str) -> Option<&'t str> {
    text.strip_prefix(start)?.strip_suffix(end)
}

/// A number as it is printed: digits, without a sign or leading zeros.
pub fn number(text: &str) -> Option<u64> {
    let value: u64 = text.parse().ok()?;
    (value.to_string() == text).then_some(value)
}

/// The first of several readings that prints as the text it was read from: nothing else is a reading of it.
pub fn faithful<T: fmt::Display>(
    text: &str,
    readings: impl IntoIterator<Item = Option<T>>,
) -> Option<T> {
    readings.into_iter().flatten().find(|one| one.to_string() == text)
}

/// Names in quotes, as assumptions list them: a few, and how many more there are.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Names {
    listed: Vec<String>,
    more: usize,
}

/// So many names are listed.
const MOST_NAMES: usize = 4;

impl Names {
    /// The first few of these names, and how many more there are. Nothing if there is none.
    pub fn new<'n>(names: impl IntoIterator<Item = &'n str>) -> Option<Self> {
        let mut listed: Vec<String> = names.into_iter().map(str::to_owned).collect();
        let more = listed.len().saturating_sub(MOST_NAMES);
        listed.truncate(MOST_NAMES);
        (!listed.is_empty()).then_some(Self { listed, more })
    }

    /// Is it one name?
    pub fn is_one(&self) -> bool {
        self.listed.len() + self.more == 1
    }

    /// The names that are listed.
    pub fn listed(&self) -> &[String] {
        &self.listed
    }

    /// How many more there are.
    pub fn more(&self) -> usize {
        self.more
    }

    /// These names, and how many more there are that are not listed. Nothing if no name is listed.
    pub fn with_more(listed: Vec<String>, more: usize) -> Option<Self> {
        (!listed.is_empty()).then_some(Self { listed, more })
    }

    /// Are all names of another list among these? Not known of names that are not listed.
    pub fn include(&self, others: &Self) -> bool {
        self == others
            || (others.more == 0 && others.listed.iter().all(|name| self.listed.contains(name)))
    }

    /// Reads what [`Names`] prints.
    pub fn read(text: &str) -> Option<Self> {
        let quoted = |text: &str| between(text, "'", "'").map(str::to_owned);
        let (first, last) = match text.rsplit_once(" and ") {
            Some((first, last)) => (first, Some(last)),
            None => (text, None),
        };
        let mut listed: Vec<String> = first.split(", ").map(quoted).collect::<Option<_>>()?;
        let mut more = 0;
        if let Some(last) = last {
            match last.strip_suffix(" more") {
                Some(count) => more = number(count)? as usize,
                None => listed.push(quoted(last)?),
            }
        }
        Some(Self { listed, more })
    }
}

impl fmt::Display for Names {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let quoted: Vec<String> = self.listed.iter().map(|name| format!("'{name}'")).collect();
        match (self.more, quoted.split_last()) {
            (0, Some((last, []))) => f.write_str(last),
            (0, Some((last, others))) => write!(f, "{} and {last}", others.join(", ")),
            (more, _) => write!(f, "{} and {more} more", quoted.join(", ")),
        }
    }
}
