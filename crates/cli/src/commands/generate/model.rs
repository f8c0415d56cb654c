//! What came of a model: what each phase did, and the tests it made.

use std::io::Write as _;

use obligato::generate::{Extras, Generated};
use obligato::shards;
use obligato::subject::RunFindings;

use super::next;
use crate::args::{Format, GenerateArgs};
use crate::campaign::{self, describe, write_phases};
use crate::error::CliError;
use crate::output::{Output, Verbosity, counted, printable};
use crate::rendering::expectations::{counting, write_failed};
use crate::rendering::model::write_failed_checks;
use crate::verdicts::Judged;

const PURPOSE: &str = "\
Tests made from a model close structural gaps after requirements-based testing; the outputs that
are recorded with them are a characterisation, to be reviewed";

/// Writes the result as text; where its document is printed, what is said beside it, which goes to standard error.
pub fn write(
    generated: &Generated,
    arguments: &GenerateArgs,
    output: &mut Output,
) -> Result<(), CliError> {
    let mut beside = output.beside();
    let json = arguments.verdicts.format == Format::Json;
    let words = if json { &mut beside } else { &mut *output };
    for remark in generated.remarks.iter().chain(&generated.notes) {
        words.remark(format_args!("{remark}"))?;
    }
    if json {
        write_findings(generated, arguments, &mut beside)?;
    } else {
        Judged::of_generated(generated).write(&arguments.verdicts, output)?;
        write_summary(generated, arguments.verdicts.list, output)?;
        write_findings(generated, arguments, output)?;
        output.remark(format_args!(""))?;
        for remark in &generated.written {
            output.remark(format_args!("{remark}"))?;
        }
        output.remark(format_args!("{}", next::command(arguments, generated)))?;
    }
    // Standard output stays the same from run to run.
    beside.remark(format_args!("{}", campaign::timing(&generated.phases)))?;
    beside.finish()
}

fn write_findings(
    generated: &Generated,
    arguments: &GenerateArgs,
    output: &mut Output,
) -> Result<(), CliError> {
    write_failed(&generated.failed, counting(arguments.count_failing), output)?;
    match &generated.findings {
        RunFindings::Model { failures, exhausted } => {
            write_failed_checks(failures, exhausted, output)
        }
        RunFindings::Unit { .. } | RunFindings::Elsewhere(_) => Ok(()),
    }
}

/// A row per phase, and the new tests: all of them, or how many.
fn write_summary(generated: &Generated, list: bool, output: &mut Output) -> Result<(), CliError> {
    if output.verbosity() == Verbosity::Quiet && !list {
        return Ok(());
    }
    write_scores(generated, output)?;
    write_phases(generated.reports(), ["covered", "uncoverable"], output)?;
    write_tests(generated, list, output)?;
    let left = generated.result.obligations.iter();
    let left = left.filter(|one| shards::is_left(&one.verdict)).count();
    if let Some(shard) = &generated.result.shard {
        let number = shard.number;
        output
            .remark(format_args!("Shard {number}: {left} open obligations are left to others"))?;
    }
    if generated.stopped {
        output.remark(format_args!("Stopped early; what was done until then counts"))?;
    }
    if !generated.made.is_empty() {
        output.remark(format_args!("{PURPOSE}"))?;
    }
    Ok(())
}

/// How many mutants are killed of those that can be.
fn write_scores(generated: &Generated, output: &mut Output) -> Result<(), CliError> {
    let criteria = generated.result.criteria.iter().filter(|criterion| criterion.is_mutation());
    for criterion in criteria {
        let tally = generated.result.tally(*criterion);
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
    if let Extras::Model(extras) = &generated.extras
        && let Some((chosen, all)) = extras.sample
    {
        output
            .remark(format_args!("A sample of {chosen} of {all} mutants; --mutants changes it"))?;
    }
    Ok(())
}

fn write_tests(generated: &Generated, list: bool, output: &mut Output) -> Result<(), CliError> {
    let made = &generated.made;
    let Some(described) = describe(made) else {
        let needed = generated.unresolved() > 0;
        let why = if needed { "No new test was found" } else { "No new test is needed" };
        writeln!(output, "\n{why}")?;
        return Ok(());
    };
    let left_out = match generated.left_out {
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
