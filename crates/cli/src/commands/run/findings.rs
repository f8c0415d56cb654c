//! What went wrong in a run: per test for the formats that list it, and summed up in words.

use std::io::Write;

use obligato_lustre::lowering::Lowered;
use obligato_lustre::{Diagnostic, Source};
use obligato_model::{Step, TestCase};
use obligato_replay::Trace;
use obligato_store::run::{Difference, Findings as InTest, StoredFailure};
use obligato_system::CheckKind;

use super::Record;
use super::subject::Subject;
use super::table::abridged;
use crate::args::RunFormat;
use crate::error::CliError;
use crate::model::ModelFile;
use crate::output::{BAD, Output, Verbosity, counted, printable};

/// No more of a kind than this are listed; JSON lists all.
const MOST_LISTED: usize = 20;

/// What was found so far.
pub struct Findings<'a> {
    file: &'a ModelFile,
    source: Source<'a>,
    lowered: &'a Lowered,
    subject: &'a Subject,
    tests: usize,
    steps: usize,
    open: usize,
    left_out: usize,
    /// Per check, who failed it.
    checks: Vec<Failed>,
    differences: Listed,
    exhausted: Listed,
}

/// Who failed a check.
#[derive(Default)]
struct Failed {
    tests: usize,
    first: Option<(String, usize)>,
}

/// The first few of many.
#[derive(Default)]
struct Listed {
    lines: Vec<String>,
    count: usize,
}

impl Listed {
    fn push(&mut self, line: impl FnOnce() -> String) {
        if self.count < MOST_LISTED {
            self.lines.push(line());
        }
        self.count += 1;
    }

    fn write(&self, output: &mut Output) -> Result<(), CliError> {
        for line in &self.lines {
            writeln!(output, "  {line}")?;
        }
        if self.count > self.lines.len() {
            let rest = self.count - self.lines.len();
            writeln!(output, "  … and {rest} more; --format json lists all")?;
        }
        Ok(())
    }
}

impl<'a> Findings<'a> {
    /// Nothing yet.
    pub fn new(file: &'a ModelFile, lowered: &'a Lowered, subject: &'a Subject) -> Self {
        Self {
            file,
            source: file.source(),
            lowered,
            subject,
            tests: 0,
            steps: 0,
            open: 0,
            left_out: 0,
            checks: lowered.system.checks.iter().map(|_| Failed::default()).collect(),
            differences: Listed::default(),
            exhausted: Listed::default(),
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
        for failure in &trace.failures {
            let failed = &mut self.checks[failure.check];
            failed.tests += 1;
            failed.first.get_or_insert_with(|| (test.name.clone(), failure.step));
        }
        let failures = trace.failures.iter().map(|failure| {
            let check = &checks[failure.check];
            let origin = self.lowered.origins[check.origin as usize];
            StoredFailure {
                step: failure.step,
                kind: word(check.kind),
                instance: self.lowered.instances[origin.instance.index()].path.clone(),
                text: check.label.clone(),
                span: self.source.span(origin.span),
            }
        });
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
        let checks = self.lowered.system.checks.iter().zip(&self.checks);
        let faults = checks.filter(|(check, _)| check.kind != CheckKind::Assertion);
        self.differences.count > 0 || faults.into_iter().any(|(_, failed)| failed.tests > 0)
    }

    /// Says it in words: what failed with its source line, what differs, how much ran.
    pub fn write(&self, format: RunFormat, output: &mut Output) -> Result<(), CliError> {
        for (check, failed) in self.lowered.system.checks.iter().zip(&self.checks) {
            let Some((test, step)) = &failed.first else { continue };
            let origin = self.lowered.origins[check.origin as usize];
            let instance = &self.lowered.instances[origin.instance.index()].path;
            let (tests, all) = (failed.tests, counted(self.tests, "test"));
            let message = format!(
                "{} in {tests} of {all}, first in '{test}' at step {step}, in {instance}: {}",
                sentence(check.kind),
                check.label
            );
            let found = Diagnostic::warning(origin.span, printable(&message));
            write!(output, "{BAD}!{BAD:#} {}", self.file.render(&self.source, &found))?;
            if check.kind == CheckKind::Assertion {
                writeln!(output, "  from that step on these are no tests of this model")?;
            }
        }
        if self.differences.count > 0 {
            writeln!(output, "{BAD}Not as the suite expects{BAD:#}:")?;
            self.differences.write(output)?;
        }
        if self.exhausted.count > 0 {
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
        let failed = self.checks.iter().filter(|failed| failed.tests > 0).count();
        let Subject { path, main, .. } = self.subject;
        writeln!(
            output,
            "{}: node {main}, {}, {}; {} failed, {}",
            printable(path),
            counted(self.tests, "test"),
            counted(self.steps, "step"),
            counted(failed, "check"),
            counted(self.differences.count, "difference"),
        )?;
        Ok(())
    }
}

/// A kind of check in JSON and in tables.
fn word(kind: CheckKind) -> &'static str {
    match kind {
        CheckKind::Assertion => "assertion",
        CheckKind::Property => "property",
        CheckKind::DivisionByZero => "division-by-zero",
        CheckKind::Subrange => "subrange",
        CheckKind::Index => "index",
    }
}

/// What it means that a check failed.
fn sentence(kind: CheckKind) -> &'static str {
    match kind {
        CheckKind::Assertion => "an assertion is violated",
        CheckKind::Property => "a property is violated",
        CheckKind::DivisionByZero => "a division by zero",
        CheckKind::Subrange => "a value leaves its subrange",
        CheckKind::Index => "an index leaves its array",
    }
}
