//! `obligato check` and `obligato fmt` on Lustre models.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn example() -> PathBuf {
    let manifest = std::env::var("CARGO_MANIFEST_DIR").unwrap();
    Path::new(&manifest).join("../../examples/cabin.lus")
}

fn obligato(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_obligato"))
        .args(arguments)
        .env("NO_COLOR", "1")
        .output()
        .unwrap()
}

fn write(directory: &tempfile::TempDir, name: &str, text: &[u8]) -> String {
    let path = directory.path().join(name);
    std::fs::write(&path, text).unwrap();
    path.to_str().unwrap().to_owned()
}

#[test]
fn a_model_is_summed_up() {
    let run = obligato(&["check", example().to_str().unwrap()]);
    let text = String::from_utf8(run.stdout).unwrap();
    assert_eq!(run.status.code(), Some(0), "{}", String::from_utf8_lossy(&run.stderr));
    assert!(text.contains("main node cabin\n"), "{text}");
    for line in
        ["instances          2", "inputs             5", "outputs            2", "mcdc (masking)"]
    {
        assert!(text.contains(line), "{line} in {text}");
    }
}

#[test]
fn a_formatted_model_is_a_fixed_point_and_means_the_same() {
    let directory = tempfile::tempdir().unwrap();
    let once = obligato(&["fmt", example().to_str().unwrap()]).stdout;
    let copy = write(&directory, "copy.lus", &once);
    assert_eq!(obligato(&["fmt", &copy]).stdout, once);
    let summary = |path: &str| {
        let text = String::from_utf8(obligato(&["check", path]).stdout).unwrap();
        text.split_once(':').unwrap().1.to_owned()
    };
    assert_eq!(summary(&copy), summary(example().to_str().unwrap()));
}

#[test]
fn a_model_is_rewritten_only_on_request() {
    let directory = tempfile::tempdir().unwrap();
    let text = b"node n(a:bool)returns(b:bool);let b=a;tel";
    let path = write(&directory, "n.lus", text);
    obligato(&["fmt", &path]);
    assert_eq!(std::fs::read(&path).unwrap(), text);
    assert_eq!(obligato(&["fmt", "--write", &path]).status.code(), Some(0));
    assert_ne!(std::fs::read(&path).unwrap(), text);
}

#[test]
fn everything_that_is_wrong_is_shown_with_its_line() {
    let directory = tempfile::tempdir().unwrap();
    let text = b"node n(a: bool) returns (b, c: bool);\nlet\n  b = a and d;\n  c = e;\ntel\n";
    let path = write(&directory, "bad.lus", text);
    let run = obligato(&["check", &path]);
    let message = String::from_utf8(run.stderr).unwrap();
    assert_eq!(run.status.code(), Some(2));
    assert!(run.stdout.is_empty());
    assert!(message.starts_with("obligato: error: "), "{message}");
    assert!(message.contains("bad.lus:3:13: "), "{message}");
    assert!(message.contains("    b = a and d;\n              ^\n"), "{message}");
    assert!(message.contains("bad.lus:4:7: "), "{message}");
}

#[test]
fn what_is_no_model_is_refused_in_a_line() {
    let directory = tempfile::tempdir().unwrap();
    let path = write(&directory, "model.txt", b"");
    for arguments in [["check", &path], ["fmt", &path], ["check", "no-such.lus"]] {
        let run = obligato(&arguments);
        let message = String::from_utf8(run.stderr).unwrap();
        assert_eq!(run.status.code(), Some(2), "{message}");
        assert_eq!(message.lines().count(), 1, "{message}");
    }
}
