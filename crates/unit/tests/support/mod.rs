//! The corpus: C files that begin with a comment with their tests.

use std::path::{Path, PathBuf};

use obligato_clang::{Flags, Limits, Source};
use obligato_model::{Suite, TestCase, Value};
use obligato_unit::{Interface, Unit};

pub fn corpus() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus")
}

pub fn source(file: &str) -> Source {
    Source {
        file: file.into(),
        directory: corpus(),
        flags: Flags::new(&[]).unwrap(),
        limits: Limits::default(),
    }
}

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
