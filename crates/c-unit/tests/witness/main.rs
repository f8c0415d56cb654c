//! clang's own MC/DC as an independent witness: the same text, the same tests, and per condition the same verdict
//! and the same numbers of outcomes. What clang drops and we keep is listed in `dropped.txt`.

#![expect(clippy::unwrap_used, reason = "the functions around the tests are tests too")]

mod agreement;
mod cbmc;
mod coverage;
mod expressions;
mod replay;
#[path = "../support/suite.rs"]
mod suite;

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use agreement::compare;
use obligato_c_unit::{LoadOptions, Unit};
use obligato_clang::{Flags, Limits, Source};
use obligato_test_support::{assert_golden, crate_directory};
use suite::read_suite;

fn source(directory: &Path, file: &str) -> Source {
    Source {
        file: file.into(),
        directory: directory.to_owned(),
        flags: Flags::new(&[]).unwrap(),
        limits: Limits::default(),
    }
}

#[test]
fn clang_says_the_same_of_the_corpus_and_what_it_drops_is_known() {
    let tests = crate_directory().join("tests");
    let corpus = tests.join("corpus");
    let mut files: Vec<PathBuf> =
        fs::read_dir(&corpus).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "c"));
    // Its tests end in undefined shifts, behind which the program of clang goes on; the sanitizers are its witness.
    files.retain(|file| !file.ends_with("shifts.c"));
    files.sort();
    let (mut problems, mut dropped) = (Vec::new(), String::new());
    let (mut conditions, mut covered, mut branches) = (0, 0, 0);
    for file in files {
        let name = file.file_name().unwrap().to_str().unwrap().to_owned();
        let (function, rows) = read_suite(&fs::read_to_string(&file).unwrap());
        let source = source(&corpus, &name);
        let unit = Unit::load(&source, LoadOptions::default()).unwrap();
        let comparison = compare(&source, &unit, &function, &rows, &[]);
        problems.extend(comparison.problems.iter().map(|problem| format!("{name}: {problem}")));
        conditions += comparison.conditions;
        covered += comparison.covered;
        branches += comparison.branches;
        for (text, reason) in comparison.dropped {
            let _ = writeln!(dropped, "{name}: `{text}`: {reason}");
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
    assert!(covered > 50 && conditions > covered + 10 && branches > 100, "too little is compared");
    assert_golden(&tests.join("witness/dropped.txt"), &dropped);
    let page = fs::read_to_string(tests.join("../../../docs/clang-mcdc.md")).unwrap();
    for line in dropped.lines() {
        let reason = line.rsplit("`: ").next().unwrap();
        assert!(page.contains(reason), "docs/clang-mcdc.md says nothing of: {reason}");
    }
}

#[test]
fn clang_says_the_same_of_random_decisions() {
    let directory = tempfile::tempdir().unwrap();
    let (mut conditions, mut covered) = (0, 0);
    for seed in 1..=3 {
        let (text, rows) = expressions::draw(seed);
        fs::write(directory.path().join("random.c"), &text).unwrap();
        let source = source(directory.path(), "random.c");
        let unit = Unit::load(&source, LoadOptions::default()).unwrap();
        let comparison = compare(&source, &unit, "subject", &rows, &[]);
        assert!(comparison.problems.is_empty(), "{text}\n{}", comparison.problems.join("\n"));
        for (decision, reason) in comparison.dropped {
            assert!(!reason.starts_with("no reason"), "{decision}");
        }
        conditions += comparison.conditions;
        covered += comparison.covered;
    }
    assert!(covered > 200 && conditions > 800, "{covered} of {conditions} covered");
}
