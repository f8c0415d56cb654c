//! Printing suites as CSV.

use obligato_model::{Suite, TestCase};

use super::super::check;
use super::line::quote;
use crate::error::{StoreError, quoted};
use crate::value::Kind;

/// Prints a suite as CSV. Refuses what CSV cannot hold: no inputs, a test without
/// steps, a step that sets nothing among several inputs, a name that spans lines.
pub fn print(suite: &Suite) -> Result<String, StoreError> {
    check(suite)?;
    if suite.inputs.is_empty() {
        return Err(cannot_hold("a suite without inputs"));
    }
    let mut header = Vec::with_capacity(suite.inputs.len());
    for input in &suite.inputs {
        let name = quote(&input.name);
        header.push(name.ok_or_else(|| {
            cannot_hold(&format!("the line break in the input {}", quoted(&input.name)))
        })?);
    }
    let kinds: Vec<Kind<'_>> = suite.inputs.iter().map(|input| Kind::new(&input.kind)).collect();
    let mut text = header.join(",") + "\n";
    for (index, test) in suite.tests.iter().enumerate() {
        if index > 0 {
            text.push('\n');
        }
        print_name(test, index, &mut text)?;
        for step in &test.steps {
            let start = text.len();
            for (column, (value, kind)) in step.iter().zip(&kinds).enumerate() {
                if column > 0 {
                    text.push(',');
                }
                if let Some(value) = value {
                    let input = &suite.inputs[column].name;
                    let place = || format!("test {}, input {}", quoted(&test.name), quoted(input));
                    let cell = kind.print_text(value).map_err(|reason| {
                        StoreError::unwritable(format!("{}: {reason}", place()))
                    })?;
                    let cell = quote(&cell)
                        .filter(|cell| !cell.is_empty())
                        .ok_or_else(|| cannot_hold(&format!("the value of {}", place())))?;
                    text.push_str(&cell);
                }
            }
            if step.iter().all(Option::is_none) {
                if suite.inputs.len() > 1 {
                    let name = quoted(&test.name);
                    return Err(cannot_hold(&format!("the step of test {name} that sets nothing")));
                }
                // An empty line would end the test.
                text.truncate(start);
                text.push_str("\"\"");
            }
            text.push('\n');
        }
    }
    Ok(text)
}

fn print_name(test: &TestCase, index: usize, out: &mut String) -> Result<(), StoreError> {
    let name = quoted(&test.name);
    if test.steps.is_empty() {
        return Err(cannot_hold(&format!("test {name}, which has no steps")));
    }
    if test.name.contains(['\n', '\r']) {
        return Err(cannot_hold(&format!("the line break in the name of test {name}")));
    }
    if test.name != TestCase::default_name(index) {
        out.push_str("# ");
        out.push_str(&test.name);
        out.push('\n');
    }
    Ok(())
}

fn cannot_hold(what: &str) -> StoreError {
    StoreError::unwritable(format!("CSV cannot hold {what}; write the suite as JSON"))
}
