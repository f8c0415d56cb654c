//! How the tests came about that were made to kill mutants.

use std::io::Write as _;

use obligato::campaign::MadeTest;
use obligato::mutate::KillReport;

use crate::campaign::{describe, write_phases};
use crate::error::CliError;
use crate::output::{Output, Verbosity, counted, printable};

/// Writes what each phase did, and the new tests: all, or how many there are.
pub fn write(found: &KillReport, list: bool, output: &mut Output) -> Result<(), CliError> {
    if output.verbosity() == Verbosity::Quiet && !list {
        return Ok(());
    }
    write_phases(found.phases.iter().copied(), ["killed", "equivalent"], output)?;
    let described = describe(&found.made).unwrap_or_else(|| "No new test".to_owned());
    writeln!(output, "\n{described}")?;
    if list {
        for MadeTest { test, phase } in &found.made {
            let (name, steps) = (printable(&test.name), counted(test.steps.len(), "step"));
            writeln!(output, "  {name:6}  {:11}  {steps}", phase.name())?;
        }
    }
    if found.stopped {
        output.remark(format_args!("Stopped early; what was done until then counts"))?;
    }
    Ok(())
}
