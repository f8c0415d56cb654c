//! The corpus: C files that begin with a comment with their tests. And C files that tests write themselves.

use std::fs;
use std::path::{Path, PathBuf};

use obligato_c_unit::{Interface, LoadError, LoadOptions, RunOptions, Unit};
use obligato_clang::{Flags, Limits, Source};
use obligato_model::Suite;
use obligato_test_support::{ScratchFile, crate_directory};

mod suite;

pub use suite::{Rows, read_suite, suite_for};

pub fn corpus() -> PathBuf {
    crate_directory().join("tests/corpus")
}

/// The names of its C files, sorted.
pub fn corpus_files() -> Vec<String> {
    let entries = fs::read_dir(corpus()).unwrap().map(|entry| entry.unwrap().file_name());
    let mut files: Vec<String> = entries.map(|name| name.into_string().unwrap()).collect();
    files.retain(|file| Path::new(file).extension().is_some_and(|extension| extension == "c"));
    files.sort();
    assert!(!files.is_empty());
    files
}

pub fn source(file: &str) -> Source {
    source_in(&corpus(), file)
}

/// Loads a C file `f.c` with this text.
pub fn load(text: &str, options: LoadOptions) -> Result<Unit, LoadError> {
    let file = ScratchFile::new("f.c", text);
    Unit::load(&source_in(file.directory(), "f.c"), options)
}

fn source_in(directory: &Path, file: &str) -> Source {
    Source {
        file: file.into(),
        directory: directory.to_owned(),
        flags: Flags::new(&[]).unwrap(),
        limits: Limits::default(),
    }
}

/// Those that end well before the limit of operations: where a test meets it depends on what is watched.
pub fn without_long_tests(
    unit: &Unit,
    interface: &Interface,
    suite: &Suite,
    options: RunOptions,
) -> Suite {
    let runs = unit.run(interface, suite, options).unwrap();
    let tests = suite.tests.iter().zip(runs);
    let short = tests.filter(|(_, run)| run.operations < options.limits.steps / 4);
    let tests = short.map(|(test, _)| test.clone()).collect();
    Suite { inputs: suite.inputs.clone(), tests }
}
