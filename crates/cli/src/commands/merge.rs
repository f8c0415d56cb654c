//! `obligato merge`: results of shards, or of several machines, as one. `obligato::merge` does the work.

use std::io::Write as _;

use obligato::merge::{MergeRequest, merge};

use crate::args::MergeArgs;
use crate::error::CliError;
use crate::exit::Exit;
use crate::interrupt::stop_on_signals;
use crate::output::{Output, Verbosity, counted};
use crate::shell::quote_path;
use crate::verdicts::{Subject, write_table};

/// Merges, stores, reports.
pub fn run(arguments: &MergeArgs, output: &mut Output) -> Result<Exit, CliError> {
    let MergeArgs { parts, output: directory } = arguments;
    let request = MergeRequest { parts: parts.clone(), output: directory.clone() };
    let merged = merge(&request, &stop_on_signals()?)?;
    let result = &merged.result;
    if output.verbosity() == Verbosity::Normal {
        let (parts, tests) = (counted(parts.len(), "part"), counted(result.tests.len(), "test"));
        writeln!(output, "{parts}, {tests}\n")?;
    }
    write_table(result, Subject::Outline, output)?;
    output.remark(format_args!("\n{}", merged.stored))?;
    if let Some(why) = &merged.without_details {
        output.remark(format_args!(
            "note: without details: {why}; reports will show neither source nor truth tables"
        ))?;
    }
    let directory = quote_path(directory);
    let criterion = result.criteria.first().map_or("mcdc", |criterion| criterion.name());
    output.remark(format_args!(
        "Next: obligato gate --store {directory} --{criterion} 100   (whether that is enough)"
    ))?;
    Ok(Exit::Success)
}
