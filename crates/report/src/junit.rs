//! `JUnit`'s XML: one test case per test.
//!
//! A test in which the program failed, or whose outputs are not as it expects, is a failure; one that could not be run to its end for another reason is an
//! error. There are no times: the same store gives the same bytes.

use std::fmt::Write;

use obligato_store::details::{EndingDetails, EndingKind};
use obligato_store::result::Expectation;

use crate::report::Report;
use crate::words::PURPOSE;
use crate::xml::escaped;

/// The document.
pub fn render(report: &Report) -> String {
    let tests = &report.result.tests;
    let is_failure = |test: usize| {
        let ending = ending(report, test);
        ending.is_some_and(|one| one.kind == EndingKind::RuntimeError) || is_failed(report, test)
    };
    let is_error = |test: usize| ending(report, test).is_some_and(is_error);
    let failures = (0..tests.len()).filter(|test| is_failure(*test)).count();
    let errors = (0..tests.len()).filter(|test| is_error(*test)).count();
    let (count, subject) = (tests.len(), escaped(report.subject()));
    let mut text = String::new();
    line!(text, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>");
    line!(
        text,
        "<testsuites name=\"obligato\" tests=\"{count}\" failures=\"{failures}\" errors=\"{errors}\">"
    );
    line!(
        text,
        "  <testsuite name=\"{subject}\" tests=\"{count}\" failures=\"{failures}\" \
         errors=\"{errors}\" skipped=\"0\">"
    );
    let tool = escaped(&report.result.tool);
    line!(text, "    <properties>\n      <property name=\"tool\" value=\"{tool}\"/>");
    for criterion in &report.result.criteria {
        let tally = report.result.tally(*criterion);
        let (covered, total) = (tally.covered, tally.total());
        line!(
            text,
            "      <property name=\"{criterion}\" value=\"{covered} covered, {} uncoverable, {} justified, {} \
             not within bounds, {} unresolved of {total}\"/>",
            tally.uncoverable,
            tally.justified,
            tally.bounded,
            tally.unresolved
        );
    }
    line!(text, "    </properties>");
    for (index, name) in tests.iter().enumerate() {
        write_test(&mut text, report, index, name);
    }
    if report.has_made_tests() {
        line!(text, "    <system-out>{}</system-out>", escaped(PURPOSE));
    }
    line!(text, "  </testsuite>\n</testsuites>");
    text
}

/// Are the outputs of a test not as it expects?
fn is_failed(report: &Report, test: usize) -> bool {
    report.expectation_of(test) == Expectation::Failed
}

fn ending(report: &Report, test: usize) -> Option<&EndingDetails> {
    report.details.as_ref()?.tests.get(test)?.ending.as_ref()
}

/// Was it something other than the program that ended a test?
fn is_error(ending: &EndingDetails) -> bool {
    matches!(ending.kind, EndingKind::Unsupported | EndingKind::Limit)
}

fn write_test(text: &mut String, report: &Report, index: usize, name: &str) {
    let class = escaped(report.subject());
    let start = format!("    <testcase classname=\"{class}\" name=\"{}\"", escaped(name));
    let origin = report.phase_of(index).map(|phase| format!("made by {phase}"));
    let ended = ending(report, index);
    let failed = is_failed(report, index);
    if origin.is_none() && ended.is_none() && !failed {
        return line!(text, "{start}/>");
    }
    line!(text, "{start}>");
    // The schema wants errors before failures, and both before what was printed.
    let message = |ended: &EndingDetails| escaped(&format!("step {}: {}", ended.step, ended.text));
    if let Some(ended) = ended.filter(|one| is_error(one)) {
        let (kind, message) = (escaped(ended.kind.word()), message(ended));
        line!(text, "      <error type=\"{kind}\" message=\"{message}\"/>");
    }
    if failed {
        let differences = report.differences_of(index);
        let all: Vec<String> = differences.iter().map(ToString::to_string).collect();
        let first = all.first().map_or("outputs are not as expected", String::as_str);
        let (first, all) = (escaped(first), escaped(&all.join("\n")));
        line!(text, "      <failure type=\"difference\" message=\"{first}\">{all}</failure>");
    }
    match ended {
        Some(ended) if ended.kind == EndingKind::RuntimeError => {
            line!(text, "      <failure type=\"fault\" message=\"{}\"/>", message(ended));
        }
        Some(ended) if ended.kind == EndingKind::Exit => {
            line!(text, "      <system-out>{}</system-out>", message(ended));
        }
        _ => {}
    }
    if let Some(origin) = origin {
        line!(text, "      <system-out>{}</system-out>", escaped(&origin));
    }
    line!(text, "    </testcase>");
}
