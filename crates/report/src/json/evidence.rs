//! Evidence in the report for programs.

use obligato_store::evidence::{SourceDigest, StoredEvidence};
use serde::Serialize;

/// What was judged, how, by what and when.
#[derive(Serialize)]
pub(super) struct Evidence<'a> {
    date: &'a str,
    command: &'a str,
    tool: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    build: Option<&'a str>,
    machine: &'a str,
    invocation: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    function: Option<&'a str>,
    flags: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    compiler: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    target: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    data_model: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    settings: Option<Source<'a>>,
    sources: Vec<Source<'a>>,
}

#[derive(Serialize)]
struct Source<'a> {
    file: &'a str,
    sha256: &'a str,
}

impl<'a> Source<'a> {
    fn of(source: &'a SourceDigest) -> Self {
        Self { file: &source.file, sha256: &source.sha256 }
    }
}

impl<'a> Evidence<'a> {
    /// As it is stored.
    pub fn of(stored: &'a StoredEvidence) -> Self {
        Self {
            date: &stored.date,
            command: &stored.command,
            tool: &stored.tool,
            build: stored.build.as_deref(),
            machine: &stored.machine,
            invocation: &stored.invocation,
            function: stored.function.as_deref(),
            flags: &stored.flags,
            compiler: stored.compiler.as_deref(),
            target: stored.target.as_deref(),
            data_model: stored.data_model.as_deref(),
            settings: stored.settings.as_ref().map(Source::of),
            sources: stored.sources.iter().map(Source::of).collect(),
        }
    }
}
