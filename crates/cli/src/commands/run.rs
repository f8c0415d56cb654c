//! `obligato run`: a suite on a Lustre model or a C function.

use std::io::{IsTerminal as _, stdout};

use obligato::progress::{OnProgress, ignore};
use obligato::run::{PreparedRun, ProgramFindings, RanTest, RunRequest};

use crate::args::{RunArgs, RunFormat};
use crate::error::CliError;
use crate::exit::Exit;
use crate::interrupt::stop_on_signals;
use crate::output::Output;
use crate::progress::progress_line;

mod summary;
mod writer;

use summary::Lists;
use writer::Writer;

/// Runs the suite and prints what happened.
pub fn run(arguments: &RunArgs, output: &mut Output) -> Result<Exit, CliError> {
    let request = RunRequest {
        subject: arguments.subject.options(),
        tests: arguments.tests.clone(),
        format: arguments.from.map(Into::into),
        show: arguments.show.clone(),
    };
    let stop = stop_on_signals()?;
    let prepared = PreparedRun::new(&request, &stop)?;
    let mut writer = Writer::new(arguments, &prepared.subject)?;
    // Words about a result that itself goes to standard output stand beside it.
    let beside = arguments.output.is_none() && arguments.format() != RunFormat::Table;
    let mut words = beside.then(|| output.beside());
    for remark in &prepared.remarks {
        words.as_mut().unwrap_or(output).remark(format_args!("{remark}"))?;
    }

    let mut lists = Lists::default();
    let mut line = progress_line(output.verbosity());
    let shows_progress = shows_progress(arguments);
    let on_progress: OnProgress<'_> = if shows_progress { &mut line } else { &mut ignore };
    let on_test = |test: RanTest| {
        writer.write(&test, output)?;
        lists.take(&test, &prepared.subject);
        Ok::<(), CliError>(())
    };
    let summary = prepared.run(on_test, &stop, on_progress)?;
    drop(line);
    writer.finish(output)?;

    let words = words.as_mut().unwrap_or(output);
    match &summary.found {
        // JSON has everything in it that was found of a model.
        ProgramFindings::Model(_) if beside && arguments.format() == RunFormat::Json => {}
        ProgramFindings::Model(failed) => {
            let format = arguments.format();
            summary::write_model(&prepared.subject, &summary, failed, &lists, format, words)?;
        }
        ProgramFindings::Unit(found) => {
            summary::write_unit(&prepared.subject, &summary, found, &lists, words)?;
        }
    }
    words.finish()?;
    let agreed = match &summary.found {
        ProgramFindings::Model(_) => true,
        ProgramFindings::Unit(found) => found.agreement.is_full(),
    };
    let failed = summary.differences > 0 && !arguments.no_fail;
    Ok(if !agreed {
        Exit::ToolError
    } else if failed || (arguments.fail_on_fault && summary.any_fault()) {
        Exit::Failed
    } else {
        Exit::Success
    })
}

/// Not where the run itself scrolls by.
fn shows_progress(arguments: &RunArgs) -> bool {
    let printed = arguments.output.is_none();
    !(printed && (arguments.format() == RunFormat::Table || stdout().is_terminal()))
}
