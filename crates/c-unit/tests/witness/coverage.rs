//! What clang measures: the unit's text built with clang's own instrumentation, run test by test, and exported.

use std::fs;
use std::path::Path;
use std::process::Command;

use obligato_model::{Position, Span};
use serde_json::Value as Json;

use crate::replay::MAIN;

/// What clang says about a text. All places are in it.
#[derive(Debug, Default)]
pub struct Coverage {
    /// Branches, and how often each was false and true.
    pub branches: Vec<(Span, [u64; 2])>,
    /// Decisions with MC/DC, and per condition, from left to right, whether a pair shows it.
    pub decisions: Vec<(Span, Vec<bool>)>,
    /// Where decisions start that clang says it does not measure, and why.
    pub refused: Vec<(Position, String)>,
}

/// Builds a text with its tests and runs them.
pub fn measure(text: &[u8], tests: &str, count: usize, flags: &[&str]) -> Coverage {
    let directory = tempfile::tempdir().unwrap();
    let here = directory.path();
    fs::write(here.join("unit.i"), [text, tests.as_bytes()].concat()).unwrap();
    fs::write(here.join("main.c"), MAIN).unwrap();
    let instrument = ["-fprofile-instr-generate", "-fcoverage-mapping", "-fcoverage-mcdc"];
    // Uninitialised locals are zero, as they are for the executor; else what is compared is whatever the stack held.
    let zero = "-ftrivial-auto-var-init=zero";
    let compile = ["-w", "-O0", zero, "-c", "unit.i", "-o", "unit.o"];
    let warnings = run(here, "clang-19", instrument.iter().chain(&compile).chain(flags)).1;
    let link = ["-w", "-fprofile-instr-generate", "main.c", "unit.o", "-o", "tests", "-lm"];
    run(here, "clang-19", link);
    let mut merge: Vec<String> = ["merge", "-sparse", "-o", "profile"].map(str::to_owned).to_vec();
    for test in 0..count {
        let profile = format!("{test}.profraw");
        let mut command = Command::new(here.join("tests"));
        command.arg(test.to_string()).env("LLVM_PROFILE_FILE", here.join(&profile));
        command.current_dir(here).output().unwrap();
        assert!(here.join(&profile).is_file(), "test {test} does not end");
        merge.push(profile);
    }
    run(here, "llvm-profdata-19", &merge);
    let exported = run(here, "llvm-cov-19", ["export", "tests", "-instr-profile=profile"]).0;
    let mut coverage = read_export(&serde_json::from_slice(&exported).unwrap());
    coverage.refused = read_warnings(&String::from_utf8_lossy(&warnings));
    coverage
}

/// What a program prints, and what it says.
fn run<S: AsRef<std::ffi::OsStr>>(
    directory: &Path,
    program: &str,
    words: impl IntoIterator<Item = S>,
) -> (Vec<u8>, Vec<u8>) {
    let output = Command::new(program).args(words).current_dir(directory).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{program}: {said}");
    (output.stdout, output.stderr)
}

fn read_export(export: &Json) -> Coverage {
    let mut coverage = Coverage::default();
    for file in export["data"][0]["files"].as_array().unwrap() {
        for branch in file["branches"].as_array().unwrap() {
            coverage.branches.push((span(branch), [number(&branch[5]), number(&branch[4])]));
        }
        for record in file["mcdc_records"].as_array().unwrap() {
            let conditions = record.as_array().unwrap().last().unwrap().as_array().unwrap();
            let covered = conditions.iter().map(|one| one.as_bool().unwrap()).collect();
            coverage.decisions.push((span(record), covered));
        }
    }
    coverage
}

fn number(json: &Json) -> u64 {
    json.as_u64().unwrap()
}

fn span(record: &Json) -> Span {
    let at = |index: usize| u32::try_from(number(&record[index])).unwrap();
    let start = Position { line: at(0), column: at(1) };
    Span { start, end: Position { line: at(2), column: at(3) } }
}

/// `unit.i:11:9: warning: unsupported MC/DC boolean expression; contains …. Expression will not be covered`.
fn read_warnings(said: &str) -> Vec<(Position, String)> {
    let refused = said.lines().filter_map(|line| {
        let (place, reason) =
            line.split_once(": warning: unsupported MC/DC boolean expression; ")?;
        let mut numbers = place.split(':').skip(1).map(|number| number.parse().unwrap());
        let start = Position { line: numbers.next()?, column: numbers.next()? };
        Some((start, reason.split('.').next()?.to_owned()))
    });
    refused.collect()
}
