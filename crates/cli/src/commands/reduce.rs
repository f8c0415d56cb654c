//! `obligato reduce`: fewer tests with the same coverage. [`report`] shows the sizes side by side.

use obligato::reduce::{ReduceRequest, ReducedSuite, reduce};
use obligato::subject::RunFindings;

use crate::args::{Format, ReduceArgs};
use crate::error::CliError;
use crate::exit::Exit;
use crate::interrupt::stop_on_signals;
use crate::output::Output;
use crate::progress::progress_line;
use crate::rendering::unit::{write_agreement, write_endings};

mod report;

/// Reduces the suite and says how small it gets.
pub fn run(arguments: &ReduceArgs, output: &mut Output) -> Result<Exit, CliError> {
    let stop = stop_on_signals()?;
    let reduced = reduce(&request(arguments), &stop, &mut progress_line(output.verbosity()))?;
    let mut beside = output.beside();
    let words = if arguments.format == Format::Json { &mut beside } else { &mut *output };
    for remark in &reduced.remarks {
        words.remark(format_args!("{remark}"))?;
    }
    write_findings(&reduced, words)?;
    match arguments.format {
        Format::Json => output.write_text(&reduced.to_json())?,
        Format::Text => report::write(&reduced, output)?,
    }
    // Standard output stays the same from run to run.
    beside.remark(format_args!("{}", report::timing(&reduced)))?;
    beside.finish()?;
    Ok(match &reduced.findings {
        RunFindings::Unit { agreement, .. } if !agreement.is_full() => Exit::ToolError,
        _ => Exit::Success,
    })
}

/// Tests that count in part only, or not at all.
fn write_findings(reduced: &ReducedSuite, output: &mut Output) -> Result<(), CliError> {
    match &reduced.findings {
        RunFindings::Model { exhausted, .. } => report::write_exhausted(exhausted, output),
        RunFindings::Unit { endings, agreement, .. } => {
            write_endings(endings, output)?;
            write_agreement(agreement, output)
        }
        RunFindings::Elsewhere(_) => Ok(()),
    }
}

fn request(arguments: &ReduceArgs) -> ReduceRequest {
    ReduceRequest {
        subject: arguments.subject.options(),
        tests: arguments.tests.clone(),
        format: arguments.from.map(Into::into),
        criteria: arguments.criteria(),
        algorithms: arguments.algorithm.chosen(),
        seed: arguments.seed,
        reductions: arguments.reductions as usize,
        budget: arguments.budget,
        output: arguments.output.clone(),
    }
}
