//! What the tests share: reading a C file, golden files.
#![allow(dead_code)]

pub mod debug;
pub mod plan;

use std::path::{Path, PathBuf};
use std::{env, fs};

use obligato_clang::{Flags, Limits, Source};

/// The directory of this crate, which may not be where it was compiled.
pub fn crate_directory() -> PathBuf {
    PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets the directory"))
}

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

/// Compares with a golden file, or rewrites it if `BLESS` is set.
pub fn assert_golden(path: &Path, actual: &str) {
    if env::var_os("BLESS").is_some() {
        fs::write(path, actual).expect("a golden file can be written");
        return;
    }
    let expected = fs::read_to_string(path).unwrap_or_default();
    assert_eq!(actual, expected, "{} differs; BLESS=1 rewrites it", path.display());
}
