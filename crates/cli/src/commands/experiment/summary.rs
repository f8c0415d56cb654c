//! The most important of an experiment: what suites kill, by model, structure and criterion.

use obligato::experiment::Experiment;
use obligato::experiment::{Choice, oracle_name};
use obligato::experiment::{median_killed, median_tests};

use crate::error::CliError;
use crate::output::Output;

/// Prints the table.
pub fn write(experiment: &Experiment, output: &mut Output) -> Result<(), CliError> {
    let mut header: Vec<String> =
        ["model", "structure", "suites", "tests"].map(str::to_owned).to_vec();
    header.extend(experiment.settings.oracles.iter().map(oracle_name));
    let mut rows = vec![header];
    for case in &experiment.cases {
        for findings in &case.criteria {
            for choice in Choice::ALL {
                let suites = match choice {
                    Choice::Reduced => findings.criterion.to_string(),
                    Choice::Random => "  random".to_owned(),
                };
                let mut row = vec![case.name.clone(), case.structure.name().to_owned(), suites];
                row.push(median_tests(findings, choice));
                let oracles = 0..experiment.settings.oracles.len();
                row.extend(
                    oracles.map(|oracle| {
                        format!("{}%", median_killed(case, findings, choice, oracle))
                    }),
                );
                rows.push(row);
            }
        }
    }
    output.remark(format_args!("Mutants killed, median over the suites:\n"))?;
    let columns = rows[0].len();
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max();
    let widths: Vec<usize> = (0..columns).map(|column| width(column).unwrap_or(0)).collect();
    for row in &rows {
        let cells = row.iter().zip(&widths).enumerate().map(|(column, (cell, width))| {
            // Words to the left, numbers to the right.
            if column < 3 { format!("{cell:<width$}") } else { format!("{cell:>width$}") }
        });
        let line = cells.collect::<Vec<_>>().join("  ");
        output.write_text(&format!("{}\n", line.trim_end()))?;
    }
    Ok(())
}
