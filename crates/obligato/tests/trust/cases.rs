//! The corpus: marked functions in `corpus/*.c`, each with a driver that says what a caller and the environment can do.
//!
//! A file has several cases. `//// NAME: EXPECTATION` begins one, `//// driver` its driver. Before the first case and below these lines stand
//! comments for people. The driver defines `step`, which chooses inputs and calls the function under test, `f`.

use std::fs;
use std::path::Path;

use crate::marked::Marked;
use crate::oracle::Driven;

/// What is asked of the verdicts of a case beyond that none is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expectation {
    /// What happens is covered, what never happens is uncoverable.
    Exact,
    /// What happens is covered.
    Covered,
    /// Nothing: what happens may be left unresolved, and so may what never happens.
    Sound,
}

/// A case of the corpus.
pub struct Case {
    pub name: String,
    pub expectation: Expectation,
    pub driven: Driven,
}

/// All cases, in the order of the files.
pub fn read(directory: &Path) -> Vec<Case> {
    let mut files: Vec<_> = fs::read_dir(directory)
        .expect("the corpus can be read")
        .map(|entry| entry.expect("the corpus can be read").path())
        .collect();
    files.sort();
    let mut cases = Vec::new();
    for file in files {
        let text = fs::read_to_string(&file).expect("a file of the corpus can be read");
        let topic = file.file_stem().expect("a name").to_string_lossy().into_owned();
        let mut parts = text.split("\n//// ").skip(1);
        while let (Some(unit), Some(driver)) = (parts.next(), parts.next()) {
            cases.push(case(&topic, unit, driver));
        }
    }
    cases
}

fn case(topic: &str, unit: &str, driver: &str) -> Case {
    let (head, unit) = unit.split_once('\n').expect("a case has lines");
    let (name, expectation) = head.split_once(": ").expect("a case has a name and an expectation");
    let expectation = match expectation {
        "exact" => Expectation::Exact,
        "covered" => Expectation::Covered,
        "sound" => Expectation::Sound,
        word => panic!("{name}: '{word}' is no expectation"),
    };
    let driver = driver.strip_prefix("driver\n").unwrap_or_else(|| panic!("{name}: no driver"));
    // Static storage is the state: the linker knows where it is.
    let driver = format!("extern char __data_start[], _end[];\n{driver}");
    Case {
        name: format!("{topic}/{name}"),
        expectation,
        driven: Driven {
            marked: Marked::read(unit, 0),
            first: 0,
            driver,
            step: "step".to_owned(),
            state: ["__data_start".to_owned(), "_end".to_owned()],
        },
    }
}
