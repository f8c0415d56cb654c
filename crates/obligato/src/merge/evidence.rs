//! The evidence of all parts as one: what was judged has to be the same, and every file that a part depends on counts.

use std::collections::BTreeSet;

use obligato_store::StoredResult;
use obligato_store::details::digest;
use obligato_store::evidence::{SourceDigest, StoredEvidence};

use super::Part;
use crate::error::Error;
use crate::{TOOL, date, evidence};

/// The evidence of a merged result; none if a part has none. A file that differs from part to part is listed as each part has it, so that a gate
/// finds it changed.
pub fn merge(parts: &[Part], result: &StoredResult) -> Result<Option<StoredEvidence>, Error> {
    let known: Vec<Option<StoredEvidence>> = parts
        .iter()
        .map(|part| evidence::load(&part.path, &part.result))
        .collect::<Result<_, _>>()?;
    let Some(known) = known.into_iter().collect::<Option<Vec<StoredEvidence>>>() else {
        return Ok(None);
    };
    let mut sources: Vec<SourceDigest> = Vec::new();
    for source in known.iter().flat_map(|one| &one.sources) {
        if !sources.contains(source) {
            sources.push(source.clone());
        }
    }
    sources.sort_by(|one, other| one.file.cmp(&other.file));
    // What a part does not say cannot be said of all of them.
    let absent: Option<Vec<&Vec<String>>> = known.iter().map(|one| one.absent.as_ref()).collect();
    let absent: Option<BTreeSet<String>> =
        absent.map(|all| all.into_iter().flatten().cloned().collect());
    let absent = absent.map(|all| all.into_iter().collect());
    let mut settings_read: Vec<SourceDigest> = Vec::new();
    for settings in known.iter().flat_map(|one| &one.settings_read) {
        if !settings_read.contains(settings) {
            settings_read.push(settings.clone());
        }
    }
    let Some(first) = known.into_iter().next() else { return Ok(None) };
    Ok(Some(StoredEvidence {
        tool: TOOL.to_owned(),
        build: evidence::own_build(),
        result: digest(result),
        date: date::now(),
        command: "merge".to_owned(),
        sources,
        absent,
        settings_read,
        ..first
    }))
}
