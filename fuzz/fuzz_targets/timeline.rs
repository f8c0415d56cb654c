//! Any bytes as a timeline document: an error with a line, or a timeline that is
//! printed so that it reads back.
#![no_main]

use libfuzzer_sys::fuzz_target;
use obligato_store::timeline;

fuzz_target!(|bytes: &[u8]| {
    match timeline::parse(bytes) {
        Ok(stored) => {
            let text = timeline::print(&stored).expect("what was read can be printed");
            let back = timeline::parse(text.as_bytes());
            assert_eq!(back.unwrap_or_else(|error| panic!("{error}\n{text}")), stored);
        }
        Err(error) => {
            assert!(error.place().line.is_some(), "{error}");
            assert!(!error.to_string().contains('\n'), "{error}");
        }
    }
});
