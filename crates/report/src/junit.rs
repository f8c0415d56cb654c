//! `JUnit`'s XML: one test case per test.
//!
//! A test in which the program failed is a failure; one that could not be run to its end for another reason is an
//! error. There are no times: the same store gives the same bytes.

use std::fmt::Write;

use obligato_store::details::Ending;

use crate::report::Report;
use crate::words::PURPOSE;
use crate::xml::escaped;

/// The document.
pub fn render(report: &Report) -> String {
    let tests = &report.result.tests;
    let is_failure = |test: usize| ending(report, test).is_some_and(|one| one.kind == "fault");
    let is_error = |test: usize| {
        ending(report, test).is_some_and(|one| one.kind != "fault" && one.kind != "exit")
    };
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

fn ending(report: &Report, test: usize) -> Option<&Ending> {
    report.details.as_ref()?.tests.get(test)?.ending.as_ref()
}

fn write_test(text: &mut String, report: &Report, index: usize, name: &str) {
    let class = escaped(report.subject());
    let start = format!("    <testcase classname=\"{class}\" name=\"{}\"", escaped(name));
    let origin = report.phase_of(index).map(|phase| format!("made by {phase}"));
    let ended = ending(report, index);
    if origin.is_none() && ended.is_none() {
        return line!(text, "{start}/>");
    }
    line!(text, "{start}>");
    if let Some(Ending { kind, step, text: why }) = ended {
        let message = escaped(&format!("step {step}: {why}"));
        match kind.as_str() {
            "fault" => line!(text, "      <failure type=\"fault\" message=\"{message}\"/>"),
            "exit" => line!(text, "      <system-out>{message}</system-out>"),
            other => {
                line!(text, "      <error type=\"{}\" message=\"{message}\"/>", escaped(other));
            }
        }
    }
    if let Some(origin) = origin {
        line!(text, "      <system-out>{}</system-out>", escaped(&origin));
    }
    line!(text, "    </testcase>");
}
