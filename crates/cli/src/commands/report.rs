//! `obligato report`: a stored result as files for people and for other tools. `obligato::report` does the work.

use std::path::PathBuf;

use obligato::report::{ReportFile, ReportFormat, ReportRequest, report};

use crate::args::ReportArgs;
use crate::error::CliError;
use crate::exit::Exit;
use crate::interrupt::stop_on_signals;
use crate::output::{Output, counted, printable};

/// Renders, writes, says what was written.
pub fn run(arguments: &ReportArgs, output: &mut Output) -> Result<Exit, CliError> {
    let written = report(&request(arguments), &stop_on_signals()?)?;
    for note in &written.notes {
        output.remark(format_args!("note: {note}"))?;
    }
    for file in &written.files {
        let (path, size) = (printable(&file.path.display().to_string()), file.size);
        output.remark(format_args!("Written: {path} ({})", counted(size, "byte")))?;
    }
    Ok(Exit::Success)
}

fn request(arguments: &ReportArgs) -> ReportRequest {
    let asked: [(&Option<PathBuf>, ReportFormat); 7] = [
        (&arguments.html, ReportFormat::Html),
        (&arguments.lcov, ReportFormat::Lcov),
        (&arguments.cobertura, ReportFormat::Cobertura),
        (&arguments.json, ReportFormat::Json),
        (&arguments.sarif, ReportFormat::Sarif),
        (&arguments.junit, ReportFormat::Junit),
        (&arguments.markdown, ReportFormat::Markdown),
    ];
    let files = asked
        .into_iter()
        .filter_map(|(path, format)| Some(ReportFile { format, path: path.clone()? }));
    ReportRequest { store: arguments.store.clone(), files: files.collect() }
}
