//! `obligato run`: a suite on a model, in lanes, batch after batch.

use std::io::{IsTerminal as _, stdout};

use obligato_model::{Step, TestCase};
use obligato_replay::{LANES, Runner, Trace, resting_value};
use obligato_store::{StoreError, SuiteFile, can_hold, suite};
use obligato_system::{Error, Program, lanes};

use crate::args::{RunArgs, RunFormat};
use crate::error::CliError;
use crate::exit::Exit;
use crate::model::LoadedModel;
use crate::output::Output;
use crate::progress::Progress;

mod findings;
mod subject;
mod table;
mod writer;

use findings::Findings;
use subject::Subject;
use writer::Writer;

/// Runs the suite and prints what happened.
pub fn run(arguments: &RunArgs, output: &mut Output) -> Result<Exit, CliError> {
    let loaded = LoadedModel::load(&arguments.model)?;
    let LoadedModel { path, lowered, .. } = &loaded;
    let subject = Subject::new(path, loaded.main(), lowered, &arguments.show)?;
    let suite = SuiteFile::read(&arguments.tests)?;
    let format = arguments.from.map_or_else(|| suite.format(), Into::into);

    let count = count_tests(&suite, &subject, format)?;

    let mut findings = Findings::new(&loaded.file, lowered, &subject);
    let mut writer = Writer::new(arguments, &subject)?;
    let mut progress = progress(arguments, output, count);
    let options = lanes::Options { observe: subject.nodes(), ..lanes::Options::default() };
    let program = Program::new(&lowered.system, &options).map_err(|error| fault(&error))?;
    let mut runner = Runner::new(&program, subject.shown());
    // Words about a result that itself goes to standard output stand beside it.
    let beside = arguments.output.is_none() && arguments.format() != RunFormat::Table;
    let mut words = beside.then(|| output.beside());
    for remark in &loaded.remarks {
        words.as_mut().unwrap_or(output).remark(format_args!("{remark}"))?;
    }

    let mut tests = suite.tests_for(subject.signature(), format)?;
    loop {
        let batch: Vec<TestCase> = tests.by_ref().take(LANES).collect::<Result<_, StoreError>>()?;
        if batch.is_empty() {
            break;
        }
        let (inputs, expected): (Vec<TestCase>, Vec<Vec<Step>>) =
            batch.into_iter().map(|test| subject.signature().split(test)).unzip();
        let traces = runner.run(&inputs).map_err(|error| fault(&error))?;
        for ((test, expected), trace) in inputs.into_iter().zip(&expected).zip(traces) {
            let found = findings.judge(&test, expected, &trace);
            let record = Record::new(test, trace, &subject);
            writer.write(&record, &found, output)?;
            findings.take(&record, found);
        }
        progress.show(findings.tests());
    }
    progress.end();
    writer.finish(output)?;
    // JSON has everything that was found in it.
    if arguments.format() != RunFormat::Json || !beside {
        findings.write(arguments.format(), words.as_mut().unwrap_or(output))?;
    }
    if let Some(words) = &mut words {
        words.finish()?;
    }
    let failed = arguments.fail_on_fault && findings.any_fault();
    Ok(if failed { Exit::FaultFound } else { Exit::Success })
}

/// None where the run itself scrolls by.
fn progress(arguments: &RunArgs, output: &Output, tests: usize) -> Progress {
    let printed = arguments.output.is_none();
    if printed && (arguments.format() == RunFormat::Table || stdout().is_terminal()) {
        Progress::none()
    } else {
        Progress::new(output.verbosity(), tests, "run")
    }
}

/// Reads the whole suite, so that nothing is printed of one that is damaged.
fn count_tests(
    suite: &SuiteFile,
    subject: &Subject,
    format: suite::Format,
) -> Result<usize, StoreError> {
    suite.tests_for(subject.signature(), format)?.try_fold(0, |count, test| test.map(|_| count + 1))
}

/// Every value was read for its input, so the simulator has no reason to refuse one.
fn fault(error: &Error) -> CliError {
    CliError::Fault(error.to_string())
}

/// A test as it ran.
pub struct Record {
    /// Each step with inputs and shown values, as far as files can hold them: a suite that
    /// expects what was found.
    pub test: TestCase,
    /// What was shown, whatever its type.
    pub trace: Trace,
    /// How many values the test left open.
    pub open: usize,
    /// How many values that were shown are not among its steps.
    pub left_out: usize,
}

impl Record {
    fn new(mut test: TestCase, trace: Trace, subject: &Subject) -> Self {
        let (inputs, outputs) = (subject.signature().inputs(), subject.signature().outputs());
        let (mut open, mut left_out) = (0, 0);
        for (index, step) in test.steps.iter_mut().enumerate() {
            for (value, input) in step.iter_mut().zip(inputs) {
                open += usize::from(value.is_none());
                value.get_or_insert_with(|| resting_value(&input.kind));
            }
            let found = trace.steps.get(index).map_or(&[][..], Vec::as_slice).iter();
            for (value, output) in found.zip(outputs) {
                let holds = can_hold(&output.kind, value);
                left_out += usize::from(!holds);
                step.push(holds.then(|| value.clone()));
            }
            step.resize(inputs.len() + outputs.len(), None);
        }
        Self { test, trace, open, left_out }
    }
}
