//! `OBLIGATO_LOG`: what engines ask and learn, on standard error; and nothing without it.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::process::{Command, Output};

use obligato_test_support::repository;

/// Short work of each engine, with a budget in units of work and one thread where there could be more.
const C: &str = "generate limiter.c --criterion mcdc --budget 100000 --no-store";
const LUSTRE: &str =
    "generate cabin.lus --criterion mcdc,omcdc --budget 100000 --threads 1 --no-store";

fn obligato(arguments: &str, log: Option<&str>) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_obligato"));
    command.args(arguments.split_whitespace()).current_dir(repository().join("examples"));
    command.env("NO_COLOR", "1").env_remove("OBLIGATO_LOG");
    command.envs(log.map(|log| ("OBLIGATO_LOG", log)));
    command.output().unwrap()
}

/// The lines of the trace; those that say how long something took are none of it.
fn trace(output: &Output) -> Vec<String> {
    let text = String::from_utf8(output.stderr.clone()).unwrap();
    let is_traced = |line: &&str| ["INFO ", "DEBUG ", "TRACE "].iter().any(|it| line.contains(it));
    text.lines().filter(is_traced).map(str::to_owned).collect()
}

#[test]
fn the_questions_of_a_search_are_written_with_their_answers() {
    let lines = trace(&obligato(C, Some("debug")));
    for expected in [
        "INFO obligato_engines_c::campaign::progress: phase phase=Concolic",
        "DEBUG obligato_engines_c::campaign: candidate branch=",
        "DEBUG obligato_bv_solver::ask: question constraints=",
        "answer=\"unsatisfiable\"",
        "INFO obligato_engines_c::campaign::closing: search ended complete=true",
    ] {
        assert!(lines.iter().any(|line| line.contains(expected)), "{expected}: {lines:#?}");
    }
}

#[test]
fn the_phases_of_a_model_are_written() {
    let lines = trace(&obligato(LUSTRE, Some("engines-lustre=info")));
    let phase = "INFO obligato_engines_lustre::campaign: phase phase=Random";
    assert!(lines.iter().any(|line| line.contains(phase)), "{lines:#?}");
    assert!(lines.iter().all(|line| line.contains("obligato_engines_lustre")), "{lines:#?}");
}

#[test]
fn the_same_work_leaves_the_same_trace_and_the_same_results() {
    for arguments in [C, LUSTRE] {
        let (one, other) = (obligato(arguments, Some("trace")), obligato(arguments, Some("trace")));
        assert!(!trace(&one).is_empty());
        assert_eq!(trace(&one), trace(&other), "{arguments}");
        assert_eq!(one.stdout, obligato(arguments, None).stdout, "{arguments}");
    }
}

#[test]
fn nothing_is_written_unless_it_is_asked_for() {
    for log in [None, Some(""), Some("off")] {
        for arguments in [C, LUSTRE] {
            assert_eq!(trace(&obligato(arguments, log)), [""; 0], "{arguments}");
        }
        assert!(obligato("check cabin.lus", log).stderr.is_empty());
    }
}

#[test]
fn what_is_not_known_is_one_line_and_exits_2() {
    let output = obligato("check cabin.lus", Some("engine_c=debug"));
    let text = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{text}");
    assert!(
        text.contains("OBLIGATO_LOG: 'engine_c=debug'") && text.contains("engines_c"),
        "{text}"
    );
    assert_eq!(text.lines().count(), 1, "{text}");
}
