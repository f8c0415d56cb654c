//! What went wrong in a run: per test for the formats that list it, and summed up in words.

use std::io::Write;

use obligato_lustre::lowering::Lowered;
use obligato_lustre_replay::Trace;
use obligato_lustre_syntax::Source;
use obligato_model::{Step, TestCase};
use obligato_store::run::{Difference, Findings as InTest};
use obligato_transition_system::CheckKind;

use super::subject::Subject;
use crate::args::RunFormat;
use crate::error::CliError;
use crate::output::{BAD, Output, Verbosity, counted, printable};
use crate::rendering::lists::Listed;
use crate::rendering::model::write_failures;
use crate::trace_table::abridged;
use obligato::failures::{Failures, stored};
use obligato::model::ModelFile;
use obligato::record::Record;

/// What was found so far.
pub struct Findings<'a> {
    source: Source<'a>,
    lowered: &'a Lowered,
    subject: &'a Subject,
    tests: usize,
    steps: usize,
    open: usize,
    left_out: usize,
    failures: Failures<'a>,
    differences: Listed,
    exhausted: Listed,
}

impl<'a> Findings<'a> {
    /// Nothing yet.
    pub fn new(file: &'a ModelFile, lowered: &'a Lowered, subject: &'a Subject) -> Self {
        Self {
            source: file.source(),
            lowered,
            subject,
            tests: 0,
            steps: 0,
            open: 0,
            left_out: 0,
            failures: Failures::new(file, lowered),
            differences: Listed::new("--format json lists all"),
            exhausted: Listed::new("--format json lists all"),
        }
    }

    /// How many tests were taken note of.
    pub fn tests(&self) -> usize {
        self.tests
    }

    /// Holds a trace against what its test expects. From a violated assertion on nothing is
    /// expected.
    pub fn judge(&mut self, test: &TestCase, expected: &[Step], trace: &Trace) -> InTest {
        let checks = &self.lowered.system.checks;
        let mut failures = trace.failures.iter();
        let outside = failures.find(|one| checks[one.check].kind == CheckKind::Assertion);
        let end = outside.map_or(trace.steps.len(), |outside| outside.step);
        let mut differences = Vec::new();
        for (step, (expected, found)) in expected.iter().zip(&trace.steps).take(end).enumerate() {
            for (output, (expected, found)) in expected.iter().zip(found).enumerate() {
                if let Some(expected) = expected.as_ref().filter(|expected| *expected != found) {
                    let (expected, found) = (expected.clone(), found.clone());
                    differences.push(Difference { step, output, expected, found });
                }
            }
        }
        self.failures.take(&test.name, &trace.failures);
        let failures =
            trace.failures.iter().map(|failure| stored(failure, self.lowered, &self.source));
        InTest { failures: failures.collect(), differences, exhausted: trace.exhausted }
    }

    /// Takes note of a test for the summary.
    pub fn take(&mut self, record: &Record, found: InTest) {
        self.tests += 1;
        self.steps += record.test.steps.len();
        self.open += record.open;
        self.left_out += record.left_out;
        let name = &record.test.name;
        for Difference { step, output, expected, found } in found.differences {
            let output = &self.subject.signature().outputs()[output].name;
            self.differences.push(|| {
                let (found, expected) = (abridged(&found), abridged(&expected));
                printable(&format!("{name}, step {step}: {output} is {found}, expected {expected}"))
            });
        }
        if let Some(step) = found.exhausted {
            self.exhausted.push(|| printable(&format!("{name}, step {step}")));
        }
    }

    /// Is there anything that `--fail-on-fault` means?
    pub fn any_fault(&self) -> bool {
        self.differences.count() > 0 || self.failures.any_fault()
    }

    /// Says it in words: what failed with its source line, what differs, how much ran.
    pub fn write(&self, format: RunFormat, output: &mut Output) -> Result<(), CliError> {
        write_failures(&self.failures, self.tests, output)?;
        if self.differences.count() > 0 {
            writeln!(output, "{BAD}Not as the suite expects{BAD:#}:")?;
            self.differences.write(output)?;
        }
        if self.exhausted.count() > 0 {
            writeln!(output, "{BAD}Given up{BAD:#}, because a number got out of all proportion:")?;
            self.exhausted.write(output)?;
        }
        if output.verbosity() == Verbosity::Normal {
            self.write_summary(format, output)?;
        }
        Ok(())
    }

    fn write_summary(&self, format: RunFormat, output: &mut Output) -> Result<(), CliError> {
        if self.open > 0 {
            let values = counted(self.open, "value");
            let text = "left open: taken as false, 0 or the first name";
            writeln!(output, "{values} {text}")?;
        }
        if self.left_out > 0 && format != RunFormat::Table {
            let values = counted(self.left_out, "value");
            let text = "outside of its type or too long for a file: only the table shows such";
            writeln!(output, "{values} {text}")?;
        }
        let Subject { path, main, .. } = self.subject;
        writeln!(
            output,
            "{}: node {main}, {}, {}; {} failed, {}",
            printable(path),
            counted(self.tests, "test"),
            counted(self.steps, "step"),
            counted(self.failures.count(), "check"),
            counted(self.differences.count(), "difference"),
        )?;
        Ok(())
    }
}
