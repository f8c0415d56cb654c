//! The result in `docs/formats.md` is what judging the program and the recording above it gives,
//! and the run, the measured result, the explanation, the mutants and the generation what the suite on the model
//! above them gives. `BLESS=1` rewrites them.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use obligato_test_support::{is_blessing, repository};

fn documentation() -> PathBuf {
    repository().join("docs/formats.md")
}

/// The fenced block of a text that starts with this tag.
fn block<'a>(text: &'a str, tag: &str) -> &'a str {
    let (_, rest) = text.split_once(&format!("```{tag}\n")).unwrap();
    rest.split_once("```").unwrap().0
}

/// Runs a command in a directory with documents of the page, and holds what it prints against
/// another block of the page.
fn compare(documents: &[(&str, &str)], arguments: &str, shown: &str) {
    compare_with(documents, arguments, shown, None);
}

/// The same; with a name, what is in that file then.
fn compare_with(documents: &[(&str, &str)], arguments: &str, shown: &str, file: Option<&str>) {
    let text = fs::read_to_string(documentation()).unwrap();
    let directory = tempfile::tempdir().unwrap();
    for (tag, name) in documents {
        fs::write(directory.path().join(name), block(&text, tag)).unwrap();
    }
    let run = Command::new(env!("CARGO_BIN_EXE_obligato"))
        .args(arguments.split_whitespace())
        .current_dir(directory.path())
        .output()
        .unwrap();
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    let printed = match file {
        None => String::from_utf8(run.stdout).unwrap(),
        Some(name) => fs::read_to_string(directory.path().join(name)).unwrap(),
    };
    let found = format!("```{shown}\n{}```", block(&text, shown));
    let expected = format!("```{shown}\n{printed}```");
    if is_blessing() {
        fs::write(documentation(), text.replace(&found, &expected)).unwrap();
    } else {
        assert!(found == expected, "docs/formats.md shows another {shown}; run 'make bless'");
    }
}

// One test, because two could rewrite the page at the same time.
#[test]
fn the_documented_results_are_those_of_the_documents_above_them() {
    compare(
        &[("json program", "program.json"), ("json recording", "recording.json")],
        "judge program.json --recording recording.json --no-store \
         --criterion branch,mcdc,bvc --format json",
        "json result",
    );
    compare_with(
        &[("json program", "program.json"), ("json recording", "recording.json")],
        "judge program.json --recording recording.json --store s --criterion branch,mcdc,bvc",
        "json details",
        Some("s/details.json"),
    );
    compare(
        &[("lustre run", "ratio.lus"), ("csv run", "suite.csv")],
        "run ratio.lus --tests suite.csv --format json --no-fail",
        "json run",
    );
    let measured = [("lustre measure", "main.lus"), ("csv measure", "suite.csv")];
    compare(
        &measured,
        "measure main.lus --tests suite.csv --criterion omcdc:all --no-store --format json",
        "json measure",
    );
    compare(&measured, "explain main.lus:3 --tests suite.csv --format json", "json explanation");
    compare(
        &[("lustre mutants", "gate.lus"), ("csv mutants", "gate.csv")],
        "mutate gate.lus --tests gate.csv --count 6 --format json",
        "json mutants",
    );
    compare(
        &[("lustre mutants", "gate.lus"), ("csv mutants", "gate.csv")],
        "generate gate.lus --tests gate.csv --budget 100000 --no-store --format json",
        "json generation",
    );
    compare(
        &[("lustre properties", "switch.lus")],
        "prove switch.lus --budget 1000000 --format json",
        "json properties",
    );
}
