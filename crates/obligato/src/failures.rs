//! The checks of a model that tests failed, summed up in words.

use obligato_lustre::lowering::Lowered;
use obligato_lustre_replay::Failure;
use obligato_lustre_syntax::{Diagnostic, Source};
use obligato_store::run::StoredFailure;

pub use obligato_transition_system::CheckKind;

use crate::error::Error;
use crate::model::ModelFile;
use crate::text::{counted, printable};

/// Per check of a model, who failed it.
pub struct Failures<'a> {
    file: &'a ModelFile,
    source: Source<'a>,
    lowered: &'a Lowered,
    checks: Vec<Failed>,
}

/// Who failed a check.
#[derive(Clone, Default)]
struct Failed {
    tests: usize,
    first: Option<(String, usize)>,
}

impl<'a> Failures<'a> {
    /// None yet.
    pub fn new(file: &'a ModelFile, lowered: &'a Lowered) -> Self {
        let checks = vec![Failed::default(); lowered.system.checks.len()];
        Self { file, source: file.source(), lowered, checks }
    }

    /// Takes note of what a test failed.
    pub fn take(&mut self, test: &str, failures: &[Failure]) {
        for failure in failures {
            let failed = &mut self.checks[failure.check];
            failed.tests += 1;
            failed.first.get_or_insert_with(|| (test.to_owned(), failure.step));
        }
    }

    /// The error that a test is none of the model, if it violates an assertion.
    pub fn refuse(&self, suite: &str, test: &str, failures: &[Failure]) -> Option<Error> {
        let checks = &self.lowered.system.checks;
        let is_assertion = |one: &&Failure| checks[one.check].kind == CheckKind::Assertion;
        let Failure { step, check } = *failures.iter().find(is_assertion)?;
        let origin = self.lowered.origins[checks[check].origin as usize];
        let instance = &self.lowered.instances[origin.instance.index()].path;
        let (suite, label) = (printable(suite), &checks[check].label);
        let message = printable(&format!(
            "test '{test}' of {suite} violates an assertion at step {step}, in {instance}: {label}"
        ));
        let help = "the model says nothing of such inputs: shorten or mend the test";
        Some(self.file.refuse(&[Diagnostic::error(origin.span, message).with_help(help)]))
    }

    /// Each check that failed, with its source line, of so many tests.
    pub fn describe(&self, tests: usize) -> Vec<FailedCheck> {
        let checks = self.lowered.system.checks.iter().zip(&self.checks);
        let described = checks.filter_map(|(check, failed)| {
            let (test, step) = failed.first.as_ref()?;
            let origin = self.lowered.origins[check.origin as usize];
            let instance = &self.lowered.instances[origin.instance.index()].path;
            let (failing, all) = (failed.tests, counted(tests, "test"));
            let message = format!(
                "{} in {failing} of {all}, first in '{test}' at step {step}, in {instance}: {}",
                sentence(check.kind),
                check.label
            );
            let found = Diagnostic::warning(origin.span, printable(&message));
            Some(FailedCheck { kind: check.kind, text: self.file.render(&self.source, &found) })
        });
        described.collect()
    }
}

/// A check that tests failed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FailedCheck {
    /// What kind of check.
    pub kind: CheckKind,
    /// Which tests failed it and where it stands, with its source line.
    pub text: String,
}

/// A failure as files have it.
pub fn stored(failure: &Failure, lowered: &Lowered, source: &Source<'_>) -> StoredFailure {
    let check = &lowered.system.checks[failure.check];
    let origin = lowered.origins[check.origin as usize];
    StoredFailure {
        step: failure.step,
        kind: word(check.kind),
        instance: lowered.instances[origin.instance.index()].path.clone(),
        text: check.label.clone(),
        span: source.span(origin.span),
    }
}

/// A kind of check in JSON and in tables.
pub fn word(kind: CheckKind) -> &'static str {
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
