//! A directory to run commands in, and golden files.
#![allow(dead_code, reason = "each test file uses a part of it")]

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};

pub use obligato_test_support::repository as root;
use tempfile::TempDir;

/// A directory with files in it, in which commands are run.
pub struct Bench(pub TempDir);

impl Bench {
    /// These files, by name and text.
    pub fn new(files: &[(&str, &str)]) -> Self {
        let directory = tempfile::tempdir().unwrap();
        for (name, text) in files {
            fs::write(directory.path().join(name), text).unwrap();
        }
        Self(directory)
    }

    /// Runs a command; arguments are separated by spaces.
    pub fn output(&self, arguments: &str) -> Output {
        Command::new(env!("CARGO_BIN_EXE_obligato"))
            .args(arguments.split_whitespace())
            .current_dir(self.0.path())
            .env("NO_COLOR", "1")
            .output()
            .unwrap()
    }

    /// What a command prints that has to end with this exit code.
    #[track_caller]
    pub fn run(&self, arguments: &str, code: i32) -> String {
        let output = self.output(arguments);
        let text = String::from_utf8(output.stdout).unwrap();
        let complaint = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{arguments}: {text}{complaint}");
        text
    }

    /// What a command prints that has to succeed.
    #[track_caller]
    pub fn succeed(&self, arguments: &str) -> String {
        self.run(arguments, 0)
    }

    /// The complaint of a command about its input; nothing may be printed or written.
    #[track_caller]
    pub fn complaint(&self, arguments: &str) -> String {
        let before = self.files();
        let output = self.output(arguments);
        let text = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{text}");
        assert_eq!(String::from_utf8_lossy(&output.stdout), "");
        assert_eq!(self.files(), before);
        text
    }

    /// All there is in it, sorted.
    pub fn files(&self) -> Vec<PathBuf> {
        let entries = fs::read_dir(self.0.path()).unwrap();
        let mut names: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
        names.sort();
        names
    }

    /// Writes a file, in place of what it held.
    pub fn write(&self, name: &str, text: &str) {
        fs::write(self.0.path().join(name), text).unwrap();
    }

    /// The text of a file.
    pub fn read(&self, name: &str) -> String {
        fs::read_to_string(self.0.path().join(name)).unwrap()
    }
}

/// The bundled model with its suite.
pub fn cabin() -> Bench {
    let read = |name: &str| fs::read_to_string(root().join("examples").join(name)).unwrap();
    Bench::new(&[("cabin.lus", &read("cabin.lus")), ("cabin.csv", &read("cabin.csv"))])
}

/// Compares with a golden file; `BLESS=1` rewrites it.
#[track_caller]
pub fn assert_golden(name: &str, found: &str) {
    let path = root().join("crates/cli/tests/golden").join(name);
    obligato_test_support::assert_golden(&path, found);
}
