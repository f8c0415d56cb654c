//! A suite of a C function, with what the function did in each test.

use std::path::Path;

use obligato_c_unit::{Interface, TestRun};
use obligato_export::framework::{self, Framework};
use obligato_export::unit::{ExpectedEnding, UnitTests};
use obligato_export::{ktest, testcomp};
use obligato_lustre_replay::Trace;
use obligato_model::{SuiteInterface, TestCase};
use obligato_store::suite::Format;
use obligato_store::{Signature, file, sha256};

use super::exporter::Exporter;
use super::format::print_suite;
use super::{
    ExpectedTestEnding, ExportFindings, ExportFormat, ExportRequest, Exported, ExportedUnit,
    directory_of, refuse_format, write_files, write_text,
};
use crate::TOOL;
use crate::campaign::{Stop, unless_stopped};
use crate::error::Error;
use crate::record::Record;
use crate::text::abridged_value;
use crate::unit::{LoadedUnit, UnitSuite, refuse_run};

const FORMATS: &str = "unity, cmocka, check, cpputest, googletest, testcomp, ktest, csv or json";

/// What a suite is written as.
enum Target {
    Framework(Framework),
    TestComp,
    Ktest,
    Suite(Format),
}

/// Runs the suite and writes it.
pub fn export(request: &ExportRequest, stop: &Stop) -> Result<Exported, Error> {
    let target = target_of(request.format)?;
    if !matches!(target, Target::Suite(_)) {
        directory_of(request)?;
    }
    let loaded = LoadedUnit::load(&request.subject, &[])?;
    let interface = loaded.interface_for(&request.subject, &request.tests)?;
    let mut read = loaded.read_suite(&request.tests, request.from, &interface)?;
    let options = loaded.options(false);
    let agreement =
        loaded.compare_natively(&request.subject, &interface, &mut read.suite, options, stop)?;
    unless_stopped(stop)?;
    let runs = loaded.unit.run(&interface, &read.suite, options).map_err(refuse_run)?;
    let records = records(&loaded, &interface, &read, &runs)?;
    // From here on files are written: all of them, or none.
    unless_stopped(stop)?;
    let tests_in = |directory: &Path| {
        Exporter::new(&loaded, &interface, &request.subject).export(&read, &runs, directory)
    };
    let base = base_name(&interface.function);
    let mut endings = Vec::new();
    let written = match target {
        Target::Framework(framework) => {
            let directory = directory_of(request)?;
            let tests = tests_in(directory)?;
            endings = expected_endings(&tests);
            write_files(directory, &framework::write(&tests, framework, &base))?
        }
        Target::TestComp => {
            let directory = directory_of(request)?;
            let tests = tests_in(directory)?;
            let digest = sha256::digest(&file::read(&request.subject.file)?);
            write_files(directory, &testcomp::write(&tests, TOOL, &digest))?
        }
        Target::Ktest => {
            let directory = directory_of(request)?;
            write_files(directory, &ktest::write(&tests_in(directory)?, &base))?
        }
        Target::Suite(format) => {
            let text = print_suite(format, &signature(&loaded, &interface, &read), &records)?;
            write_text(request.output.as_deref(), text)?
        }
    };
    let remarks = loaded.remarks();
    Ok(Exported {
        path: loaded.path,
        written,
        tests: read.suite.tests.len(),
        steps: records.iter().map(|test| test.steps.len()).sum(),
        remarks,
        found: ExportFindings::Unit(ExportedUnit {
            function: interface.function,
            endings,
            agreement,
        }),
    })
}

fn target_of(format: ExportFormat) -> Result<Target, Error> {
    Ok(match format {
        ExportFormat::Unity => Target::Framework(Framework::Unity),
        ExportFormat::Cmocka => Target::Framework(Framework::Cmocka),
        ExportFormat::Check => Target::Framework(Framework::Check),
        ExportFormat::CppUTest => Target::Framework(Framework::CppUTest),
        ExportFormat::GoogleTest => Target::Framework(Framework::GoogleTest),
        ExportFormat::TestComp => Target::TestComp,
        ExportFormat::Ktest => Target::Ktest,
        ExportFormat::Csv => Target::Suite(Format::Csv),
        ExportFormat::Json => Target::Suite(Format::Json),
        _ => return Err(refuse_format(format, "C functions", FORMATS)),
    })
}

fn base_name(function: &str) -> String {
    let name = obligato_export::text::identifier(function);
    if name.is_empty() { "unit".to_owned() } else { name }
}

/// The tests that end the program, and those that could not be written.
fn expected_endings(tests: &UnitTests) -> Vec<ExpectedTestEnding> {
    let endings = tests.tests.iter().filter(|test| test.ending != ExpectedEnding::Returns);
    let endings = endings
        .map(|test| ExpectedTestEnding { test: test.name.clone(), ending: test.ending.clone() });
    endings.collect()
}

fn signature(loaded: &LoadedUnit, interface: &Interface, read: &UnitSuite) -> Signature {
    let SuiteInterface { outputs, .. } = loaded.unit.variables(interface);
    Signature::new(&SuiteInterface { inputs: read.suite.inputs.clone(), outputs })
}

/// The tests with the outputs that were found. A suite that expects something else is refused.
fn records(
    loaded: &LoadedUnit,
    interface: &Interface,
    read: &UnitSuite,
    runs: &[TestRun],
) -> Result<Vec<TestCase>, Error> {
    let shown = signature(loaded, interface, read);
    let completed = loaded.unit.complete(interface, &read.suite, loaded.options(false));
    let completed = completed.map_err(refuse_run)?;
    let mut records = Vec::new();
    for (test, run) in completed.into_iter().zip(runs) {
        let steps = loaded.found(interface, run);
        if let Some(first) = read.differing(&shown, &test.name, &steps).first() {
            let output = &shown.outputs()[first.output].name;
            let found = first.found.as_ref().map_or_else(|| "not there".to_owned(), abridged_value);
            let expected = abridged_value(&first.expected);
            let (name, step) = (&test.name, first.step);
            return Err(Error::Input {
                message: format!(
                    "test '{name}', step {step}: {output} is {found}, the suite expects {expected}"
                ),
                way_out: "'obligato run' shows every difference".to_owned(),
            });
        }
        let trace = Trace { steps, failures: Vec::new(), exhausted: None };
        records.push(Record::of_completed(test, trace, &shown).test);
    }
    Ok(records)
}
