//! Programs run by the executor and as machine code: the same output, the same exit status.

#[path = "support/native.rs"]
mod native;

use std::fs;
use std::path::Path;
use std::process::Command;

use native::{Outcome, build, clang_is_there, execute_main, load, run_native};
use obligato_execute::{ExecutionLimits, Variables};
use obligato_test_support::crate_directory;

/// Was a program compared? One that takes too long is not.
#[derive(Debug, PartialEq, Eq)]
enum Compared {
    Yes,
    TooLong,
}

/// Runs a program in all ways and says where they differ.
fn compare(source: &Path, more: &[&str]) -> Result<Compared, String> {
    let directory = tempfile::tempdir().expect("a directory");
    let Some(expected) = run_native(&build(source, directory.path(), more), "5") else {
        return Ok(Compared::TooLong);
    };
    let status = Ok(expected.status.code().ok_or("ended by a signal")?);
    let expected = Outcome { status, output: expected.stdout };
    let module = load(source, directory.path(), more);
    for variables in [Variables::InRegisters, Variables::InMemory] {
        let limits = ExecutionLimits { steps: 1_000_000_000, ..ExecutionLimits::default() };
        let seen = execute_main(&module, variables, limits);
        if matches!(&seen.status, Err(why) if why.starts_with("limit of steps")) {
            return Ok(Compared::TooLong);
        }
        if seen != expected {
            return Err(format!(
                "{}, {variables:?}
executor: {:?}
machine: {:?}{}",
                source.display(),
                seen.status,
                expected.status,
                differences(&seen.output, &expected.output),
            ));
        }
    }
    Ok(Compared::Yes)
}

/// Lines that differ, with their numbers from 1: the first few.
fn differences(left: &[u8], right: &[u8]) -> String {
    let (left, right) = (String::from_utf8_lossy(left), String::from_utf8_lossy(right));
    let longest = left.lines().count().max(right.lines().count());
    let padded = |text: &'_ str| -> Vec<String> {
        let end = std::iter::repeat("(the end)");
        text.lines().chain(end).take(longest).map(str::to_owned).collect()
    };
    let lines = padded(&left).into_iter().zip(padded(&right)).enumerate();
    let different = lines.filter(|(_, (one, other))| one != other).take(5);
    different.map(|(at, (one, other))| format!("\nline {}: {one}\nbut: {other}", at + 1)).collect()
}

#[test]
fn the_corpus_runs_as_on_the_machine() {
    if !clang_is_there() {
        return;
    }
    let corpus = crate_directory().join("tests/corpus");
    let mut sources: Vec<_> = fs::read_dir(corpus)
        .expect("the corpus")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "c"))
        .collect();
    sources.sort();
    assert!(sources.len() > 5, "the corpus is there");
    for source in sources {
        let compared = compare(&source, &[]).unwrap_or_else(|problem| panic!("{problem}"));
        assert_eq!(compared, Compared::Yes, "{}", source.display());
    }
}

/// `CSMITH_PROGRAMS` says how many, from which seed on `CSMITH_SEED` says.
#[test]
fn random_programs_run_as_on_the_machine() {
    let header = Path::new("/usr/include/csmith");
    let installed =
        Command::new("csmith").arg("--version").current_dir(std::env::temp_dir()).output().is_ok()
            && header.exists();
    if !clang_is_there() || !installed {
        eprintln!("skipped: csmith is not installed");
        return;
    }
    let number = |name: &str, default: u32| {
        std::env::var(name).ok().and_then(|value| value.parse().ok()).unwrap_or(default)
    };
    let first = number("CSMITH_SEED", 1);
    let directory = tempfile::tempdir().expect("a directory");
    let (mut problems, mut compared) = (Vec::new(), 0);
    let count = number("CSMITH_PROGRAMS", 4);
    for seed in first..first + count {
        let source = directory.path().join(format!("seed{seed}.c"));
        let output = Command::new("csmith")
            .args(["--seed", &seed.to_string(), "--output"])
            .arg(&source)
            .current_dir(directory.path())
            .output()
            .expect("csmith starts");
        assert!(output.status.success(), "csmith: {}", String::from_utf8_lossy(&output.stderr));
        match compare(&source, &["-I", "/usr/include/csmith"]) {
            Ok(Compared::Yes) => compared += 1,
            Ok(Compared::TooLong) => {}
            Err(problem) => problems.push(problem),
        }
    }
    println!("{compared} of {count} random programs do the same, {} differ", problems.len());
    assert!(2 * compared >= count, "most random programs take too long");
    assert!(problems.is_empty(), "{} differ:\n{}", problems.len(), problems.join("\n\n"));
}
