//! Any bytes as a suite in RIF: an error or tests, and what was read is printed so that it
//! reads back.
#![no_main]

use libfuzzer_sys::fuzz_target;
use obligato_model::{SuiteInterface, TestCase, Variable};
use obligato_store::StoreError;
use obligato_store::suite::{RifPrinter, Signature, parse_rif};

fn signature() -> Signature {
    let variable = |(name, kind): (&str, &str)| Variable {
        name: name.to_owned(),
        kind: kind.parse().expect("a type"),
    };
    let inputs = [("a", "bool"), ("n", "subrange [-3, 9]"), ("r", "real"), ("m", "enum {q, A}")];
    Signature::new(&SuiteInterface {
        inputs: inputs.map(variable).to_vec(),
        outputs: [("y", "int"), ("z", "bool")].map(variable).to_vec(),
    })
}

fn read(bytes: &[u8], signature: &Signature) -> Result<Vec<TestCase>, StoreError> {
    parse_rif(bytes, signature)?.collect()
}

fuzz_target!(|bytes: &[u8]| {
    let signature = signature();
    let tests = match read(bytes, &signature) {
        Ok(tests) => tests,
        Err(error) => {
            assert!(error.place().line.is_some(), "{error}");
            assert!(!error.to_string().contains('\n'), "{error}");
            return;
        }
    };
    let mut printer = RifPrinter::new(&signature);
    let mut text = printer.header().expect("plain names");
    for test in &tests {
        match printer.print(test) {
            Ok(piece) => text += &piece,
            // A decimal may be short with an exponent and too long without.
            Err(StoreError::Unwritable { reason, .. }) => {
                assert!(reason.contains("digits"), "{reason}");
                return;
            }
            Err(other) => panic!("{other}"),
        }
    }
    let back = read(text.as_bytes(), &signature).unwrap_or_else(|error| panic!("{error}\n{text}"));
    assert_eq!(back, tests);
});
