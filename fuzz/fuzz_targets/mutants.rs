//! Any bytes as a mutants document: an error with a line, or mutants that are
//! printed so that they read back.
#![no_main]

use libfuzzer_sys::fuzz_target;
use obligato_store::mutants;

fuzz_target!(|bytes: &[u8]| {
    match mutants::parse(bytes) {
        Ok(stored) => {
            let text = mutants::print(&stored);
            let back = mutants::parse(text.as_bytes());
            assert_eq!(back.unwrap_or_else(|error| panic!("{error}\n{text}")), stored);
        }
        Err(error) => {
            assert!(error.place().line.is_some(), "{error}");
            assert!(!error.to_string().contains('\n'), "{error}");
        }
    }
});
