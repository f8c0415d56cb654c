//! A suite as the source or the file of another test tool.
//!
//! [`unit`] and [`model`] run the suite and make plain data of it; `obligato_export` writes that as text.

use std::path::{Path, PathBuf};

use obligato_export::ExportedFile;
use obligato_store::file::{self, Draft, replace_together};
use obligato_store::suite;

pub use obligato_export::unit::ExpectedEnding;

use crate::campaign::{Stop, or_stopped, unless_stopped};
use crate::directory::ensure_directory;
use crate::error::Error;
use crate::failures::FailedCheck;
use crate::language::Command;
use crate::subject::{FileLanguage, SubjectOptions};
use crate::unit::Agreement;

mod environment;
mod exporter;
mod format;
mod memory;
mod model;
mod places;
mod unit;
mod writes;

pub use format::ExportFormat;

/// What to write, and as what.
#[derive(Debug, Clone)]
pub struct ExportRequest {
    /// The program.
    pub subject: SubjectOptions,
    /// The suite. One that expects other outputs than the program has is refused.
    pub tests: PathBuf,
    /// What the suite is, whatever its name.
    pub from: Option<suite::Format>,
    /// What to write it as.
    pub format: ExportFormat,
    /// The directory to write into, made if it does not exist; of a suite, the file. Only a suite needs none.
    pub output: Option<PathBuf>,
}

/// A suite that was exported.
#[derive(Debug, Clone)]
pub struct Exported {
    /// The program's file, as it was given.
    pub path: String,
    /// Where the suite is now.
    pub written: Written,
    /// So many tests.
    pub tests: usize,
    /// So many steps, in all tests together.
    pub steps: usize,
    /// What is to be known of the program.
    pub remarks: Vec<String>,
    /// What the tests did.
    pub found: ExportFindings,
}

/// Where an exported suite is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Written {
    /// In these files.
    Files(Vec<PathBuf>),
    /// Here, as no file was named.
    Text(String),
}

/// What the tests of an exported suite did.
#[derive(Debug, Clone)]
pub enum ExportFindings {
    /// The checks of a model that they failed.
    Model(Vec<FailedCheck>),
    /// Of a C function.
    Unit(ExportedUnit),
}

/// What the tests of a C function did.
#[derive(Debug, Clone)]
pub struct ExportedUnit {
    /// The function.
    pub function: String,
    /// The tests in which the function does not return, for formats that expect this.
    pub endings: Vec<ExpectedTestEnding>,
    /// Whether machine code does the same. Tests in which it does not are left out.
    pub agreement: Agreement,
}

/// How a test is expected to end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExpectedTestEnding {
    /// Its name.
    pub test: String,
    /// How it ends.
    pub ending: ExpectedEnding,
}

/// Runs the suite and writes it, with what the program gave for its outputs as what is expected.
///
/// ```
/// use obligato::export::{ExportFormat, ExportRequest, Written, export};
/// use obligato::{Stop, subject::SubjectOptions};
///
/// let directory = tempfile::tempdir()?;
/// let (model, tests) = (directory.path().join("both.lus"), directory.path().join("suite.csv"));
/// std::fs::write(&model, "node both(a, b: bool) returns (c: bool); let c = a and b; tel")?;
/// std::fs::write(&tests, "a,b\ntrue,true\n")?;
/// let subject = SubjectOptions::new(model);
/// let format = ExportFormat::Csv;
/// let request = ExportRequest { subject, tests, from: None, format, output: None };
/// let exported = export(&request, &Stop::never())?;
/// let Written::Text(text) = exported.written else { unreachable!() };
/// assert!(text.ends_with("true,true,true\n"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn export(request: &ExportRequest, stop: &Stop) -> Result<Exported, Error> {
    unless_stopped(stop)?;
    let exported = match request.subject.expect_language(Command::Export)? {
        FileLanguage::C => unit::export(request, stop),
        _ => model::export(request, stop),
    };
    or_stopped(exported, stop)
}

/// That a format is not for this language.
fn refuse_format(format: ExportFormat, language: &str, others: &str) -> Error {
    Error::Input {
        message: format!("{} is not for {language}", format.word()),
        way_out: format!("--as takes {others} here"),
    }
}

/// The directory that files go into.
fn directory_of(request: &ExportRequest) -> Result<&Path, Error> {
    request.output.as_deref().ok_or_else(|| Error::Input {
        message: format!("{} is several files", request.format.word()),
        way_out: "name a directory for them, as in -o tests".to_owned(),
    })
}

/// Writes files into a directory, all of them or none.
fn write_files(directory: &Path, files: &[ExportedFile]) -> Result<Written, Error> {
    ensure_directory(directory)?;
    let paths: Vec<_> = files.iter().map(|file| directory.join(&file.name)).collect();
    let both: Vec<(&Path, &[u8])> = paths
        .iter()
        .zip(files)
        .map(|(path, file)| (path.as_path(), file.bytes.as_slice()))
        .collect();
    file::write_together(&both)?;
    Ok(Written::Files(paths))
}

/// Into a file, if one is named.
fn write_text(path: Option<&Path>, text: String) -> Result<Written, Error> {
    let Some(path) = path else { return Ok(Written::Text(text)) };
    let mut draft = Draft::create(path)?;
    draft.write(text.as_bytes())?;
    replace_together(vec![draft])?;
    Ok(Written::Files(vec![path.to_owned()]))
}
