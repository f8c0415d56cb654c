//! What came of C functions, in words.

use std::io::Write as _;

use obligato_store::generation::StoredPhase;

use super::Done;
use crate::args::GenerateArgs;
use crate::error::CliError;
use crate::output::{BAD, Output, Verbosity, counted, printable};
use crate::rendering::unit::write_agreement;
use crate::shell::{flag_words, subject_words};
use crate::verdicts::next::kept;

const PURPOSE: &str = "\
Tests made from code close structural gaps after requirements-based testing; the outputs that are
recorded with them are a characterisation, to be reviewed";

/// A row of the table over all functions of a file.
pub struct Row {
    function: String,
    covered: usize,
    uncoverable: usize,
    unresolved: usize,
    total: usize,
    tests: usize,
    faults: usize,
}

impl Done<'_> {
    /// What came of the function, in numbers.
    pub(super) fn row(&self, function: &str) -> Row {
        use obligato_model::Verdict;
        let count = |fits: fn(&Verdict) -> bool| {
            self.result.obligations.iter().filter(|one| fits(&one.verdict)).count()
        };
        Row {
            function: function.to_owned(),
            covered: count(|verdict| matches!(verdict, Verdict::Covered { .. })),
            uncoverable: count(|verdict| matches!(verdict, Verdict::Uncoverable(_))),
            unresolved: count(|verdict| matches!(verdict, Verdict::Unresolved(_))),
            total: self.result.obligations.len(),
            tests: self.tests.len(),
            faults: self.outcome.faults.len(),
        }
    }
}

impl Done<'_> {
    /// What was done, as it is stored.
    pub(super) fn phases(&self) -> Vec<StoredPhase> {
        let first = self.outcome.statistics.progress.first();
        let given = first.filter(|moment| moment.runs == 0).map_or(0, |moment| moment.covered);
        let row = self.row(&self.function);
        let phase = |name: &str, tests, covered| StoredPhase {
            phase: name.to_owned(),
            tests,
            covered,
            uncoverable: 0,
            work: 0,
        };
        let mut phases = Vec::new();
        if self.given > 0 {
            phases.push(phase("given", self.given, given));
        }
        phases.push(StoredPhase {
            uncoverable: row.uncoverable,
            work: self.outcome.statistics.work,
            ..phase("search", self.tests.len(), row.covered.saturating_sub(given))
        });
        phases
    }
}

/// A row per function, and their sums.
pub fn write_table(path: &str, rows: &[Row], output: &mut Output) -> Result<(), CliError> {
    writeln!(output, "{}: {}\n", printable(path), counted(rows.len(), "function"))?;
    let width = rows.iter().map(|row| row.function.chars().count()).max().unwrap_or(0).max(8);
    let heading = ["covered", "uncoverable", "unresolved", "total", "tests", "faults"];
    writeln!(output, "{:width$}  {}", "function", heading.join("  "))?;
    let mut sum = [0; 6];
    for row in rows {
        let numbers =
            [row.covered, row.uncoverable, row.unresolved, row.total, row.tests, row.faults];
        write_row(&row.function, width, numbers, &heading, output)?;
        for (all, one) in sum.iter_mut().zip(numbers) {
            *all += one;
        }
    }
    write_row("all", width, sum, &heading, output)
}

fn write_row(
    name: &str,
    width: usize,
    numbers: [usize; 6],
    heading: &[&str; 6],
    output: &mut Output,
) -> Result<(), CliError> {
    write!(output, "{:width$}", printable(name))?;
    for (number, title) in numbers.iter().zip(heading) {
        write!(output, "  {number:>size$}", size = title.len())?;
    }
    Ok(writeln!(output)?)
}

/// The tests, the faults, what it took, and what to do next.
pub(super) fn write(
    done: &Done<'_>,
    arguments: &GenerateArgs,
    output: &mut Output,
) -> Result<(), CliError> {
    write_faults(done, output)?;
    if output.verbosity() == Verbosity::Quiet {
        return write_agreement(&done.agreement, output);
    }
    let made = done.tests.len();
    let left_out = match done.left_out {
        0 => String::new(),
        superfluous => format!("; {} left out", counted(superfluous, "superfluous one")),
    };
    writeln!(output, "\n{}{left_out}", counted(made, "new test"))?;
    let statistics = &done.outcome.statistics;
    writeln!(
        output,
        "{}; {} solved, {} without solution, {} given up; {} filtered out{}",
        counted(statistics.runs as usize, "run"),
        counted(statistics.solved as usize, "path"),
        statistics.unsolvable,
        statistics.given_up,
        counted(statistics.filtered as usize, "candidate"),
        if statistics.exhausted { "; all paths seen that matter" } else { "" }
    )?;
    if made > 0 {
        output.remark(format_args!("{PURPOSE}"))?;
    }
    write_agreement(&done.agreement, output)?;
    output.remark(format_args!(""))?;
    for remark in &done.remarks {
        output.remark(format_args!("{remark}"))?;
    }
    output.remark(format_args!("{}", next(done, arguments)))?;
    let mut beside = output.beside();
    let [all, search] = [done.times.all, done.times.search].map(|time| time.as_secs_f64());
    beside.remark(format_args!("time: {all:.2} s, of which search and solving {search:.3} s"))?;
    beside.finish()
}

fn write_faults(done: &Done<'_>, output: &mut Output) -> Result<(), CliError> {
    let faults = &done.outcome.faults;
    if faults.is_empty() {
        return Ok(());
    }
    writeln!(output, "\n{BAD}Faults of the program{BAD:#}, each with a test that runs into it:")?;
    let lines = done.describe_faults();
    crate::rendering::lists::write_first(&lines, output)
}

fn next(done: &Done<'_>, arguments: &GenerateArgs) -> String {
    let subject = &arguments.subject;
    let (words, last) = (subject_words(subject, ""), flag_words(subject));
    if let Some(path) = arguments.output.as_deref().filter(|_| !done.tests.is_empty()) {
        let tests = crate::shell::quote_path(path);
        return format!(
            "Next: obligato run{words} --tests {tests}{last}   (the outputs, to be reviewed)"
        );
    }
    let search = arguments.search.words();
    let again = format!("Next: obligato generate{words}{}{search}", kept(&arguments.verdicts));
    if done.tests.is_empty() {
        format!("{again} --list{last}   (every obligation with its tests)")
    } else {
        format!("{again} -o new.csv{last}   (the new tests, with what the function gave)")
    }
}
