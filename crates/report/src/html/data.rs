//! What the scripts of the page work on: one compact JSON text. `page/data.js` gives its parts their names back.
//!
//! The limits are for pages that a browser shows at once: all obligations are there, but of one that hundreds of tests cover
//! only the first are named, and the values of tests only as far as there is room.

use std::collections::HashMap;

use obligato_model::{Bound, BoundedGroup, Limit, Span, TestId, Verdict};
use obligato_store::StoredObligation;
use obligato_store::details::{DecisionDetails, Listed, ObligationDetails};
use serde_json::{Value, json};

use super::bounded;
use crate::elements::split_id;
use crate::report::{DetailedObligation, Report};
use crate::words::reason_of;

/// So many tests of an obligation are named.
const MOST_TESTS: usize = 12;
/// So many bytes of values of tests are part of the page.
const MOST_VALUES: usize = 1 << 20;

/// The text, safe inside of a `script` element.
pub fn render(report: &Report) -> String {
    let mut names = Names::default();
    let made = report.has_made_tests();
    let groups = bounded::groups(report);
    let obligations: Vec<Value> = report
        .obligations()
        .map(|one| obligation(report, one, made, &groups, &mut names))
        .collect();
    let keys = decision_keys(report);
    let decisions: Vec<Value> = report
        .decisions()
        .iter()
        .enumerate()
        .map(|(at, one)| decision(one, keys.get(&at).copied(), &mut names))
        .collect();
    let sources: Vec<Value> = report
        .details
        .iter()
        .flat_map(|details| &details.sources)
        .map(|source| json!([names.file(&source.file), source.lines]))
        .collect();
    let criteria = report.result.criteria.iter();
    let criteria: Vec<Value> = criteria.map(|one| json!([one.to_string(), one.title()])).collect();
    let data = json!({
        "subject": report.subject(),
        "kind": report.details.as_ref().map(|details| details.kind.word()),
        "observed": report.result.observed,
        "criteria": criteria,
        "bounds": groups.iter().map(bounds).collect::<Vec<_>>(),
        "tests": tests(report),
        "suite": suite(report),
        "obligations": obligations,
        "decisions": decisions,
        "sources": sources,
        "files": names.files.all,
        "functions": names.functions.all,
    });
    // Nothing in JSON but strings has these characters, and there they may be escaped.
    data.to_string()
        .replace('<', "\\u003c")
        .replace('\u{2028}', "\\u2028")
        .replace('\u{2029}', "\\u2029")
}

/// Names that are given by their positions.
#[derive(Default)]
struct Names {
    files: Table,
    functions: Table,
}

#[derive(Default)]
struct Table {
    all: Vec<String>,
    known: HashMap<String, usize>,
}

impl Table {
    fn at(&mut self, name: &str) -> usize {
        if let Some(known) = self.known.get(name) {
            return *known;
        }
        self.all.push(name.to_owned());
        self.known.insert(name.to_owned(), self.all.len() - 1);
        self.all.len() - 1
    }
}

impl Names {
    fn file(&mut self, name: &str) -> usize {
        self.files.at(name)
    }

    fn function(&mut self, name: &str) -> usize {
        self.functions.at(name)
    }
}

fn place(span: Span) -> Value {
    json!([span.start.line, span.start.column, span.end.line, span.end.column])
}

fn verdict_number(verdict: &Verdict) -> usize {
    match verdict {
        Verdict::Covered { .. } => 0,
        Verdict::Uncoverable(_) => 1,
        Verdict::Justified(_) => 2,
        Verdict::Unresolved(Limit::NotWithinBounds(_)) => 3,
        Verdict::Unresolved(_) => 4,
    }
}

/// Where the words of an obligation repeat its decision or its condition, one character stands for that.
fn short_text(report: &Report, one: &StoredObligation, more: Option<&ObligationDetails>) -> String {
    let about =
        more.and_then(|more| Some((report.decisions().get(more.decision?)?, more.condition)));
    let Some((decision, condition)) = about else { return one.text.clone() };
    let mut text = one.text.clone();
    if decision.text.len() > 3 {
        text = text.replacen(&format!("`{}`", decision.text), "\u{1}", 1);
    }
    let condition = condition.and_then(|at| decision.conditions.get(at));
    match condition {
        Some(condition) if condition.text.len() > 3 => {
            text.replacen(&format!("`{}`", condition.text), "\u{2}", 1)
        }
        _ => text,
    }
}

/// The end of an id, if the rest follows from criterion, file and function; else the whole, behind `=`.
fn short_id(one: &StoredObligation) -> String {
    let start = format!("{}@{}#{}/", one.criterion, one.file, one.function);
    one.id.strip_prefix(&start).map_or_else(|| format!("={}", one.id), str::to_owned)
}

fn obligation(
    report: &Report,
    DetailedObligation { stored: one, details: more }: DetailedObligation<'_>,
    made: bool,
    groups: &[BoundedGroup],
    names: &mut Names,
) -> Value {
    let (tests, pair) = match &one.verdict {
        Verdict::Covered { tests, pair } => (tests.as_slice(), *pair),
        _ => (&[][..], None),
    };
    let listed: Vec<usize> = tests.iter().copied().map(TestId::index).take(MOST_TESTS).collect();
    let criterion = report.result.criteria.iter().position(|known| *known == one.criterion);
    // What only tests that were made cover was missing before.
    let only_made = made
        && !tests.is_empty()
        && tests.iter().all(|test| report.phase_of(test.index()).is_some());
    json!([
        criterion,
        names.file(&one.file),
        names.function(&one.function),
        place(one.span),
        more.and_then(|more| more.decision),
        more.and_then(|more| more.condition),
        more.and_then(|more| more.value).map(u8::from),
        verdict_number(&one.verdict),
        short_text(report, one, more),
        short_id(one),
        listed,
        tests.len(),
        pair.map(|pair| [pair.with_true.index(), pair.with_false.index()]),
        reason_of(one),
        more.and_then(|more| more.since),
        more.map_or(&[][..], |more| &more.lost),
        u8::from(only_made),
        one.verdict.bounds().and_then(|of| groups.iter().position(|group| group.bounds == of)),
    ])
}

/// The bounds of a group: each in words, with what lifts it.
fn bounds(group: &BoundedGroup) -> Value {
    let pair = |bound: &Bound| json!([bound.to_string(), bound.remedy().to_string()]);
    group.bounds.iter().map(pair).collect()
}

/// By decision, the part of ids that names it.
fn decision_keys(report: &Report) -> HashMap<usize, &str> {
    let mut keys = HashMap::new();
    for DetailedObligation { stored: one, details: more } in report.obligations() {
        let decision = more.and_then(|more| more.decision);
        if let (Some(at), Some((key, _))) = (decision, split_id(&one.id)) {
            keys.entry(at).or_insert(key);
        }
    }
    keys
}

fn decision(one: &DecisionDetails, key: Option<&str>, names: &mut Names) -> Value {
    let conditions: Vec<Value> = one
        .conditions
        .iter()
        .map(|condition| json!([condition.text, place(condition.span), condition.constant]))
        .collect();
    let rows: Vec<Value> = one
        .rows
        .iter()
        .map(|row| json!([row.values, u8::from(row.outcome), row.deciding, row.tests, row.more]))
        .collect();
    let listed = match one.listed {
        Listed::All => "all",
        Listed::Executed => "executed",
        Listed::Some => "some",
        Listed::None => "none",
    };
    json!([
        names.file(&one.file),
        names.function(&one.function),
        place(one.span),
        one.text,
        key,
        listed,
        conditions,
        rows
    ])
}

/// Per test: name, phase, how it ended, how many obligations it covers, how many nobody else does, whether it passes, and where
/// its outputs are not as it expects.
fn tests(report: &Report) -> Vec<Value> {
    let count = report.result.tests.len();
    let (mut covers, mut alone) = (vec![0_usize; count], vec![0_usize; count]);
    for one in &report.result.obligations {
        let Verdict::Covered { tests, .. } = &one.verdict else { continue };
        for test in tests {
            covers[test.index()] += 1;
        }
        if let [only] = tests.as_slice() {
            alone[only.index()] += 1;
        }
    }
    let known = |test: usize| report.details.as_ref().and_then(|details| details.tests.get(test));
    let tests = report.result.tests.iter().enumerate().map(|(at, name)| {
        let ending = known(at).and_then(|known| known.ending.as_ref());
        json!([
            name,
            report.phase_of(at),
            ending.map(|ending| json!([ending.kind.word(), ending.step, ending.text])),
            covers[at],
            alone[at],
            report.outcome_of(at),
            report.differences_of(at).iter().map(ToString::to_string).collect::<Vec<_>>(),
        ])
    });
    tests.collect()
}

/// The values of the first tests, as many as there is room for.
fn suite(report: &Report) -> Value {
    let Some(recorded) = &report.tests else { return Value::Null };
    let mut room = MOST_VALUES;
    let mut shown = Vec::new();
    for test in &recorded.tests {
        let size: usize = test
            .steps
            .iter()
            .flatten()
            .map(|value| value.as_ref().map_or(5, |text| text.len() + 3))
            .sum();
        let Some(left) = room.checked_sub(size) else { break };
        room = left;
        shown.push(&test.steps);
    }
    json!({ "inputs": recorded.inputs, "outputs": recorded.outputs, "tests": shown })
}
