//! `obligato reduce`: fewer tests with the same coverage.
//!
//! [`run`] is the walk: the suite is measured and judged ([`measuring`]), what it covers makes a
//! problem for the algorithms ([`algorithms`]), every answer is run by itself and judged again, the
//! smallest is written ([`writer`]), and the sizes are shown side by side ([`report`]).

use std::time::Instant;

use obligato_criteria::grounds;
use obligato_model::Criterion;
use obligato_reduce::Problem;

use crate::args::{Format, ReduceArgs};
use crate::error::CliError;
use crate::exit::Exit;
use crate::output::Output;
use obligato::Error;
use obligato::model::LoadedModel;
use obligato::suite_writer::format_of;

mod algorithms;
mod measuring;
mod report;
mod writer;

use measuring::{Judged, ModelSuite, Ruler};
use report::Report;

/// Measures, reduces, measures again, writes, reports.
pub fn run(arguments: &ReduceArgs, output: &mut Output) -> Result<Exit, CliError> {
    let criteria = criteria(arguments)?;
    let loaded = LoadedModel::load(&arguments.model.options())?;
    let suite = ModelSuite::read(
        &arguments.tests,
        arguments.from.map(Into::into),
        &loaded.lowered.interface,
    )?;
    arguments.output.as_deref().map(format_of).transpose()?;

    let start = Instant::now();
    let ruler = Ruler::new(&loaded, &criteria)?;
    let compiled = ruler.measurement.compile().map_err(Error::from)?;
    let whole = ruler.judge(&compiled, &suite, None)?;
    let program = &loaded.lowered.program;
    let grounds = grounds(program, &whole.assessment, &whole.evidence);
    let problem = Problem::new(suite.steps.len(), &grounds);
    let measured = start.elapsed();

    let reductions = algorithms::run(arguments, &problem);
    for reduction in &reductions {
        let part = ruler.judge(&compiled, &suite, Some(&reduction.kept))?;
        compare(&whole, &part, reduction.algorithm)?;
    }
    let smallest = reductions
        .iter()
        .min_by_key(|reduction| (reduction.kept.len(), suite.count_steps(&reduction.kept)));
    let written = match (arguments.output.as_deref(), smallest) {
        (Some(path), Some(smallest)) => {
            writer::write(path, &suite, &smallest.kept)?;
            Some((path, smallest.algorithm))
        }
        _ => None,
    };

    let report = Report::new(&loaded, &suite, &whole.assessment, &criteria, &reductions, written);
    let mut beside = output.beside();
    let words = if arguments.format == Format::Json { &mut beside } else { &mut *output };
    for remark in &loaded.remarks {
        words.remark(format_args!("{remark}"))?;
    }
    whole.write_remarks(words)?;
    match arguments.format {
        Format::Json => output.write_text(&report.to_json())?,
        Format::Text => report.write(output)?,
    }
    // Standard output stays the same from run to run.
    beside.remark(format_args!("{}", report::timing(measured, &reductions)))?;
    beside.finish()?;
    Ok(Exit::Success)
}

/// The criteria asked for. Mutants take runs of their own, so they are refused where they alone
/// are asked for and no part of all.
fn criteria(arguments: &ReduceArgs) -> Result<Vec<Criterion>, CliError> {
    let mut criteria = arguments.criteria();
    criteria.retain(|criterion| !matches!(criterion, Criterion::Mutation(_)));
    if criteria.is_empty() {
        return Err(CliError::from(Error::Input {
            message: "mutation coverage is not measured here, where no mutant runs".to_owned(),
            way_out: "name another criterion".to_owned(),
        }));
    }
    Ok(criteria)
}

/// Complains if a smaller suite does not cover the very obligations that the whole one does.
fn compare(whole: &Judged, part: &Judged, algorithm: &str) -> Result<(), CliError> {
    let obligations = &whole.assessment.plan.obligations;
    let verdicts = whole.covered().zip(part.covered());
    match obligations.iter().zip(verdicts).find(|(_, (before, after))| before != after) {
        None => Ok(()),
        Some((obligation, _)) => Err(CliError::from(Error::Internal(format!(
            "the suite that the {algorithm} reduction kept differs on {}",
            obligation.key
        )))),
    }
}
