//! Suites as CSV: a header of input names, a row per step, a blank line between
//! tests, and `# NAME` on the line before a test's first row to name it.
//!
//! Quoting is that of RFC 4180 within a line; a cell never spans lines, so every
//! line can be told apart by itself and a damaged cell damages one line.

use obligato_model::{Step, Suite, TestCase, Type, Variable};

use super::Columns;
use crate::error::{StoreError, quoted};
use crate::source::Source;
use crate::value::Kind;
use crate::variables::DistinctNames;

mod header;
mod infer;
mod line;
mod print;

pub use print::{Printer, print};

use header::Header;
use line::{Cell, Line};

/// Reads a CSV suite.
pub fn parse(bytes: &[u8], columns: Columns<'_>) -> Result<Suite, StoreError> {
    let inputs = inputs(bytes, columns)?;
    let tests = tests(bytes, &inputs, inputs.len())?.collect::<Result<_, _>>()?;
    Ok(Suite { inputs, tests })
}

/// The inputs of a CSV suite.
pub fn inputs(bytes: &[u8], columns: Columns<'_>) -> Result<Vec<Variable>, StoreError> {
    match columns {
        Columns::Declared(declared) => Ok(declared.to_vec()),
        Columns::Infer => {
            let (header, lines) = open(bytes)?;
            infer::inputs(&header, lines)
        }
    }
}

/// Per column of a CSV suite, whether all its cells are values of `kind`.
pub fn columns_fitting(bytes: &[u8], kind: &Type) -> Result<Vec<bool>, StoreError> {
    let (header, lines) = open(bytes)?;
    infer::fitting(&header, lines, kind)
}

/// The tests of a CSV suite with these variables, one after the other. The first `required`
/// must have a column each, the others may have one.
pub fn tests<'a>(
    bytes: &'a [u8],
    variables: &'a [Variable],
    required: usize,
) -> Result<impl Iterator<Item = Result<TestCase, StoreError>> + 'a, StoreError> {
    let (header, mut lines) = open(bytes)?;
    let mut reader = Reader {
        variables,
        kinds: variables.iter().map(|variable| Kind::new(&variable.kind)).collect(),
        places: header.places_in(variables, required)?,
        names: DistinctNames::new("test"),
        name: None,
        count: 0,
        test: None,
    };
    let mut cells = Vec::new();
    Ok(std::iter::from_fn(move || reader.next_test(&mut lines, &mut cells).transpose()))
}

fn open(
    bytes: &[u8],
) -> Result<(Header<'_>, impl Iterator<Item = Line<'_>> + Clone + '_), StoreError> {
    let mut lines = line::lines(Source::of(bytes)?);
    lines.clone().try_for_each(Line::check_break)?;
    let header = header::read(lines.next())?;
    Ok((header, lines))
}

struct Reader<'a> {
    variables: &'a [Variable],
    kinds: Vec<Kind<'a>>,
    /// Per column, the variable it holds.
    places: Vec<usize>,
    names: DistinctNames<'a>,
    /// The name given to the test that comes next or is being read.
    name: Option<(Line<'a>, &'a str)>,
    /// How many tests have begun.
    count: usize,
    /// The test that is being read.
    test: Option<TestCase>,
}

impl<'a> Reader<'a> {
    /// Reads lines to the end of the next test.
    fn next_test(
        &mut self,
        lines: &mut impl Iterator<Item = Line<'a>>,
        cells: &mut Vec<Cell<'a>>,
    ) -> Result<Option<TestCase>, StoreError> {
        for line in lines {
            if line.text.is_empty() {
                if let Some(test) = self.end_test()? {
                    return Ok(Some(test));
                }
            } else if line.is_name() {
                self.take_name(line)?;
            } else {
                line.split(cells)?;
                self.take_row(line, cells)?;
            }
        }
        self.end_test()
    }

    fn take_name(&mut self, line: Line<'a>) -> Result<(), StoreError> {
        if self.test.is_some() {
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
        check_width(line, cells, &self.places, self.variables)?;
        let mut step: Step = vec![None; self.variables.len()];
        for (cell, &at) in cells.iter().zip(&self.places) {
            if !cell.text.is_empty() {
                let value = self.kinds[at].read_text(&cell.text).map_err(|reason| {
                    let column = quoted(&self.variables[at].name);
                    line.invalid_at(cell.offset, format!("column {column}: {reason}"))
                })?;
                step[at] = Some(value);
            }
        }
        match &mut self.test {
            Some(test) => test.steps.push(step),
            None => self.test = Some(TestCase { name: self.begin_test(line)?, steps: vec![step] }),
        }
        Ok(())
    }

    /// The name of the test whose first row is `line`.
    fn begin_test(&mut self, line: Line<'a>) -> Result<String, StoreError> {
        let name = match self.name {
            Some((_, name)) => name.to_owned(),
            None => TestCase::default_name(self.count),
        };
        self.count += 1;
        let place = self.name.map_or(line, |(line, _)| line);
        self.names.add(&name).map_err(|reason| place.invalid(reason))?;
        Ok(name)
    }

    fn end_test(&mut self) -> Result<Option<TestCase>, StoreError> {
        let name = self.name.take();
        match (self.test.take(), name) {
            (None, Some((line, _))) => Err(line.invalid("there is no row right after this name")),
            (test, _) => Ok(test),
        }
    }
}

/// A row has a cell per column, and one of them says something: a row of nothing
/// may be a step or, as spreadsheets save it, a blank line.
fn check_width(
    line: Line<'_>,
    cells: &[Cell<'_>],
    places: &[usize],
    variables: &[Variable],
) -> Result<(), StoreError> {
    let (found, wanted) = (cells.len(), places.len());
    if found < wanted {
        let column = quoted(&variables[places[found]].name);
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
