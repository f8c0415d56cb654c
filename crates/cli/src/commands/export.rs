//! `obligato export`: a suite as the source or the file of another test tool.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use obligato::export::{
    ExpectedEnding, ExpectedTestEnding, ExportFindings, ExportRequest, Exported, ExportedUnit,
    Written, export,
};

use crate::args::ExportArgs;
use crate::error::CliError;
use crate::exit::Exit;
use crate::interrupt::stop_on_signals;
use crate::output::{Output, counted, printable};
use crate::rendering::model::write_checks;
use crate::rendering::unit::write_agreement;

/// Runs the suite, writes it, and says so.
pub fn run(arguments: &ExportArgs, output: &mut Output) -> Result<Exit, CliError> {
    let request = ExportRequest {
        subject: arguments.subject.options(),
        tests: arguments.tests.clone(),
        from: arguments.from.map(Into::into),
        format: arguments.target,
        output: arguments.output.clone(),
    };
    let exported = export(&request, &stop_on_signals()?)?;
    let Exported { path, written, tests, steps, remarks, found } = exported;
    if let ExportFindings::Model(_) = found {
        for remark in &remarks {
            output.beside().remark(format_args!("{remark}"))?;
        }
    }
    // Words about a result that itself goes to standard output stand beside it.
    let mut beside = None;
    match &written {
        Written::Text(text) => {
            output.write_text(text)?;
            beside = Some(output.beside());
        }
        Written::Files(paths) => write_paths(paths, arguments.output.as_deref(), output)?,
    }
    let words = beside.as_mut().unwrap_or(output);
    let (path, tests) = (printable(&path), counted(tests, "test"));
    let exit = match &found {
        ExportFindings::Model(failed) => {
            write_checks(failed, words)?;
            words.remark(format_args!("{path}: {tests}, {}", counted(steps, "step")))?;
            Exit::Success
        }
        ExportFindings::Unit(ExportedUnit { function, endings, agreement }) => {
            write_endings(endings, words)?;
            write_agreement(agreement, words)?;
            words.remark(format_args!("{path}: function {function}, {tests}"))?;
            if agreement.is_full() { Exit::Success } else { Exit::ToolError }
        }
    };
    words.finish()?;
    Ok(exit)
}

/// Says which files were written.
fn write_paths(
    paths: &[PathBuf],
    directory: Option<&Path>,
    output: &mut Output,
) -> Result<(), CliError> {
    let first = paths.first().map(PathBuf::as_path).or(directory).unwrap_or(Path::new(""));
    let more = match paths {
        [] | [_] => String::new(),
        [_, second] => {
            let name = second.file_name().unwrap_or_default();
            format!(" and {} beside it", name.to_string_lossy())
        }
        [_, others @ ..] => format!(" and {} beside it", counted(others.len(), "file")),
    };
    output.remark(format_args!("Written: {}{more}", printable(&first.display().to_string())))
}

/// Says which tests end the program, and which could not be written.
fn write_endings(endings: &[ExpectedTestEnding], output: &mut Output) -> Result<(), CliError> {
    for ExpectedTestEnding { test, ending } in endings {
        let name = printable(test);
        match ending {
            ExpectedEnding::Returns => {}
            ExpectedEnding::Exit(status) => {
                writeln!(output, "Expected to exit with {status}: {name}")?;
            }
            ExpectedEnding::Signal { name: signal, why } => {
                writeln!(output, "Expected to end by {signal}: {name}: {}", printable(why))?;
            }
            ExpectedEnding::Unrepeatable { why } => {
                writeln!(output, "Only in a comment, not run: {name}: {}", printable(why))?;
            }
        }
    }
    Ok(())
}
