//! Ctrl-C: the first one stops long work cleanly, a second one ends it at once.
#![cfg(target_os = "linux")]
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fmt::Write as _;
use std::fs;
use std::os::unix::process::ExitStatusExt as _;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

mod support;

use support::Bench;

const SIGINT: u32 = 2;

/// A model whose effects take so many steps to be seen that a search is not done with it soon.
fn endless(links: usize) -> String {
    let mut model = "node endless(a, b: bool; n: int) returns (o: bool);\nvar ".to_owned();
    for link in 0..links {
        write!(model, "v{link}, ").unwrap();
    }
    model += "last: bool;\nlet\n  v0 = a and b;\n";
    for link in 1..links {
        let before = link - 1;
        writeln!(
            model,
            "  v{link} = (false -> pre v{before}) and (a or n > {link}) or (b and n < -{link});"
        )
        .unwrap();
    }
    writeln!(model, "  last = v{};\n  o = false -> pre last;\ntel", links - 1).unwrap();
    model
}

const GENERATE: &str =
    "generate m.lus --criterion omcdc:exact --engine random --budget 1h -o new.csv";

/// Starts a long command and waits until it catches the signal and is at work.
fn start(bench: &Bench, command: &str) -> Child {
    let child = Command::new(env!("CARGO_BIN_EXE_obligato"))
        .args(command.split(' '))
        .current_dir(bench.0.path())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let status = format!("/proc/{}/status", child.id());
    let start = Instant::now();
    while !catches(&fs::read_to_string(&status).unwrap(), SIGINT) {
        assert!(start.elapsed() < Duration::from_mins(1), "the signal is never caught");
        std::thread::sleep(Duration::from_millis(5));
    }
    std::thread::sleep(Duration::from_millis(300));
    child
}

/// Does the process with this status catch the signal?
fn catches(status: &str, signal: u32) -> bool {
    let mask = status.lines().find_map(|line| line.strip_prefix("SigCgt:")).unwrap();
    u64::from_str_radix(mask.trim(), 16).unwrap() & 1 << (signal - 1) != 0
}

fn interrupt(child: &Child) {
    let kill = format!("kill -INT {}", child.id());
    assert!(Command::new("sh").args(["-c", &kill]).status().unwrap().success());
}

#[test]
fn the_first_signal_stops_cleanly_and_what_was_done_is_written() {
    let bench = Bench::new(&[("m.lus", &endless(100))]);
    let child = start(&bench, GENERATE);
    interrupt(&child);
    let output = child.wait_with_output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(text.contains("\nStopped early; what was done until then counts\n"), "{text}");
    assert!(bench.read("new.csv").starts_with("a,b,n,o\n"));
    assert!(bench.read(".obligato/result.json").contains("\"limit\": \"time\""));
}

#[test]
fn the_second_signal_ends_the_command_and_nothing_is_written() {
    let bench = Bench::new(&[("m.lus", &endless(400))]);
    let before = bench.files();
    let mut child = start(&bench, GENERATE);
    interrupt(&child);
    // Signals that come too fast are taken for one.
    let status = loop {
        if let Some(status) = child.try_wait().unwrap() {
            break status;
        }
        interrupt(&child);
    };
    assert_eq!(status.signal(), Some(2), "{status}");
    assert_eq!(bench.files(), before);
}

/// A suite for such a model whose effects take long to be measured.
fn large_suite() -> String {
    let mut tests = "a,b,n\n".to_owned();
    for test in 0..20_000 {
        for step in 0..20 {
            let (a, b, n) = (test % 2, step % 3 % 2, (test + step) % 200 - 100);
            writeln!(tests, "{a},{b},{n}").unwrap();
        }
        tests += "\n";
    }
    tests
}

/// A command that has no answer before its end says so when it is stopped.
fn assert_stopped(child: Child) {
    interrupt(&child);
    let output = child.wait_with_output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains("stopped before the end"), "{said}");
}

#[test]
fn a_suite_that_is_not_measured_yet_is_not_reduced() {
    let bench = Bench::new(&[("m.lus", &endless(200)), ("suite.csv", &large_suite())]);
    let reduce = "reduce m.lus --tests suite.csv --criterion omcdc:exact -o small.csv";
    assert_stopped(start(&bench, reduce));
    assert!(!bench.0.path().join("small.csv").exists());
}

#[test]
fn a_suite_that_is_not_measured_to_its_end_leaves_no_result() {
    let bench = Bench::new(&[("m.lus", &endless(200)), ("suite.csv", &large_suite())]);
    let before = bench.files();
    assert_stopped(start(&bench, "measure m.lus --tests suite.csv --criterion omcdc:exact"));
    assert_eq!(bench.files(), before);
}
