//! Suites as CSV: a header of input names, a row per step, a blank line between
//! tests, and `# NAME` on the line before a test's first row to name it.
//!
//! Quoting is that of RFC 4180 within a line; a cell never spans lines, so every
//! line can be told apart by itself and a damaged cell damages one line.

use obligato_model::{Step, Suite, TestCase, Variable};

use super::Columns;
use crate::error::{StoreError, quoted};
use crate::source::Source;
use crate::value::Kind;
use crate::variables::Names;

mod header;
mod infer;
mod line;
mod print;

pub use print::print;

use line::{Cell, Line};

/// Reads a CSV suite.
pub fn parse(bytes: &[u8], columns: Columns<'_>) -> Result<Suite, StoreError> {
    let source = Source::of(bytes)?;
    let mut lines = line::lines(source);
    lines.clone().try_for_each(Line::check_break)?;
    let header = header::read(lines.next())?;
    let inputs = match columns {
        Columns::Declared(declared) => declared.to_vec(),
        Columns::Infer => infer::inputs(&header, lines.clone())?,
    };
    let places = header.places_in(&inputs)?;
    let mut reader = Reader {
        inputs: &inputs,
        kinds: inputs.iter().map(|input| Kind::new(&input.kind)).collect(),
        places,
        names: Names::new("test"),
        name: None,
        steps: Vec::new(),
        tests: Vec::new(),
    };
    let mut cells = Vec::new();
    for line in lines {
        if line.text.is_empty() {
            reader.end_test()?;
        } else if line.is_name() {
            reader.take_name(line)?;
        } else {
            line.split(&mut cells)?;
            reader.take_row(line, &cells)?;
        }
    }
    reader.end_test()?;
    let tests = reader.tests;
    Ok(Suite { inputs, tests })
}

struct Reader<'a> {
    inputs: &'a [Variable],
    kinds: Vec<Kind<'a>>,
    /// Per column, the input it holds.
    places: Vec<usize>,
    names: Names<'a>,
    /// The name given to the test that comes next or is being read.
    name: Option<(Line<'a>, &'a str)>,
    steps: Vec<Step>,
    tests: Vec<TestCase>,
}

impl<'a> Reader<'a> {
    fn take_name(&mut self, line: Line<'a>) -> Result<(), StoreError> {
        if !self.steps.is_empty() {
            return Err(line.invalid(
                "a name stands before the first row of its test; leave a blank line before it",
            ));
        }
        if self.name.is_some() {
            return Err(line.invalid("this test already has a name"));
        }
        let name = line.name().ok_or_else(|| line.invalid("there is no name after '#'"))?;
        self.name = Some((line, name));
        Ok(())
    }

    fn take_row(&mut self, line: Line<'a>, cells: &[Cell<'_>]) -> Result<(), StoreError> {
        check_width(line, cells, &self.places, self.inputs)?;
        let mut step: Step = vec![None; self.inputs.len()];
        for (cell, &at) in cells.iter().zip(&self.places) {
            if !cell.text.is_empty() {
                let value = self.kinds[at].read_text(&cell.text).map_err(|reason| {
                    let column = quoted(&self.inputs[at].name);
                    line.invalid_at(cell.offset, format!("column {column}: {reason}"))
                })?;
                step[at] = Some(value);
            }
        }
        if self.steps.is_empty() {
            let name = match self.name {
                Some((_, name)) => name.to_owned(),
                None => TestCase::default_name(self.tests.len()),
            };
            let place = self.name.map_or(line, |(line, _)| line);
            self.names.add(&name).map_err(|reason| place.invalid(reason))?;
            let steps = Vec::new();
            self.tests.push(TestCase { name, steps });
        }
        self.steps.push(step);
        Ok(())
    }

    fn end_test(&mut self) -> Result<(), StoreError> {
        let name = self.name.take();
        if self.steps.is_empty() {
            return name.map_or(Ok(()), |(line, _)| {
                Err(line.invalid("there is no row right after this name"))
            });
        }
        let test = self.tests.last_mut();
        test.expect("invariant: the first row opened a test").steps =
            std::mem::take(&mut self.steps);
        Ok(())
    }
}

/// A row has a cell per column, and one of them says something: a row of nothing
/// may be a step or, as spreadsheets save it, a blank line.
fn check_width(
    line: Line<'_>,
    cells: &[Cell<'_>],
    places: &[usize],
    inputs: &[Variable],
) -> Result<(), StoreError> {
    let (found, wanted) = (cells.len(), places.len());
    if found < wanted {
        let column = quoted(&inputs[places[found]].name);
        return Err(line.invalid(format!(
            "this row has {found} cells where the header has {wanted}; column {column} is missing"
        )));
    }
    if found > wanted {
        let reason = format!("this row has {found} cells where the header has {wanted}");
        return Err(line.invalid_at(cells[wanted].offset, reason));
    }
    if wanted > 1 && cells.iter().all(|cell| cell.text.is_empty()) {
        return Err(line.invalid(
            "every cell of this row is empty; separate tests with a blank line, \
             and write a step that sets nothing as JSON",
        ));
    }
    Ok(())
}

#[cfg(test)]
mod tests;
