//! What happened in tests, for people: a block per test, a row per step, inputs and then outputs.

use std::collections::HashSet;
use std::io::{self, Write};

use obligato_model::{Type, Variable};
use obligato_store::Signature;
use obligato_store::run::Findings;

use crate::output::{BAD, FAINT, printable};
use obligato::record::Record;
use obligato::text::abridged_value;

/// Between two columns, and between inputs and outputs.
const GAP: &str = "  ";
const BAR: &str = " | ";
/// Where a test was given up.
const UNKNOWN: &str = "?";
/// An output that is not as expected.
const MARK: &str = "*";

/// A column: its heading, its cells, and how they stand in it.
struct Column {
    heading: String,
    cells: Vec<String>,
    width: usize,
    numeric: bool,
}

impl Column {
    fn new(heading: String, cells: Vec<String>, numeric: bool) -> Self {
        let widths = cells.iter().chain([&heading]).map(|cell| cell.chars().count());
        let width = widths.max().unwrap_or(0);
        Self { heading, cells, width, numeric }
    }

    fn print(&self, text: &str) -> String {
        let width = self.width;
        if self.numeric { format!("{text:>width$}") } else { format!("{text:<width$}") }
    }
}

/// Writes the block of one test.
pub fn write(
    record: &Record,
    found: &Findings,
    signature: &Signature,
    out: &mut dyn Write,
) -> io::Result<()> {
    let steps = record.test.steps.len();
    let numbers = (0..steps).map(|step| step.to_string()).collect();
    let number = Column::new("step".to_owned(), numbers, true);
    let inputs = signature.inputs().iter().enumerate().map(|(at, input)| {
        let cells = record.test.steps.iter().map(|step| step[at].as_ref().map(abridged_value));
        column(input, cells)
    });
    let inputs: Vec<Column> = std::iter::once(number).chain(inputs).collect();
    let differing: HashSet<(usize, usize)> =
        found.differences.iter().map(|one| (one.step, one.output)).collect();
    let shown = signature.outputs().iter().enumerate();
    let shown = shown.filter(|(at, _)| !record.absent.contains(at));
    let outputs = shown.map(|(at, output)| {
        let cells = (0..steps).map(|step| {
            let value = record.trace.steps.get(step).map(|values| abridged_value(&values[at]));
            let mark = if differing.contains(&(step, at)) { MARK } else { "" };
            match value {
                Some(value) => Some(value + mark),
                // It was expected and never came.
                None if !mark.is_empty() => Some(format!("{UNKNOWN}{mark}")),
                None => None,
            }
        });
        column(output, cells)
    });
    let outputs: Vec<Column> = outputs.collect();

    writeln!(out, "{}", printable(&record.test.name))?;
    let row = |of: &dyn Fn(&Column) -> String| {
        let part = |columns: &[Column]| columns.iter().map(of).collect::<Vec<_>>().join(GAP);
        format!("{}{BAR}{}", part(&inputs), part(&outputs))
    };
    let heading = row(&|column| column.print(&column.heading));
    writeln!(out, "{FAINT}{}{FAINT:#}", heading.trim_end())?;
    for step in 0..steps {
        let cells = row(&|column| column.print(&column.cells[step]));
        let failures = found.failures.iter().filter(|failure| failure.step == step);
        let mut notes: Vec<&str> = failures.map(|failure| failure.kind).collect();
        notes.dedup();
        let notes = match notes.as_slice() {
            [] => String::new(),
            notes => format!("  {BAD}! {}{BAD:#}", notes.join(", ")),
        };
        writeln!(out, "{}{notes}", cells.trim_end())?;
    }
    writeln!(out)
}

fn column(variable: &Variable, cells: impl Iterator<Item = Option<String>>) -> Column {
    let cells = cells.map(|cell| cell.unwrap_or_else(|| UNKNOWN.to_owned()));
    let numeric =
        !matches!(variable.kind, Type::Bool | Type::Enumeration(_) | Type::OpenEnumeration(_));
    Column::new(printable(&variable.name), cells.collect(), numeric)
}
