//! `obligato run`: a suite on a model, in lanes, batch after batch; [`unit`] does the same for C.

use std::io::{IsTerminal as _, stdout};

use obligato_lustre_replay::{LANES, Runner};
use obligato_model::{Step, TestCase};
use obligato_store::{StoreError, SuiteFile, suite};
use obligato_transition_system::{LaneProgram, lanes};

use crate::args::{Language, RunArgs, RunFormat};
use crate::error::CliError;
use crate::exit::Exit;
use crate::output::Output;
use crate::progress::Progress;
use obligato::Error;
use obligato::model::LoadedModel;
use obligato::record::Record;

mod findings;
mod subject;
mod unit;
mod writer;

use findings::Findings;
use subject::Subject;
use writer::Writer;

/// Runs the suite and prints what happened.
pub fn run(arguments: &RunArgs, output: &mut Output) -> Result<Exit, CliError> {
    match arguments.subject.language() {
        Language::C => unit::run(arguments, output),
        Language::Lustre | Language::Commands => run_model(arguments, output),
    }
}

fn run_model(arguments: &RunArgs, output: &mut Output) -> Result<Exit, CliError> {
    let loaded = LoadedModel::load(&arguments.subject.model.options())?;
    let LoadedModel { path, lowered, .. } = &loaded;
    let subject = Subject::new(path, loaded.main(), lowered, &arguments.show)?;
    let suite = SuiteFile::read(&arguments.tests)?;
    let format = arguments.from.map_or_else(|| suite.format(), Into::into);

    let count = count_tests(&suite, &subject, format)?;

    let mut findings = Findings::new(&loaded.file, lowered, &subject);
    let mut writer = Writer::new(arguments, &subject)?;
    let mut progress = progress(arguments, output);
    let options = lanes::LaneOptions { observe: subject.nodes(), ..lanes::LaneOptions::default() };
    let program = LaneProgram::new(&lowered.system, &options).map_err(Error::from)?;
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
        let traces = runner.run(&inputs).map_err(Error::from)?;
        for ((test, expected), trace) in inputs.into_iter().zip(&expected).zip(traces) {
            let found = findings.judge(&test, expected, &trace);
            let record = Record::new(test, trace, subject.signature());
            writer.write(&record, &found, output)?;
            findings.take(&record, found);
        }
        progress.show(format_args!("{} of {count} tests run", findings.tests()));
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
fn progress(arguments: &RunArgs, output: &Output) -> Progress {
    let printed = arguments.output.is_none();
    if printed && (arguments.format() == RunFormat::Table || stdout().is_terminal()) {
        Progress::none()
    } else {
        Progress::new(output.verbosity())
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
