//! Real C units, which `../shared/subjects/get` fetches into `../subjects` or into the directory that `OBLIGATO_SUBJECTS` names.
//! Their list is `../shared/subjects/open.tsv`, or what `OBLIGATO_LIST` names.

use std::path::PathBuf;
use std::{env, fs};

use crate::places::{repository, shared};

/// A function of a real unit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Subject {
    /// Its file, below the root of the subjects.
    pub file: String,
    /// The function under test.
    pub function: String,
    /// The flags of the compiler.
    pub flags: Vec<String>,
}

/// Where the sources are, or would be.
pub fn root() -> PathBuf {
    env::var_os("OBLIGATO_SUBJECTS").map_or_else(|| repository().join("../subjects"), PathBuf::from)
}

/// Is a file or directory of the subjects there? Says that a test is skipped if not.
#[expect(clippy::print_stdout, reason = "a test that is skipped says so")]
pub fn are_fetched(path: &str) -> bool {
    let there = root().join(path).exists();
    if !there {
        println!("skipped: the subjects are not at ../subjects, and OBLIGATO_SUBJECTS names none");
    }
    there
}

/// All of them; none where they were not fetched.
pub fn listed() -> Vec<Subject> {
    let list =
        env::var_os("OBLIGATO_LIST").map_or_else(|| shared("subjects/open.tsv"), PathBuf::from);
    match fs::read_to_string(list) {
        Ok(list) if are_fetched("") => list.lines().skip(1).map(read).collect(),
        _ => Vec::new(),
    }
}

/// Reads a row: project, file, function, flags.
fn read(row: &str) -> Subject {
    let columns: Vec<&str> = row.split('\t').collect();
    // The headers of this project are parts of one unit.
    let file = if columns[1].starts_with("opendbc") { "cfg/opendbc_unit.c" } else { columns[1] };
    Subject {
        file: file.to_owned(),
        function: columns[2].to_owned(),
        flags: columns[3].split_whitespace().map(str::to_owned).collect(),
    }
}
