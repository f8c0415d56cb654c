//! The result in `docs/formats.md` is what judging the program and the recording above it gives.
//! `BLESS=1` rewrites it.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

fn documentation() -> PathBuf {
    let manifest = std::env::var("CARGO_MANIFEST_DIR").unwrap();
    Path::new(&manifest).join("../../docs/formats.md")
}

/// The fenced block of a text that starts with this tag.
fn block<'a>(text: &'a str, tag: &str) -> &'a str {
    let (_, rest) = text.split_once(&format!("```{tag}\n")).unwrap();
    rest.split_once("```").unwrap().0
}

#[test]
fn the_documented_result_is_that_of_the_documented_program_and_recording() {
    let text = fs::read_to_string(documentation()).unwrap();
    let directory = tempfile::tempdir().unwrap();
    for name in ["program", "recording"] {
        let document = block(&text, &format!("json {name}"));
        fs::write(directory.path().join(format!("{name}.json")), document).unwrap();
    }
    let run = Command::new(env!("CARGO_BIN_EXE_obligato"))
        .args(["judge", "program.json", "--recording", "recording.json", "--no-store"])
        .args(["--criterion", "branch,mcdc,bvc", "--format", "json"])
        .current_dir(directory.path())
        .output()
        .unwrap();
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    let printed = String::from_utf8(run.stdout).unwrap();
    let shown = block(&text, "json result");
    if std::env::var_os("BLESS").is_some() {
        fs::write(documentation(), text.replace(shown, &printed)).unwrap();
    } else {
        assert!(shown == printed, "docs/formats.md shows another result; run 'make bless'");
    }
}
