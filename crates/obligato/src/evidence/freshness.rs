//! Is a stored result about the files as they are now?

use std::path::Path;

use obligato_store::StoredResult;
use obligato_store::details::digest;
use obligato_store::evidence::{self, SourceDigest, StoredEvidence};

use crate::config::Configuration;
use crate::error::Error;
use crate::storage;

/// How the sources of a result stand to the files as they are now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Freshness {
    /// All files are as they were.
    Fresh,
    /// These have changed, have appeared, or are not there any more.
    Changed(Vec<String>),
    /// The store says nothing of files: an earlier version wrote it, or the verdicts are about no file.
    Unknown,
}

/// The evidence in a directory, if it belongs to the result there.
pub fn load(directory: &Path, result: &StoredResult) -> Result<Option<StoredEvidence>, Error> {
    let path = directory.join(storage::EVIDENCE);
    if !path.exists() {
        return Ok(None);
    }
    let found = evidence::load(&path)?;
    Ok(Some(found).filter(|found| found.result == digest(result)))
}

/// The files that are not as they were, by their names: those that changed or are gone, and those that have appeared. A file is looked for from
/// here, and else from where it was judged.
pub fn changed_sources(evidence: &StoredEvidence) -> Vec<String> {
    let there = Path::new(&evidence.directory);
    let is_changed = |source: &&SourceDigest| {
        let here = Path::new(&source.file);
        let now = SourceDigest::read(&source.file, here)
            .or_else(|| SourceDigest::read(&source.file, &there.join(here)));
        now.as_ref() != Some(*source)
    };
    // What was not found has to be looked for where the sources are.
    let is_here = evidence.sources.iter().any(|source| Path::new(&source.file).is_file());
    let base = if is_here { Path::new("") } else { there };
    let has_appeared = |name: &&String| base.join(name).is_file();
    let says_another = |read: &&SourceDigest| {
        Configuration::digest_at(&read.file, &base.join(&read.file)) != **read
    };
    // An earlier version knows the bytes of the settings only.
    let settings = evidence.settings.iter().filter(|_| evidence.settings_read.is_empty());
    let files = evidence.sources.iter().chain(settings).filter(is_changed);
    let settings = evidence.settings_read.iter().filter(says_another);
    let appeared = evidence.absent.iter().flatten().filter(has_appeared);
    let changed = files.chain(settings).map(|source| source.file.clone());
    changed.chain(appeared.cloned()).collect()
}

/// How the sources of evidence stand to the files as they are now.
pub fn of_store(evidence: Option<&StoredEvidence>) -> Freshness {
    match evidence {
        Some(evidence) if !evidence.sources.is_empty() => {
            let changed = changed_sources(evidence);
            if changed.is_empty() { Freshness::Fresh } else { Freshness::Changed(changed) }
        }
        _ => Freshness::Unknown,
    }
}
