//! A report whose names try to be something else, and one of any size.
#![allow(dead_code, reason = "each test file uses a part of it")]

use obligato_model::{
    Assumption, Criterion, Independence, Justification, Limit, Method, Pair, Position, Proof,
    Shortfall, Span, Spent, Strength, TestId, Verdict,
};
use obligato_report::{RecordedTests, Report, TestValues};
use obligato_store::details::{
    CallerDetails, ConditionDetails, DecisionDetails, Details, EndingDetails, EndingKind,
    ErrorDetails, Listed, ObligationDetails, OutputDifference, RowDetails, SourceFile, SubjectKind,
    TestDetails, digest,
};
use obligato_store::generation::StoredPhase;
use obligato_store::result::{Expectation, TestOutcome};
use obligato_store::timeline::{Sample, Timeline};
use obligato_store::{StoredObligation, StoredResult};

pub const MASKING: Criterion = Criterion::Mcdc(Independence::Masking);

/// Quotes, brackets, an end of a script, two lines, other alphabets.
pub const NASTY: &str = "</script><b>\"it's\" & `x` | ]]> --> Größe 温度 \u{1F600}\nsecond\tline";

pub fn span(line: u32, start: u32, end: u32) -> Span {
    let at = |column| Position { line, column };
    Span { start: at(start), end: at(end) }
}

pub fn covered(tests: &[usize], pair: Option<(usize, usize)>) -> Verdict {
    Verdict::Covered {
        tests: tests.iter().map(|test| TestId::new(*test)).collect(),
        pair: pair.map(|(with_true, with_false)| Pair {
            with_true: TestId::new(with_true),
            with_false: TestId::new(with_false),
        }),
    }
}

pub fn lacking(shortfall: Shortfall) -> Verdict {
    Verdict::Unresolved(Limit::Suite(shortfall))
}

pub fn obligation(
    criterion: Criterion,
    file: &str,
    asked: &str,
    span: Span,
    text: &str,
    verdict: Verdict,
) -> StoredObligation {
    StoredObligation {
        id: format!("{criterion}@{file}#main/{asked}"),
        criterion,
        file: file.to_owned(),
        function: "main".to_owned(),
        span,
        text: text.to_owned(),
        verdict,
        review: None,
        ends_in: None,
    }
}

/// A result without anything in it.
pub fn empty() -> StoredResult {
    let document = "{\"format\": \"obligato-result\", \"version\": 1, \"tool\": \"obligato 0.1.0\", \
                    \"criteria\": [], \"tests\": [], \"obligations\": []}";
    obligato_store::result::parse(document.as_bytes()).unwrap()
}

const NASTY_FILE: &str = "d<i>r/näm \"e\".lus";

fn nasty_condition() -> String {
    format!("a < \"{}\"", "é".repeat(300))
}

fn nasty_decision() -> String {
    format!("{} and {NASTY}", nasty_condition())
}

/// One decision of two conditions, with every verdict, in a file whose name is as bad as its text.
pub fn nasty() -> Report {
    let result = nasty_result();
    let tests = RecordedTests {
        inputs: vec![NASTY.to_owned()],
        outputs: vec!["o<u>t".to_owned()],
        tests: result
            .tests
            .iter()
            .map(|name| TestValues {
                name: name.clone(),
                steps: vec![vec![Some("<1>".to_owned()), None], vec![None, Some(NASTY.to_owned())]],
            })
            .collect(),
    };
    let details = nasty_details(&result);
    let sample =
        |elapsed, covered| Sample { elapsed, phase: NASTY.to_owned(), covered, uncoverable: 1 };
    let timeline = Timeline {
        tool: result.tool.clone(),
        result: digest(&result),
        samples: vec![sample(0, 0), sample(7_200, 2)],
    };
    Report::new(result, Some(details), Some(tests)).with_timeline(Some(timeline))
}

fn nasty_result() -> StoredResult {
    let (file, condition, decision) = (NASTY_FILE, nasty_condition(), nasty_decision());
    let halves = [
        ("decision-1.1/c1=T", covered(&[0], Some((0, 1)))),
        ("decision-1.1/c1=F", covered(&[1], Some((0, 1)))),
        (
            "decision-1.1/c2=T",
            Verdict::Uncoverable(Proof {
                method: Method::Induction(2),
                assumptions: vec![Assumption::read(NASTY)],
            }),
        ),
        (
            "decision-1.1/c2=F",
            Verdict::Justified(Justification {
                reason: NASTY.to_owned(),
                author: "O'Brien <o@b>".to_owned(),
                date: "2026-03-01".to_owned(),
            }),
        ),
    ];
    let mut obligations: Vec<StoredObligation> = halves
        .into_iter()
        .map(|(asked, verdict)| {
            let text = format!("condition `{condition}` decides `{decision}`");
            obligation(MASKING, file, asked, span(2, 3, 9), &text, verdict)
        })
        .collect();
    let branch = |asked, verdict| {
        obligation(
            Criterion::Branch,
            file,
            asked,
            span(2, 3, 40),
            &format!("`{decision}` {NASTY}"),
            verdict,
        )
    };
    obligations.push(branch("decision-1.1=T", covered(&[0, 1], None)));
    obligations.push(branch("decision-1.1=F", lacking(Shortfall::NeverWithValue)));
    obligations
        .push(branch("decision-2.1=T", Verdict::Unresolved(Limit::Spent(Spent::Seconds(3)))));
    let kill = Criterion::Mutation(Strength::Strong);
    obligations.push(obligation(
        kill,
        file,
        "mutant-1.1",
        span(1, 1, 2),
        NASTY,
        covered(&[1], None),
    ));
    let mut result = empty();
    result.criteria = vec![Criterion::Branch, MASKING, kill];
    result.tests = vec![NASTY.to_owned(), "made \u{202e}one".to_owned()];
    let failed = TestOutcome { expectation: Expectation::Failed, error: Some(NASTY.to_owned()) };
    result.outcomes = vec![failed, TestOutcome::default()];
    result.observed = vec![NASTY.to_owned()];
    obligations[0].ends_in = Some(NASTY.to_owned());
    result.obligations = obligations;
    result
}

fn nasty_details(result: &StoredResult) -> Details {
    let (file, condition, decision) = (NASTY_FILE, nasty_condition(), nasty_decision());
    let more = |condition, value, since| ObligationDetails {
        decision: Some(0),
        condition,
        value: Some(value),
        since,
        ..ObligationDetails::default()
    };
    Details {
        tool: result.tool.clone(),
        result: digest(result),
        subject: file.to_owned(),
        kind: SubjectKind::Model,
        command: "generate".to_owned(),
        sources: vec![SourceFile {
            file: file.to_owned(),
            lines: vec![NASTY.replace('\n', " "), format!("  {}", "x<&\"'".repeat(20_000))],
        }],
        tests: vec![
            TestDetails {
                phase: None,
                ending: Some(EndingDetails {
                    kind: EndingKind::RuntimeError,
                    step: 1,
                    text: NASTY.to_owned(),
                }),
                differences: vec![OutputDifference {
                    step: 0,
                    output: NASTY.to_owned(),
                    expected: "\u{1}".to_owned(),
                    found: None,
                }],
            },
            TestDetails { phase: Some("bounded search".to_owned()), ..TestDetails::default() },
        ],
        errors: vec![ErrorDetails {
            file: file.to_owned(),
            function: NASTY.to_owned(),
            at: Some(Position { line: 2, column: 3 }),
            text: NASTY.to_owned(),
            callers: vec![CallerDetails {
                passes: NASTY.to_owned(),
                ruled_out_by: Some(NASTY.to_owned()),
            }],
        }],
        phases: vec![StoredPhase {
            phase: "given".to_owned(),
            tests: 1,
            covered: 2,
            uncoverable: 0,
            work: 7,
        }],
        decisions: vec![DecisionDetails {
            file: file.to_owned(),
            function: "main".to_owned(),
            span: span(2, 3, 40),
            text: decision,
            conditions: vec![
                ConditionDetails { span: span(2, 3, 9), text: condition, constant: None },
                ConditionDetails { span: span(2, 13, 40), text: NASTY.to_owned(), constant: None },
            ],
            listed: Listed::All,
            rows: vec![
                RowDetails {
                    values: "TT".to_owned(),
                    outcome: true,
                    deciding: vec![0, 1],
                    tests: vec![0, 1],
                    more: 3,
                },
                RowDetails {
                    values: "FT".to_owned(),
                    outcome: false,
                    deciding: vec![0],
                    tests: vec![],
                    more: 0,
                },
            ],
        }],
        obligations: vec![
            more(Some(0), true, Some(1)),
            more(Some(0), false, Some(1)),
            ObligationDetails { lost: vec![NASTY.to_owned()], ..more(Some(1), true, None) },
            more(Some(1), false, None),
            more(None, true, Some(0)),
            more(None, false, None),
            ObligationDetails::default(),
            ObligationDetails {
                operator: Some("relational <".to_owned()),
                since: Some(1),
                ..ObligationDetails::default()
            },
        ],
    }
}

/// So many decisions of four conditions, each condition with two halves of MC/DC, two tests in three.
pub fn large(decisions: usize) -> Report {
    let file = "large/controller.lus";
    let mut obligations = Vec::new();
    let mut about = Vec::new();
    let mut tables = Vec::new();
    let mut lines = Vec::new();
    let tests = 200;
    for number in 0..decisions {
        let line = number as u32 + 1;
        let names: Vec<String> =
            (0..4).map(|at| format!("signal_{number}_{at} >= threshold_{at}")).collect();
        let text = names.join(" and ");
        lines.push(format!("  command_{number} = {text};"));
        let mut column = 20;
        let mut conditions = Vec::new();
        for (at, name) in names.iter().enumerate() {
            let place = span(line, column, column + name.len() as u32);
            column += name.len() as u32 + 5;
            conditions.push(ConditionDetails { span: place, text: name.clone(), constant: None });
            for value in [true, false] {
                let letter = if value { 'T' } else { 'F' };
                let asked = format!("decision-{number:08x}.1/c{}={letter}", at + 1);
                let words =
                    format!("condition {} `{name}` is {value} and decides `{text}`", at + 1);
                let first = (number * 7 + at) % tests;
                let verdict = match (number + at) % 5 {
                    0 => lacking(Shortfall::AlwaysMasked),
                    _ => covered(
                        &(first..tests).step_by(9).collect::<Vec<_>>(),
                        Some((first, first)),
                    ),
                };
                let since = matches!(verdict, Verdict::Covered { .. }).then_some(first);
                obligations.push(obligation(MASKING, file, &asked, place, &words, verdict));
                about.push(ObligationDetails {
                    decision: Some(number),
                    condition: Some(at),
                    value: Some(value),
                    since,
                    ..ObligationDetails::default()
                });
            }
        }
        let rows = (0..16_usize).rev().map(|row| {
            let values: String =
                (0..4).map(|at| if row >> (3 - at) & 1 == 1 { 'T' } else { 'F' }).collect();
            RowDetails {
                values,
                outcome: row == 15,
                deciding: if row == 15 { vec![0, 1, 2, 3] } else { vec![row % 4] },
                tests: if row % 3 == 0 { vec![] } else { vec![row, row + 20, row + 40] },
                more: 0,
            }
        });
        tables.push(DecisionDetails {
            file: file.to_owned(),
            function: "main".to_owned(),
            span: span(line, 20, column),
            text,
            conditions,
            listed: Listed::All,
            rows: rows.collect(),
        });
    }
    let names: Vec<String> = (0..tests).map(|test| format!("test {test}")).collect();
    let mut result = empty();
    result.criteria = vec![MASKING];
    result.tests.clone_from(&names);
    result.obligations = obligations;
    let details = Details {
        tool: result.tool.clone(),
        result: digest(&result),
        subject: file.to_owned(),
        kind: SubjectKind::Model,
        command: "measure".to_owned(),
        sources: vec![SourceFile { file: file.to_owned(), lines }],
        tests: vec![TestDetails::default(); tests],
        phases: vec![],
        errors: vec![],
        decisions: tables,
        obligations: about,
    };
    let values = (0..20).map(|step| (0..12).map(|at| Some((step * at).to_string())).collect());
    let steps: Vec<Vec<Option<String>>> = values.collect();
    let recorded = RecordedTests {
        inputs: (0..10).map(|at| format!("signal_{at}")).collect(),
        outputs: vec!["command".to_owned(), "alarm".to_owned()],
        tests: names.into_iter().map(|name| TestValues { name, steps: steps.clone() }).collect(),
    };
    Report::new(result, Some(details), Some(recorded))
}
