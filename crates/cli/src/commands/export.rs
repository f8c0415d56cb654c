//! `obligato export`: a suite as the source or the file of another test tool.
//!
//! [`unit`] and [`model`] run the suite and make plain data of it; `obligato_export` writes that as text.

use std::path::Path;

use obligato_export::ExportedFile;
use obligato_store::file;

use crate::args::{ExportArgs, ExportFormat, Language, format_word};
use crate::error::CliError;
use crate::exit::Exit;
use crate::output::{Output, counted, printable};
use obligato::Error;
use obligato::directory::ensure_directory;

mod exporter;
mod memory;
mod model;
mod places;
mod unit;

/// Runs the suite and writes it.
pub fn run(arguments: &ExportArgs, output: &mut Output) -> Result<Exit, CliError> {
    match arguments.subject.language() {
        Language::C => unit::export(arguments, output),
        Language::Lustre | Language::Commands => model::export(arguments, output),
    }
}

/// That a format is not for this language.
fn refuse_format(format: ExportFormat, language: &str, others: &str) -> CliError {
    let word = format_word(&format);
    CliError::from(Error::Input {
        message: format!("{word} is not for {language}"),
        way_out: format!("--as takes {others} here"),
    })
}

/// The directory that files go into.
fn directory_of(arguments: &ExportArgs) -> Result<&Path, CliError> {
    arguments.output.as_deref().ok_or_else(|| {
        CliError::from(Error::Input {
            message: format!("{} is several files", format_word(&arguments.target)),
            way_out: "name a directory for them, as in -o tests".to_owned(),
        })
    })
}

/// Writes files into a directory, all of them or none, and says so.
fn write_files(
    directory: &Path,
    files: &[ExportedFile],
    output: &mut Output,
) -> Result<(), CliError> {
    ensure_directory(directory)?;
    let paths: Vec<_> = files.iter().map(|file| directory.join(&file.name)).collect();
    let both: Vec<(&Path, &[u8])> = paths
        .iter()
        .zip(files)
        .map(|(path, file)| (path.as_path(), file.bytes.as_slice()))
        .collect();
    file::write_together(&both)?;
    let first = paths.first().map_or(directory, AsRef::as_ref).display().to_string();
    let more = match paths.len() {
        0 | 1 => String::new(),
        2 => format!(" and {} beside it", files[1].name),
        count => format!(" and {} beside it", counted(count - 1, "file")),
    };
    output.remark(format_args!("Written: {}{more}", printable(&first)))
}
