//! How coverage grew test by test, as a drawing.
//!
//! Time on the axis would differ from run to run; tests in their order do not. Since which test an obligation is covered is
//! exact, also for criteria that compare two evaluations.

use std::fmt::Write;

use obligato_model::Criterion;
use obligato_store::Details;

use crate::report::Report;
use crate::words::percent;
use crate::xml::escaped;

const WIDTH: usize = 720;
const HEIGHT: usize = 260;
const LEFT: usize = 44;
const TOP: usize = 12;
const BOTTOM: usize = 34;
/// So many lines can be told apart.
const MOST_LINES: usize = 8;

/// Writes it, if it is known since when obligations are covered.
pub fn write(text: &mut String, report: &Report) {
    let Some(details) = &report.details else { return };
    let tests = report.result.tests.len();
    if tests == 0 || report.result.obligations.is_empty() {
        return;
    }
    let criteria = report.result.criteria.iter();
    let asked = criteria.map(|criterion| Growth::of(report, *criterion));
    let asked: Vec<Growth> = asked.filter(|growth| growth.total > 0).collect();
    let lines = &asked[..asked.len().min(MOST_LINES)];
    let words: Vec<String> = lines.iter().map(|growth| growth.words(tests)).collect();
    line!(text, "<h2>Coverage over tests</h2>\n<figure class=\"plot\">");
    line!(
        text,
        "<svg viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" aria-label=\"Share of obligations covered by the first tests. {}\">",
        escaped(&words.join("; "))
    );
    write_axes(text, tests);
    write_phases(text, details, tests);
    for (index, growth) in lines.iter().enumerate() {
        growth.write(text, index, tests);
    }
    line!(
        text,
        "</svg>\n<figcaption>Share of obligations that the first tests cover, in the order in which they ran."
    );
    line!(text, "<span class=\"legend\">");
    for (index, Growth { criterion, .. }) in lines.iter().enumerate() {
        line!(
            text,
            "<span><span class=\"stroke s{index}\"></span>{}</span>",
            escaped(&criterion.title())
        );
    }
    line!(text, "</span>");
    if asked.len() > MOST_LINES {
        line!(text, "Further criteria are not drawn.");
    }
    line!(text, "</figcaption></figure>");
}

/// How the coverage of one criterion grew.
struct Growth {
    criterion: Criterion,
    /// How many obligations are covered after so many tests, where that changes.
    steps: Vec<(usize, usize)>,
    total: usize,
}

impl Growth {
    fn of(report: &Report, criterion: Criterion) -> Self {
        let since = report.obligations().filter(|(one, _)| one.criterion == criterion);
        let mut since: Vec<usize> = since.filter_map(|(_, more)| more?.since).collect();
        since.sort_unstable();
        let mut steps: Vec<(usize, usize)> = Vec::new();
        for (covered, test) in (1..).zip(since) {
            match steps.last_mut() {
                Some((last, count)) if *last == test + 1 => *count = covered,
                _ => steps.push((test + 1, covered)),
            }
        }
        Self { criterion, steps, total: report.result.tally(criterion).total() }
    }

    fn words(&self, tests: usize) -> String {
        let covered = self.steps.last().map_or(0, |(_, covered)| *covered);
        let share = percent(covered, self.total);
        format!("{}: {share} % after {tests} tests", self.criterion.title())
    }

    fn write(&self, text: &mut String, index: usize, tests: usize) {
        let mut path = format!("M{LEFT} {}", y(0, self.total));
        for (test, covered) in &self.steps {
            write!(path, "H{}V{}", x(*test, tests), y(*covered, self.total))
                .expect("invariant: a string takes all text");
        }
        write!(path, "H{}", x(tests, tests)).expect("invariant: a string takes all text");
        let title = escaped(&self.criterion.title());
        line!(text, "<path class=\"s{index}\" d=\"{path}\"><title>{title}</title></path>");
    }
}

fn x(test: usize, tests: usize) -> usize {
    LEFT + test * (WIDTH - LEFT - 8) / tests
}

fn y(part: usize, whole: usize) -> usize {
    let height = HEIGHT - TOP - BOTTOM;
    TOP + height - part * height / whole.max(1)
}

fn write_axes(text: &mut String, tests: usize) {
    for percent in [0, 25, 50, 75, 100] {
        let y = y(percent, 100);
        line!(
            text,
            "<line class=\"grid\" x1=\"{LEFT}\" x2=\"{}\" y1=\"{y}\" y2=\"{y}\"/>",
            WIDTH - 8
        );
        line!(
            text,
            "<text x=\"{}\" y=\"{}\" text-anchor=\"end\">{percent} %</text>",
            LEFT - 6,
            y + 4
        );
    }
    let base = HEIGHT - BOTTOM + 16;
    line!(text, "<text x=\"{LEFT}\" y=\"{base}\" text-anchor=\"middle\">0</text>");
    if tests > 3 {
        let half = tests / 2;
        line!(
            text,
            "<text x=\"{}\" y=\"{base}\" text-anchor=\"middle\">{half}</text>",
            x(half, tests)
        );
    }
    line!(
        text,
        "<text x=\"{}\" y=\"{base}\" text-anchor=\"end\">{tests} tests</text>",
        x(tests, tests)
    );
}

/// Where tests that were made begin.
fn write_phases(text: &mut String, details: &Details, tests: usize) {
    let mut last: Option<&str> = None;
    for (test, one) in details.tests.iter().enumerate() {
        let phase = one.phase.as_deref();
        if phase.is_some() && phase != last {
            let x = x(test, tests);
            line!(
                text,
                "<line class=\"phase\" x1=\"{x}\" x2=\"{x}\" y1=\"{TOP}\" y2=\"{}\"/><text class=\"phase\" x=\"{}\" y=\"{}\">{}</text>",
                HEIGHT - BOTTOM,
                x + 4,
                HEIGHT - BOTTOM - 6,
                escaped(phase.unwrap_or_default())
            );
        }
        last = phase;
    }
}
