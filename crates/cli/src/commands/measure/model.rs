//! What a suite covers of a Lustre model.

use std::collections::HashMap;

use obligato_criteria::{judge, plan};
use obligato_lustre_replay::Measurement;
use obligato_store::StoredResult;

use super::Measured;
use crate::args::{MeasureArgs, MeasuredFormat};
use crate::error::CliError;
use crate::exit::Exit;
use crate::output::Output;
use crate::progress::measured_line;
use crate::rendering::model::write_remarks;
use crate::verdicts::criteria;
use crate::verdicts::vectors;
use crate::verdicts::{Subject, TOOL, complete};
use obligato::Error;
use obligato::lost::model::losses;
use obligato::measuring::{ModelSuite, measure_suite, watch};
use obligato::model::LoadedModel;
use obligato::observed::Observed;
use obligato::record::keep_suite;

/// Measures and reports.
pub fn measure(arguments: &MeasureArgs, output: &mut Output) -> Result<Exit, CliError> {
    let criteria = criteria(&arguments.verdicts)?;
    let loaded = LoadedModel::load(&arguments.subject.model.options())?;
    let observed = Observed::new(&loaded, &arguments.observe)?;
    let signature = observed.signature(&loaded.lowered.interface);
    let format = arguments.from.map(MeasuredFormat::of_suite).transpose()?;
    let suite = ModelSuite::read(&arguments.tests, format, signature)?;

    let watch = watch(&criteria, &observed, vectors(&arguments.verdicts, &criteria, suite.len()));
    let measurement = Measurement::new(&loaded.lowered, watch).map_err(Error::from)?;
    let compiled = measurement.compile().map_err(Error::from)?;
    let shown = measure_suite(
        &loaded,
        &suite,
        &measurement,
        &compiled,
        &mut measured_line(output.verbosity()),
    )?;

    let program = &loaded.lowered.program;
    let assessment = judge(program, plan(program, &criteria), &shown.evidence)
        .map_err(|error| CliError::from(Error::Internal(error.to_string())))?;
    let result = StoredResult::new(TOOL, &criteria, &assessment, program)?;
    let lost = match arguments.verdicts.store() {
        Some(_) => losses(&loaded, &suite, observed.nodes(), &assessment, &shown.evidence)?,
        None => HashMap::new(),
    };
    let result = result.observing(observed.names());
    let (result, notes) = complete(result, program, &arguments.verdicts)?;
    let measured = Measured {
        name: &loaded.path,
        subject: Subject::Model,
        program,
        evidence: &shown.evidence,
        assessment,
        result,
        sources: loaded.sources(),
        tests: Vec::new(),
        lost,
        remarks: loaded.remarks.iter().cloned().chain(notes).collect(),
    };
    let write_tests = |path: &std::path::Path| keep_suite(path, &loaded, &suite).map(Some);
    measured.report(arguments, output, write_tests, |words| write_remarks(&shown, words))?;
    Ok(Exit::Success)
}
