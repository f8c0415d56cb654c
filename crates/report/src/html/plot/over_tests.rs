//! How coverage grew test by test.
//!
//! Tests in their order are the same from run to run. Since which test an obligation is covered is
//! exact, also for criteria that compare two evaluations.

use std::fmt::Write;

use obligato_model::Criterion;
use obligato_store::Details;

use super::frame::{Frame, Line};
use crate::report::Report;
use crate::words::{counted, percent};

/// So many lines can be told apart.
const MOST_LINES: usize = 8;

/// The drawing, if it is known since when obligations are covered.
pub fn draw(report: &Report) -> Option<String> {
    let details = report.details.as_ref()?;
    let tests = report.result.tests.len();
    let criteria = report.result.criteria.iter();
    let asked: Vec<Line> = criteria.map(|criterion| growth(report, *criterion)).collect();
    let asked: Vec<Line> = asked.into_iter().filter(|line| line.total > 0).collect();
    if tests == 0 || asked.is_empty() {
        return None;
    }
    let lines = &asked[..asked.len().min(MOST_LINES)];
    let words: Vec<String> = lines.iter().map(|line| words(line, tests)).collect();
    let label = format!("Share of obligations covered by the first tests. {}", words.join("; "));
    let frame = Frame::new(tests as u64);
    let mut text = String::new();
    line!(text, "<section aria-label=\"Coverage over tests\"><h2>Coverage over tests</h2>");
    frame.begin(&mut text, &label, |at| match at {
        at if at == tests as u64 => counted(tests, "test"),
        at => at.to_string(),
    });
    for (index, line) in lines.iter().enumerate() {
        frame.write_line(&mut text, index, line);
    }
    frame.write_marks(&mut text, &beginnings(details));
    let titles: Vec<&str> = lines.iter().map(|line| line.title.as_str()).collect();
    let further = asked.len() > MOST_LINES;
    let remark = if further { "Further criteria are not drawn." } else { "" };
    let caption =
        "Share of obligations that the first tests cover, in the order in which they ran.";
    Frame::end(&mut text, caption, &titles, remark);
    line!(text, "</section>");
    Some(text)
}

/// How the coverage of one criterion grew.
fn growth(report: &Report, criterion: Criterion) -> Line {
    let since = report.obligations().filter(|one| one.stored.criterion == criterion);
    let mut since: Vec<usize> = since.filter_map(|one| one.details?.since).collect();
    since.sort_unstable();
    let mut steps: Vec<(u64, usize)> = Vec::new();
    for (covered, test) in (1..).zip(since) {
        let after = test as u64 + 1;
        match steps.last_mut() {
            Some((last, count)) if *last == after => *count = covered,
            _ => steps.push((after, covered)),
        }
    }
    Line { title: criterion.title(), steps, total: report.result.tally(criterion).total() }
}

fn words(line: &Line, tests: usize) -> String {
    let covered = line.steps.last().map_or(0, |(_, covered)| *covered);
    let share = percent(covered, line.total);
    format!("{}: {share} % after {}", line.title, counted(tests, "test"))
}

/// Where tests that were made begin.
fn beginnings(details: &Details) -> Vec<(u64, &str)> {
    let mut marks = Vec::new();
    let mut last: Option<&str> = None;
    for (test, one) in details.tests.iter().enumerate() {
        let phase = one.phase.as_deref();
        marks.extend(phase.filter(|_| phase != last).map(|phase| (test as u64, phase)));
        last = phase;
    }
    marks
}
