//! A run for people: a block per test, a row per step, inputs and then outputs.

use std::io::{self, Write};

use obligato_model::{Type, Variable};
use obligato_store::run::Findings;
use obligato_store::text_of;

use super::Record;
use super::subject::Subject;
use crate::output::{BAD, FAINT, printable};

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
    numeric: bool,
}

impl Column {
    fn width(&self) -> usize {
        let widths = self.cells.iter().chain([&self.heading]).map(|cell| cell.chars().count());
        widths.max().unwrap_or(0)
    }

    fn print(&self, text: &str) -> String {
        let width = self.width();
        if self.numeric { format!("{text:>width$}") } else { format!("{text:<width$}") }
    }
}

/// Writes the block of one test.
pub fn write(
    record: &Record,
    found: &Findings,
    subject: &Subject,
    out: &mut dyn Write,
) -> io::Result<()> {
    let signature = subject.signature();
    let steps = record.test.steps.len();
    let number = Column {
        heading: "step".to_owned(),
        cells: (0..steps).map(|step| step.to_string()).collect(),
        numeric: true,
    };
    let inputs = signature.inputs().iter().enumerate().map(|(at, input)| {
        let cells = record.test.steps.iter().map(|step| step[at].as_ref().map(text_of));
        column(input, cells)
    });
    let inputs: Vec<Column> = std::iter::once(number).chain(inputs).collect();
    let outputs = signature.outputs().iter().enumerate().map(|(at, output)| {
        let cells = (0..steps).map(|step| {
            let value = record.trace.steps.get(step).map(|values| text_of(&values[at]));
            let differs = found.differences.iter().any(|one| (one.step, one.output) == (step, at));
            value.map(|value| if differs { value + MARK } else { value })
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
    Column {
        heading: printable(&variable.name),
        cells: cells.map(|cell| cell.unwrap_or_else(|| UNKNOWN.to_owned())).collect(),
        numeric: !matches!(variable.kind, Type::Bool | Type::Enumeration(_)),
    }
}
