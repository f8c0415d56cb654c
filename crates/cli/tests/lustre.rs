//! `obligato check` and `obligato fmt` on Lustre models.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::path::PathBuf;
use std::process::{Command, Output};

use obligato_test_support::repository;

fn example() -> PathBuf {
    repository().join("examples/cabin.lus")
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

const INTERMEDIATE: &[u8] = b"node n(a, b, c: bool) returns (o: bool);
var x, y: bool;
let
  x = a or b;
  y = x and c;
  o = if y then not x else c;
tel;
";

#[test]
fn an_inlined_model_is_printed_without_its_intermediate_variables() {
    let directory = tempfile::tempdir().unwrap();
    let path = write(&directory, "n.lus", INTERMEDIATE);
    let run = obligato(&["fmt", "--inline", &path]);
    assert_eq!(run.status.code(), Some(0), "{}", String::from_utf8_lossy(&run.stderr));
    let expected = "node n(a, b, c: bool) returns (o: bool);
let
  o = if (a or b) and c then not (a or b) else c;
tel;
";
    assert_eq!(String::from_utf8(run.stdout).unwrap(), expected);
    assert_eq!(std::fs::read(&path).unwrap(), INTERMEDIATE);
}

#[test]
fn an_inlined_model_is_summed_up_with_fewer_and_bigger_decisions() {
    let directory = tempfile::tempdir().unwrap();
    let path = write(&directory, "n.lus", INTERMEDIATE);
    let summary = |arguments: &[&str]| String::from_utf8(obligato(arguments).stdout).unwrap();
    let (written, inlined) = (summary(&["check", &path]), summary(&["check", "--inline", &path]));
    for line in ["decisions          3", "conditions         7"] {
        assert!(written.contains(line), "{line} in {written}");
    }
    for line in ["decisions          1", "conditions         6"] {
        assert!(inlined.contains(line), "{line} in {inlined}");
    }
}

#[test]
fn inlining_that_ends_at_its_limit_says_so() {
    let directory = tempfile::tempdir().unwrap();
    let names: Vec<_> = (0..30).map(|i| format!("x{i}")).collect();
    let mut text = format!("node n(a: bool) returns (o: bool);\nvar {}: bool;\n", names.join(", "));
    text.push_str("let\n  x0 = not a;\n");
    text.extend((1..30).map(|i| format!("  x{i} = x{0} xor not x{0};\n", i - 1)));
    text.push_str("  o = not x29;\ntel\n");
    let path = write(&directory, "n.lus", text.as_bytes());
    let note = " of 30 variables; the others would make the model larger than 262144 expressions\n";
    for (command, start) in [("check", "note: inlined "), ("fmt", "-- inlined ")] {
        let shown = String::from_utf8(obligato(&[command, "--inline", &path]).stdout).unwrap();
        let line = shown.split_inclusive('\n').next().unwrap();
        assert!(line.starts_with(start) && line.ends_with(note), "{line}");
    }
}

#[test]
fn what_has_no_text_is_not_printed_inlined_but_can_be_checked() {
    let directory = tempfile::tempdir().unwrap();
    let parameters = "node keep<<T>>(x: T) returns (y: T);
let
  y = x;
tel;
node n(a: bool) returns (o: bool);
let
  o = keep<<bool>>(a);
tel;
";
    let automaton = "node n(a: bool) returns (o: bool);
let
  automaton state On: let o = a; tel until if a resume On end; returns o;
tel;
";
    for text in [parameters, automaton] {
        let path = write(&directory, "n.lus", text.as_bytes());
        let run = obligato(&["fmt", "--inline", &path]);
        let said = String::from_utf8(run.stderr).unwrap();
        assert_eq!(run.status.code(), Some(2), "{said}");
        assert!(said.contains("n.lus: cannot be printed inlined"), "{said}");
        assert!(run.stdout.is_empty());
        for arguments in [&["fmt", &path][..], &["check", "--inline", &path]] {
            assert_eq!(obligato(arguments).status.code(), Some(0), "{arguments:?}");
        }
    }
}

#[test]
fn an_inlined_model_is_never_written_over_the_original() {
    let directory = tempfile::tempdir().unwrap();
    let path = write(&directory, "n.lus", INTERMEDIATE);
    let nothing_to_choose = ["fmt", "--main", "n", &path];
    for arguments in [&["fmt", "--write", "--inline", &path][..], &nothing_to_choose] {
        let run = obligato(arguments);
        assert_eq!(run.status.code(), Some(2), "{arguments:?}");
        assert!(run.stdout.is_empty());
    }
    assert_eq!(std::fs::read(&path).unwrap(), INTERMEDIATE);
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
