//! What `obligato judge` says to wrong input: one line with the place, exit code 2, nothing stored.

#![expect(clippy::unwrap_used, reason = "the functions around the tests are tests too")]

use std::fs;
use std::process::{Command, Stdio};

use tempfile::TempDir;

const PROGRAM: &str = r#"{"format": "obligato-program", "version": 1,
  "inputs": [{"name": "x", "type": "int8"}],
  "functions": [{"name": "f", "file": "f.c", "decisions": [
    {"text": "x > 0 && x < 9", "role": "value", "tree": "c1 && c2", "conditions": [
      {"text": "x > 0", "relation": {"operator": ">", "type": "int8", "right": 0}},
      {"text": "x < 9", "relation": {"operator": "<", "type": "int8", "right": 9}}]},
    {"text": "1", "role": "control", "tree": "c1", "conditions": [
      {"text": "1", "constant": true}]}]}]}"#;

/// A directory with a good file of each kind and what a test adds or replaces.
fn files(changes: &[(&str, &[u8])]) -> TempDir {
    let directory = tempfile::tempdir().unwrap();
    let good: [(&str, &[u8]); 4] = [
        ("f.decisions", b"# one\nx > 0 && a\n"),
        ("s.csv", b"x,a\n1,T\n\n0,F\n"),
        ("p.json", PROGRAM.as_bytes()),
        ("r.json", &recording("d1c1=T(1,0) d1c2=T(1,9) d2c1=T")),
    ];
    for (name, bytes) in good.iter().chain(changes) {
        fs::write(directory.path().join(name), bytes).unwrap();
    }
    fs::create_dir(directory.path().join("folder.json")).unwrap();
    directory
}

fn recording(events: &str) -> Vec<u8> {
    let start = r#"{"format": "obligato-recording", "version": 1, "tests": "#;
    format!(r#"{start}[{{"name": "t1", "events": "{events}"}}]}}"#).into_bytes()
}

/// The exit code and what was said, after checking that nothing was printed or stored.
fn failure(directory: &TempDir, arguments: &str) -> (Option<i32>, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_obligato"));
    command.arg("judge").args(arguments.split_whitespace()).env("NO_COLOR", "1");
    let output = command.current_dir(directory.path()).stdin(Stdio::null()).output().unwrap();
    let message = String::from_utf8(output.stderr).unwrap();
    assert_eq!(String::from_utf8(output.stdout).unwrap(), "", "{message}");
    assert!(!directory.path().join(".obligato/result.json").is_file(), "{message}");
    (output.status.code(), message)
}

/// What wrong input is told, after the usual opening.
fn complaint(changes: &[(&str, &[u8])], arguments: &str) -> String {
    let (code, message) = failure(&files(changes), arguments);
    assert_eq!(code, Some(2), "{message}");
    message.strip_prefix("obligato: error: ").unwrap().to_owned()
}

fn assert_one_line(changes: &[(&str, &[u8])], arguments: &str, start: &str) {
    let message = complaint(changes, arguments);
    assert_eq!(message.lines().count(), 1, "{message}");
    assert!(message.starts_with(start), "{message}\nshould start with\n{start}");
}

/// Checks the first line, and that a caret stands below `shown` in the line of source.
fn assert_shown(changes: &[(&str, &[u8])], arguments: &str, start: &str, shown: &str) {
    let message = complaint(changes, arguments);
    assert!(message.starts_with(start), "{message}\nshould start with\n{start}");
    let [_, line, caret] = message.lines().collect::<Vec<_>>()[..] else { panic!("{message}") };
    let below: String = line.chars().skip(caret.chars().count() - 1).collect();
    assert!(caret.ends_with('^') && below.starts_with(shown), "{message}\nshould show {shown}");
}

const DECISIONS: &str = "f.decisions --tests s.csv";
const RECORDED: &str = "p.json --recording r.json";

#[test]
fn the_good_files_are_judged() {
    for arguments in [DECISIONS, RECORDED] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_obligato"));
        let directory = files(&[]);
        command.arg("judge").args(arguments.split_whitespace());
        assert!(command.current_dir(directory.path()).output().unwrap().status.success());
    }
}

#[test]
fn a_syntax_error_is_shown_with_its_line_and_a_caret() {
    assert_eq!(
        complaint(&[("f.decisions", b"# one\n  a && (b || \n")], DECISIONS),
        "f.decisions:2:13: expected a condition here, not the end\n    a && (b ||\n              ^\n"
    );
    assert_eq!(
        complaint(&[], "--tests s.csv --decision a&&(b"),
        "<command line>:1:4: this parenthesis is never closed\n  a&&(b\n     ^\n"
    );
}

#[test]
fn a_column_that_the_suite_lacks_is_shown_where_it_is_used() {
    assert_eq!(
        complaint(&[("s.csv", b"x,b\n1,T\n")], DECISIONS),
        "f.decisions:2:10: the suite has no column 'a'; it has 'x', 'b'\n  x > 0 && a\n           ^\n"
    );
}

#[test]
fn a_cell_that_does_not_fit_is_named_with_row_and_column() {
    for (suite, start, shown) in [
        ("x,a\n1,T\n\n0,7\n", "s.csv:4:3: column 'a': '7' is not a value of type bool", "7"),
        ("x,a\n1,T\n\nfast,F\n", "s.csv:4:1: column 'x': 'fast' is not a value of", "fast"),
        ("x,a\n1,T\n\n1,2,3\n", "s.csv:4:5: this row has 3 cells where the header has 2", "3"),
    ] {
        assert_shown(&[("s.csv", suite.as_bytes())], DECISIONS, start, shown);
    }
    let start = "s.csv: test 't2', step 1: column 'a' has no value, but `a` needs it";
    assert_one_line(&[("s.csv", b"x,a\n1,T\n\n1,\n")], DECISIONS, start);
}

#[test]
fn types_that_a_json_suite_states_are_held_to() {
    let suite = r#"{"format": "obligato-suite", "version": 1, "inputs": [
      {"name": "x", "type": "int8"}, {"name": "a", "type": "int8"}], "tests": []}"#;
    let changes: [(&str, &[u8]); 2] = [("s.json", suite.as_bytes()), ("g.decisions", b"x > 300\n")];
    let message = complaint(&changes, "f.decisions --tests s.json");
    assert!(message.starts_with("f.decisions:2:10: column 'a' is used as a Boolean"), "{message}");
    let message = complaint(&changes, "g.decisions --tests s.json");
    assert!(message.starts_with("g.decisions:1:1: '300' is not a value of type int8"), "{message}");
}

#[test]
fn files_that_are_absent_empty_folders_or_no_text_are_named() {
    for (changes, arguments, start) in [
        (None, "no.decisions --tests s.csv", "no.decisions: there is no such file; "),
        (None, "f.decisions --tests no.csv", "no.csv: there is no such file; "),
        (None, "folder.json --recording r.json", "folder.json: cannot read the file: Is a dir"),
        (None, "f.decisions --tests folder.json", "folder.json: cannot read the file: Is a dir"),
        (None, "p.json --recording no.json", "no.json: there is no such file; "),
        (Some(("f.decisions", b"" as &[u8])), DECISIONS, "f.decisions:1:1: there is no decision"),
        (Some(("s.csv", b"")), DECISIONS, "s.csv:1:1: the first line must name the inputs"),
        (Some(("p.json", b"")), RECORDED, "p.json:1:1: "),
        (Some(("r.json", b"")), RECORDED, "r.json:1:1: "),
    ] {
        assert_one_line(changes.as_slice(), arguments, start);
    }
    for (name, bytes, start) in [
        ("f.decisions", b"a\n b\xff" as &[u8], "f.decisions:2:3: this is not UTF-8 text"),
        ("s.csv", b"x,a\n1,\xff\n", "s.csv:2:3: this is not UTF-8 text"),
    ] {
        assert_shown(&[(name, bytes)], DECISIONS, start, "\u{fffd}");
    }
}

#[test]
fn a_recording_of_another_program_is_refused() {
    for (events, start, shown) in [
        ("d3c1=T", "r.json:1:84: test 't1': 'd3c1': the program has 2 decisions", "d3c1=T"),
        ("s1", "r.json:1:84: test 't1': 's1': the program has 0 statements", "s1"),
        ("d1c1=T>tags", "r.json:1:84: test 't1': 'd1c1=T>tags': the recording does not", "d1c1"),
    ] {
        assert_shown(&[("r.json", &recording(events))], RECORDED, start, shown);
    }
    for (events, start) in [
        ("d1c2=T(1,9)", "r.json: test 't1', event 1: condition 2 of `x > 0 && x < 9` cannot"),
        ("d1c1=F(1,0)", "r.json: test 't1', event 1: `x > 0` is recorded as false, but"),
        ("d2c1=F", "r.json: test 't1', event 1: `1` can only be true"),
    ] {
        assert_one_line(&[("r.json", &recording(events))], RECORDED, start);
    }
    let start = "p.json:1:12: expected an obligato-recording";
    assert_shown(&[], "p.json --recording p.json", start, "\"obligato-program\"");
}

#[test]
fn a_suite_beside_a_recording_must_be_of_the_same_program_and_tests() {
    let with_tests = "p.json --recording r.json --tests s.csv";
    assert_shown(&[], with_tests, "s.csv:1:3: the program has no input 'a'", "a");
    let start = "s.csv: test 't2' is not in r.json; suite and recording must have the same tests";
    assert_one_line(&[("s.csv", b"x\n1\n\n2\n")], with_tests, start);
    let start = "r.json: test 't1' is not in s.csv";
    assert_one_line(&[("s.csv", b"x\n# other\n1\n")], with_tests, start);
    let start = "s.csv:2:1: column 'x': '300' is not a value of type int8";
    assert_shown(&[("s.csv", b"x\n300\n")], with_tests, start, "300");
}

#[test]
fn a_file_of_another_kind_is_refused_by_its_name() {
    let reads = "judge reads decisions (NAME.decisions) and program outlines (NAME.json)";
    for (name, what) in [
        ("door.c", "this is called as C sources are"),
        ("door.LUS", "this is called as Lustre models are"),
        ("door.txt", "the name does not say what this is"),
        ("door", "the name does not say what this is"),
    ] {
        let start = format!("{name}: {what}; {reads}\n");
        assert_one_line(&[(name, b"x > 0")], &format!("{name} --tests s.csv"), &start);
        let arguments = format!("{name} --recording r.json");
        assert_one_line(&[(name, PROGRAM.as_bytes())], &arguments, &start);
    }
    let start = "s.txt: the name does not say what this is; \
                 a suite is a CSV file (NAME.csv) or a JSON file (NAME.json)\n";
    for subject in ["f.decisions", "p.json --recording r.json", "--decision x"] {
        assert_one_line(&[("s.txt", b"x\n1\n")], &format!("{subject} --tests s.txt"), start);
    }
}

#[test]
fn numbers_compared_as_booleans_are_shown_where_they_are_compared() {
    let decisions: (&str, &[u8]) = ("f.decisions", b"x > 0\ny == z && x > 0\n");
    assert_eq!(
        complaint(&[decisions, ("s.csv", b"x,y,z\n1,1,7\n")], DECISIONS),
        "f.decisions:2:1: '==' between two names compares Booleans, but 'y' and 'z' are numbers; \
         write [y == z] to compare numbers\n  y == z && x > 0\n  ^\n"
    );
    // Zeros and ones may be either, and a cell that is neither is found in its row.
    let start = "s.csv:3:3: column 'y': 'x' is not a value of type bool";
    assert_shown(&[decisions, ("s.csv", b"x,y,z\n1,1,0\n1,x,0\n")], DECISIONS, start, "x,0");
}

#[test]
fn arguments_that_do_not_go_together_are_one_line() {
    for (arguments, start) in [
        (
            "f.decisions --tests s.csv --criterion mcd",
            "invalid value 'mcd' for '--criterion <C>': no criterion",
        ),
        ("f.decisions", "missing --tests <SUITE>"),
        ("--tests s.csv", "missing <FILE>"),
        ("f.decisions --tests s.csv --decision a", "'[FILE]' cannot be used with"),
        (
            "p.json --tests s.csv",
            "p.json: the outline of a program has no way to run; add --recording",
        ),
        ("f.decisions --recording r.json", "f.decisions: decisions are replayed here"),
        ("f.decisions --tests s.csv --store d --no-store", "'--store <DIR>' cannot be used with"),
    ] {
        assert_one_line(&[], arguments, start);
    }
}

#[test]
fn a_store_that_cannot_be_written_leaves_nothing_behind() {
    let directory = files(&[]);
    let store = |path: &str| failure(&directory, &format!("{DECISIONS} --store {path}"));
    assert_eq!(store("s.csv").0, Some(2), "a file is no directory");
    assert_eq!(store("s.csv/below").0, Some(2));
    let (code, message) = store("/proc/no/store");
    assert_eq!(code, Some(1), "{message}");
    assert_eq!(message.lines().count(), 1, "{message}");
    fs::create_dir_all(directory.path().join(".obligato/result.json")).unwrap();
    let (code, message) = failure(&directory, DECISIONS);
    assert_eq!(code, Some(1), "{message}");
    assert!(message.contains(".obligato/result.json: cannot write the file"), "{message}");
    let names = fs::read_dir(directory.path().join(".obligato")).unwrap();
    let mut names: Vec<_> = names.map(|entry| entry.unwrap().file_name()).collect();
    names.sort();
    assert_eq!(names, ["result.json"], "neither a half-written file nor half a store is left");
}

#[test]
fn names_with_terminal_controls_are_spelled_out() {
    let directory = tempfile::tempdir().unwrap();
    fs::write(directory.path().join("s.csv"), "x\n# \u{1b}[31mred\n1\n").unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_obligato"));
    command.args(["judge", "--decision", "x", "--tests", "s.csv", "--list", "--no-store"]);
    let output = command.env("NO_COLOR", "1").current_dir(directory.path()).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains(r"by \u{1b}[31mred"), "{text}");
    assert!(!text.contains('\u{1b}'), "{text}");
}
