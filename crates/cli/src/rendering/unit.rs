//! How tests of a C function ended, and whether machine code agrees with the executor.

use std::collections::HashSet;
use std::io::Write as _;

use obligato::unit::{Agreement, Cause, Ended, Endings};

use super::lists::{MOST_LISTED, write_first, write_rest};
use crate::error::CliError;
use crate::output::{BAD, FAINT, Output, counted, printable};

/// The tests that ended before their last step did.
pub fn write_endings(endings: &Endings, output: &mut Output) -> Result<(), CliError> {
    let Endings(ended) = endings;
    if ended.is_empty() {
        return Ok(());
    }
    writeln!(output, "{BAD}Ended early{BAD:#}; what came before counts:")?;
    let mut shown = HashSet::new();
    for Ended { line, picture } in ended.iter().take(MOST_LISTED) {
        writeln!(output, "  {}", printable(line))?;
        if shown.insert(picture) {
            for line in picture.lines() {
                writeln!(output, "  {FAINT}{line}{FAINT:#}")?;
            }
        }
    }
    write_rest(ended.len(), output)
}

/// On how many tests executor and machine code agree, and where they do not.
pub fn write_agreement(agreement: &Agreement, output: &mut Output) -> Result<(), CliError> {
    if agreement.agreed > 0 {
        let tests = counted(agreement.agreed, "test");
        let same = "equal outputs and values of conditions up to where each ends";
        output.remark(format_args!("{tests} run as machine code as well: {same}"))?;
    }
    if agreement.by_address > 0 {
        let tests = counted(agreement.by_address, "test");
        let why = "where objects lie decides there, on which no two machines agree";
        output.remark(format_args!("{tests} left out: {why}"))?;
    }
    if agreement.is_full() {
        return Ok(());
    }
    let what = "as machine code these tests do something else, so what depends on it is not \
                counted; please report it";
    writeln!(output, "{BAD}This is a fault of obligato{BAD:#}: {what}:")?;
    let causes: Vec<String> = agreement.causes.iter().map(Cause::words).collect();
    write_first(&causes, output)
}
