//! Evidence: what an assessor asks of a result besides its verdicts, kept beside it in the store.
//!
//! [`document`] puts it together where a result is stored; [`freshness`] holds the sources of a stored result against the files as they are
//! now. Dates and machines are no part of results, which stay the same from run to run.

use std::collections::BTreeSet;
use std::path::Path;

use obligato_store::StoredResult;
use obligato_store::details::digest;
use obligato_store::evidence::{SourceDigest, StoredEvidence, print};

use crate::judging::JudgingOptions;
use crate::{TOOL, date};

mod build_id;
mod freshness;

pub use build_id::own as own_build;
pub use freshness::{Freshness, changed_sources, load, of_store};

/// What a language knows of a program that results rely on.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SubjectFacts {
    /// The function under test, or the main node.
    pub function: Option<String>,
    /// The flags of the compiler.
    pub flags: Vec<String>,
    /// The compiler with its version.
    pub compiler: Option<String>,
    /// What the code is compiled for.
    pub target: Option<String>,
    /// Sizes and byte order.
    pub data_model: Option<String>,
    /// The file of settings.
    pub settings: Option<String>,
    /// The files that verdicts depend on.
    pub files: Vec<String>,
    /// Files that verdicts would depend on if they appeared.
    pub absent: Vec<String>,
    /// What was read of a file of settings, or that there was none.
    pub settings_read: Option<SourceDigest>,
}

/// The evidence that goes with a result.
pub fn document(
    judging: &JudgingOptions,
    command: &str,
    subject: &str,
    facts: SubjectFacts,
    result: &StoredResult,
) -> String {
    let files: BTreeSet<&str> = facts.files.iter().map(String::as_str).collect();
    let directory = std::env::current_dir().unwrap_or_default();
    print(&StoredEvidence {
        tool: TOOL.to_owned(),
        build: build_id::own(),
        result: digest(result),
        date: date::now(),
        machine: format!("{} {}", std::env::consts::ARCH, std::env::consts::OS),
        directory: directory.display().to_string(),
        invocation: judging.invocation.clone(),
        subject: subject.to_owned(),
        function: facts.function,
        command: command.to_owned(),
        flags: facts.flags,
        compiler: facts.compiler,
        target: facts.target,
        data_model: facts.data_model,
        settings: facts.settings.as_deref().and_then(SourceDigest::of),
        sources: files.into_iter().filter_map(SourceDigest::of).collect(),
        absent: Some(facts.absent),
        settings_read: facts.settings_read.into_iter().collect(),
    })
}

/// Sizes of C's types and the byte order, by what code is compiled for. The executor takes machines of 64 bits with the lowest byte first only.
pub fn data_model(target: &str) -> String {
    let model = if target.contains("windows") { "LLP64" } else { "LP64" };
    format!("{model}, little-endian")
}

/// The name of a file as the user would write it from here.
pub fn named(path: &Path) -> String {
    let text = path.display().to_string();
    text.strip_prefix("./").map_or(text.clone(), str::to_owned)
}
