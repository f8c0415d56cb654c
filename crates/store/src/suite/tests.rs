//! Suites as JSON: layout, checks against a program, damage.

use obligato_model::{Suite, SuiteInterface, TestCase, Type, Value, Variable};
use proptest::prelude::*;

use super::*;
use crate::samples::{self, documented};
use crate::tests::{assert_complaints, assert_truncation_is_noticed, complaint};

fn inputs() -> Vec<Variable> {
    [("x", "int8"), ("ok", "bool")]
        .map(|(name, kind)| Variable { name: name.to_owned(), kind: kind.parse().unwrap() })
        .to_vec()
}

fn declared(bytes: &[u8]) -> Result<Suite, StoreError> {
    parse_json(bytes, Columns::Declared(&inputs()))
}

/// A suite of `x: int8` and `ok: bool` with these tests.
fn with_tests(tests: &str) -> String {
    format!(
        "{{\"format\": \"obligato-suite\", \"version\": 1,\n\
         \"inputs\": [{{\"name\": \"x\", \"type\": \"int8\"}}, {{\"name\": \"ok\", \"type\": \"bool\"}}],\n\
         \"tests\": {tests}}}"
    )
}

#[test]
fn a_suite_printed_with_what_it_expects_reads_back() {
    let outputs = vec![Variable { name: "alarm".to_owned(), kind: Type::Bool }];
    let signature = Signature::new(&SuiteInterface { inputs: inputs(), outputs });
    let step =
        |x: i64, alarm: Option<bool>| vec![Some(Value::int(x)), None, alarm.map(Value::Bool)];
    let tests = [
        TestCase { name: "some".to_owned(), steps: vec![step(1, Some(true)), step(2, None)] },
        TestCase { name: "none".to_owned(), steps: vec![step(3, None)] },
    ];
    let mut printer = Printer::for_program(&signature).unwrap();
    let mut text: String = tests.iter().map(|test| printer.print(test).unwrap()).collect();
    text += &printer.finish();
    let read: Result<Vec<_>, _> = json::tests_for(text.as_bytes(), &signature).unwrap().collect();
    assert_eq!(read.unwrap(), tests);
}

#[test]
fn a_suite_read_test_by_test_is_the_suite() {
    let directory = tempfile::tempdir().unwrap();
    let whole = parse_json(documented("json suite").as_bytes(), Columns::Infer).unwrap();
    for name in ["suite.json", "suite.csv"] {
        let path = directory.path().join(name);
        save(&path, &whole).unwrap();
        let file = SuiteFile::read(&path).unwrap();
        let declared = Columns::Declared(&whole.inputs);
        assert_eq!(file.inputs(declared).unwrap(), whole.inputs);
        let tests: Result<Vec<_>, _> = file.tests(&whole.inputs).unwrap().collect();
        assert_eq!(tests.unwrap(), whole.tests);
        assert_eq!(load(&path, declared).unwrap(), whole);
    }
    let path = directory.path().join("bad.csv");
    file::write(&path, b"x,ok\n1,T\n\n2,7\n").unwrap();
    let (file, inputs) = (SuiteFile::read(&path).unwrap(), inputs());
    let mut tests = file.tests(&inputs).unwrap();
    assert_eq!(tests.next().unwrap().unwrap().name, "t1");
    let message = tests.next().unwrap().unwrap_err().to_string();
    assert!(message.contains("bad.csv:4:3: column 'ok': '7' is not"), "{message}");
}

#[test]
fn damaged_tests_are_refused_with_their_place() {
    for (tests, expected) in [
        (
            r#"[{"steps": [{"x": 1.0}]}]"#,
            "in:3:28: test 't1', input 'x': '1.0' is not a value of type int8",
        ),
        (
            r#"[{"steps": [{"x": 128}]}]"#,
            "in:3:28: test 't1', input 'x': '128' is not a value of type int8",
        ),
        (
            r#"[{"name": "a", "steps": [{"ok": 1}]}]"#,
            "in:3:42: test 'a', input 'ok': expected a value of type bool, found '1'",
        ),
        (
            r#"[{"steps": [{"ok": null}]}]"#,
            "in:3:29: test 't1', input 'ok': expected a value of type bool, found 'null'",
        ),
        (
            r#"[{"steps": [{"x": true}]}]"#,
            "in:3:28: test 't1', input 'x': expected a value of type int8, found 'true'",
        ),
        (r#"[{"steps": [{"y": 1}]}]"#, "in:3:23: test 't1': the suite lists no input 'y'"),
        (r#"[{"steps": [{"x": 1, "x": 1}]}]"#, "in:3:31: the field 'x' is given twice"),
        (
            r#"[{"name": "a", "steps": []}, {"name": "a", "steps": []}]"#,
            "in:3:48: there are two of test 'a'",
        ),
        (r#"[{"name": "t2", "steps": []}, {"steps": []}]"#, "in:3:40: there are two of test 't2'"),
        (r#"[{"name": "", "steps": []}]"#, "in:3:20: the name of this test is empty"),
        (r#"[{"name": "a"}]"#, "in:3:11: the field 'steps' is missing"),
        (
            r#"[{"steps": [], "stesp": []}]"#,
            "in:3:25: unknown field 'stesp'; known are name, steps, outputs",
        ),
        (r#"[{"steps": {}}]"#, "in:3:21: expected an array, found an object"),
        (r#"[{"steps": [5]}]"#, "in:3:22: expected an object, found '5'"),
        (
            r#"[{"name": "\ud800", "steps": []}]"#,
            "in:3:20: this string escapes something that is no character",
        ),
        (r"[7]", "in:3:11: expected an object, found '7'"),
    ] {
        assert_eq!(complaint(declared(with_tests(tests).as_bytes())), expected);
    }
}

#[test]
fn damaged_documents_are_refused_with_their_place() {
    assert_complaints(
        declared,
        &[
            ("", "in:1:1: this is not JSON: EOF while parsing a value"),
            ("{\n  \"a\": }", "in:2:8: this is not JSON: expected value"),
            ("{}{}", "in:1:3: this is not JSON: trailing characters"),
            (
                "{\"format\": \"obligato-suite\"\n\n\"version\": 1}",
                "in:3:1: this is not JSON: expected `,` or `}`",
            ),
            ("[]", "in:1:1: expected an object, found an array"),
            (
                "{\"version\": 1}",
                "in:1:1: expected an obligato-suite document, but this has no field \"format\"",
            ),
            ("{\"format\": 3}", "in:1:12: expected a string, found '3'"),
            (
                "{\"format\": \"obligato-result\", \"version\": 9}",
                "in:1:12: expected an obligato-suite document, but this is 'obligato-result'",
            ),
            ("{\"format\": \"obligato-suite\"}", "in:1:1: the field 'version' is missing"),
            (
                "{\"format\": \"obligato-suite\",\n \"version\": \"1\"}",
                "in:2:13: expected a version number, found a string",
            ),
            (
                "{\"format\": \"obligato-suite\",\n \"version\": 2, \"news\": []}",
                "in:2:13: this is version 2 of obligato-suite; this release reads version 1",
            ),
            (
                "{\"format\": \"obligato-suite\",\n \"version\": 1, \"news\": []}",
                "in:2:16: unknown field 'news'; known are format, version, inputs, outputs, tests",
            ),
            (
                "{\"format\": \"obligato-suite\", \"version\": 1,\n \"version\": 1}",
                "in:2:2: the field 'version' is given twice",
            ),
            (
                "{\"format\": \"obligato-suite\", \"version\": 1, \"inputs\": []}",
                "in:1:54: the input 'x' of the program is not listed",
            ),
        ],
    );
}

#[test]
fn damaged_inputs_are_refused_with_their_place() {
    for (inputs, expected) in [
        (
            r#"[{"name": "x", "type": "int8"}, {"name": "x", "type": "int8"}]"#,
            "in:2:52: there are two of input 'x'",
        ),
        (
            r#"[{"name": "x", "type": "int"}]"#,
            "in:2:12: input 'x' has type int8, but the suite says int",
        ),
        (r#"[{"name": "z", "type": "int"}]"#, "in:2:12: the program has no input 'z'"),
        (
            r#"[{"name": "x", "type": "int8"}]"#,
            "in:2:11: the input 'ok' of the program is not listed",
        ),
        (r#"[{"name": "x"}]"#, "in:2:12: the field 'type' is missing"),
        (r#"[{"name": "", "type": "int8"}]"#, "in:2:21: the name of this input is empty"),
    ] {
        let source = format!(
            "{{\"format\": \"obligato-suite\", \"version\": 1,\n\"inputs\": {inputs},\n\"tests\": []}}"
        );
        assert_eq!(complaint(declared(source.as_bytes())), expected);
    }
    let unknown = with_tests("[]").replace("int8", "int0");
    let message = complaint(declared(unknown.as_bytes()));
    assert!(message.starts_with("in:2:34: input 'x': 'int0' is not a type; "), "{message}");
}

#[test]
fn bytes_that_are_no_text_are_refused_with_their_line() {
    let mut bytes = with_tests("[]").into_bytes();
    bytes.insert(44, 0xff);
    assert_eq!(complaint(declared(&bytes)), "in:2:2: this is not UTF-8 text");
}

#[test]
fn a_mark_at_the_start_and_windows_line_ends_do_not_matter() {
    let plain = with_tests(r#"[{"steps": [{"x": 1}]}]"#);
    let other = format!("\u{feff}{}", plain.replace('\n', "\r\n"));
    assert_eq!(declared(other.as_bytes()).unwrap(), declared(plain.as_bytes()).unwrap());
}

#[test]
fn values_are_listed_in_the_order_of_the_declared_inputs() {
    let source = with_tests(r#"[{"steps": [{"ok": true, "x": "-5"}]}]"#);
    let mut turned = inputs();
    turned.reverse();
    let suite = parse_json(source.as_bytes(), Columns::Declared(&turned)).unwrap();
    assert_eq!(suite.inputs, turned);
    let step = vec![Some(Value::Bool(true)), Some(Value::int(-5))];
    assert_eq!(suite.tests[0].steps, [step]);
}

#[test]
fn a_short_text_that_asks_for_room_without_end_is_refused() {
    let inputs: Vec<String> =
        (0..6000).map(|number| format!(r#"{{"name": "x{number}", "type": "bool"}}"#)).collect();
    let source = format!(
        r#"{{"format": "obligato-suite", "version": 1, "inputs": [{}], "tests": [{{"steps":
[{}{{}}]}}]}}"#,
        inputs.join(","),
        "{},".repeat(5999)
    );
    assert_eq!(
        complaint(parse_json(source.as_bytes(), Columns::Infer)),
        "in:2:1: 6000 more steps of 6000 inputs are too many to hold"
    );
}

#[test]
fn a_number_of_a_real_is_read_by_its_digits() {
    let source = with_tests(r#"[{"steps": [{"x": 0.1}]}]"#).replace("int8", "real");
    let suite = parse_json(source.as_bytes(), Columns::Infer).unwrap();
    let tenth = Value::parse("1/10", &Type::Real).unwrap();
    assert_eq!(suite.tests[0].steps[0][0], Some(tenth));
}

#[test]
fn what_would_not_read_back_is_not_printed() {
    let test = |name: &str, step: Vec<Option<Value>>| TestCase {
        name: name.to_owned(),
        steps: vec![step],
    };
    let refused = |inputs: Vec<Variable>, tests: Vec<TestCase>| {
        print_json(&Suite { inputs, tests }).unwrap_err().to_string()
    };
    let nothing = || vec![None, None];
    assert_eq!(
        refused(inputs(), vec![test("a", nothing()), test("a", nothing())]),
        "there are two of test 'a'"
    );
    assert_eq!(
        refused(inputs(), vec![test("a", vec![None])]),
        "a step of test 'a' has 1 values for 2 inputs"
    );
    assert_eq!(
        refused(inputs(), vec![test("a", vec![None, Some(Value::int(1))])]),
        "test 'a', input 'ok': '1' is not a value of type bool"
    );
    let comma = Variable { name: "e".to_owned(), kind: Type::Enumeration(vec!["a,b".to_owned()]) };
    assert_eq!(
        refused(vec![comma], Vec::new()),
        "input 'e': its type cannot be written so that it reads back"
    );
}

#[test]
fn the_name_of_a_file_tells_its_kind() {
    let directory = tempfile::tempdir().unwrap();
    let suite = declared(with_tests(r#"[{"steps": [{"x": 1}]}]"#).as_bytes()).unwrap();
    for (name, start) in [("s.csv", "x,ok\n"), ("s.CSV", "x,ok\n"), ("s.json", "{\n")] {
        let path = directory.path().join(name);
        save(&path, &suite).unwrap();
        let text = std::fs::read_to_string(&path).unwrap();
        assert!(text.starts_with(start), "{text}");
        assert_eq!(load(&path, Columns::Declared(&inputs())).unwrap(), suite);
    }
    let path = directory.path().join("s.csv");
    std::fs::write(&path, "x,ok\n1,maybe\n").unwrap();
    let message = load(&path, Columns::Declared(&inputs())).unwrap_err().to_string();
    let reason = "2:3: column 'ok': 'maybe' is not a value of type bool";
    assert_eq!(message, format!("{}:{reason}", path.display()));
}

#[test]
fn a_suite_that_cannot_be_printed_leaves_the_file_alone() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("s.csv");
    std::fs::write(&path, "kept").unwrap();
    let message = save(&path, &Suite::default()).unwrap_err().to_string();
    let reason = "CSV cannot hold a suite without inputs; write the suite as JSON";
    assert_eq!(message, format!("{}: {reason}", path.display()));
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "kept");
}

#[test]
fn a_cut_document_is_noticed() {
    let parse = |bytes: &[u8]| parse_json(bytes, Columns::Infer);
    assert_truncation_is_noticed(parse, documented("json suite"));
}

proptest! {
    #[test]
    fn every_suite_reads_back_from_json(suite in samples::suite()) {
        let text = print_json(&suite).unwrap();
        prop_assert!(text.ends_with("]\n}\n"), "{}", text);
        let back = parse_json(text.as_bytes(), Columns::Infer).unwrap();
        prop_assert_eq!(&back, &suite);
        let back = parse_json(text.as_bytes(), Columns::Declared(&suite.inputs)).unwrap();
        prop_assert_eq!(&back, &suite);
    }
}
