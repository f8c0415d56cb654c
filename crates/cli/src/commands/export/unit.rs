//! A suite of a C function, with what the function did in each test.

use std::io::Write as _;

use obligato_c_unit::{Interface, TestRun};
use obligato_export::framework::{self, Framework};
use obligato_export::unit::{Ending, UnitTests};
use obligato_export::{ktest, testcomp};
use obligato_model::{Interface as Variables, TestCase};
use obligato_store::{Signature, file};

use super::exporter::Exporter;
use super::{directory_of, model, refuse_format, write_files};
use crate::args::{ExportArgs, ExportFormat};
use crate::error::CliError;
use crate::exit::Exit;
use crate::output::{Output, counted, printable};
use crate::rendering::unit::write_agreement;
use crate::trace_table::abridged;
use crate::verdicts::TOOL;
use obligato::Error;
use obligato::record::Record;
use obligato::unit::{LoadedUnit, UnitSuite, differing, refuse_run};

const FORMATS: &str = "unity, cmocka, check, cpputest, googletest, testcomp, ktest, csv or json";

/// What a suite is written as.
enum Target {
    Framework(Framework),
    TestComp,
    Ktest,
    Suite,
}

/// Runs the suite and writes it.
pub fn export(arguments: &ExportArgs, output: &mut Output) -> Result<Exit, CliError> {
    let target = target_of(arguments.target)?;
    let directory = match target {
        Target::Suite => None,
        _ => Some(directory_of(arguments)?),
    };
    let loaded = LoadedUnit::load(&arguments.subject.options(), &[])?;
    let interface = loaded.interface(&arguments.subject.options())?;
    let mut read =
        loaded.read_suite(&arguments.tests, arguments.from.map(Into::into), &interface)?;
    let options = loaded.options(false);
    let agreement = loaded.compare_natively(
        &arguments.subject.options(),
        &interface,
        &mut read.suite,
        options,
    )?;
    let runs = loaded.unit.run(&interface, &read.suite, options).map_err(refuse_run)?;
    let records = records(&loaded, &interface, &read, &runs)?;
    let mut beside = (directory.is_none() && arguments.output.is_none()).then(|| output.beside());
    if let Some(directory) = directory {
        let exporter = Exporter::new(&loaded, &interface, arguments);
        let tests = exporter.export(&read, &runs, directory)?;
        let base = base_name(&interface.function);
        let files = match target {
            Target::Framework(framework) => framework::write(&tests, framework, &base),
            Target::TestComp => {
                let source = file::read(&arguments.subject.model.file)?;
                testcomp::write(&tests, TOOL, &source)
            }
            _ => ktest::write(&tests, &base),
        };
        write_files(directory, &files, output)?;
        if matches!(target, Target::Framework(_)) {
            write_endings(&tests, output)?;
        }
    } else {
        let signature = signature(&loaded, &interface, &read);
        let text = model::print(arguments.target, &signature, &records)?;
        model::write_text(arguments.output.as_deref(), &text, output)?;
    }
    let words = beside.as_mut().unwrap_or(output);
    write_agreement(&agreement, words)?;
    let (path, count) = (printable(&loaded.path), counted(read.suite.tests.len(), "test"));
    words.remark(format_args!("{path}: function {}, {count}", interface.function))?;
    words.finish()?;
    Ok(if agreement.is_full() { Exit::Success } else { Exit::ToolError })
}

fn target_of(format: ExportFormat) -> Result<Target, CliError> {
    Ok(match format {
        ExportFormat::Unity => Target::Framework(Framework::Unity),
        ExportFormat::Cmocka => Target::Framework(Framework::Cmocka),
        ExportFormat::Check => Target::Framework(Framework::Check),
        ExportFormat::Cpputest => Target::Framework(Framework::CppUTest),
        ExportFormat::Googletest => Target::Framework(Framework::GoogleTest),
        ExportFormat::Testcomp => Target::TestComp,
        ExportFormat::Ktest => Target::Ktest,
        ExportFormat::Csv | ExportFormat::Json => Target::Suite,
        _ => return Err(refuse_format(format, "C functions", FORMATS)),
    })
}

fn base_name(function: &str) -> String {
    let name = obligato_export::text::identifier(function);
    if name.is_empty() { "unit".to_owned() } else { name }
}

/// Says which tests end the program, and which could not be written.
fn write_endings(tests: &UnitTests, output: &mut Output) -> Result<(), CliError> {
    for test in &tests.tests {
        let name = printable(&test.name);
        match &test.ending {
            Ending::Returns => {}
            Ending::Exit(status) => {
                writeln!(output, "Expected to exit with {status}: {name}")?;
            }
            Ending::Signal { name: signal, why } => {
                writeln!(output, "Expected to end by {signal}: {name}: {}", printable(why))?;
            }
            Ending::Unrepeatable { why } => {
                writeln!(output, "Only in a comment, not run: {name}: {}", printable(why))?;
            }
        }
    }
    Ok(())
}

fn signature(loaded: &LoadedUnit, interface: &Interface, read: &UnitSuite) -> Signature {
    let Variables { outputs, .. } = loaded.unit.variables(interface);
    Signature::new(&Variables { inputs: read.suite.inputs.clone(), outputs })
}

/// The tests with the outputs that were found. A suite that expects something else is refused.
fn records(
    loaded: &LoadedUnit,
    interface: &Interface,
    read: &UnitSuite,
    runs: &[TestRun],
) -> Result<Vec<TestCase>, CliError> {
    let shown = signature(loaded, interface, read);
    let mut records = Vec::new();
    for (test, run) in read.suite.tests.iter().zip(runs) {
        let steps = run.steps.iter().map(|step| loaded.unit.values(interface, step));
        let steps: Vec<_> = steps.collect();
        let expected = read.expected.get(&test.name).map_or(&[][..], Vec::as_slice);
        if let Some(first) = differing(&read.signature, &shown, expected, &steps).first() {
            let output = &shown.outputs()[first.output].name;
            let (found, expected) = (abridged(&first.found), abridged(&first.expected));
            let (name, step) = (&test.name, first.step);
            return Err(CliError::from(Error::Input {
                message: format!(
                    "test '{name}', step {step}: {output} is {found}, the suite expects {expected}"
                ),
                way_out: "'obligato run' shows every difference".to_owned(),
            }));
        }
        let trace = obligato_lustre_replay::Trace { steps, failures: Vec::new(), exhausted: None };
        records.push(Record::new(test.clone(), trace, &shown).test);
    }
    Ok(records)
}
