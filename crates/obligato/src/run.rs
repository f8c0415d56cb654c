//! A suite on a program, test by test: what was shown in each step, which checks failed, which outputs are not as expected.
//!
//! [`run`] does it all at once. [`PreparedRun`] hands over test after test, for suites whose traces are too large to be kept;
//! [`RunPrinter`] prints them as they come. [`model`] runs Lustre models, [`unit`] C functions.

use std::path::PathBuf;

use obligato_store::run::Findings;
use obligato_store::suite;
use obligato_transition_system::CheckKind;

use crate::campaign::{Stop, or_stopped, unless_stopped};
use crate::error::Error;
use crate::failures::FailedCheck;
use crate::language::Command;
use crate::progress::OnProgress;
use crate::record::Record;
use crate::subject::{FileLanguage, SubjectOptions};
use crate::unit::{Agreement, Endings};

mod model;
mod printer;
mod subject;
mod unit;

pub use printer::RunPrinter;
pub use subject::RunSubject;

use model::ModelRun;
use unit::UnitRun;

/// What to run.
#[derive(Debug, Clone, Default)]
pub struct RunRequest {
    /// The program.
    pub subject: SubjectOptions,
    /// The suite. A column that names an output, or a variable that is shown, holds what is expected of it.
    pub tests: PathBuf,
    /// What that file is; its name and content say so where nothing is said.
    pub format: Option<suite::Format>,
    /// Variables of a model to show besides inputs and outputs.
    pub show: Vec<String>,
}

/// A program and a suite, both read and found to be sound.
pub struct PreparedRun {
    /// What is run and what of it is shown.
    pub subject: RunSubject,
    /// What is to be known of the program.
    pub remarks: Vec<String>,
    program: Prepared,
}

enum Prepared {
    Model(Box<ModelRun>),
    Unit(Box<UnitRun>),
}

/// A test that was run.
pub struct RanTest {
    /// Its steps, with what was shown in each.
    pub record: Record,
    /// What went wrong in it.
    pub found: Findings,
}

/// What came of a suite.
#[derive(Debug, Clone)]
pub struct RunSummary {
    /// So many tests.
    pub tests: usize,
    /// So many steps, in all tests together.
    pub steps: usize,
    /// So many values that tests left open: they are taken as false, 0 or the first name.
    pub open: usize,
    /// So many values that were shown but are outside of their type or too long for a file.
    pub left_out: usize,
    /// So many outputs that are not as the suite expects.
    pub differences: usize,
    /// What else was found.
    pub found: ProgramFindings,
}

/// What was found of the program, besides outputs.
#[derive(Debug, Clone)]
pub enum ProgramFindings {
    /// Of a model: the checks that tests failed.
    Model(Vec<FailedCheck>),
    /// Of a C function.
    Unit(UnitFindings),
}

/// What was found of a C function, besides outputs.
#[derive(Debug, Clone)]
pub struct UnitFindings {
    /// The tests that ended early.
    pub endings: Endings,
    /// In so many of them undefined behaviour or a runtime error ended the test.
    pub runtime_errors: usize,
    /// Whether machine code does the same. Tests in which it does not are no part of the run.
    pub agreement: Agreement,
}

/// A suite that was run.
pub struct Run {
    /// What was run and what of it is shown.
    pub subject: RunSubject,
    /// What is to be known of the program.
    pub remarks: Vec<String>,
    /// The tests, in the order of the suite.
    pub tests: Vec<RanTest>,
    /// What came of them.
    pub summary: RunSummary,
}

/// Runs a suite and keeps all of it.
///
/// ```
/// use obligato::run::{RunRequest, run};
/// use obligato::{Stop, progress, subject::SubjectOptions};
///
/// let directory = tempfile::tempdir()?;
/// let (model, tests) = (directory.path().join("both.lus"), directory.path().join("suite.csv"));
/// std::fs::write(&model, "node both(a, b: bool) returns (c: bool); let c = a and b; tel")?;
/// std::fs::write(&tests, "a,b,c\ntrue,true,false\n")?;
/// let request = RunRequest { subject: SubjectOptions::new(model), tests, ..RunRequest::default() };
/// let run = run(&request, &Stop::never(), &mut progress::ignore)?;
/// assert_eq!(run.tests.len(), 1);
/// assert_eq!(run.summary.differences, 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn run(request: &RunRequest, stop: &Stop, on_progress: OnProgress<'_>) -> Result<Run, Error> {
    let prepared = PreparedRun::new(request, stop)?;
    let mut tests = Vec::new();
    let keep = |test| {
        tests.push(test);
        Ok::<(), Error>(())
    };
    let summary = prepared.run(keep, stop, on_progress)?;
    let PreparedRun { subject, remarks, .. } = prepared;
    Ok(Run { subject, remarks, tests, summary })
}

impl PreparedRun {
    /// Reads the program and the whole suite, so that nothing is run of one that is damaged. Tests of C functions also run
    /// here, and once more as machine code: those in which the two differ are taken out.
    pub fn new(request: &RunRequest, stop: &Stop) -> Result<Self, Error> {
        unless_stopped(stop)?;
        let prepared = match request.subject.expect_language(Command::Run)? {
            FileLanguage::C => UnitRun::prepare(request, stop),
            _ => ModelRun::prepare(request),
        };
        or_stopped(prepared, stop)
    }

    /// Runs the suite. `on_test` gets each test in the order of the suite, and can end the run by an error. So does `stop`.
    pub fn run<E: From<Error>>(
        &self,
        mut on_test: impl FnMut(RanTest) -> Result<(), E>,
        stop: &Stop,
        on_progress: OnProgress<'_>,
    ) -> Result<RunSummary, E> {
        let mut summary = RunSummary {
            tests: 0,
            steps: 0,
            open: 0,
            left_out: 0,
            differences: 0,
            found: ProgramFindings::Model(Vec::new()),
        };
        let signature = self.subject.signature();
        let mut take = |test: RanTest| {
            unless_stopped(stop)?;
            summary.tests += 1;
            summary.steps += test.record.test.steps.len();
            summary.open += test.record.open;
            summary.left_out += test.record.left_out;
            summary.differences += test.found.differences.len();
            on_test(test)
        };
        let found = match &self.program {
            Prepared::Model(model) => {
                ProgramFindings::Model(model.run(signature, &mut take, on_progress)?)
            }
            Prepared::Unit(unit) => ProgramFindings::Unit(unit.run(signature, &mut take)?),
        };
        Ok(RunSummary { found, ..summary })
    }
}

impl RunSummary {
    /// Is an output not as expected, or the program at fault? That inputs violate an assertion is no fault of a model.
    pub fn any_fault(&self) -> bool {
        let at_fault = match &self.found {
            ProgramFindings::Model(failed) => {
                failed.iter().any(|check| check.kind != CheckKind::Assertion)
            }
            ProgramFindings::Unit(found) => found.runtime_errors > 0,
        };
        at_fault || self.differences > 0
    }
}
