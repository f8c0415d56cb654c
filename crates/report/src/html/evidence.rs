//! What stands behind a result, for whoever assesses it: what was judged, how, by what and when.

use std::fmt::Write;

use obligato_store::evidence::{SourceDigest, StoredEvidence};

use crate::report::Report;
use crate::xml::escaped;

/// Writes it; nothing if it is not known.
pub fn write(text: &mut String, report: &Report) {
    let Some(evidence) = &report.evidence else { return };
    line!(text, "<h2>Evidence</h2>\n<dl id=\"evidence\">");
    for (name, value) in facts(evidence) {
        line!(text, "<dt>{name}</dt><dd>{}</dd>", escaped(&value));
    }
    let source = |text: &mut String, name: &str, one: &SourceDigest| {
        let file = escaped(&one.file);
        line!(text, "<dt>{name}</dt><dd>{file}<br><code>sha256 {}</code></dd>", one.sha256);
    };
    if let Some(settings) = &evidence.settings {
        source(text, "settings", settings);
    }
    for one in &evidence.sources {
        source(text, "source", one);
    }
    line!(text, "</dl>");
}

fn facts(evidence: &StoredEvidence) -> Vec<(&'static str, String)> {
    let words = |words: &[String]| Some(words.join(" ")).filter(|text| !text.is_empty());
    let tool = match &evidence.build {
        Some(build) => format!("{}, build {build}", evidence.tool),
        None => evidence.tool.clone(),
    };
    let all = [
        ("date", Some(evidence.date.clone())),
        ("subject", Some(evidence.subject.clone())),
        ("function", evidence.function.clone()),
        ("command", Some(evidence.command.clone())),
        ("options", words(&evidence.invocation)),
        ("flags", words(&evidence.flags)),
        ("compiler", evidence.compiler.clone()),
        ("target", evidence.target.clone()),
        ("data model", evidence.data_model.clone()),
        ("tool", Some(tool)),
        ("machine", Some(evidence.machine.clone())),
    ];
    all.into_iter().filter_map(|(name, value)| Some((name, value?))).collect()
}
