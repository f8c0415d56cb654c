//! The checks of a Lustre model that tests failed, and the tests that were given up.

use std::io::Write as _;

use obligato::failures::CheckKind;
use obligato::failures::FailedCheck;
use obligato::measuring::Exhausted;

use super::lists::Listed;
use crate::error::CliError;
use crate::output::{BAD, Output, Verbosity, printable};

/// Says where the model is at fault, and which tests were given up.
pub fn write_failed_checks(
    failures: &[FailedCheck],
    exhausted: &[Exhausted],
    output: &mut Output,
) -> Result<(), CliError> {
    let any = failures.len() + exhausted.len() > 0;
    if any && output.verbosity() == Verbosity::Normal {
        writeln!(output)?;
    }
    write_checks(failures, output)?;
    if !exhausted.is_empty() {
        let why = "because a value exceeded the size limit; what came before counts";
        writeln!(output, "{BAD}Given up{BAD:#}, {why}:")?;
        let mut listed = Listed::new("'obligato run' shows them");
        for Exhausted { test, step } in exhausted {
            listed.push(|| printable(&format!("{test}, step {step}")));
        }
        listed.write(output)?;
    }
    Ok(())
}

/// Each check that tests failed, with its source line.
pub fn write_checks(failures: &[FailedCheck], output: &mut Output) -> Result<(), CliError> {
    for failed in failures {
        write!(output, "{BAD}!{BAD:#} {}", failed.text)?;
        if failed.kind == CheckKind::Assertion {
            writeln!(output, "  from that step on these are no tests of this model")?;
        }
    }
    Ok(())
}
