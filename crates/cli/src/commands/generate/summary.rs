//! What each phase did, and the tests it made.

use std::io::Write as _;

use obligato_engines_lustre::{Phase, PhaseReport};

use super::Generation;
use crate::campaign::{describe, write_phases};
use crate::error::CliError;
use crate::output::{Output, Verbosity, counted, printable};
use obligato::measuring::is_mutation;
use obligato::shards;

const PURPOSE: &str = "\
Tests made from a model close structural gaps after requirements-based testing; the outputs that
are recorded with them are a characterisation, to be reviewed";

/// A row per phase, and the new tests: all of them, or how many.
pub fn write(generation: &Generation<'_>, list: bool, output: &mut Output) -> Result<(), CliError> {
    if output.verbosity() == Verbosity::Quiet && !list {
        return Ok(());
    }
    write_scores(generation, output)?;
    write_phases(reports(generation), ["covered", "uncoverable"], output)?;
    write_tests(generation, list, output)?;
    let left = generation.result.obligations.iter();
    let left = left.filter(|one| shards::is_left(&one.verdict)).count();
    if let Some(shard) = &generation.result.shard {
        let number = shard.number;
        output
            .remark(format_args!("Shard {number}: {left} open obligations are left to others"))?;
    }
    if generation.stopped {
        output.remark(format_args!("Stopped early; what was done until then counts"))?;
    }
    if !generation.outcome.tests.is_empty() {
        output.remark(format_args!("{PURPOSE}"))?;
    }
    Ok(())
}

/// How many mutants are killed of those that can be.
fn write_scores(generation: &Generation<'_>, output: &mut Output) -> Result<(), CliError> {
    let criteria = generation.result.criteria.iter().filter(|criterion| is_mutation(**criterion));
    for criterion in criteria {
        let tally = generation.result.tally(*criterion);
        let others = tally.total() - tally.uncoverable;
        let score = match (tally.covered * 1000).checked_div(others) {
            // Rounded down: all but one is not all.
            Some(permille) => {
                let (percent, tenth) = (permille / 10, permille % 10);
                format!("{} of {others}, {percent}.{tenth} %", tally.covered)
            }
            None => "nothing to kill".to_owned(),
        };
        let equivalent = match tally.uncoverable {
            0 => String::new(),
            count => format!("; {count} more are equivalent to the model"),
        };
        writeln!(output, "\nScore, {}: {score}{equivalent}", criterion.title())?;
    }
    if let Some((chosen, all)) = generation.sample {
        output
            .remark(format_args!("A sample of {chosen} of {all} mutants; --mutants changes it"))?;
    }
    Ok(())
}

/// What the phases did; the given tests are those of the first one.
pub fn reports<'a>(generation: &'a Generation<'_>) -> impl Iterator<Item = PhaseReport> + use<'a> {
    let given = generation.given.len();
    let reports = generation.outcome.phases.iter().copied();
    reports.filter_map(move |report| match report.phase {
        Phase::Given if given == 0 => None,
        Phase::Given => Some(PhaseReport { tests: given, ..report }),
        _ => Some(report),
    })
}

fn write_tests(
    generation: &Generation<'_>,
    list: bool,
    output: &mut Output,
) -> Result<(), CliError> {
    let made = &generation.outcome.tests;
    let Some(described) = describe(made) else {
        let needed = generation.unresolved() > 0;
        let why = if needed { "No new test was found" } else { "No new test is needed" };
        writeln!(output, "\n{why}")?;
        return Ok(());
    };
    let left_out = match generation.left_out {
        0 => String::new(),
        superfluous => format!("; {} left out", counted(superfluous, "superfluous one")),
    };
    writeln!(output, "\n{described}{left_out}")?;
    if list {
        for made in made {
            let (name, steps) = (printable(&made.test.name), made.test.steps.len());
            writeln!(output, "  {name:6}  {:11}  {}", made.phase.name(), counted(steps, "step"))?;
        }
    }
    Ok(())
}
