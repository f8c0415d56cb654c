//! What a suite covers of a Lustre model.

use std::collections::HashMap;

use obligato_criteria::{judge, plan};
use obligato_lustre_replay::Measurement;
use obligato_store::StoredResult;

use super::Measured;
use crate::args::{MeasureArgs, MeasuredFormat};
use crate::error::CliError;
use crate::exit::Exit;
use crate::lost::model::losses;
use crate::measuring::{ModelSuite, criteria, fault, measure_suite, watch};
use crate::model::LoadedModel;
use crate::observed::Observed;
use crate::output::Output;
use crate::record::keep_suite;
use crate::verdicts::{Subject, TOOL, complete};

/// Measures and reports.
pub fn measure(arguments: &MeasureArgs, output: &mut Output) -> Result<Exit, CliError> {
    let criteria = criteria(&arguments.verdicts)?;
    let loaded = LoadedModel::load(&arguments.subject.model)?;
    let observed = Observed::new(&loaded, &arguments.observe)?;
    let signature = observed.signature(&loaded.lowered.interface);
    let format = arguments.from.map(MeasuredFormat::of_suite).transpose()?;
    let suite = ModelSuite::read(&arguments.tests, format, signature)?;

    let watch = watch(&arguments.verdicts, &criteria, &observed, &suite);
    let measurement = Measurement::new(&loaded.lowered, watch).map_err(|error| fault(&error))?;
    let compiled = measurement.compile().map_err(|error| fault(&error))?;
    let shown = measure_suite(&loaded, &suite, &measurement, &compiled, output.verbosity())?;

    let program = &loaded.lowered.program;
    let assessment = judge(program, plan(program, &criteria), &shown.evidence)
        .map_err(|error| CliError::Fault(error.to_string()))?;
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
    measured.report(arguments, output, write_tests, |words| shown.write_remarks(words))?;
    Ok(Exit::Success)
}
