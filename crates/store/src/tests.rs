//! What holds for all formats: the documentation's examples, damaged bytes, and
//! printing on one line.

use std::fmt::Debug;
use std::path::Path;

use proptest::prelude::*;

use crate::samples::documented;
use crate::{Columns, StoreError, program, proofs, recording, result, suite};

/// The message of an error, as it is for the file `in`.
#[track_caller]
pub fn complaint<T: Debug>(outcome: Result<T, StoreError>) -> String {
    outcome.unwrap_err().in_file(Path::new("in")).to_string()
}

/// Checks a table of damaged documents and what is said about them.
#[track_caller]
pub fn assert_complaints<T: Debug>(
    parse: impl Fn(&[u8]) -> Result<T, StoreError>,
    cases: &[(&str, &str)],
) {
    for (source, expected) in cases {
        assert_eq!(complaint(parse(source.as_bytes())), *expected, "{source}");
    }
}

/// Checks that every start of a document is refused or means the same.
#[track_caller]
pub fn assert_truncation_is_noticed<T: Debug + PartialEq>(
    parse: impl Fn(&[u8]) -> Result<T, StoreError>,
    source: &str,
) {
    let whole = parse(source.as_bytes()).unwrap();
    for length in 0..source.len() {
        match parse(&source.as_bytes()[..length]) {
            Ok(part) => assert_eq!(part, whole, "the first {length} bytes"),
            Err(error) => assert!(error.place().line.is_some(), "{error}"),
        }
    }
}

#[test]
fn the_examples_of_the_documentation_are_read_and_printed_as_they_stand() {
    let text = documented("json suite");
    let from_json = suite::parse_json(text.as_bytes(), Columns::Infer).unwrap();
    assert_eq!(suite::print_json(&from_json).unwrap(), text);

    let text = documented("csv suite");
    let declared = Columns::Declared(&from_json.inputs);
    let from_csv = suite::parse_csv(text.as_bytes(), declared).unwrap();
    assert_eq!(suite::print_csv(&from_csv).unwrap(), text);
    assert_eq!(from_csv, from_json);

    let interface = obligato_model::SuiteInterface {
        inputs: from_json.inputs.clone(),
        outputs: vec![obligato_model::Variable {
            name: "brake".into(),
            kind: obligato_model::Type::Bool,
        }],
    };
    let signature = suite::Signature::new(&interface);
    let text = documented("rif suite");
    let found = suite::parse_rif(text.as_bytes(), &signature).unwrap();
    let mut printer = suite::RifPrinter::new(&signature);
    let mut back = printer.header().unwrap();
    for (one, plain) in found.zip(&from_json.tests) {
        let one = one.unwrap();
        back += &printer.print(&one).unwrap();
        assert_eq!(signature.split(one).0, *plain);
    }
    assert_eq!(back, text);
    let text = documented("json kind2");
    assert_eq!(suite::parse_kind2(text.as_bytes(), &signature).unwrap().count(), 1);

    let text = documented("json program");
    let program = program::parse(text.as_bytes()).unwrap();
    assert_eq!(program::print(&program).unwrap(), text);

    let text = documented("json recording");
    recording::parse(text.as_bytes(), &program).unwrap();

    let text = documented("json proofs");
    let stored = proofs::parse(text.as_bytes()).unwrap();
    assert_eq!(proofs::print(&stored).unwrap(), text);

    let text = documented("json result");
    let stored = result::parse(text.as_bytes()).unwrap();
    assert_eq!(result::print(&stored).unwrap(), text);

    let (start, _) = text.split_once("\"obligations\": [").unwrap();
    let others = format!("{start}\"obligations\": [\n{}  ]\n}}\n", documented("json obligations"));
    let others_read = result::parse(others.as_bytes()).unwrap();
    assert_eq!(result::print(&others_read).unwrap(), others);
    for other in &others_read.obligations {
        let known = stored.obligations.iter().find(|known| known.id == other.id).unwrap();
        assert_eq!((&known.text, known.span), (&other.text, other.span));
    }
}

#[test]
fn a_message_stays_on_one_line_whatever_it_quotes() {
    let error = suite::parse_csv(b"a\n\"\x1b[31m\"\n", Columns::Declared(&[])).unwrap_err();
    let message = error.in_file(Path::new("a\nb")).to_string();
    assert_eq!(message, r"a\nb:1:1: the program has no input 'a'");
    let source = r#"{"format": "a\nb"}"#;
    assert_eq!(
        complaint(program::parse(source.as_bytes())),
        r"in:1:12: expected an obligato-program document, but this is 'a\nb'"
    );
}

#[test]
fn deep_nesting_is_an_error_and_not_a_crash() {
    for opening in ["[", "{\"a\":", "{\"format\":[", "[[[[{\"\":"] {
        let source = opening.repeat(200_000);
        assert!(program::parse(source.as_bytes()).is_err());
        let source = format!(
            "{{\"format\": \"obligato-suite\", \"version\": 1, \"inputs\": {}{}}}",
            "[".repeat(200_000),
            "]".repeat(200_000)
        );
        assert!(suite::parse_json(source.as_bytes(), Columns::Infer).is_err());
    }
}

/// One change to a document.
#[derive(Clone, Debug)]
enum Damage {
    Replace(usize, u8),
    Insert(usize, u8),
    Remove(usize, usize),
    Repeat(usize, usize),
}

fn damage() -> impl Strategy<Value = Damage> {
    let byte =
        || prop_oneof![any::<u8>(), proptest::sample::select(b"{}[]\",:#\n\r \\-019Td".to_vec())];
    prop_oneof![
        (any::<usize>(), byte()).prop_map(|(at, byte)| Damage::Replace(at, byte)),
        (any::<usize>(), byte()).prop_map(|(at, byte)| Damage::Insert(at, byte)),
        (any::<usize>(), 1..40_usize).prop_map(|(at, length)| Damage::Remove(at, length)),
        (any::<usize>(), 1..40_usize).prop_map(|(at, length)| Damage::Repeat(at, length)),
    ]
}

fn damaged(source: &str, damages: &[Damage]) -> Vec<u8> {
    let mut bytes = source.as_bytes().to_vec();
    for damage in damages {
        if bytes.is_empty() {
            break;
        }
        let range = |at: usize, length: usize| {
            let at = at % bytes.len();
            at..(at + length).min(bytes.len())
        };
        match *damage {
            Damage::Replace(at, byte) => {
                let at = range(at, 1).start;
                bytes[at] = byte;
            }
            Damage::Insert(at, byte) => bytes.insert(range(at, 1).start, byte),
            Damage::Remove(at, length) => drop(bytes.drain(range(at, length))),
            Damage::Repeat(at, length) => {
                let range = range(at, length);
                let part = bytes[range.clone()].to_vec();
                bytes.splice(range.start..range.start, part);
            }
        }
    }
    bytes
}

fn check<T: Debug>(outcome: Result<T, StoreError>) {
    if let Err(error) = outcome {
        assert!(error.place().line.is_some(), "{error}");
        assert!(!error.to_string().contains('\n'), "{error}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    #[test]
    fn damaged_documents_are_read_or_refused_with_a_line(
        damages in proptest::collection::vec(damage(), 1..4),
    ) {
        let bytes = |tag| damaged(documented(tag), &damages);
        check(suite::parse_json(&bytes("json suite"), Columns::Infer));
        check(suite::parse_csv(&bytes("csv suite"), Columns::Infer));
        check(program::parse(&bytes("json program")));
        let program = program::parse(documented("json program").as_bytes()).unwrap();
        check(recording::parse(&bytes("json recording"), &program));
        check(result::parse(&bytes("json result")));
        check(proofs::parse(&bytes("json proofs")));
    }
}
