//! The whole report for programs: an `obligato-report` document, described by `docs/report.schema.json`.
//!
//! It says what the documents of the store say, put together: tests by name, the truth table of a decision with
//! its decision, numbers per criterion and file. What is not known is left out.

use obligato_model::{BoundedGroup, Criterion, Tally, TestId, Verdict};
use obligato_store::Details;
use obligato_store::details::{
    ConditionDetails, DecisionDetails, ErrorDetails, Listed, OutputDifference, RowDetails,
};
use obligato_store::result::StoredBound;
use obligato_store::timeline::Sample;
use serde::Serialize;

use crate::json::evidence::Evidence;
use crate::mutation::{self, FaultRow};
use crate::report::{DetailedObligation, Report, TestValues};
use crate::words::{PURPOSE, reason_of};

mod evidence;

/// The document.
pub fn render(report: &Report) -> String {
    let mut text = serde_json::to_string_pretty(&Document::of(report))
        .expect("invariant: plain data can be written as JSON");
    text.push('\n');
    text
}

#[derive(Serialize)]
struct Document<'a> {
    format: &'static str,
    version: u32,
    tool: &'a str,
    subject: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    kind: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    command: Option<&'a str>,
    purpose: &'static str,
    notes: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    evidence: Option<Evidence<'a>>,
    criteria: Vec<Counts>,
    files: Vec<FileCounts<'a>>,
    observed: &'a [String],
    tests: Vec<Test<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    errors: Vec<RuntimeError<'a>>,
    decisions: Vec<Decision<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    timeline: Option<Vec<Moment<'a>>>,
    mutation: Vec<FaultRow>,
    bounded: Vec<Group<'a>>,
    obligations: Vec<Obligation<'a>>,
}

#[derive(Serialize)]
struct Counts {
    criterion: String,
    covered: usize,
    uncoverable: usize,
    justified: usize,
    bounded: usize,
    unresolved: usize,
    total: usize,
}

/// Obligations that were refuted within the same bounds.
#[derive(Serialize)]
struct Group<'a> {
    bounds: Vec<StoredBound<'a>>,
    next: String,
    obligations: Vec<&'a str>,
}

#[derive(Serialize)]
struct FileCounts<'a> {
    file: &'a str,
    criteria: Vec<Counts>,
}

#[derive(Serialize)]
struct Test<'a> {
    name: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    phase: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ending: Option<Ending<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    outcome: Option<&'static str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    differences: Vec<Difference<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    inputs: Option<Vec<Values<'a>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    outputs: Option<Vec<Values<'a>>>,
}

/// The values of one step, in the order of the variables.
type Values<'a> = Vec<(&'a str, &'a str)>;

#[derive(Serialize)]
struct Ending<'a> {
    kind: &'a str,
    step: usize,
    text: &'a str,
}

/// A runtime error that inputs run into.
#[derive(Serialize)]
struct RuntimeError<'a> {
    file: &'a str,
    function: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    at: Option<String>,
    text: &'a str,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    callers: Vec<Caller<'a>>,
}

/// Something that a caller has to pass for it.
#[derive(Serialize)]
struct Caller<'a> {
    passes: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    ruled_out_by: Option<&'a str>,
}

#[derive(Serialize)]
struct Difference<'a> {
    step: usize,
    output: &'a str,
    expected: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    found: Option<&'a str>,
}

#[derive(Serialize)]
struct Decision<'a> {
    file: &'a str,
    function: &'a str,
    span: String,
    text: &'a str,
    listed: &'static str,
    conditions: Vec<Condition<'a>>,
    rows: Vec<Row<'a>>,
}

#[derive(Serialize)]
struct Condition<'a> {
    span: String,
    text: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    constant: Option<bool>,
}

#[derive(Serialize)]
struct Row<'a> {
    values: &'a str,
    outcome: bool,
    /// Conditions, counted from 1.
    deciding: Vec<usize>,
    tests: Vec<&'a str>,
    more_tests: usize,
}

#[derive(Serialize)]
struct Moment<'a> {
    elapsed: u64,
    phase: &'a str,
    covered: usize,
    uncoverable: usize,
}

#[derive(Serialize)]
struct Obligation<'a> {
    id: &'a str,
    criterion: String,
    file: &'a str,
    function: &'a str,
    span: String,
    text: &'a str,
    verdict: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    review: Option<Review<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    bounds: Vec<StoredBound<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tests: Vec<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pair: Option<Pair<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    since: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    decision: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    condition: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<bool>,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    lost: &'a [String],
}

/// What a person says who has reviewed a proof.
#[derive(Serialize)]
struct Review<'a> {
    reason: &'a str,
    author: &'a str,
    date: &'a str,
}

#[derive(Serialize)]
struct Pair<'a> {
    with_true: &'a str,
    with_false: &'a str,
}

impl<'a> Document<'a> {
    fn of(report: &'a Report) -> Self {
        let Report { result, details, timeline, .. } = report;
        let criteria = result.criteria.iter();
        let files = report.files().into_iter().map(|(file, tallies)| {
            let counts = tallies.into_iter().map(|(criterion, tally)| Counts::of(criterion, tally));
            FileCounts { file, criteria: counts.collect() }
        });
        Self {
            format: "obligato-report",
            version: 1,
            tool: &result.tool,
            subject: report.subject(),
            kind: details.as_ref().map(|details| details.kind.word()),
            command: details.as_ref().map(|details| details.command.as_str()),
            purpose: PURPOSE,
            notes: &report.notes,
            evidence: report.evidence.as_ref().map(Evidence::of),
            criteria: criteria.map(|one| Counts::of(*one, result.tally(*one))).collect(),
            files: files.collect(),
            observed: &result.observed,
            tests: (0..result.tests.len()).map(|test| Test::of(report, test)).collect(),
            errors: report.errors().iter().map(RuntimeError::of).collect(),
            decisions: report.decisions().iter().map(|one| Decision::of(report, one)).collect(),
            timeline: timeline.as_ref().map(|one| one.samples.iter().map(Moment::of).collect()),
            mutation: mutation::by_operator(report),
            bounded: groups(report),
            obligations: report.obligations().map(|one| Obligation::of(report, one)).collect(),
        }
    }
}

/// Obligations by the bounds within which they were refuted.
fn groups(report: &Report) -> Vec<Group<'_>> {
    let all = &report.result.obligations;
    let mut groups = Vec::new();
    for group in BoundedGroup::of(all.iter().map(|one| &one.verdict)) {
        let bounds = group.members.first().and_then(|at| all[*at].verdict.bounds());
        groups.push(Group {
            bounds: bounds.unwrap_or_default().iter().map(StoredBound::from).collect(),
            next: group.next(),
            obligations: group.members.iter().map(|at| all[*at].id.as_str()).collect(),
        });
    }
    groups
}

impl Counts {
    fn of(criterion: Criterion, tally: Tally) -> Self {
        Self {
            criterion: criterion.to_string(),
            covered: tally.covered,
            uncoverable: tally.uncoverable,
            justified: tally.justified,
            bounded: tally.bounded,
            unresolved: tally.unresolved,
            total: tally.total(),
        }
    }
}

impl<'a> Moment<'a> {
    fn of(sample: &'a Sample) -> Self {
        let Sample { elapsed, phase, covered, uncoverable } = sample;
        Self { elapsed: *elapsed, phase, covered: *covered, uncoverable: *uncoverable }
    }
}

impl<'a> Test<'a> {
    fn of(report: &'a Report, index: usize) -> Self {
        let known = report.details.as_ref().and_then(|details: &Details| details.tests.get(index));
        let ending = known.and_then(|known| known.ending.as_ref());
        let tests = report.tests.as_ref();
        let values = tests.and_then(|tests| tests.tests.get(index));
        let part = |names: &'a [String], skip: usize| {
            let steps = |test: &'a TestValues| {
                test.steps.iter().map(|step| named(names, step, skip)).collect()
            };
            values.map(steps)
        };
        let inputs = tests.map_or(&[][..], |tests| &tests.inputs);
        let outputs = tests.map_or(&[][..], |tests| &tests.outputs);
        Self {
            name: &report.result.tests[index],
            phase: known.and_then(|known| known.phase.as_deref()),
            ending: ending.map(|ending| Ending {
                kind: ending.kind.word(),
                step: ending.step,
                text: &ending.text,
            }),
            outcome: report.outcome_of(index),
            differences: report.differences_of(index).iter().map(Difference::of).collect(),
            inputs: part(inputs, 0),
            outputs: part(outputs, inputs.len()).filter(|_| !outputs.is_empty()),
        }
    }
}

impl<'a> RuntimeError<'a> {
    fn of(one: &'a ErrorDetails) -> Self {
        let ErrorDetails { file, function, at, text, callers } = one;
        let callers = callers.iter().map(|caller| Caller {
            passes: &caller.passes,
            ruled_out_by: caller.ruled_out_by.as_deref(),
        });
        let at = at.map(|at| at.to_string());
        Self { file, function, at, text, callers: callers.collect() }
    }
}

impl<'a> Difference<'a> {
    fn of(one: &'a OutputDifference) -> Self {
        let OutputDifference { step, output, expected, found } = one;
        Self { step: *step, output, expected, found: found.as_deref() }
    }
}

fn named<'a>(names: &'a [String], step: &'a [Option<String>], skip: usize) -> Values<'a> {
    let values = names.iter().zip(step.iter().skip(skip));
    values.filter_map(|(name, value)| Some((name.as_str(), value.as_deref()?))).collect()
}

impl<'a> Decision<'a> {
    fn of(report: &'a Report, one: &'a DecisionDetails) -> Self {
        let condition = |one: &'a ConditionDetails| Condition {
            span: one.span.to_string(),
            text: &one.text,
            constant: one.constant,
        };
        let row = |row: &'a RowDetails| Row {
            values: &row.values,
            outcome: row.outcome,
            deciding: row.deciding.iter().map(|at| at + 1).collect(),
            tests: row.tests.iter().map(|test| report.result.tests[*test].as_str()).collect(),
            more_tests: row.more,
        };
        Self {
            file: &one.file,
            function: &one.function,
            span: one.span.to_string(),
            text: &one.text,
            listed: match one.listed {
                Listed::All => "all",
                Listed::Executed => "executed",
                Listed::Some => "some",
                Listed::None => "none",
            },
            conditions: one.conditions.iter().map(condition).collect(),
            rows: one.rows.iter().map(row).collect(),
        }
    }
}

impl<'a> Obligation<'a> {
    fn of(report: &'a Report, obligation: DetailedObligation<'a>) -> Self {
        let DetailedObligation { stored: one, details: more } = obligation;
        let name = |test: TestId| report.result.tests[test.index()].as_str();
        let (tests, pair) = match &one.verdict {
            Verdict::Covered { tests, pair } => (tests.as_slice(), *pair),
            _ => (&[][..], None),
        };
        Self {
            id: &one.id,
            criterion: one.criterion.to_string(),
            file: &one.file,
            function: &one.function,
            span: one.span.to_string(),
            text: &one.text,
            verdict: one.verdict.name(),
            reason: reason_of(one),
            review: one.review.as_ref().map(|review| Review {
                reason: &review.reason,
                author: &review.author,
                date: &review.date,
            }),
            bounds: one
                .verdict
                .bounds()
                .unwrap_or_default()
                .iter()
                .map(StoredBound::from)
                .collect(),
            tests: tests.iter().copied().map(name).collect(),
            pair: pair.map(|pair| Pair {
                with_true: name(pair.with_true),
                with_false: name(pair.with_false),
            }),
            since: more.and_then(|more| more.since).map(|test| report.result.tests[test].as_str()),
            decision: more.and_then(|more| more.decision),
            condition: more.and_then(|more| more.condition).map(|at| at + 1),
            value: more.and_then(|more| more.value),
            lost: more.map_or(&[], |more| &more.lost),
        }
    }
}
