//! The sizes side by side, for people.

use std::io::Write as _;

use obligato::measuring::Exhausted;
use obligato::reduce::{Coverage, ReducedSuite, Reduction, Size};
use obligato::subject::SubjectKind;

use crate::error::CliError;
use crate::output::{BAD, FAINT, GOOD, Output, counted, printable};

/// Writes what is kept covered, the sizes, and what was written.
pub fn write(reduced: &ReducedSuite, output: &mut Output) -> Result<(), CliError> {
    write_heading(reduced, output)?;
    let Size { tests, steps } = reduced.before;
    writeln!(output, "{:<9}  {:>6}  {:>7}", "", "tests", "steps")?;
    writeln!(output, "{:<9}  {tests:>6}  {steps:>7}", "before")?;
    for Reduction { algorithm, size, sizes, at_least, .. } in &reduced.reductions {
        let (Size { tests, steps }, algorithm) = (*size, algorithm.name());
        let note = match (sizes, at_least) {
            (Some(sizes), _) => describe(sizes),
            (_, Some(least)) if *least == tests => format!("  {GOOD}minimum{GOOD:#}"),
            (_, Some(least)) if reduced.stopped => {
                format!("  at most {tests}, at least {least}: stopped")
            }
            (_, Some(least)) => format!("  at most {tests}, at least {least}: budget spent"),
            _ => String::new(),
        };
        writeln!(output, "{algorithm:<9}  {tests:>6}  {steps:>7}{note}")?;
    }
    output.remark(format_args!(""))?;
    if reduced.stopped {
        output.remark(format_args!("Stopped early; what was done until then counts"))?;
    }
    write_outcome(reduced, output)
}

/// What is kept covered.
fn write_heading(reduced: &ReducedSuite, output: &mut Output) -> Result<(), CliError> {
    let (name, suite) = (printable(&reduced.name), printable(&reduced.suite));
    let kind = if reduced.kind == SubjectKind::Unit { "function" } else { "node" };
    output.remark(format_args!("{name}: {kind} {}, {suite}\n", reduced.main))?;
    let titles: Vec<String> = reduced.coverage.iter().map(|one| one.criterion.title()).collect();
    let width = titles.iter().map(String::len).max().unwrap_or(0);
    for (title, Coverage { obligations, covered, .. }) in titles.iter().zip(&reduced.coverage) {
        let all = counted(*obligations, "obligation");
        output.remark(format_args!("{title:<width$}  {covered} of {all} covered"))?;
    }
    output.remark(format_args!(""))
}

fn write_outcome(reduced: &ReducedSuite, output: &mut Output) -> Result<(), CliError> {
    let covered: usize = reduced.coverage.iter().map(|one| one.covered).sum();
    if reduced.before.tests == 0 {
        output.remark(format_args!("The suite has no tests: there is nothing to leave out"))?;
    } else if covered == 0 {
        output.remark(format_args!(
            "The suite covers none of these obligations, so that none of its tests is needed \
             for them"
        ))?;
    } else {
        output.remark(format_args!(
            "Each was run again by itself and covers the same {}",
            counted(covered, "obligation")
        ))?;
    }
    match &reduced.written {
        Some(written) => {
            let (file, algorithm) = (written.path.display().to_string(), written.algorithm.name());
            output.remark(format_args!("Written: {} ({algorithm})", printable(&file)))
        }
        None => output.remark(format_args!(
            "{FAINT}Nothing is written; -o FILE writes the smallest{FAINT:#}"
        )),
    }
}

/// Says which tests count only in part.
pub fn write_exhausted(exhausted: &[Exhausted], output: &mut Output) -> Result<(), CliError> {
    if let Some(Exhausted { test: first, .. }) = exhausted.first() {
        let tests = counted(exhausted.len(), "test");
        let why = "because a value exceeded the size limit; what came before counts";
        writeln!(output, "{BAD}Given up{BAD:#}: {tests}, first '{}', {why}", printable(first))?;
    }
    Ok(())
}

/// How the sizes of random reductions spread.
fn describe(sizes: &[usize]) -> String {
    let mut sorted = sizes.to_vec();
    sorted.sort_unstable();
    match sorted.as_slice() {
        [] | [_] => String::new(),
        [least, .., most] => format!(
            "  smallest of {}: {least} to {most}, median {}",
            sorted.len(),
            sorted[(sorted.len() - 1) / 2]
        ),
    }
}

/// How long everything took, for whoever watches.
pub fn timing(reduced: &ReducedSuite) -> String {
    let mut parts = vec![format!("measuring {:.2} s", reduced.measuring.as_secs_f64())];
    for Reduction { algorithm, time, .. } in &reduced.reductions {
        parts.push(format!("{} {:.2} s", algorithm.name(), time.as_secs_f64()));
    }
    format!("time: {}", parts.join(", "))
}
