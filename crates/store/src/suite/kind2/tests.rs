//! Kind 2's interpreter JSON: what is understood, what is refused, and what is printed.

use obligato_model::{SuiteInterface, Variable};
use proptest::prelude::*;

use super::*;
use crate::samples;
use crate::tests::assert_complaints;

fn variables(list: &[(&str, &str)]) -> Vec<Variable> {
    let variable = |(name, kind): &(&str, &str)| Variable {
        name: (*name).to_owned(),
        kind: kind.parse().unwrap(),
    };
    list.iter().map(variable).collect()
}

fn signature() -> Signature {
    let inputs = [
        ("n", "subrange [0, 9]"),
        ("r", "real"),
        ("c.re", "real"),
        ("c.on", "bool"),
        ("a[0][0]", "int"),
        ("a[0][1]", "int"),
        ("t.%0", "int"),
        ("t.%1", "enum {A, B}"),
    ];
    Signature::new(&SuiteInterface {
        inputs: variables(&inputs),
        outputs: variables(&[("y", "bool")]),
    })
}

fn read_for(text: &[u8], signature: &Signature) -> Result<Vec<TestCase>, StoreError> {
    tests(text, signature)?.collect()
}

fn read(text: &[u8]) -> Result<Vec<TestCase>, StoreError> {
    read_for(text, &signature())
}

const STEP: &str = r#"{"n": "3", "r": 0.5, "c": {"re": "1", "on": true}, "a": [["7", 8]],
                      "t": {"0": "36", "1": "B"}}"#;

fn shown(text: &str) -> Vec<Vec<String>> {
    let row = |step: &Step| {
        let words = step.iter().map(|value| value.as_ref().map_or("?".into(), Value::to_string));
        words.collect::<Vec<String>>().join(" ")
    };
    let tests = read(text.as_bytes()).unwrap();
    tests.iter().map(|test| test.steps.iter().map(row).collect()).collect()
}

#[test]
fn records_arrays_and_tuples_are_taken_apart() {
    let expected = vec![vec!["3 1/2 1 true 7 8 36 B ?"]];
    assert_eq!(shown(&format!("[{STEP}]")), expected);
    let with_list = STEP.replace(r#"{"0": "36", "1": "B"}"#, r#"["36", "B"]"#);
    assert_eq!(shown(&format!("[{with_list}]")), expected);
}

#[test]
fn a_list_of_lists_is_several_tests() {
    let tests = read(format!("[[{STEP}, {STEP}], [], [{STEP}]]").as_bytes()).unwrap();
    let lengths: Vec<(&str, usize)> =
        tests.iter().map(|test| (test.name.as_str(), test.steps.len())).collect();
    assert_eq!(lengths, [("t1", 2), ("t2", 0), ("t3", 1)]);
    assert_eq!(read(b"[]").unwrap()[0].steps.len(), 0);
}

#[test]
fn an_output_that_is_named_is_expected() {
    let text = format!("[{}]", STEP.replace("{\"n\"", "{\"y\": true, \"n\""));
    assert_eq!(shown(&text), [["3 1/2 1 true 7 8 36 B true"]]);
}

#[test]
fn reals_are_exact_however_kind_2_spells_them() {
    for (spelled, expected) in [
        ("\"1/3\"", "1/3"),
        ("\"(1 / 3)\"", "1/3"),
        ("\"1.0/2.0\"", "1/2"),
        ("\"-0.1\"", "-1/10"),
        ("0.1", "1/10"),
        ("2", "2"),
        ("{\"num\": -1, \"den\": 3}", "-1/3"),
        ("{\"num\": 4, \"den\": 1}", "4"),
        ("\"1/-3\"", "-1/3"),
    ] {
        let text = format!("[{}]", STEP.replace("0.5", spelled));
        assert_eq!(shown(&text)[0][0].split(' ').nth(1), Some(expected), "{spelled}");
    }
}

#[test]
fn damaged_files_are_refused_with_their_place() {
    let with = |from: &str, to: &str| format!("[{}]", STEP.replace(from, to));
    let cases = [
        (String::new(), "in:1:1: this is not JSON: EOF while parsing a value"),
        ("{}".to_owned(), "in:1:1: expected an array, found an object"),
        ("[1]".to_owned(), "in:1:2: expected an object, found '1'"),
        (format!("[[{STEP}], {STEP}]"), "in:2:53: expected an array, found an object"),
        (format!("[{STEP}, []]"), "in:2:52: expected an object, found an array"),
        ("[{}]".to_owned(), "in:1:2: this step has no value for the input 'n'"),
        (with(", \"on\": true", ""), "in:1:2: this step has no value for the input 'c.on'"),
        (with("\"7\", 8", "7"), "in:1:2: this step has no value for the input 'a[0][1]'"),
        (with("\"n\"", "\"x\""), "in:1:3: the program has no input or output 'x'"),
        (with("\"re\"", "\"im\""), "in:1:29: the program has no input or output 'c.im'"),
        (with("7\", 8", "7\", 8, 9"), "in:1:68: the program has no input or output 'a[0][2]'"),
        (
            with("[[\"7\", 8]]", "[[7, 8], []]"),
            "in:1:67: the program has no input or output 'a[1]'",
        ),
        (with("\"3\"", "3, \"n\": 4"), "in:1:11: the field 'n' is given twice"),
        (with("\"re\": \"1\"", "\"re\": 1, \"re\": 2"), "in:1:44: 'c.re' is given twice"),
        (with("\"3\"", "10"), "in:1:8: input 'n': '10' is not a value of type subrange [0, 9]"),
        (with("\"3\"", "1.5"), "in:1:8: input 'n': '1.5' is not a value of type subrange [0, 9]"),
        (
            with("\"3\"", "true"),
            "in:1:8: input 'n': expected a value of type subrange [0, 9], found 'true'",
        ),
        (
            with("\"3\"", "[3]"),
            "in:1:8: input 'n': expected a value of type subrange [0, 9], found an array",
        ),
        (with("\"B\"", "\"C\""), "in:2:45: input 't.%1': 'C' is not a value of type enum {A, B}"),
        (with("0.5", "\"one\""), "in:1:18: input 'r': 'one' is not a value of type real"),
        (with("0.5", "\"1/0\""), "in:1:18: input 'r': '1/0' divides by zero"),
        (with("0.5", "{\"num\": 1}"), "in:1:18: the field 'den' is missing"),
        (
            with("0.5", "{\"num\": 1, \"den\": \"x\"}"),
            "in:1:18: input 'r': '\"x\"' is not a value of type real",
        ),
        (with("0.5", "null"), "in:1:18: input 'r': expected a value of type real, found 'null'"),
        (
            with("{\"re\": \"1\", \"on\": true}", "4"),
            "in:1:28: expected the parts of 'c', found '4'",
        ),
        (
            with("{\"n\"", "{\"y\": 1, \"n\""),
            "in:1:8: output 'y': expected a value of type bool, found '1'",
        ),
    ];
    let cases: Vec<(&str, &str)> = cases.iter().map(|(text, why)| (text.as_str(), *why)).collect();
    assert_complaints(read, &cases);
}

#[test]
fn nesting_without_end_is_refused_at_its_first_level() {
    let deep = "[".repeat(100_000) + &"]".repeat(100_000);
    for text in [deep.clone(), format!("[{}]", STEP.replace("[[\"7\", 8]]", &deep))] {
        assert!(read(text.as_bytes()).unwrap_err().place().line.is_some());
    }
}

#[test]
fn one_test_is_printed_as_kind_2_reads_it() {
    let signature = signature();
    let suite = read(format!("[{STEP}]").as_bytes()).unwrap();
    let mut printer = Printer::new(&signature);
    let text = printer.print(&suite[0]).unwrap() + &printer.finish();
    let expected = "[\n  {\"n\": 3, \"r\": \"0.5\", \"c\": {\"re\": \"1.0\", \"on\": true}, \
                    \"a\": [[7, 8]], \"t\": {\"0\": 36, \"1\": \"B\"}}\n]\n";
    assert_eq!(text, expected);
}

#[test]
fn what_is_left_open_cannot_be_printed() {
    let signature = signature();
    let steps = vec![vec![None; signature.variables().len()]];
    let test = TestCase { name: "t1".to_owned(), steps };
    let reason = Printer::new(&signature).print(&test).unwrap_err().to_string();
    assert!(reason.starts_with("test 't1', input 'n': Kind 2 takes no input that is"), "{reason}");
}

proptest! {
    #[test]
    fn what_is_printed_reads_back(suite in samples::suite(), shapes in any::<[u8; 5]>()) {
        let mut suite = suite;
        let mut names = vec!["w", "v.a", "v.b[0]", "v.b[1][0]", "v.b[1][1]", "v.%2", "u[0].x"];
        names.rotate_left(shapes[0] as usize % 3);
        for (input, name) in suite.inputs.iter_mut().zip(&names) {
            input.name = (*name).to_owned();
        }
        let interface = SuiteInterface { inputs: suite.inputs.clone(), outputs: Vec::new() };
        let signature = Signature::new(&interface);
        let mut printer = Printer::new(&signature);
        let (mut text, mut kept) = (String::new(), Vec::new());
        for test in &suite.tests {
            let Ok(piece) = printer.print(test) else { continue };
            text += &piece;
            kept.push(test.steps.clone());
        }
        text += &printer.finish();
        let back = read_for(text.as_bytes(), &signature);
        let back = back.map_err(|error| format!("{error}\n{text}")).unwrap();
        let back: Vec<Vec<Step>> = back.into_iter().map(|test| test.steps).collect();
        let alone = vec![Vec::new()];
        prop_assert_eq!(&back, if kept.is_empty() { &alone } else { &kept }, "{}", text);
    }
}
