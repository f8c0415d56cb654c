//! Printing suites as CSV.

use obligato_model::{Step, Suite, TestCase, Variable};

use super::super::check_steps;
use super::line::quote;
use crate::error::{StoreError, quoted};
use crate::value::Kind;
use crate::variables::{self, DistinctNames};

/// Prints a suite as CSV. Refuses what CSV cannot hold: no inputs, a test without
/// steps, a step that sets nothing among several inputs, a name that spans lines.
pub fn print(suite: &Suite) -> Result<String, StoreError> {
    let mut printer = Printer::new(&suite.inputs)?;
    let mut text = printer.header()?;
    for test in &suite.tests {
        text += &printer.print(test)?;
    }
    Ok(text)
}

/// Prints a suite test by test; the header and the pieces make the file.
pub struct Printer<'a> {
    variables: &'a [Variable],
    kinds: Vec<Kind<'a>>,
    names: DistinctNames<'a>,
    /// How many tests were printed.
    count: usize,
}

impl<'a> Printer<'a> {
    /// A suite with a column for each of these variables.
    pub fn new(variables: &'a [Variable]) -> Result<Self, StoreError> {
        variables::check(variables, "input")?;
        if variables.is_empty() {
            return Err(cannot_hold("a suite without inputs"));
        }
        let kinds = variables.iter().map(|variable| Kind::new(&variable.kind)).collect();
        Ok(Self { variables, kinds, names: DistinctNames::new("test"), count: 0 })
    }

    /// The first line.
    pub fn header(&self) -> Result<String, StoreError> {
        let cells = self.variables.iter().map(|Variable { name, .. }| {
            quote(name).ok_or_else(|| {
                cannot_hold(&format!("the line break in the input {}", quoted(name)))
            })
        });
        Ok(cells.collect::<Result<Vec<_>, _>>()?.join(",") + "\n")
    }

    /// The next test, with what stands before it.
    pub fn print(&mut self, test: &TestCase) -> Result<String, StoreError> {
        self.names.add(&test.name).map_err(StoreError::unwritable)?;
        check_steps(test, self.variables.len())?;
        let mut printed = if self.count > 0 { "\n".to_owned() } else { String::new() };
        print_name(test, self.count, &mut printed)?;
        self.count += 1;
        for step in &test.steps {
            self.print_step(test, step, &mut printed)?;
        }
        Ok(printed)
    }

    fn print_step(
        &self,
        test: &TestCase,
        step: &Step,
        printed: &mut String,
    ) -> Result<(), StoreError> {
        let start = printed.len();
        for (column, (value, kind)) in step.iter().zip(&self.kinds).enumerate() {
            if column > 0 {
                printed.push(',');
            }
            let Some(value) = value else { continue };
            let input = &self.variables[column].name;
            let place = || format!("test {}, input {}", quoted(&test.name), quoted(input));
            let cell = kind
                .print_text(value)
                .map_err(|reason| StoreError::unwritable(format!("{}: {reason}", place())))?;
            let cell = quote(&cell)
                .filter(|cell| !cell.is_empty())
                .ok_or_else(|| cannot_hold(&format!("the value of {}", place())))?;
            printed.push_str(&cell);
        }
        if step.iter().all(Option::is_none) {
            if self.variables.len() > 1 {
                let name = quoted(&test.name);
                return Err(cannot_hold(&format!("the step of test {name} that sets nothing")));
            }
            // An empty line would end the test.
            printed.truncate(start);
            printed.push_str("\"\"");
        }
        printed.push('\n');
        Ok(())
    }
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
