//! A suite of a Lustre model, with what the model gave for its outputs.

use std::path::Path;

use obligato_export::table::{self, Table, TableLanguage, TableTest};
use obligato_lustre_replay::default_value;
use obligato_model::{Step, TestCase, Value};
use obligato_store::file::{Draft, replace_together};
use obligato_store::suite::{CsvPrinter, Kind2Printer, Printer as JsonPrinter, RifPrinter};
use obligato_store::{Signature, SuiteFile};
use obligato_transition_system::CheckKind;

use super::{directory_of, refuse_format, write_files};
use crate::args::{ExportArgs, ExportFormat};
use crate::error::CliError;
use crate::exit::Exit;
use crate::output::{Output, counted, printable};
use crate::rendering::model::write_failures;
use crate::trace_table::abridged;
use obligato::Error;
use obligato::failures::Failures;
use obligato::model::LoadedModel;
use obligato::record::{Record, record_outputs};

const FORMATS: &str = "csv, json, kind2, rif, c or rust";

/// Runs the suite and writes it.
pub fn export(arguments: &ExportArgs, output: &mut Output) -> Result<Exit, CliError> {
    let format = arguments.target;
    let table = match format {
        ExportFormat::Csv | ExportFormat::Json | ExportFormat::Kind2 | ExportFormat::Rif => None,
        ExportFormat::C => Some(TableLanguage::C),
        ExportFormat::Rust => Some(TableLanguage::Rust),
        _ => return Err(refuse_format(format, "Lustre models", FORMATS)),
    };
    let directory = table.map(|_| directory_of(arguments)).transpose()?;
    let loaded = LoadedModel::load(&arguments.subject.model.options())?;
    let signature = Signature::new(&loaded.lowered.interface);
    let (tests, expected) = read(arguments, &signature)?;
    let mut records = record_outputs(&loaded.lowered, &signature, &tests)?;
    let mut failures = Failures::new(&loaded.file, &loaded.lowered);
    let name = arguments.tests.display().to_string();
    for ((test, record), expected) in tests.iter().zip(&mut records).zip(&expected) {
        if let Some(refusal) = failures.refuse(&name, &test.name, &record.trace.failures) {
            return Err(refusal.into());
        }
        failures.take(&test.name, &record.trace.failures);
        expect_as_found(&test.name, expected, record, &signature)?;
        forget_after_fault(record, &loaded, signature.inputs().len());
    }
    for remark in &loaded.remarks {
        output.beside().remark(format_args!("{remark}"))?;
    }
    let records: Vec<TestCase> = records.into_iter().map(|record| record.test).collect();
    if let (Some(language), Some(directory)) = (table, directory) {
        let table = as_table(&loaded, &signature, &records);
        let base = base_name(loaded.main());
        let files = table::write(&table, language, &base).map_err(|error| {
            CliError::from(Error::Input {
                message: error.to_string(),
                way_out: "csv, json and rif hold numbers of any size".to_owned(),
            })
        })?;
        write_files(directory, &files, output)?;
    } else {
        let text = print(format, &signature, &records)?;
        write_text(arguments.output.as_deref(), &text, output)?;
    }
    let mut words = if arguments.output.is_some() { None } else { Some(output.beside()) };
    let words = words.as_mut().unwrap_or(output);
    write_failures(&failures, tests.len(), words)?;
    let steps = records.iter().map(|test| test.steps.len()).sum();
    let (tests, steps) = (counted(tests.len(), "test"), counted(steps, "step"));
    words.remark(format_args!("{}: {tests}, {steps}", printable(&loaded.path)))?;
    words.finish()?;
    Ok(Exit::Success)
}

/// The first part of the names of files.
fn base_name(node: &str) -> String {
    let name = obligato_export::text::identifier(node);
    if name.is_empty() { "suite".to_owned() } else { name }
}

/// The tests, and what each expects.
fn read(
    arguments: &ExportArgs,
    signature: &Signature,
) -> Result<(Vec<TestCase>, Vec<Vec<Step>>), CliError> {
    let file = SuiteFile::read(&arguments.tests)?;
    let format = arguments.from.map_or_else(|| file.format(), Into::into);
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
) -> Result<(), CliError> {
    for (step, (expected, found)) in expected.iter().zip(&record.trace.steps).enumerate() {
        for ((expected, found), output) in expected.iter().zip(found).zip(signature.outputs()) {
            if let Some(expected) = expected.as_ref().filter(|expected| *expected != found) {
                let (found, expected) = (abridged(found), abridged(expected));
                let name = &output.name;
                return Err(CliError::from(Error::Input {
                    message: format!(
                        "test '{test}', step {step}: {name} is {found}, the suite expects {expected}"
                    ),
                    way_out: "'obligato run' shows every difference".to_owned(),
                }));
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

/// The suite in one of its formats.
pub fn print(
    format: ExportFormat,
    signature: &Signature,
    tests: &[TestCase],
) -> Result<String, CliError> {
    let mut text = String::new();
    match format {
        ExportFormat::Csv => {
            let printer = CsvPrinter::new(signature.variables())?;
            text.push_str(&printer.header()?);
            let mut printer = printer;
            for test in tests {
                text.push_str(&printer.print(test)?);
            }
        }
        ExportFormat::Kind2 => {
            let mut printer = Kind2Printer::new(signature);
            for test in tests {
                text.push_str(&printer.print(test)?);
            }
            text.push_str(&printer.finish());
        }
        ExportFormat::Rif => {
            let mut printer = RifPrinter::new(signature);
            text.push_str(&printer.header()?);
            for test in tests {
                text.push_str(&printer.print(test)?);
            }
        }
        _ => {
            let mut printer = JsonPrinter::for_program(signature)?;
            for test in tests {
                text.push_str(&printer.print(test)?);
            }
            text.push_str(&printer.finish());
        }
    }
    Ok(text)
}

/// Into a file, or to standard output.
pub fn write_text(path: Option<&Path>, text: &str, output: &mut Output) -> Result<(), CliError> {
    let Some(path) = path else { return output.write_text(text) };
    let mut draft = Draft::create(path)?;
    draft.write(text.as_bytes())?;
    replace_together(vec![draft])?;
    output.remark(format_args!("Written: {}", printable(&path.display().to_string())))
}
