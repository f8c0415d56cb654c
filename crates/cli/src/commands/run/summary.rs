//! What went wrong in a run, summed up in words.

use std::io::Write as _;

use obligato::failures::FailedCheck;
use obligato::run::{RanTest, RunSubject, RunSummary, UnitFindings};
use obligato::text::abridged_value;
use obligato_store::details::OutputDifference;
use obligato_store::run::Difference;

use crate::args::RunFormat;
use crate::error::CliError;
use crate::output::{BAD, Output, Verbosity, counted, printable};
use crate::rendering::lists::Listed;
use crate::rendering::model::write_checks;
use crate::rendering::unit::{write_agreement, write_endings};

/// The tests that are listed below a run.
pub struct Lists {
    differences: Listed,
    exhausted: Listed,
}

impl Default for Lists {
    fn default() -> Self {
        let all = "--format json lists all";
        Self { differences: Listed::new(all), exhausted: Listed::new(all) }
    }
}

impl Lists {
    /// Takes note of a test.
    pub fn take(&mut self, test: &RanTest, subject: &RunSubject) {
        let name = &test.record.test.name;
        for Difference { step, output, expected, found } in &test.found.differences {
            let output = &subject.signature().outputs()[*output].name;
            self.differences.push(|| {
                let difference = OutputDifference {
                    step: *step,
                    output: output.clone(),
                    expected: abridged_value(expected),
                    found: found.as_ref().map(abridged_value),
                };
                printable(&format!("{name}, {difference}"))
            });
        }
        if let Some(step) = test.found.exhausted {
            self.exhausted.push(|| printable(&format!("{name}, step {step}")));
        }
    }
}

/// What failed in a model with its source line, what differs, how much ran.
pub fn write_model(
    subject: &RunSubject,
    summary: &RunSummary,
    failed: &[FailedCheck],
    lists: &Lists,
    format: RunFormat,
    output: &mut Output,
) -> Result<(), CliError> {
    write_checks(failed, output)?;
    if lists.differences.count() > 0 {
        writeln!(output, "{BAD}Not as the suite expects{BAD:#}:")?;
        lists.differences.write(output)?;
    }
    if lists.exhausted.count() > 0 {
        writeln!(output, "{BAD}Given up{BAD:#}, because a value exceeded the size limit:")?;
        lists.exhausted.write(output)?;
    }
    if output.verbosity() == Verbosity::Quiet {
        return Ok(());
    }
    if summary.open > 0 {
        let values = counted(summary.open, "value");
        let text = "left open: taken as false, 0 or the first name";
        writeln!(output, "{values} {text}")?;
    }
    if summary.left_out > 0 && format != RunFormat::Table {
        let values = counted(summary.left_out, "value");
        let text = "outside of its type or too long for a file: only the table shows such";
        writeln!(output, "{values} {text}")?;
    }
    writeln!(
        output,
        "{}: node {}, {}, {}; {} failed, {}",
        printable(&subject.path),
        subject.main,
        counted(summary.tests, "test"),
        counted(summary.steps, "step"),
        counted(failed.len(), "check"),
        counted(summary.differences, "difference"),
    )?;
    Ok(())
}

/// How tests of a C function ended, what differs, whether machine code agrees, how much ran.
pub fn write_unit(
    subject: &RunSubject,
    summary: &RunSummary,
    found: &UnitFindings,
    lists: &Lists,
    output: &mut Output,
) -> Result<(), CliError> {
    write_endings(&found.endings, output)?;
    if lists.differences.count() > 0 {
        writeln!(output, "{BAD}Not as the suite expects{BAD:#}:")?;
        lists.differences.write_first(output)?;
    }
    write_agreement(&found.agreement, output)?;
    if output.verbosity() == Verbosity::Normal {
        writeln!(
            output,
            "{}: function {}, {}, {}; {}, {}",
            printable(&subject.path),
            subject.main,
            counted(summary.tests, "test"),
            counted(summary.steps, "step"),
            counted(found.runtime_errors, "runtime error"),
            counted(summary.differences, "difference"),
        )?;
    }
    Ok(())
}
