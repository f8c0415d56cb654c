//! Any bytes as a program document and, after a zero byte, a recording of it. A
//! recording without a program is read against a fixed one.
#![no_main]

use libfuzzer_sys::fuzz_target;
use obligato_store::{StoreError, program, recording};

const FIXED: &str = r#"{"format": "obligato-program", "version": 1, "functions": [
  {"name": "f", "file": "f.c", "exits": [{"text": "return;"}], "statements": [{"text": "x = 1;"}],
   "decisions": [{"text": "x < y && b", "role": "control", "tree": "c1 && c2", "conditions": [
     {"text": "x < y", "relation": {"operator": "<", "type": "real"}}, {"text": "b"}]}],
   "switches": [{"text": "x", "arms": [{"label": "case 1"}, {"label": "default"}]}],
   "mutants": [{"operator": "ror", "original": "x < y", "replacement": "x <= y"}]}]}"#;

fn check(error: &StoreError) {
    match error {
        // A decimal may be short with an exponent and too long without.
        StoreError::Unwritable { reason, .. } => assert!(reason.contains("digits"), "{reason}"),
        error => assert!(error.place().line.is_some(), "{error}"),
    }
    assert!(!error.to_string().contains('\n'), "{error}");
}

fuzz_target!(|bytes: &[u8]| {
    let mut halves = bytes.splitn(2, |byte| *byte == 0);
    let first = halves.next().unwrap_or_default();
    let (program, second) = match halves.next() {
        None => (program::parse(FIXED.as_bytes()), first),
        Some(second) => (program::parse(first), second),
    };
    let program = match program {
        Ok(program) => program,
        Err(error) => return check(&error),
    };
    match program::print(&program) {
        Ok(text) => {
            let back = program::parse(text.as_bytes());
            assert_eq!(back.unwrap_or_else(|error| panic!("{error}\n{text}")), program);
        }
        Err(error) => check(&error),
    }
    let recorded = match recording::parse(second, &program) {
        Ok(recorded) => recorded,
        Err(error) => return check(&error),
    };
    match recording::print(&recorded, &program) {
        Ok(text) => {
            let back = recording::parse(text.as_bytes(), &program);
            assert_eq!(back.unwrap_or_else(|error| panic!("{error}\n{text}")), recorded);
        }
        Err(error) => check(&error),
    }
});
