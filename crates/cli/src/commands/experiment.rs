//! `obligato experiment`: how many mutants suites kill that are just large enough for a criterion.
//!
//! [`stages`] shows what it is at, [`summary`] says the most important of what was found; [`strategies`] is
//! the experiment on C functions.

use std::num::NonZeroUsize;
use std::thread::available_parallelism;

use obligato::campaign::Stop;
use obligato::experiment::{ExperimentRequest, experiment};

use crate::args::{ExperimentArgs, Paper};
use crate::error::CliError;
use crate::exit::Exit;
use crate::output::{Output, counted, printable};

mod stages;
mod strategies;
mod summary;

use stages::Stages;

/// Runs the experiment and says what it found.
pub fn run(arguments: &ExperimentArgs, output: &mut Output) -> Result<Exit, CliError> {
    if let Some(Paper::Caut) = arguments.paper {
        return strategies::run(arguments, output);
    }
    let mut stages = Stages::new(output.verbosity());
    // Half an experiment says nothing, so that nothing ends it but the end of the process.
    let stop = Stop::never();
    let found = experiment(&request(arguments), &stop, &mut |stage| stages.show(stage))?;
    stages.end();
    for remark in &found.remarks {
        output.remark(format_args!("{remark}"))?;
    }
    summary::write(&found.experiment, output)?;
    if let Some(report) = found.files.first() {
        let (report, others) =
            (report.display().to_string(), counted(found.files.len() - 1, "file"));
        output.remark(format_args!("\nWritten: {} and {others} beside it", printable(&report)))?;
    }
    Ok(Exit::Success)
}

fn request(arguments: &ExperimentArgs) -> ExperimentRequest {
    ExperimentRequest {
        subjects: arguments.subjects(),
        pool: arguments.pool(),
        criteria: arguments.criteria(),
        oracles: arguments.oracles(),
        structures: arguments.structures(),
        mutants: arguments.count,
        reductions: arguments.reductions,
        equivalence: arguments.equivalence,
        seed: arguments.seed,
        threads: available_parallelism().map_or(1, NonZeroUsize::get),
        output: arguments.output.clone(),
    }
}
