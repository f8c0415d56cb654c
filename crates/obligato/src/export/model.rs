//! A suite of a Lustre model, with what the model gave for its outputs.

use obligato_export::table::{self, Table, TableLanguage, TableTest};
use obligato_lustre_replay::default_value;
use obligato_model::{Step, TestCase, Value};
use obligato_store::suite::Format;
use obligato_store::{Signature, SuiteFile};
use obligato_transition_system::CheckKind;

use super::format::print_suite;
use super::{
    ExportFindings, ExportFormat, ExportRequest, Exported, directory_of, refuse_format,
    write_files, write_text,
};
use crate::campaign::{Stop, unless_stopped};
use crate::error::Error;
use crate::failures::Failures;
use crate::model::LoadedModel;
use crate::record::{Record, record_outputs};
use crate::text::abridged_value;

const FORMATS: &str = "csv, json, kind2, rif, c or rust";

/// What a suite is written as.
enum Target {
    Suite(Format),
    Table(TableLanguage),
}

/// Runs the suite and writes it.
pub fn export(request: &ExportRequest, stop: &Stop) -> Result<Exported, Error> {
    let target = target_of(request.format)?;
    if let Target::Table(_) = target {
        directory_of(request)?;
    }
    let loaded = LoadedModel::load(&request.subject)?;
    let signature = Signature::new(&loaded.lowered.interface);
    let (tests, expected) = read(request, &signature)?;
    let mut records = record_outputs(&loaded.lowered, &signature, &tests)?;
    let mut failures = Failures::new(&loaded.file, &loaded.lowered);
    let name = request.tests.display().to_string();
    for ((test, record), expected) in tests.iter().zip(&mut records).zip(&expected) {
        if let Some(refusal) = failures.refuse(&name, &test.name, &record.trace.failures) {
            return Err(refusal);
        }
        failures.take(&test.name, &record.trace.failures);
        expect_as_found(&test.name, expected, record, &signature)?;
        forget_after_fault(record, &loaded, signature.inputs().len());
    }
    let records: Vec<TestCase> = records.into_iter().map(|record| record.test).collect();
    unless_stopped(stop)?;
    let written = match target {
        Target::Table(language) => {
            let table = as_table(&loaded, &signature, &records);
            let base = base_name(loaded.main());
            let files = table::write(&table, language, &base).map_err(|error| Error::Input {
                message: error.to_string(),
                way_out: "csv, json and rif hold numbers of any size".to_owned(),
            })?;
            write_files(directory_of(request)?, &files)?
        }
        Target::Suite(format) => {
            let text = print_suite(format, &signature, &records)?;
            write_text(request.output.as_deref(), text)?
        }
    };
    let found = ExportFindings::Model(failures.describe(tests.len()));
    let steps = records.iter().map(|test| test.steps.len()).sum();
    let LoadedModel { path, remarks, .. } = loaded;
    Ok(Exported { path, written, tests: tests.len(), steps, remarks, found })
}

fn target_of(format: ExportFormat) -> Result<Target, Error> {
    Ok(match format {
        ExportFormat::Csv => Target::Suite(Format::Csv),
        ExportFormat::Json => Target::Suite(Format::Json),
        ExportFormat::Kind2 => Target::Suite(Format::Kind2),
        ExportFormat::Rif => Target::Suite(Format::Rif),
        ExportFormat::C => Target::Table(TableLanguage::C),
        ExportFormat::Rust => Target::Table(TableLanguage::Rust),
        _ => return Err(refuse_format(format, "Lustre models", FORMATS)),
    })
}

/// The first part of the names of files.
fn base_name(node: &str) -> String {
    let name = obligato_export::text::identifier(node);
    if name.is_empty() { "suite".to_owned() } else { name }
}

/// The tests, and what each expects.
fn read(
    request: &ExportRequest,
    signature: &Signature,
) -> Result<(Vec<TestCase>, Vec<Vec<Step>>), Error> {
    let file = SuiteFile::read(&request.tests)?;
    let format = request.from.unwrap_or_else(|| file.format());
    let mut tests = Vec::new();
    let mut expected = Vec::new();
    for test in file.tests_for(signature, format)? {
        let (test, steps) = signature.split(test?);
        tests.push(test);
        expected.push(steps);
    }
    Ok((tests, expected))
}

/// A suite that the model does not pass is none to give to others.
fn expect_as_found(
    test: &str,
    expected: &[Step],
    record: &Record,
    signature: &Signature,
) -> Result<(), Error> {
    for (step, (expected, found)) in expected.iter().zip(&record.trace.steps).enumerate() {
        for ((expected, found), output) in expected.iter().zip(found).zip(signature.outputs()) {
            if let Some(expected) = expected.as_ref().filter(|expected| *expected != found) {
                let (found, expected) = (abridged_value(found), abridged_value(expected));
                let name = &output.name;
                return Err(Error::Input {
                    message: format!(
                        "test '{test}', step {step}: {name} is {found}, the suite expects {expected}"
                    ),
                    way_out: "'obligato run' shows every difference".to_owned(),
                });
            }
        }
    }
    Ok(())
}

/// From a fault of the model on nothing is expected.
fn forget_after_fault(record: &mut Record, loaded: &LoadedModel, inputs: usize) {
    let checks = &loaded.lowered.system.checks;
    let faults =
        record.trace.failures.iter().filter(|one| checks[one.check].kind != CheckKind::Property);
    let first = faults.map(|failure| failure.step).min();
    let first = first.into_iter().chain(record.trace.exhausted).min();
    for step in record.test.steps.iter_mut().skip(first.unwrap_or(usize::MAX)) {
        for value in step.iter_mut().skip(inputs) {
            *value = None;
        }
    }
}

fn as_table(loaded: &LoadedModel, signature: &Signature, tests: &[TestCase]) -> Table {
    let columns = |variables: &[obligato_model::Variable]| {
        variables.iter().map(|one| (one.name.clone(), one.kind.clone())).collect()
    };
    let inputs = signature.inputs();
    let row = |step: &Step| {
        let given = step
            .iter()
            .zip(inputs)
            .map(|(value, input)| value.clone().unwrap_or_else(|| default_value(&input.kind)));
        let given: Vec<Value> = given.collect();
        (given, step[inputs.len()..].to_vec())
    };
    let test = |test: &TestCase| TableTest {
        name: test.name.clone(),
        steps: test.steps.iter().map(row).collect(),
    };
    Table {
        file: loaded.path.clone(),
        node: loaded.main().to_owned(),
        inputs: columns(inputs),
        outputs: columns(signature.outputs()),
        tests: tests.iter().map(test).collect(),
    }
}
