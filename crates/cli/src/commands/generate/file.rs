//! What came of the functions of a C file, in words.

use std::io::Write as _;

use obligato::generate::{FunctionGeneration, Generated, LostFunction};
use obligato_model::Tally;

use super::causes::write_tool_errors;
use super::unit::errors;
use crate::args::{GenerateArgs, VerdictArgs};
use crate::error::CliError;
use crate::output::{BAD, Output, counted, printable};
use crate::verdicts::Judged;

/// The columns behind the name.
const HEADING: [&str; 8] = [
    "covered",
    "uncoverable",
    "bounded",
    "unresolved",
    "total",
    "tests",
    "runtime errors",
    "tool errors",
];

/// The functions that have a result.
pub fn done(all: &[FunctionGeneration]) -> impl Iterator<Item = &Generated> {
    all.iter().filter_map(|one| match one {
        FunctionGeneration::Done(generated) => Some(generated.as_ref()),
        FunctionGeneration::Lost(_) => None,
    })
}

/// A row per function, their sums, and each error of this tool once.
pub fn write_table(
    path: &str,
    all: &[FunctionGeneration],
    output: &mut Output,
) -> Result<(), CliError> {
    writeln!(output, "{}: {}\n", printable(path), counted(all.len(), "function"))?;
    let name = |one: &FunctionGeneration| match one {
        FunctionGeneration::Done(generated) => generated.function.chars().count(),
        FunctionGeneration::Lost(lost) => lost.function.chars().count(),
    };
    let width = all.iter().map(name).max().unwrap_or(0).max(8);
    writeln!(output, "{:width$}  {}", "function", HEADING.join("  "))?;
    let mut sum = [0; HEADING.len()];
    let mut tool_errors = Vec::new();
    for one in all {
        let generated = match one {
            FunctionGeneration::Done(generated) => generated,
            FunctionGeneration::Lost(LostFunction { function, why, .. }) => {
                let (function, why) = (printable(function), printable(why));
                writeln!(output, "{function:width$}  {BAD}nothing{BAD:#}: {why}")?;
                sum[HEADING.len() - 1] += 1;
                continue;
            }
        };
        let erred = generated.tool_errors();
        let numbers = numbers(generated, erred.len());
        write_row(&generated.function, width, numbers, output)?;
        for (all, one) in sum.iter_mut().zip(numbers) {
            *all += one;
        }
        tool_errors.push((generated.function.clone(), erred));
    }
    write_row("all", width, sum, output)?;
    write_tool_errors(&tool_errors, output)
}

fn numbers(generated: &Generated, tool_errors: usize) -> [usize; HEADING.len()] {
    let mut tally = Tally::default();
    generated.result.obligations.iter().for_each(|obligation| tally.count(&obligation.verdict));
    let Tally { covered, uncoverable, bounded, unresolved, .. } = tally;
    let (tests, errors) = (generated.made.len(), errors(generated).len());
    [covered, uncoverable, bounded, unresolved, tally.total(), tests, errors, tool_errors]
}

fn write_row(
    name: &str,
    width: usize,
    numbers: [usize; HEADING.len()],
    output: &mut Output,
) -> Result<(), CliError> {
    write!(output, "{:width$}", printable(name))?;
    for (number, title) in numbers.iter().zip(HEADING) {
        write!(output, "  {number:>size$}", size = title.len())?;
    }
    Ok(writeln!(output)?)
}

/// The listings that were asked for, of each function.
pub fn write_each(
    all: &[FunctionGeneration],
    arguments: &GenerateArgs,
    output: &mut Output,
) -> Result<(), CliError> {
    let VerdictArgs { list, matrix, table, .. } = arguments.verdicts;
    if list || matrix || table {
        for one in done(all) {
            writeln!(output)?;
            Judged::of_generated(one).write(&arguments.verdicts, output)?;
        }
    }
    Ok(())
}
