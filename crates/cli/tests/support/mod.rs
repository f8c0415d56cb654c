//! A directory to run commands in, and golden files.
#![allow(dead_code, reason = "each test file uses a part of it")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use tempfile::TempDir;

/// Asked for when the tests run: a build directory may be shared by several clones.
pub fn root() -> PathBuf {
    let manifest = std::env::var("CARGO_MANIFEST_DIR").unwrap();
    Path::new(&manifest).join("../..")
}

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
    if std::env::var_os("BLESS").is_some() {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, found).unwrap();
    } else {
        let expected = fs::read_to_string(&path).unwrap_or_default();
        assert_eq!(found, expected, "run 'make bless' if {name} is to change");
    }
}
