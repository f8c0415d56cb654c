//! The sessions of README.md and of the tour are what the program prints: every `$ obligato`
//! and `$ cat` of their `console` blocks is run in `examples/` and compared.
//! `BLESS=1` rewrites the documents.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::process::Command;

use obligato_test_support::{is_blessing, repository};

/// What a command of a session prints, or `None` for one that is not run here.
fn run(command: &str) -> Option<String> {
    let words: Vec<&str> = command.split_whitespace().collect();
    let examples = repository().join("examples");
    match words.as_slice() {
        ["cat", file] => Some(std::fs::read_to_string(examples.join(file)).unwrap()),
        ["obligato", arguments @ ..] => {
            let run = Command::new(env!("CARGO_BIN_EXE_obligato"))
                .args(arguments)
                .current_dir(examples)
                .env("NO_COLOR", "1")
                // The gate tells when a result was stored.
                .env("SOURCE_DATE_EPOCH", "1772323200")
                .output()
                .unwrap();
            assert!(run.status.success(), "{command}: {}", String::from_utf8_lossy(&run.stderr));
            Some(String::from_utf8(run.stdout).unwrap())
        }
        _ => None,
    }
}

/// The document with the output of every command it shows replaced by the real one.
fn rewritten(document: &str) -> String {
    let mut result = String::new();
    let mut in_session = false;
    let mut in_output = false;
    for line in document.lines() {
        if line.starts_with("```") {
            in_session = line == "```console";
            in_output = false;
        }
        if let Some(command) = line.strip_prefix("$ ").filter(|_| in_session) {
            let output = run(command);
            in_output = output.is_some();
            result.push_str(line);
            result.push('\n');
            result.push_str(&output.unwrap_or_default());
        } else if !in_output {
            result.push_str(line);
            result.push('\n');
        }
    }
    result
}

/// Runs every session of a document, which has to show at least `sessions` commands of ours.
#[track_caller]
fn assert_sessions(name: &str, sessions: usize) {
    let path = repository().join(name);
    let shown = std::fs::read_to_string(&path).unwrap();
    let commands = shown.lines().filter(|line| line.starts_with("$ obligato ")).count();
    assert!(commands >= sessions, "{name} shows {commands} commands");
    let expected = rewritten(&shown);
    if is_blessing() {
        std::fs::write(&path, expected).unwrap();
    } else {
        assert!(
            shown == expected,
            "{name} shows something else than the program prints; run 'make bless CRATE=cli'"
        );
    }
}

#[test]
fn the_sessions_of_the_readme_are_real() {
    assert_sessions("README.md", 4);
}

#[test]
fn the_sessions_of_the_tour_are_real() {
    assert_sessions("docs/tour.md", 20);
}
