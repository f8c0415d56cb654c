//! Suites as CSV: names, quoting, guessed types, damage.

use std::fmt::Write;

use obligato_model::{Signedness, Suite, TestCase, Type, Value, Variable};
use proptest::prelude::*;

use super::*;
use crate::samples::{self, documented};
use crate::tests::{assert_complaints, complaint};

fn inputs() -> Vec<Variable> {
    let input = |name: &str, kind| Variable { name: name.to_owned(), kind };
    vec![input("x", Type::Machine(Signedness::Signed, 8)), input("ok", Type::Bool)]
}

fn declared(bytes: &[u8]) -> Result<Suite, StoreError> {
    parse(bytes, Columns::Declared(&inputs()))
}

fn guessed(bytes: &[u8]) -> Result<Suite, StoreError> {
    parse(bytes, Columns::Infer)
}

fn kinds(source: &str) -> Vec<String> {
    let suite = guessed(source.as_bytes()).unwrap();
    suite.inputs.iter().map(|input| input.kind.to_string()).collect()
}

fn names(source: &str) -> Vec<String> {
    let suite = guessed(source.as_bytes()).unwrap();
    suite.tests.into_iter().map(|test| test.name).collect()
}

#[test]
fn damaged_files_are_refused_with_column_and_line() {
    assert_complaints(
        declared,
        &[
            ("", "in:1:1: the first line must name the inputs"),
            ("\nx,ok\n", "in:1:1: the first line must name the inputs"),
            ("# a\nx,ok\n", "in:1:1: the first line must name the inputs"),
            ("x,,ok\n", "in:1:3: column 2 has no name"),
            ("x,ok,x\n", "in:1:6: there are two columns 'x'"),
            ("x,ok,z\n", "in:1:6: the program has no input 'z'"),
            ("x\n", "in:1:1: there is no column for the input 'ok' of the program"),
            (
                "x,ok\n1\n",
                "in:2:1: this row has 1 cells where the header has 2; column 'ok' is missing",
            ),
            ("x,ok\n1,T,2\n", "in:2:5: this row has 3 cells where the header has 2"),
            ("x,ok\n\n1,T\n2,x\n", "in:4:3: column 'ok': 'x' is not a value of type bool"),
            ("ok,x\nT,128\n", "in:2:3: column 'x': '128' is not a value of type int8"),
            ("x,ok\n1, T\n", "in:2:3: column 'ok': ' T' is not a value of type bool"),
            (
                "x,ok\n1,T\n,\n",
                "in:3:1: every cell of this row is empty; separate tests with a blank line, \
                 and write a step that sets nothing as JSON",
            ),
            ("x,ok\n\"1,T\n2\",F\n", "in:2:1: this quoted cell does not end on its line"),
            ("x,ok\n\"1\"2,T\n", "in:2:4: expected a comma after the closing quote of a cell"),
            ("x,ok\n1\",T\n", "in:2:2: a cell with a quote in it must be quoted as a whole"),
            ("x,ok\r1,T\r", "in:1:5: a carriage return must be followed by a line feed"),
            (
                "x,ok\n1,T\n# late\n2,F\n",
                "in:3:1: a name stands before the first row of its test; leave a blank line before it",
            ),
            ("x,ok\n# a\n# b\n1,T\n", "in:3:1: this test already has a name"),
            ("x,ok\n# a\n\n1,T\n", "in:2:1: there is no row right after this name"),
            ("x,ok\n1,T\n\n# a", "in:4:1: there is no row right after this name"),
            ("x,ok\n#\n1,T\n", "in:2:1: there is no name after '#'"),
            ("x,ok\n# a\n1,T\n\n# a\n1,T\n", "in:5:1: there are two of test 'a'"),
            ("x,ok\n# t2\n1,T\n\n1,T\n", "in:5:1: there are two of test 't2'"),
        ],
    );
    assert_eq!(complaint(declared(b"x,ok\n1,T\n2,\xff\n")), "in:3:3: this is not UTF-8 text");
}

#[test]
fn types_are_guessed_from_all_cells_of_a_column() {
    let source = "a,b,c,d,e,f\nT,1,1,on,,T\nfalse,-20,1/3,off,,1\n,+3,2.5e-3,on,,\n";
    assert_eq!(kinds(source), ["bool", "int", "real", "enum {off, on}", "bool", "enum {1, T}"]);
    assert_eq!(kinds("a\n1\nx\n0.5\n"), ["enum {0.5, 1, x}"]);
    assert_eq!(kinds("a\n1.0\n7\n"), ["real"]);
    assert_eq!(kinds("a\n"), ["bool"]);
}

#[test]
fn a_cell_that_can_be_no_name_is_refused_when_types_are_guessed() {
    assert_complaints(
        guessed,
        &[
            (
                "a,b\n1,x\n2,\"x,y\"\n",
                "in:3:3: 'x,y' is neither a value nor a name: \
                 names have no comma, no brace and no space around them",
            ),
            (
                "a\n1e99999\n",
                "in:2:1: a number may have at most 4096 digits, a decimal 1024 and an exponent as large",
            ),
        ],
    );
}

#[test]
fn tests_are_named_by_their_place_unless_they_say_otherwise() {
    assert_eq!(names("a\n1\n\n2\n2\n\n# last one\n3\n"), ["t1", "t2", "last one"]);
    assert_eq!(names("a\n#x\n1\n\n\n\n#  y\n2\n\n\n"), ["x", " y"]);
    assert_eq!(names("a\n\n\n1"), ["t1"]);
}

#[test]
fn a_mark_at_the_start_and_windows_line_ends_do_not_matter() {
    let plain = "x,ok\n1,T\n\n# a\n2,F\n";
    let other = format!("\u{feff}{}", plain.replace('\n', "\r\n"));
    assert_eq!(declared(other.as_bytes()).unwrap(), declared(plain.as_bytes()).unwrap());
}

#[test]
fn values_are_listed_in_the_order_of_the_declared_inputs() {
    let suite = declared(b"ok,x\nT,5\n").unwrap();
    assert_eq!(suite.inputs, inputs());
    let step = vec![Some(Value::int(5)), Some(Value::Bool(true))];
    assert_eq!(suite.tests[0].steps, [step]);
}

/// A suite with one input and these tests, printed.
fn print_one(name: &str, kind: Type, steps: Vec<Option<Value>>) -> Result<String, StoreError> {
    let name = name.to_owned();
    let steps = steps.into_iter().map(|value| vec![value]).collect();
    print(&Suite {
        inputs: vec![Variable { name, kind }],
        tests: vec![TestCase { name: "t1".to_owned(), steps }],
    })
}

#[test]
fn an_open_input_standing_alone_is_written_in_quotes() {
    let text = print_one("a", Type::Int, vec![None, Some(Value::int(1)), None]).unwrap();
    assert_eq!(text, "a\n\"\"\n1\n\"\"\n");
    let back = guessed(text.as_bytes()).unwrap();
    assert_eq!(back.tests[0].steps, [vec![None], vec![Some(Value::int(1))], vec![None]]);
}

#[test]
fn what_could_be_taken_for_something_else_is_quoted() {
    let kind = Type::Enumeration(["#1", "a\"b", "\u{feff}c"].map(str::to_owned).to_vec());
    let values = ["#1", "a\"b", "\u{feff}c"].map(|name| Some(Value::Symbol(name.to_owned())));
    let text = print_one("#a,b", kind, values.to_vec()).unwrap();
    assert_eq!(text, "\"#a,b\"\n\"#1\"\n\"a\"\"b\"\n\"\u{feff}c\"\n");
}

#[test]
fn what_csv_cannot_hold_is_refused_with_a_way_out() {
    let test = |name: &str, steps| TestCase { name: name.to_owned(), steps };
    let refused = |test| {
        let (inputs, tests) = (inputs(), vec![test]);
        let message = print(&Suite { inputs, tests }).unwrap_err().to_string();
        let what = message.strip_prefix("CSV cannot hold ").unwrap().to_owned();
        what.strip_suffix("; write the suite as JSON").unwrap().to_owned()
    };
    let step = || vec![Some(Value::int(1)), None];
    assert_eq!(refused(test("a", vec![])), "test 'a', which has no steps");
    assert_eq!(
        refused(test("a", vec![step(), vec![None, None]])),
        "the step of test 'a' that sets nothing"
    );
    assert_eq!(refused(test("a\nb", vec![step()])), r"the line break in the name of test 'a\nb'");
    let message = print_one("a\rb", Type::Int, vec![]).unwrap_err().to_string();
    assert!(message.contains(r"the line break in the input 'a\rb'"), "{message}");
}

#[test]
fn a_cut_file_is_refused_or_holds_the_first_steps() {
    let source = documented("csv suite");
    let whole = guessed(source.as_bytes()).unwrap();
    let declared = Columns::Declared(&whole.inputs);
    for length in 0..source.len() {
        let Ok(part) = parse(&source.as_bytes()[..length], declared) else {
            continue;
        };
        assert!(part.tests.len() <= whole.tests.len());
        for (part, whole) in part.tests.iter().zip(&whole.tests) {
            let complete = part.steps.len().saturating_sub(1);
            assert_eq!(part.steps[..complete], whole.steps[..complete]);
        }
    }
}

#[test]
fn two_hundred_thousand_rows_are_read_in_one_go() {
    let mut source = "name,count\n".to_owned();
    for row in 0..200_000 {
        writeln!(source, "n{row},{row}").unwrap();
    }
    let suite = guessed(source.as_bytes()).unwrap();
    assert_eq!(suite.tests[0].steps.len(), 200_000);
    let text = print(&suite).unwrap();
    assert_eq!(text, source);
}

proptest! {
    #[test]
    fn every_suite_reads_back_from_csv_or_is_refused(suite in samples::suite()) {
        match print(&suite) {
            Ok(text) => {
                let back = parse(text.as_bytes(), Columns::Declared(&suite.inputs));
                prop_assert_eq!(back.unwrap(), suite);
            }
            Err(error) => {
                let several = suite.inputs.len() > 1;
                let text = |text: &str| text.contains(['\n', '\r']);
                let excused = suite.inputs.is_empty()
                    || suite.inputs.iter().any(|input| text(&input.name))
                    || suite.tests.iter().any(|test| {
                        let nothing = |step: &Step| several && step.iter().all(Option::is_none);
                        text(&test.name) || test.steps.is_empty() || test.steps.iter().any(nothing)
                    });
                prop_assert!(excused, "{}", error);
            }
        }
    }
}
