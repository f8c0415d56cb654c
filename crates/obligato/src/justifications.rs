//! Justifications: people's reasons for leaving obligations uncovered, kept in a TOML file.
//!
//! A reason counts only for the code that it was given for: each has the fingerprint of the function, and one whose
//! function reads differently now is stale, is warned about, and does not count. [`document`] reads the file and writes into
//! it; this file holds it against a result.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use obligato_campaign::judging::apply_reason;
use obligato_model::{Criterion, Justification, Verdict};
use obligato_store::result::StoredFunction;
use obligato_store::{StoredObligation, StoredResult, file};

use crate::error::Error;
use crate::text::{counted, printable};

mod document;

pub use document::{Entry, is_date, put};

/// What the file is called unless another one is named.
pub const USUAL_FILE: &str = "obligato-justifications.toml";

/// A fingerprint of code has so many digits, one of its text fewer.
const CODE_DIGITS: usize = 16;

/// A file of justifications.
#[derive(Debug, Default)]
pub struct Justifications {
    entries: Vec<Entry>,
    /// Was there a file?
    exists: bool,
}

/// How a justification stands to a result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum JustificationStanding {
    /// It counts.
    Counts,
    /// A test covers what it is for.
    Covered,
    /// A proof closes what it is for: it is a review of that proof.
    Reviewed,
    /// It reviews a proof that there is no more: what was accepted was the proof.
    Unproved,
    /// Its code has changed.
    Stale,
    /// It says nothing of the code it is for.
    Unmarked,
    /// Its function is there, but nothing is asked of it any more under this id.
    Gone,
    /// It is for something that this result is not about.
    Elsewhere,
}

impl Justifications {
    /// Reads the file that is named, or the usual one if it is there.
    pub fn load(named: Option<&Path>) -> Result<Self, Error> {
        let path = named.map_or_else(|| PathBuf::from(USUAL_FILE), Path::to_owned);
        if named.is_none() && !path.exists() {
            return Ok(Self::default());
        }
        let bytes = file::read(&path)?;
        let entries = document::parse(&bytes).map_err(|error| error.in_file(&path))?;
        Ok(Self { entries, exists: true })
    }

    /// All of them, in the order of the file.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// Gives obligations that are unresolved the reasons that count for them, and those that are uncoverable their reviews; takes back
    /// what a result has of reasons that do not count, and says what there is to know.
    pub fn apply(&self, result: &mut StoredResult) -> Vec<String> {
        if !self.exists {
            return Vec::new();
        }
        let mut notes = Vec::new();
        let standings = self.standings(result);
        let counting: HashMap<String, &Entry> = self
            .entries
            .iter()
            .zip(&standings)
            .filter(|(_, standing)| {
                matches!(standing, JustificationStanding::Counts | JustificationStanding::Reviewed)
            })
            .filter_map(|(entry, _)| Some((entry.obligation(result)?.id.clone(), entry)))
            .collect();
        for obligation in &mut result.obligations {
            let entry = counting.get(obligation.id.as_str());
            let is_proved = matches!(obligation.verdict, Verdict::Uncoverable(_));
            obligation.review = entry.filter(|_| is_proved).map(|entry| entry.justification());
            let reason = entry.map(|entry| entry.justification());
            obligation.verdict = apply_reason(&obligation.verdict, reason);
        }
        for (entry, standing) in self.entries.iter().zip(standings) {
            notes.extend(note(entry, standing));
        }
        notes
    }

    /// How many are for something that a result is not about.
    pub fn elsewhere(&self, result: &StoredResult) -> Option<String> {
        let standings = self.standings(result);
        let count =
            standings.iter().filter(|one| **one == JustificationStanding::Elsewhere).count();
        let what = "for functions, files or criteria that this result is not about";
        (count > 0).then(|| format!("note: {} {what}", counted(count, "justification")))
    }

    /// How each of them stands to a result.
    pub fn standings(&self, result: &StoredResult) -> Vec<JustificationStanding> {
        let asked: HashSet<String> =
            result.obligations.iter().map(|one| format!("{}#{}", one.file, one.function)).collect();
        let standing = |entry: &Entry| match entry.obligation(result) {
            Some(obligation) => entry.standing(obligation, result.function_of(obligation)),
            None if is_about(&entry.id, &result.criteria, &asked) => JustificationStanding::Gone,
            None => JustificationStanding::Elsewhere,
        };
        self.entries.iter().map(standing).collect()
    }
}

/// Is an id one of these criteria over one of these functions?
fn is_about(id: &str, criteria: &[Criterion], functions: &HashSet<String>) -> bool {
    let Some((criterion, rest)) = id.split_once('@') else { return false };
    let known = criterion.parse().is_ok_and(|criterion| criteria.contains(&criterion));
    // The name of a function may have slashes of its own, as a call of a node has.
    let mut ends = rest.match_indices('/').map(|(at, _)| &rest[..at]);
    known && ends.any(|start| functions.contains(start))
}

/// The number of an obligation among those of its function and criterion, from 1.
pub fn number_of(obligation: &StoredObligation, result: &StoredResult) -> u32 {
    let start = start_of_id(obligation);
    let earlier = result.obligations.iter().take_while(|one| one.id != obligation.id);
    1 + earlier.filter(|one| start_of_id(one) == start).count() as u32
}

/// What the ids of all obligations of a function and criterion begin with.
fn start_of_id(one: &StoredObligation) -> String {
    format!("{}@{}#{}/", one.criterion, one.file, one.function)
}

/// Does a function read as it did when it had this fingerprint? One of 8 digits is that of its text, which earlier versions wrote; one of 16
/// digits that of its code.
fn is_same_code(now: &StoredFunction, then: &str) -> bool {
    match &now.code {
        Some(code) if then.len() == code.len() => code == then,
        _ => now.fingerprint == then,
    }
}

impl Entry {
    /// As verdicts have it.
    pub fn justification(&self) -> Justification {
        let Self { reason, author, date, .. } = self.clone();
        Justification { reason, author, date }
    }

    /// The obligation that it is for: the one with its id, or, in code that only names of locals tell from that it was given for, the one
    /// with its number.
    fn obligation<'r>(&self, result: &'r StoredResult) -> Option<&'r StoredObligation> {
        let named = result.obligations.iter().find(|one| one.id == self.id);
        named.or_else(|| {
            let then = self.fingerprint.as_deref().filter(|then| then.len() == CODE_DIGITS)?;
            let number = self.number?.checked_sub(1)? as usize;
            let alike = |one: &&StoredObligation| self.id.starts_with(&start_of_id(one));
            let found = result.obligations.iter().filter(alike).nth(number)?;
            let code = result.function_of(found)?.code.as_deref()?;
            (code == then).then_some(found)
        })
    }

    /// How it stands to its obligation, in this function as it is now.
    pub fn standing(
        &self,
        obligation: &StoredObligation,
        now: Option<&StoredFunction>,
    ) -> JustificationStanding {
        if matches!(obligation.verdict, Verdict::Covered { .. }) {
            return JustificationStanding::Covered;
        }
        match (now, self.fingerprint.as_deref()) {
            (Some(now), Some(then)) if !is_same_code(now, then) => JustificationStanding::Stale,
            (Some(_), None) => JustificationStanding::Unmarked,
            _ if matches!(obligation.verdict, Verdict::Uncoverable(_)) => {
                JustificationStanding::Reviewed
            }
            _ if self.reviews_proof => JustificationStanding::Unproved,
            _ => JustificationStanding::Counts,
        }
    }
}

impl JustificationStanding {
    /// In a word, as lists show it.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Counts => "counts",
            Self::Covered => "covered",
            Self::Reviewed => "reviewed",
            Self::Unproved => "unproved",
            Self::Stale => "stale",
            Self::Unmarked => "unmarked",
            Self::Gone => "gone",
            Self::Elsewhere => "elsewhere",
        }
    }
}

/// What there is to say of a justification; nothing of one that counts, or is for something else.
fn note(entry: &Entry, standing: JustificationStanding) -> Option<String> {
    let Entry { id, date, .. } = entry;
    let text = match standing {
        JustificationStanding::Counts
        | JustificationStanding::Reviewed
        | JustificationStanding::Elsewhere => return None,
        JustificationStanding::Covered => {
            format!("note: {id} has a justification and is covered by a test")
        }
        JustificationStanding::Stale => format!(
            "warning: the justification of {id} is stale and does not count: the code has \
             changed since {date}; review it, and justify it again"
        ),
        JustificationStanding::Unproved => format!(
            "warning: the review of {id} does not count: this result has no proof of it, as none has \
             for which only tests ran; if 'generate' does not prove it again, find out why, and justify it anew"
        ),
        JustificationStanding::Unmarked => format!(
            "warning: the justification of {id} does not count: it has no fingerprint of the code; \
             'obligato justify' writes it"
        ),
        JustificationStanding::Gone => format!(
            "warning: the justification of {id} is stale and does not count: nothing is asked \
             under this id any more"
        ),
    };
    Some(printable(&text))
}

#[cfg(test)]
mod tests;
