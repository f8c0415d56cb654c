//! Recordings: tokens, places in strings, damage.

use proptest::prelude::*;

use super::*;
use crate::program;
use crate::samples::{self, documented};
use crate::tests::{assert_truncation_is_noticed, complaint};

fn program() -> Program {
    program::parse(documented("json program").as_bytes()).unwrap()
}

/// A recording with one test with these events.
fn with_events(events: &str) -> String {
    format!(
        "{{\"format\": \"obligato-recording\", \"version\": 1, \"tests\": [\n\
         {{\"name\": \"t1\", \"events\": {events}}}]}}"
    )
}

#[test]
fn every_token_prints_as_it_is_read() {
    let program = program();
    for token in [
        "f2",
        "x1",
        "s2",
        "w1a2",
        "d1c2=T",
        "d1c1=F(12,10)",
        "d1c1=F(-12,10)>strict",
        "d1c2=T>tags",
        "d2c1=T>exact",
        "m1!strong",
        "m1!weak",
    ] {
        let event = parse_event(token, &program).unwrap();
        assert_eq!(print_event(&event, &program).unwrap(), token);
    }
}

#[test]
fn damaged_tokens_are_refused_by_name() {
    let program = program();
    let range = |token: &str, what: &str| format!("'{token}': {what}");
    for (token, expected) in [
        ("f3", range("f3", "the program has 2 functions")),
        ("x3", range("x3", "the program has 2 exits")),
        ("s9", range("s9", "the program has 2 statements")),
        ("w2a1", range("w2a1", "the program has 1 switch")),
        ("w1a3", range("w1a3", "switch 1 has 2 arms")),
        ("d3c1=T", range("d3c1", "the program has 2 decisions")),
        ("d1c4=T", range("d1c4", "decision 1 has 3 conditions")),
        ("m2!weak", range("m2!weak", "the program has 1 mutant")),
        (
            "d1c2=T(1,2)",
            range("d1c2=T(1,2)", "the condition compares no numbers, so it has no operands"),
        ),
        ("d1c1=T(1,x)", range("d1c1=T(1,x)", "'x' is not a value of type int32")),
    ] {
        assert_eq!(parse_event(token, &program).unwrap_err().to_string(), expected);
    }
    for token in [
        "q1",
        "f",
        "f0",
        "f01",
        "f+1",
        "f1x",
        "w1",
        "m1",
        "m1!",
        "m1!dead",
        "d1c2",
        "d1c2=",
        "d1c2=t",
        "d1c2=é",
        "d1c1=T(1)",
        "d1c1=T(1,2",
        "d1c1=T>",
        "d1c1=T>loose",
        "d1c1=T(1,2)x",
        "f99999999999999999999999",
    ] {
        let message = parse_event(token, &program).unwrap_err().to_string();
        let expected = format!("'{token}' is no event; events are f1, x1, ");
        assert!(message.starts_with(&expected), "{message}");
    }
}

#[test]
fn damaged_recordings_are_refused_with_test_and_place() {
    let program = program();
    for (events, expected) in [
        (r#""f1 s7 x1""#, "in:2:30: test 't1': 's7': the program has 2 statements"),
        ("[\"f1\",\n \"s1 s7\"]", "in:3:6: test 't1': 's7': the program has 2 statements"),
        (r#""f1\ts7""#, "in:2:26: test 't1': 's7': the program has 2 statements"),
        ("7", "in:2:26: expected a string, found '7'"),
        ("[7]", "in:2:27: expected a string, found '7'"),
    ] {
        let source = with_events(events);
        assert_eq!(complaint(parse(source.as_bytes(), &program)), expected);
    }
    let source = with_events("\"\"},\n{\"name\": \"t1\", \"events\": \"\"");
    assert_eq!(
        complaint(parse(source.as_bytes(), &program)),
        "in:3:10: there are two of test 't1'"
    );
    let source = with_events("\"\"},\n{\"events\": \"\"");
    assert_eq!(
        complaint(parse(source.as_bytes(), &program)),
        "in:3:1: the field 'name' is missing"
    );
}

/// A recording that declares this, with one test with these events.
fn watching(declared: &str, events: &str) -> String {
    with_events(&format!("\"{events}\"")).replace("1, ", &format!("1,\n{declared}, "))
}

#[test]
fn an_effect_or_a_kill_must_have_been_watched_for() {
    let program = program();
    for (declared, events, expected) in [
        (
            r#""kills": []"#,
            "f1 d1c2=T>tags",
            "in:3:30: test 't1': 'd1c2=T>tags': the recording does not say that it watched for \
             this; add \"tags\" to its field \"effects\"",
        ),
        (
            r#""effects": ["strict"], "kills": ["strong"]"#,
            "m1!weak",
            "in:3:27: test 't1': 'm1!weak': the recording does not say that it watched for this; \
             add \"weak\" to its field \"kills\"",
        ),
        (
            r#""effects": ["strict", "loose"]"#,
            "",
            "in:2:23: no observability is called 'loose'; there are strict, tags, exact",
        ),
        (r#""kills": ["weak", "weak"]"#, "", "in:2:19: 'weak' is declared twice"),
        (r#""kills": "weak""#, "", "in:2:10: expected an array, found a string"),
    ] {
        let source = watching(declared, events);
        let message = complaint(parse(source.as_bytes(), &program));
        assert_eq!(message, expected, "{source}");
    }
    let source =
        watching(r#""effects": ["tags"], "kills": ["weak"]"#, "d1c2=T d1c2=T>tags m1!weak");
    let mut recording = parse(source.as_bytes(), &program).unwrap();
    recording.watched.effects.clear();
    let message = print(&recording, &program).unwrap_err().to_string();
    assert!(message.contains("add \"tags\" to its field \"effects\""), "{message}");
}

#[test]
fn long_runs_are_wrapped() {
    let program = program();
    let source = with_events(&format!("\"{}\"", "f1 s1 d1c1=T(12,10) ".repeat(20)));
    let recording = parse(source.as_bytes(), &program).unwrap();
    assert_eq!(recording.tests[0].events.len(), 60);
    let text = print(&recording, &program).unwrap();
    assert!(text.lines().all(|line| line.len() < 110), "{text}");
    assert_eq!(parse(text.as_bytes(), &program).unwrap(), recording);
}

#[test]
fn events_of_another_program_are_not_printed() {
    let event = parse_event("d2c1=T(1,2)", &program()).unwrap();
    let message = print_event(&event, &Program::new()).unwrap_err().to_string();
    assert!(message.ends_with("is none of this program"), "{message}");
}

#[test]
fn a_recording_is_loaded_as_it_was_saved() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("recording.json");
    let program = program();
    let recording = parse(documented("json recording").as_bytes(), &program).unwrap();
    save(&path, &recording, &program).unwrap();
    assert_eq!(load(&path, &program).unwrap(), recording);
}

#[test]
fn a_cut_document_is_noticed() {
    let program = program();
    assert_truncation_is_noticed(|bytes| parse(bytes, &program), documented("json recording"));
}

proptest! {
    #[test]
    fn every_recording_and_every_event_reads_back((program, recording) in samples::recording()) {
        let text = print(&recording, &program).unwrap();
        prop_assert_eq!(&parse(text.as_bytes(), &program).unwrap(), &recording);
        for event in recording.tests.iter().flat_map(|test| &test.events) {
            let token = print_event(event, &program).unwrap();
            prop_assert_eq!(&parse_event(&token, &program).unwrap(), event);
        }
    }
}
