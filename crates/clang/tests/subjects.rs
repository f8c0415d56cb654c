//! Real units: all that is read of them fits what is compiled of them.
//!
//! Where the sources come from is said in `obligato_test_support::subjects`.

mod support;

use obligato_clang::{BooleanOperators, Syntax, Text};
use obligato_test_support::subjects;
use support::debug::{misplaced, places};
use support::source;

/// The files of the subjects with their flags, each once; none if they were not fetched.
fn files() -> Vec<(String, Vec<String>)> {
    let mut files: Vec<(String, Vec<String>)> = Vec::new();
    for subject in subjects::listed() {
        if !files.iter().any(|(known, _)| *known == subject.file) {
            files.push((subject.file, subject.flags));
        }
    }
    files
}

#[test]
fn every_condition_of_real_units_has_code_at_its_place() {
    let root = subjects::root();
    for (file, flags) in files() {
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
