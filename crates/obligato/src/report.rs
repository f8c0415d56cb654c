//! A stored result as files for people and for other tools.
//!
//! [`load`] reads the store, the formats are rendered by `crates/report`, and [`report`] writes all files together.

use std::path::{Path, PathBuf};

use obligato_model::{TestCase, Variable};
use obligato_report::{
    RecordedTests, TestValues, cobertura, html, json, junit, lcov, markdown, sarif,
};
use obligato_store::file::write_together;
use obligato_store::{StoreError, SuiteFile, details, evidence, result, suite, text_of, timeline};

use crate::campaign::{Stop, unless_stopped};
use crate::error::Error;
use crate::storage;

pub use obligato_report::Report;

/// Which stored result to render, and into which files.
#[derive(Debug, Clone, Default)]
pub struct ReportRequest {
    /// The directory of the stored result.
    pub store: PathBuf,
    /// The files to write, each with its format.
    pub files: Vec<ReportFile>,
}

/// A file to write.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReportFile {
    /// What it holds.
    pub format: ReportFormat,
    /// Where it is.
    pub path: PathBuf,
}

/// A format of reports.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReportFormat {
    /// One self-contained page: source, truth tables, tests, proofs.
    Html,
    /// A trace of lcov 2: lines, branches, MC/DC.
    Lcov,
    /// Cobertura's XML, with MC/DC as branches.
    Cobertura,
    /// Everything that is known, as JSON.
    Json,
    /// A SARIF log of what no test covers.
    Sarif,
    /// XML as `JUnit` writes it, a test case per test.
    Junit,
    /// Markdown for a comment on a pull request.
    Markdown,
}

impl ReportFormat {
    /// A report as text of this format.
    pub fn render(self, report: &Report) -> String {
        match self {
            Self::Html => html::render(report),
            Self::Lcov => lcov::render(report),
            Self::Cobertura => cobertura::render(report),
            Self::Json => json::render(report),
            Self::Sarif => sarif::render(report),
            Self::Junit => junit::render(report),
            Self::Markdown => markdown::render(report),
        }
    }
}

/// Files that were written.
#[derive(Debug)]
pub struct WrittenReports {
    /// What reports do not show, and why: documents in the store that belong to another run.
    pub notes: Vec<String>,
    /// The files, in the order of the request.
    pub files: Vec<WrittenReport>,
}

/// A file that was written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WrittenReport {
    /// Where it is.
    pub path: PathBuf,
    /// Its size in bytes.
    pub size: usize,
}

/// Renders a stored result, and writes the files; none if `stop` comes before all are rendered. Nothing runs again; the same
/// store gives the same bytes.
///
/// ```
/// use obligato::campaign::Stop;
/// use obligato::judge::{JudgeRequest, JudgeSubject, judge};
/// use obligato::judging::JudgingOptions;
/// use obligato::report::{ReportFile, ReportFormat, ReportRequest, report};
///
/// let directory = tempfile::tempdir()?;
/// let store = directory.path().join("store");
/// let tests = directory.path().join("suite.csv");
/// std::fs::write(&tests, "x,y\n# both\n1,1\n")?;
/// let subject = JudgeSubject::Decisions { texts: vec!["x && y".to_owned()], tests };
/// let criteria = JudgingOptions::new(["decision".parse()?]);
/// let judging = JudgingOptions { store: Some(store.clone()), ..criteria };
/// judge(&JudgeRequest { subject, judging }, &Stop::never())?;
///
/// let path = directory.path().join("comment.md");
/// let comment = ReportFile { format: ReportFormat::Markdown, path };
/// let written = report(&ReportRequest { store, files: vec![comment] }, &Stop::never())?;
/// let text = std::fs::read_to_string(&written.files[0].path)?;
/// assert!(text.starts_with("### Coverage of "));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn report(request: &ReportRequest, stop: &Stop) -> Result<WrittenReports, Error> {
    let report = load(&request.store)?;
    refuse_same(&request.files)?;
    let render = |file: &ReportFile| unless_stopped(stop).map(|()| file.format.render(&report));
    let texts: Vec<String> = request.files.iter().map(render).collect::<Result<_, _>>()?;
    unless_stopped(stop)?;
    let named = request.files.iter().zip(&texts);
    let files: Vec<(&Path, &[u8])> =
        named.map(|(file, text)| (file.path.as_path(), text.as_bytes())).collect();
    write_together(&files)?;
    let written = files
        .iter()
        .map(|(path, text)| WrittenReport { path: (*path).to_owned(), size: text.len() });
    Ok(WrittenReports { files: written.collect(), notes: report.notes })
}

/// Reads the documents of a store. The report leaves out, and says, what belongs to another run.
pub fn load(directory: &Path) -> Result<Report, Error> {
    let path = directory.join(storage::RESULT);
    if !path.exists() {
        return Err(Error::Input {
            message: format!("{}: no result is stored here", directory.display()),
            way_out: "'obligato judge', 'measure' and 'generate' store one; --store says where"
                .to_owned(),
        });
    }
    let found = result::load(&path)?;
    let details = load_if_there(directory, storage::DETAILS, details::load)?;
    let tests = load_if_there(directory, storage::SUITE, load_tests)?;
    let timeline = load_if_there(directory, storage::TIMELINE, timeline::load)?;
    let evidence = load_if_there(directory, storage::EVIDENCE, evidence::load)?;
    Ok(Report::new(found, details, tests).with_timeline(timeline).with_evidence(evidence))
}

fn load_if_there<T>(
    directory: &Path,
    name: &str,
    load: impl Fn(&Path) -> Result<T, StoreError>,
) -> Result<Option<T>, StoreError> {
    let path = directory.join(name);
    path.exists().then(|| load(&path)).transpose()
}

/// Tests with their values as text.
fn load_tests(path: &Path) -> Result<RecordedTests, StoreError> {
    let file = SuiteFile::read(path)?;
    let signature = file.own_signature()?;
    let names =
        |variables: &[Variable]| variables.iter().map(|variable| variable.name.clone()).collect();
    let recorded = |test: TestCase| TestValues {
        name: test.name,
        steps: test
            .steps
            .iter()
            .map(|step| step.iter().map(|value| value.as_ref().map(text_of)).collect())
            .collect(),
    };
    let tests = file.tests_for(&signature, suite::Format::Json)?;
    Ok(RecordedTests {
        inputs: names(signature.inputs()),
        outputs: names(signature.outputs()),
        tests: tests.map(|test| test.map(recorded)).collect::<Result<_, _>>()?,
    })
}

/// Two formats in one file would leave only one of them.
fn refuse_same(files: &[ReportFile]) -> Result<(), Error> {
    for (index, file) in files.iter().enumerate() {
        if files[..index].iter().any(|other| other.path == file.path) {
            return Err(Error::Input {
                message: format!("{} is named for two formats", file.path.display()),
                way_out: "give each a file of its own".to_owned(),
            });
        }
    }
    Ok(())
}
