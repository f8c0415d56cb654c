//! Any bytes as a details document: an error with a line, or details that are
//! printed so that they read back.
#![no_main]

use libfuzzer_sys::fuzz_target;
use obligato_store::details;

fuzz_target!(|bytes: &[u8]| {
    match details::parse(bytes) {
        Ok(stored) => {
            let text = details::print(&stored).expect("what was read can be printed");
            let back = details::parse(text.as_bytes());
            assert_eq!(back.unwrap_or_else(|error| panic!("{error}\n{text}")), stored);
        }
        Err(error) => {
            assert!(error.place().line.is_some(), "{error}");
            assert!(!error.to_string().contains('\n'), "{error}");
        }
    }
});
