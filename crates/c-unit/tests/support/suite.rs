//! Suites as the tests of this crate write them: names and values as text.

use obligato_c_unit::{Interface, Unit};
use obligato_model::{Suite, TestCase, Value};

/// Per test and step, names and values.
pub type Rows = Vec<Vec<Vec<(String, String)>>>;

/// The function under test and its tests, from the comment that a file begins with: a line per
/// test, with `;` between steps.
pub fn read_suite(text: &str) -> (String, Rows) {
    let comment = text.strip_prefix("/* test ").unwrap().split("*/").next().unwrap();
    let mut lines = comment.lines();
    let function = lines.next().unwrap().trim().to_owned();
    let tests = lines.map(|line| {
        let steps = line.split(';').map(|step| {
            let pairs = step.split_whitespace().map(|pair| pair.split_once('=').unwrap());
            pairs.map(|(name, value)| (name.to_owned(), value.to_owned())).collect()
        });
        steps.collect()
    });
    (function, tests.collect())
}

/// The same with the types of the function's inputs.
pub fn suite_for(unit: &Unit, interface: &Interface, tests: &Rows) -> Suite {
    let inputs = unit.variables(interface).inputs;
    let tests = tests.iter().enumerate().map(|(index, steps)| {
        let steps = steps.iter().map(|pairs| {
            let mut step = vec![None; inputs.len()];
            for (name, text) in pairs {
                let known: Vec<&String> = inputs.iter().map(|input| &input.name).collect();
                let at = inputs.iter().position(|input| input.name == *name);
                let at = at.unwrap_or_else(|| panic!("no {name} among {known:?}"));
                step[at] = Some(Value::parse(text, &inputs[at].kind).unwrap());
            }
            step
        });
        TestCase { name: TestCase::default_name(index), steps: steps.collect() }
    });
    Suite { tests: tests.collect(), inputs: inputs.clone() }
}
