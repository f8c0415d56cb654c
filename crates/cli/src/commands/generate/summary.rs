//! What each phase did, and the tests it made.

use std::io::Write as _;

use obligato_generate::{Phase, PhaseReport};

use super::Generation;
use crate::error::CliError;
use crate::output::{Output, Verbosity, counted, printable};

const PURPOSE: &str = "\
Tests made from a model close structural gaps after requirements-based testing; the outputs that
are recorded with them are a characterisation, to be reviewed";

/// A row per phase, and the new tests: all of them, or how many.
pub fn write(generation: &Generation<'_>, list: bool, output: &mut Output) -> Result<(), CliError> {
    if output.verbosity() == Verbosity::Quiet && !list {
        return Ok(());
    }
    write_phases(generation, output)?;
    write_tests(generation, list, output)?;
    if generation.stopped {
        output.remark(format_args!("Stopped early; what was done until then counts"))?;
    }
    if !generation.outcome.tests.is_empty() {
        output.remark(format_args!("{PURPOSE}"))?;
    }
    Ok(())
}

fn write_phases(generation: &Generation<'_>, output: &mut Output) -> Result<(), CliError> {
    writeln!(output, "\nphase        tests  covered  uncoverable        work")?;
    for report in reports(generation) {
        let PhaseReport { phase, tests, covered, uncoverable, work, .. } = report;
        let name = phase.name();
        writeln!(output, "{name:11}  {tests:5}  {covered:7}  {uncoverable:11}  {work:10}")?;
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
    let lengths = || made.iter().map(|made| made.test.steps.len());
    let (Some(shortest), Some(longest)) = (lengths().min(), lengths().max()) else {
        let needed = generation.unresolved() > 0;
        let why = if needed { "No new test was found" } else { "No new test is needed" };
        writeln!(output, "\n{why}")?;
        return Ok(());
    };
    let (most, sum) = (counted(longest, "step"), lengths().sum::<usize>());
    let length = match made.len() {
        1 => most,
        _ if shortest == longest => format!("{most} each, {sum} in all"),
        _ => format!("{shortest} to {most}, {sum} in all"),
    };
    let left_out = match generation.left_out {
        0 => String::new(),
        superfluous => format!("; {} left out", counted(superfluous, "superfluous one")),
    };
    writeln!(output, "\n{} of {length}{left_out}", counted(made.len(), "new test"))?;
    if list {
        for made in made {
            let (name, steps) = (printable(&made.test.name), made.test.steps.len());
            writeln!(output, "  {name:6}  {:11}  {}", made.phase.name(), counted(steps, "step"))?;
        }
    }
    Ok(())
}
