//! A suite on a C function, test by test.

use std::collections::HashSet;
use std::io::Write as _;

use obligato_c_unit::run::Observed;
use obligato_c_unit::{Class, Ending, TestRun};
use obligato_lustre_replay::Trace;
use obligato_model::{Interface, Position, Span};
use obligato_store::Signature;
use obligato_store::run::{Difference, Findings, StoredFailure};

use super::subject::Subject;
use super::writer::Writer;
use crate::args::{RunArgs, RunFormat};
use crate::error::CliError;
use crate::exit::Exit;
use crate::output::{BAD, Output, Verbosity, counted, printable};
use crate::rendering::lists::write_first;
use crate::rendering::unit::write_agreement;
use crate::rendering::unit::write_endings;
use crate::trace_table::abridged;
use obligato::Error;
use obligato::record::Record;
use obligato::unit::{Endings, LoadedUnit, differing, refuse_run};

/// Runs the suite and prints what happened.
pub fn run(arguments: &RunArgs, output: &mut Output) -> Result<Exit, CliError> {
    refuse_shown(arguments)?;
    let loaded = LoadedUnit::load(&arguments.subject.options(), &[])?;
    let interface = loaded.interface(&arguments.subject.options())?;
    let read = loaded.read_suite(&arguments.tests, arguments.from.map(Into::into), &interface)?;
    let mut suite = read.suite;
    let options = loaded.options(false);
    let agreement =
        loaded.compare_natively(&arguments.subject.options(), &interface, &mut suite, options)?;
    let runs = loaded.unit.run(&interface, &suite, options).map_err(refuse_run)?;

    let inputs = suite.inputs.clone();
    let Interface { outputs, .. } = loaded.unit.variables(&interface);
    let signature = Signature::new(&Interface { inputs, outputs });
    let subject = Subject::of_unit(&loaded.path, &interface.function, signature);
    let mut writer = Writer::new(arguments, &subject)?;
    let beside = arguments.output.is_none() && arguments.format() != RunFormat::Table;
    let mut words = beside.then(|| output.beside());
    for remark in loaded.remarks() {
        words.as_mut().unwrap_or(output).remark(format_args!("{}", printable(&remark)))?;
    }

    let mut differences = Vec::new();
    let mut faults = 0;
    for (test, run) in suite.tests.iter().zip(&runs) {
        let steps = run.steps.iter().map(|step| loaded.unit.values(&interface, step));
        let trace = Trace { steps: steps.collect(), failures: Vec::new(), exhausted: None };
        let expected = read.expected.get(&test.name).map_or(&[][..], Vec::as_slice);
        let found = Findings {
            failures: failure_of(&loaded, run).into_iter().collect(),
            differences: differing(&read.signature, subject.signature(), expected, &trace.steps),
            exhausted: None,
        };
        faults += usize::from(is_fault(run));
        for Difference { step, output, expected, found } in &found.differences {
            let output = &subject.signature().outputs()[*output].name;
            let (found, expected) = (abridged(found), abridged(expected));
            let name = &test.name;
            differences
                .push(format!("{name}, step {step}: {output} is {found}, expected {expected}"));
        }
        let mut record = Record::new(test.clone(), trace, subject.signature());
        record.absent = absent(run, interface.outputs.len());
        writer.write(&record, &found, output)?;
    }
    writer.finish(output)?;

    let words = words.as_mut().unwrap_or(output);
    write_endings(&Endings::new(&loaded, &suite, &runs), words)?;
    if !differences.is_empty() {
        writeln!(words, "{BAD}Not as the suite expects{BAD:#}:")?;
        write_first(&differences, words)?;
    }
    write_agreement(&agreement, words)?;
    if words.verbosity() == Verbosity::Normal {
        let steps = suite.tests.iter().map(|test| test.steps.len()).sum();
        writeln!(
            words,
            "{}: function {}, {}, {}; {}, {}",
            printable(&loaded.path),
            interface.function,
            counted(suite.tests.len(), "test"),
            counted(steps, "step"),
            counted(faults, "fault"),
            counted(differences.len(), "difference"),
        )?;
    }
    words.finish()?;
    let failed = arguments.fail_on_fault && (faults > 0 || !differences.is_empty());
    Ok(match (agreement.is_full(), failed) {
        (false, _) => Exit::ToolError,
        (true, true) => Exit::FaultFound,
        (true, false) => Exit::Success,
    })
}

/// Variables inside of a function cannot be shown.
fn refuse_shown(arguments: &RunArgs) -> Result<(), CliError> {
    if arguments.show.is_empty() {
        return Ok(());
    }
    Err(CliError::from(Error::Input {
        message: "--show is for the variables of Lustre models".to_owned(),
        way_out: "of a C function its outputs are shown".to_owned(),
    }))
}

/// The outputs that are nothing in all steps that came to their end, such as what was given to calls that never happened.
fn absent(run: &TestRun, outputs: usize) -> HashSet<usize> {
    let nowhere = |at: &usize| run.steps.iter().all(|step| step[*at] == Observed::Nothing);
    (0..outputs).filter(nowhere).collect()
}

/// Is the function at fault?
fn is_fault(run: &TestRun) -> bool {
    matches!(&run.ending, Some(Ending::Finding(finding)) if finding.kind.class() == Class::Fault)
}

/// How a test ended, for the formats that list it.
fn failure_of(loaded: &LoadedUnit, run: &TestRun) -> Option<StoredFailure> {
    let ending = run.ending.as_ref()?;
    let (kind, instance, at) = match ending {
        Ending::Exit(_) => ("exit", String::new(), None),
        Ending::Finding(finding) => {
            let kind = match finding.kind.class() {
                Class::Fault => "fault",
                Class::Unsupported => "unsupported",
                Class::Limit => "limit",
            };
            let at = loaded.unit.place_of(finding).map(|(_, at)| at);
            (kind, loaded.unit.function_of(finding).unwrap_or_default().to_owned(), at)
        }
    };
    let at = at.unwrap_or(Position { line: 1, column: 1 });
    let text = loaded.describe(ending);
    Some(StoredFailure {
        step: run.steps.len(),
        kind,
        instance,
        text,
        span: Span { start: at, end: at },
    })
}
