//! Any bytes as a suite in Kind 2's JSON: an error or tests, and the inputs that were read are
//! printed so that they read back.
#![no_main]

use libfuzzer_sys::fuzz_target;
use obligato_model::{SuiteInterface, TestCase, Variable};
use obligato_store::StoreError;
use obligato_store::suite::{Kind2Printer, Signature, parse_kind2};

fn signature() -> Signature {
    let variable = |(name, kind): (&str, &str)| Variable {
        name: name.to_owned(),
        kind: kind.parse().expect("a type"),
    };
    let inputs = [("n", "int8"), ("c.re", "real"), ("c.a[0]", "bool"), ("t.%0", "enum {A, B}")];
    Signature::new(&SuiteInterface { inputs: inputs.map(variable).to_vec(), outputs: Vec::new() })
}

fn read(bytes: &[u8], signature: &Signature) -> Result<Vec<TestCase>, StoreError> {
    parse_kind2(bytes, signature)?.collect()
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
    let mut printer = Kind2Printer::new(&signature);
    let mut text = String::new();
    for test in &tests {
        match printer.print(test) {
            Ok(piece) => text += &piece,
            Err(StoreError::Unwritable { reason, .. }) => {
                assert!(reason.contains("digits"), "{reason}");
                return;
            }
            Err(other) => panic!("{other}"),
        }
    }
    text += &printer.finish();
    let back = read(text.as_bytes(), &signature).unwrap_or_else(|error| panic!("{error}\n{text}"));
    assert_eq!(back, tests);
});
