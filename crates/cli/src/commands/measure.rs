//! `obligato measure`: what a suite covers of a Lustre model.
//!
//! [`run`] is the walk: the model and the suite are read, the suite is measured, the criteria
//! judge what it has shown; [`verdicts`](crate::verdicts) keeps the result and puts it into words.

use obligato_criteria::{judge, plan};
use obligato_model::{Criterion, Verdict};
use obligato_replay::Measurement;
use obligato_store::StoredResult;

use crate::args::{Format, MeasureArgs};
use crate::error::CliError;
use crate::exit::Exit;
use crate::measuring::{ModelSuite, criteria, fault, measure_suite, watch};
use crate::model::LoadedModel;
use crate::observed::Observed;
use crate::output::Output;
use crate::shell::{model_words, suite_words};
use crate::verdicts::{Judged, Subject, TOOL, next, storage};

/// Measures, judges, stores, reports.
pub fn run(arguments: &MeasureArgs, output: &mut Output) -> Result<Exit, CliError> {
    let criteria = criteria(&arguments.verdicts)?;
    let loaded = LoadedModel::load(&arguments.model)?;
    let observed = Observed::new(&loaded, &arguments.observe)?;
    let signature = observed.signature(&loaded.lowered.interface);
    let suite = ModelSuite::read(&arguments.tests, arguments.from, signature)?;

    let watch = watch(&arguments.verdicts, &criteria, &observed);
    let measurement = Measurement::new(&loaded.lowered, watch).map_err(|error| fault(&error))?;
    let compiled = measurement.compile().map_err(|error| fault(&error))?;
    let measured = measure_suite(&loaded, &suite, &measurement, &compiled, output.verbosity())?;

    let program = &loaded.lowered.program;
    let assessment = judge(program, plan(program, &criteria), &measured.evidence)
        .map_err(|error| CliError::Fault(error.to_string()))?;
    let result = StoredResult::new(TOOL, &criteria, &assessment, program)?;
    let result = result.observing(observed.names());
    let document = obligato_store::result::print(&result)?;
    let stored = match arguments.verdicts.store() {
        Some(directory) => Some(storage::store(
            directory,
            &document,
            |path| {
                let tests = suite.tests()?.map(|test| Ok(test?));
                storage::write_tests(path, suite.inputs(), tests).map(Some)
            },
            None,
        )?),
        None => None,
    };

    if arguments.verdicts.format == Format::Json {
        output.write_text(&document)?;
        let mut words = output.beside();
        write_remarks(&loaded, &mut words)?;
        measured.write_remarks(&mut words)?;
        words.finish()?;
        return Ok(Exit::Success);
    }
    write_remarks(&loaded, output)?;
    let judged = Judged {
        name: &loaded.path,
        subject: Subject::Model,
        program,
        evidence: &measured.evidence,
        result: &result,
    };
    judged.write(&arguments.verdicts, output)?;
    measured.write_remarks(output)?;
    output.remark(format_args!(""))?;
    if let Some(stored) = stored {
        output.remark(format_args!("{stored}"))?;
    }
    output.remark(format_args!("{}", next_command(arguments, &result)))?;
    Ok(Exit::Success)
}

/// What is to be known of the model.
fn write_remarks(loaded: &LoadedModel, output: &mut Output) -> Result<(), CliError> {
    loaded.remarks.iter().try_for_each(|remark| output.remark(format_args!("{remark}")))
}

/// What to do next: to look at the first decision that lacks something, if one does.
fn next_command(arguments: &MeasureArgs, result: &StoredResult) -> String {
    let open = result.obligations.iter().find(|one| {
        matches!(one.verdict, Verdict::Unresolved(_)) && one.criterion != Criterion::Statement
    });
    let MeasureArgs { model, tests, from, observe, verdicts } = arguments;
    let suite = suite_words(Some(tests), *from, observe);
    let Some(open) = open else {
        let again = format!("obligato measure{}{suite}", model_words(model, ""));
        return next::command(&again, verdicts, result);
    };
    let model = model_words(model, &format!(":{}", open.span.start.line));
    format!("Next: obligato explain{model}{suite}   (a decision that lacks something)")
}
