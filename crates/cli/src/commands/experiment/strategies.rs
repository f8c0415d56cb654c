//! Search strategies on C functions, as a table.

use std::io::Write as _;

use obligato::campaign::Stop;
use obligato::experiment::strategies::{StrategiesRequest, StrategyRow, compare_strategies};

use crate::args::ExperimentArgs;
use crate::error::CliError;
use crate::exit::Exit;
use crate::output::{Output, printable};
use crate::progress::Progress;

/// Compares the strategies and prints what each took.
pub fn run(arguments: &ExperimentArgs, output: &mut Output) -> Result<Exit, CliError> {
    let request = StrategiesRequest {
        subjects: arguments.subjects(),
        seed: arguments.seed,
        output: arguments.output.clone(),
    };
    let mut progress = Progress::new(output.verbosity());
    let mut announce = |function: &str| progress.announce(format_args!("{function}"));
    let rows = compare_strategies(&request, &Stop::never(), &mut announce)?;
    progress.end();
    write_table(&rows, output)?;
    output.remark(format_args!(
        "\nWritten: {} with search.csv and progress.csv",
        printable(&arguments.output.display().to_string())
    ))?;
    Ok(Exit::Success)
}

fn write_table(rows: &[StrategyRow], output: &mut Output) -> Result<(), CliError> {
    let width = rows.iter().map(|row| row.function.chars().count()).max().unwrap_or(0).max(8);
    writeln!(
        output,
        "{:width$}  criterion       strategy     filter  covered      runs    solved  filtered",
        "function"
    )?;
    for row in rows {
        writeln!(
            output,
            "{:width$}  {:14}  {:11}  {:6}  {:3} of {:3}  {:6}  {:8}  {:8}",
            printable(&row.function),
            row.criterion.title(),
            row.strategy,
            row.filtering_word(),
            row.covered,
            row.obligations,
            row.statistics.runs,
            row.statistics.solved,
            row.statistics.filtered
        )?;
    }
    Ok(())
}
