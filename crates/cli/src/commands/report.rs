//! `obligato report`: a stored result as files for people and for other tools.
//!
//! The store is read, the formats are rendered by `crates/report`, and all files are written together.

use std::path::{Path, PathBuf};

use obligato_model::TestCase;
use obligato_report::{
    RecordedTest, RecordedTests, Report, cobertura, html, json, junit, lcov, markdown, sarif,
};
use obligato_store::file::write_together;
use obligato_store::{StoreError, SuiteFile, details, result, suite, text_of, timeline};

use crate::args::ReportArgs;
use crate::error::CliError;
use crate::exit::Exit;
use crate::output::{Output, counted, printable};
use obligato::Error;
use obligato::storage;

/// A format: a report becomes text.
type Render = fn(&Report) -> String;

/// Reads, renders, writes.
pub fn run(arguments: &ReportArgs, output: &mut Output) -> Result<Exit, CliError> {
    let report = read(&arguments.store)?;
    let asked: [(&Option<PathBuf>, Render); 7] = [
        (&arguments.html, html::render),
        (&arguments.lcov, lcov::render),
        (&arguments.cobertura, cobertura::render),
        (&arguments.json, json::render),
        (&arguments.sarif, sarif::render),
        (&arguments.junit, junit::render),
        (&arguments.markdown, markdown::render),
    ];
    let asked = asked.into_iter().filter_map(|(path, render)| Some((path.as_deref()?, render)));
    let rendered: Vec<(&Path, String)> =
        asked.map(|(path, render)| (path, render(&report))).collect();
    refuse_same(&rendered)?;
    let files: Vec<(&Path, &[u8])> =
        rendered.iter().map(|(path, text)| (*path, text.as_bytes())).collect();
    write_together(&files)?;
    for note in &report.notes {
        output.remark(format_args!("note: {note}"))?;
    }
    for (path, text) in &rendered {
        let (path, size) = (printable(&path.display().to_string()), text.len());
        output.remark(format_args!("Written: {path} ({})", counted(size, "byte")))?;
    }
    Ok(Exit::Success)
}

/// The documents of a store.
fn read(directory: &Path) -> Result<Report, CliError> {
    let path = directory.join(storage::RESULT);
    if !path.exists() {
        return Err(CliError::from(Error::Input {
            message: format!("{}: no result is stored here", directory.display()),
            way_out: "'obligato judge', 'measure' and 'generate' store one; --store says where"
                .to_owned(),
        }));
    }
    let found = result::load(&path)?;
    let details = load_if_there(directory, storage::DETAILS, details::load)?;
    let tests = load_if_there(directory, storage::SUITE, load_tests)?;
    let timeline = load_if_there(directory, storage::TIMELINE, timeline::load)?;
    Ok(Report::new(found, details, tests).with_timeline(timeline))
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
    let names = |variables: &[obligato_model::Variable]| {
        variables.iter().map(|variable| variable.name.clone()).collect()
    };
    let recorded = |test: TestCase| RecordedTest {
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
fn refuse_same(rendered: &[(&Path, String)]) -> Result<(), CliError> {
    for (index, (path, _)) in rendered.iter().enumerate() {
        if rendered[..index].iter().any(|(other, _)| other == path) {
            return Err(CliError::from(Error::Input {
                message: format!("{} is named for two formats", path.display()),
                way_out: "give each a file of its own".to_owned(),
            }));
        }
    }
    Ok(())
}
