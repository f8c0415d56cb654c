//! How coverage grew over the time of making tests.

use std::fmt::Write;

use obligato_store::timeline::Sample;

use super::frame::{Frame, Line};
use crate::report::Report;
use crate::words::percent;

const COVERED: &str = "covered";
const CLOSED: &str = "covered or proved uncoverable";

/// The drawing, if the time was recorded.
pub fn draw(report: &Report) -> Option<String> {
    let samples = &report.timeline.as_ref()?.samples;
    let (last, total) = (samples.last()?, report.result.obligations.len());
    if total == 0 {
        return None;
    }
    let line = |title: &str, count: fn(&Sample) -> usize| Line {
        title: title.to_owned(),
        steps: samples.iter().map(|one| (one.elapsed, count(one))).collect(),
        total,
    };
    let mut lines = vec![line(COVERED, |one| one.covered)];
    // Where nothing is proved, the second line would be the first.
    if samples.iter().any(|one| one.uncoverable > 0) {
        lines.push(line(CLOSED, |one| one.covered + one.uncoverable));
    }
    let mut phases: Vec<(u64, &str)> = Vec::new();
    for Sample { elapsed, phase, .. } in samples {
        if phases.iter().all(|(_, known)| known != phase) {
            phases.push((*elapsed, phase));
        }
    }
    let frame = Frame::new(last.elapsed);
    let mut text = String::new();
    line!(text, "<section aria-label=\"Coverage over time\"><h2>Coverage over time</h2>");
    frame.begin(&mut text, &label(&lines, &phases, last.elapsed), words_of);
    // The first covers the second where they are the same.
    for (number, line) in lines.iter().enumerate().rev() {
        frame.write_line(&mut text, number, line);
    }
    frame.write_marks(&mut text, &phases);
    let titles: Vec<&str> = lines.iter().map(|line| line.title.as_str()).collect();
    let caption =
        "Share of all obligations that were settled by then; a dashed line is where a phase began.";
    Frame::end(&mut text, caption, &titles, "");
    line!(text, "</section>");
    Some(text)
}

fn label(lines: &[Line], phases: &[(u64, &str)], end: u64) -> String {
    let reached = lines.iter().map(|line| {
        let part = line.steps.last().map_or(0, |(_, part)| *part);
        format!("{}: {} %", line.title, percent(part, line.total))
    });
    let reached: Vec<String> = reached.collect();
    let begun = phases.iter().map(|(at, phase)| format!("{phase} from {}", words_of(*at)));
    let begun: Vec<String> = begun.collect();
    format!(
        "Share of obligations settled over time. After {}: {}. Phases: {}",
        words_of(end),
        reached.join("; "),
        begun.join(", ")
    )
}

/// A time with as many digits as anyone reads.
fn words_of(milliseconds: u64) -> String {
    let (seconds, rest) = (milliseconds / 1000, milliseconds % 1000);
    match seconds {
        0 => format!("{rest} ms"),
        1..10 => format!("{seconds}.{:02} s", rest / 10),
        10..120 => format!("{seconds}.{} s", rest / 100),
        _ => format!("{} min {:02} s", seconds / 60, seconds % 60),
    }
}

#[cfg(test)]
mod tests {
    use super::words_of;

    #[test]
    fn times_have_as_many_digits_as_anyone_reads() {
        let times = [0, 340, 1_239, 35_460, 119_999, 120_000, 3_725_999];
        let words = times.map(words_of);
        let expected =
            ["0 ms", "340 ms", "1.23 s", "35.4 s", "119.9 s", "2 min 00 s", "62 min 05 s"];
        assert_eq!(words, expected);
    }
}
