//! Any bytes as a CSV suite: an error or a suite, and what was read is printed so
//! that it reads back, as CSV and as JSON.
#![no_main]

use libfuzzer_sys::fuzz_target;
use obligato_store::suite::{parse_csv, parse_json, print_csv, print_json};
use obligato_store::{Columns, StoreError};

fuzz_target!(|bytes: &[u8]| {
    let suite = match parse_csv(bytes, Columns::Infer) {
        Ok(suite) => suite,
        Err(error) => {
            assert!(error.place().line.is_some(), "{error}");
            assert!(!error.to_string().contains('\n'), "{error}");
            return;
        }
    };
    for (print, parse) in
        [(print_csv as fn(&_) -> _, parse_csv as fn(&_, Columns) -> _), (print_json, parse_json)]
    {
        match print(&suite) {
            Ok(text) => {
                let text: String = text;
                let back = parse(text.as_bytes(), Columns::Declared(&suite.inputs));
                let back: obligato_model::Suite =
                    back.unwrap_or_else(|error: StoreError| panic!("{error}\n{text}"));
                assert_eq!(back, suite);
            }
            // A decimal may be short with an exponent and too long without.
            Err(StoreError::Unwritable { reason, .. }) => {
                assert!(reason.contains("digits"), "{reason}");
            }
            Err(other) => panic!("{other}"),
        }
    }
});
