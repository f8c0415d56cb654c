//! Real units: all that is read of them fits what is compiled of them.
//!
//! The sources are fetched by `../shared/subjects/get`, into `../subjects` or into the directory that
//! `OBLIGATO_SUBJECTS` names.

mod support;

use std::path::PathBuf;
use std::{env, fs};

use obligato_clang::{BooleanOperators, Syntax, Text};
use support::debug::{misplaced, places};
use support::{crate_directory, source};

/// The files of the subjects with their flags, and where they are; none if they were not fetched.
#[allow(clippy::print_stdout, reason = "a test that is skipped says so")]
fn subjects() -> (PathBuf, Vec<(String, Vec<String>)>) {
    let beside = crate_directory().join("../../../subjects");
    let root = env::var_os("OBLIGATO_SUBJECTS").map_or(beside, PathBuf::from);
    let list = crate_directory().join("../../../shared/subjects/open.tsv");
    let (true, Ok(table)) = (root.is_dir(), fs::read_to_string(list)) else {
        println!("skipped: the subjects are not at ../subjects, and OBLIGATO_SUBJECTS names none");
        return (root, Vec::new());
    };
    let mut files: Vec<(String, Vec<String>)> = Vec::new();
    for row in table.lines().skip(1) {
        let columns: Vec<&str> = row.split('\t').collect();
        // The headers of this project are parts of one unit.
        let file =
            if columns[1].starts_with("opendbc") { "cfg/opendbc_unit.c" } else { columns[1] };
        let flags =
            columns[3].split(' ').filter(|flag| !flag.is_empty()).map(str::to_owned).collect();
        if !files.iter().any(|(known, _)| known == file) {
            files.push((file.to_owned(), flags));
        }
    }
    (root, files)
}

#[test]
fn every_condition_of_real_units_has_code_at_its_place() {
    let (root, files) = subjects();
    for (file, flags) in files {
        let flags: Vec<&str> = flags.iter().map(String::as_str).collect();
        let text =
            Text::read(&source(&root, &file, &flags)).unwrap_or_else(|error| panic!("{error}"));
        let syntax =
            Syntax::parse(&text, BooleanOperators::All).unwrap_or_else(|error| panic!("{error}"));
        let directory = tempfile::tempdir().expect("a directory");
        let places = places(&text, directory.path());
        let (with_code, misplaced) = misplaced(&text, &syntax, &places);
        assert!(with_code > 0, "{file} has no conditions");
        assert_eq!(misplaced, [""; 0], "{file}");
    }
}
