//! What the tests share: reading a C file, golden files.
#![allow(dead_code, unused_imports, reason = "each test uses a part of it")]

pub mod debug;
pub mod plan;

use std::fs;
use std::path::Path;

use obligato_clang::{Flags, Limits, Source};
pub use obligato_test_support::{assert_golden, crate_directory};

/// A C file with these flags.
pub fn source(directory: &Path, file: &str, flags: &[&str]) -> Source {
    let flags: Vec<String> = flags.iter().map(|&flag| flag.to_owned()).collect();
    Source {
        file: file.into(),
        directory: directory.to_owned(),
        flags: Flags::new(&flags).expect("flags of a test"),
        limits: Limits::default(),
    }
}

/// The names of the files with this extension in a directory, without it.
pub fn names_in(directory: &Path, extension: &str) -> Vec<String> {
    let entries = fs::read_dir(directory).expect("a directory of the tests");
    let paths = entries.map(|entry| entry.expect("an entry").path());
    let mut names: Vec<String> = paths
        .filter(|path| path.extension().is_some_and(|found| found == extension))
        .map(|path| path.file_stem().expect("a file name").to_string_lossy().into_owned())
        .collect();
    names.sort();
    assert!(!names.is_empty(), "{} has no .{extension} files", directory.display());
    names
}
