//! Any bytes as a JSON suite: an error with a line, or a suite that is printed so
//! that it reads back.
#![no_main]

use libfuzzer_sys::fuzz_target;
use obligato_store::suite::{parse_csv, parse_json, print_csv, print_json};
use obligato_store::{Columns, StoreError};

fuzz_target!(|bytes: &[u8]| {
    let suite = match parse_json(bytes, Columns::Infer) {
        Ok(suite) => suite,
        Err(error) => {
            assert!(error.place().line.is_some(), "{error}");
            assert!(!error.to_string().contains('\n'), "{error}");
            return;
        }
    };
    match print_json(&suite) {
        Ok(text) => {
            let back = parse_json(text.as_bytes(), Columns::Declared(&suite.inputs));
            assert_eq!(back.unwrap_or_else(|error| panic!("{error}\n{text}")), suite);
            let again = print_json(&suite).expect("it could be printed before");
            assert_eq!(again, text);
        }
        Err(StoreError::Unwritable { reason, .. }) => {
            assert!(reason.contains("digits"), "{reason}");
        }
        Err(other) => panic!("{other}"),
    }
    // CSV holds less; what it takes must come back.
    if let Ok(text) = print_csv(&suite) {
        let back = parse_csv(text.as_bytes(), Columns::Declared(&suite.inputs));
        assert_eq!(back.unwrap_or_else(|error| panic!("{error}\n{text}")), suite);
    }
});
