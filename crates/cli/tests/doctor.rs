//! `obligato doctor` as a user meets it, on whatever machine the tests run on.

#![expect(clippy::unwrap_used, reason = "the functions around the tests are tests too")]

use std::process::{Command, Output, Stdio};

fn doctor(arguments: &[&str], path: Option<&str>) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_obligato"));
    command.arg("doctor").args(arguments).stdin(Stdio::null());
    if let Some(path) = path {
        command.env("PATH", path);
    }
    command.output().unwrap()
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

#[test]
fn with_an_empty_path_it_exits_1_and_names_the_line_that_installs() {
    let output = doctor(&[], Some(""));
    let text = stdout(&output);
    assert_eq!(output.status.code(), Some(1), "{text}");
    let lines: Vec<&str> = text.lines().filter(|line| line.contains("apt-get install")).collect();
    assert_eq!(lines.len(), 1, "{text}");
    for package in ["clang-19", "gcc", "llvm-19-dev", "z3"] {
        assert!(lines[0].split(' ').any(|word| word == package), "{package}: {text}");
    }
}

#[test]
fn it_exits_0_exactly_if_it_says_that_everything_is_there() {
    let output = doctor(&[], None);
    let text = stdout(&output);
    let ready = text.contains("Everything obligato needs is installed.");
    assert_eq!(output.status.code(), Some(i32::from(!ready)), "{text}");
}

#[test]
fn its_json_is_valid_and_the_same_each_time() {
    for path in [Some(""), None] {
        let output = doctor(&["--format", "json"], path);
        let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        let ready = report["ready"].as_bool().unwrap();
        assert_eq!(output.status.code(), Some(i32::from(!ready)));
        assert_eq!(report["install"].is_null(), ready);
        assert!(report["tools"].as_array().unwrap().iter().all(|tool| tool["name"].is_string()));
        assert_eq!(output.stdout, doctor(&["--format", "json"], path).stdout);
    }
}

#[test]
fn quiet_still_says_what_is_missing() {
    let text = stdout(&doctor(&["--quiet"], Some("")));
    assert!(text.contains("missing") && !text.contains("ok "), "{text}");
}
