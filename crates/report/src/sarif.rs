//! SARIF 2.1.0: one result per obligation that no test covers.
//!
//! What a suite lacks is `fail`; what a search could not decide is `open`; what a person justified is `fail` with an
//! accepted suppression that carries the reason; what was proved to be uncoverable is `informational`. What was refuted within
//! bounds only is `open`, under the rule of its criterion with `/bounded` behind it, and has its bounds as a property. What only
//! tests cover that end with a runtime error is `review`. What else is covered is counted, not listed. A runtime error
//! that inputs run into is a `warning`, or a `note` if it needs something that a caller passes.

use std::collections::BTreeMap;

use obligato_model::{Position, Span, Verdict};
use obligato_store::StoredObligation;
use obligato_store::details::ErrorDetails;
use obligato_store::result::StoredBound;
use serde::Serialize;
use serde_json::{Value, json};

use crate::report::Report;
use crate::words::{in_address, is_of_the_suite, reason_of};

/// The rule of runtime errors.
const RUNTIME_ERROR: &str = "runtime-error";

const SCHEMA: &str =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

/// The log.
pub fn render(report: &Report) -> String {
    let mut text = serde_json::to_string_pretty(&Log::of(report))
        .expect("invariant: plain data can be written as JSON");
    text.push('\n');
    text
}

#[derive(Serialize)]
struct Log {
    #[serde(rename = "$schema")]
    schema: &'static str,
    version: &'static str,
    runs: [Run; 1],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Run {
    tool: Tool,
    column_kind: &'static str,
    results: Vec<Finding>,
    properties: BTreeMap<String, Counts>,
}

#[derive(Serialize)]
struct Tool {
    driver: Driver,
}

#[derive(Serialize)]
struct Driver {
    name: &'static str,
    version: String,
    rules: Vec<Rule>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Rule {
    id: String,
    short_description: Message,
    default_configuration: Configuration,
}

#[derive(Serialize)]
struct Configuration {
    level: &'static str,
}

#[derive(Serialize)]
struct Message {
    text: String,
}

/// A result; the word is taken.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Finding {
    rule_id: String,
    rule_index: usize,
    kind: &'static str,
    level: &'static str,
    message: Message,
    locations: [Location; 1],
    partial_fingerprints: BTreeMap<&'static str, String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    suppressions: Vec<Suppression>,
    #[serde(skip_serializing_if = "Option::is_none")]
    properties: Option<Properties>,
}

/// What SARIF has no field for.
#[derive(Serialize)]
struct Properties {
    verdict: &'static str,
    bounds: Vec<Value>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Location {
    physical_location: Physical,
    logical_locations: [Logical; 1],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Physical {
    artifact_location: Artifact,
    region: Region,
}

#[derive(Serialize)]
struct Artifact {
    uri: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Region {
    start_line: u32,
    start_column: u32,
    end_line: u32,
    end_column: u32,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Logical {
    fully_qualified_name: String,
}

#[derive(Serialize)]
struct Suppression {
    kind: &'static str,
    status: &'static str,
    justification: String,
}

#[derive(Serialize)]
struct Counts {
    covered: usize,
    uncoverable: usize,
    justified: usize,
    bounded: usize,
    unresolved: usize,
}

impl Log {
    fn of(report: &Report) -> Self {
        let result = &report.result;
        let version = result.tool.rsplit(' ').next().unwrap_or_default().to_owned();
        let rules = result.criteria.iter().map(|criterion| Rule {
            id: criterion.to_string(),
            short_description: Message { text: format!("Coverage by {}", criterion.title()) },
            default_configuration: Configuration { level: "warning" },
        });
        let mut rules: Vec<Rule> = rules.collect();
        let runtime_error = rules.len();
        if !report.errors().is_empty() {
            let text = "Runtime errors that tests run into".to_owned();
            rules.push(Rule {
                id: RUNTIME_ERROR.to_owned(),
                short_description: Message { text },
                default_configuration: Configuration { level: "warning" },
            });
        }
        let properties = result.criteria.iter().map(|criterion| {
            let tally = result.tally(*criterion);
            let counts = Counts {
                covered: tally.covered,
                uncoverable: tally.uncoverable,
                justified: tally.justified,
                bounded: tally.bounded,
                unresolved: tally.unresolved,
            };
            (criterion.to_string(), counts)
        });
        let findings = result.obligations.iter().filter_map(|one| Finding::of(report, one));
        let errors = report.errors().iter().map(|one| Finding::of_error(one, runtime_error));
        let run = Run {
            tool: Tool { driver: Driver { name: "obligato", version, rules } },
            column_kind: "unicodeCodePoints",
            results: findings.chain(errors).collect(),
            properties: properties.collect(),
        };
        Self { schema: SCHEMA, version: "2.1.0", runs: [run] }
    }
}

impl Finding {
    fn of(report: &Report, one: &StoredObligation) -> Option<Self> {
        let (kind, level) = match &one.verdict {
            Verdict::Covered { .. } if one.ends_in.is_none() => return None,
            Verdict::Covered { .. } => ("review", "none"),
            Verdict::Uncoverable(_) => ("informational", "none"),
            Verdict::Justified(_) => ("fail", "warning"),
            verdict if is_of_the_suite(verdict) => ("fail", "warning"),
            Verdict::Unresolved(_) => ("open", "none"),
        };
        let suppressions = match &one.verdict {
            Verdict::Justified(justification) => vec![Suppression {
                kind: "external",
                status: "accepted",
                justification: format!(
                    "{} ({}, {})",
                    justification.reason, justification.author, justification.date
                ),
            }],
            _ => Vec::new(),
        };
        let why = reason_of(one).unwrap_or_default();
        let place = report.result.criteria.iter().position(|known| *known == one.criterion);
        let bounds = one.verdict.bounds();
        let properties = bounds.map(|bounds| Properties {
            verdict: one.verdict.class(),
            bounds: bounds.iter().map(|bound| json!(StoredBound::from(bound))).collect(),
        });
        // The id of a rule may have one more part than that of its descriptor (SARIF 2.1.0, 3.27.5).
        let part = if bounds.is_some() { "/bounded" } else { "" };
        Some(Self {
            rule_id: format!("{}{part}", one.criterion),
            rule_index: place.unwrap_or_default(),
            kind,
            level,
            message: Message { text: format!("{}: {}: {why}", one.verdict.name(), one.text) },
            locations: [Location::new(&one.file, one.span, &one.function)],
            partial_fingerprints: BTreeMap::from([("obligation/v1", one.id.clone())]),
            suppressions,
            properties,
        })
    }

    /// A runtime error. One that needs something that a caller passes is a note.
    fn of_error(one: &ErrorDetails, rule: usize) -> Self {
        let at = one.at.unwrap_or(Position { line: 1, column: 1 });
        let condition = one.condition();
        let when = condition.as_ref().map_or_else(String::new, |when| format!("; {when}"));
        let options: Vec<&str> = one.options().collect();
        let ruled_out = match options.as_slice() {
            [] => String::new(),
            options => format!("; ruled out by {}", options.join(" or ")),
        };
        Self {
            rule_id: RUNTIME_ERROR.to_owned(),
            rule_index: rule,
            kind: "fail",
            level: if condition.is_some() { "note" } else { "warning" },
            message: Message { text: format!("{}{when}{ruled_out}", one.text) },
            locations: [Location::new(&one.file, Span { start: at, end: at }, &one.function)],
            partial_fingerprints: BTreeMap::from([(
                "error/v1",
                format!("{}#{}: {}", one.file, one.function, one.text),
            )]),
            suppressions: Vec::new(),
            properties: None,
        }
    }
}

impl Location {
    fn new(file: &str, Span { start, end }: Span, function: &str) -> Self {
        Self {
            physical_location: Physical {
                artifact_location: Artifact { uri: in_address(file, "/") },
                region: Region {
                    start_line: start.line,
                    start_column: start.column,
                    end_line: end.line,
                    end_column: end.column,
                },
            },
            logical_locations: [Logical { fully_qualified_name: function.to_owned() }],
        }
    }
}
