//! Any text as decisions and, after a zero byte, a CSV suite to replay them on. Without
//! a suite they are replayed on one step that sets every column to zero.
#![no_main]

use libfuzzer_sys::fuzz_target;
use obligato_decisions_file::{FormulaError, Formulas, Use};
use obligato_model::{Suite, TestCase, Type, Value, Variable};
use obligato_store::{Columns, suite};

fn check(error: &FormulaError) {
    let line = error.line.chars().count();
    let column = error.at.column as usize;
    assert!((1..=line + 1).contains(&column), "{error}");
}

/// A suite of one step, in which every column is zero.
fn zeros(formulas: &Formulas) -> Suite {
    let columns = formulas.columns().iter().map(|column| match column.used_as {
        Use::Boolean => (column, Type::Bool, Value::Bool(false)),
        Use::Number => (column, Type::Int, Value::int(0)),
    });
    let (inputs, step): (Vec<Variable>, Vec<Option<Value>>) = columns
        .map(|(column, kind, value)| (Variable { name: column.name.clone(), kind }, Some(value)))
        .unzip();
    let tests = vec![TestCase { name: "t1".to_owned(), steps: vec![step] }];
    Suite { inputs, tests }
}

fuzz_target!(|bytes: &[u8]| {
    let mut halves = bytes.splitn(2, |byte| *byte == 0);
    let Ok(text) = str::from_utf8(halves.next().unwrap_or_default()) else { return };
    let formulas = match Formulas::parse("f.decisions", text) {
        Ok(formulas) => formulas,
        Err(error) => return check(&error),
    };
    let suite = match halves.next() {
        None => zeros(&formulas),
        Some(csv) => {
            let Ok(guessed) = suite::parse_csv(csv, Columns::Infer) else { return };
            let inputs = formulas.retype(&guessed.inputs);
            let Ok(suite) = suite::parse_csv(csv, Columns::Declared(&inputs)) else { return };
            suite
        }
    };
    let bound = match formulas.bind(&suite.inputs) {
        Ok(bound) => bound,
        Err(error) => return check(&error),
    };
    if let Ok(recording) = bound.replay(&suite) {
        assert_eq!(recording.tests.len(), suite.tests.len());
    }
});
