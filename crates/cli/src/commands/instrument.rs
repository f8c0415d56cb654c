//! `obligato instrument`: a program with its obligations as properties, for other model checkers.

use obligato::instrument::{
    CBMC_ARGUMENTS, InstrumentRequest, Instrumentation, ModelChecker, has_properties, instrument,
};

use crate::args::InstrumentArgs;
use crate::error::CliError;
use crate::exit::Exit;
use crate::interrupt::stop_on_signals;
use crate::output::{Output, counted};
use crate::shell::quote_path;

/// Writes the program with properties.
pub fn run(arguments: &InstrumentArgs, output: &mut Output) -> Result<Exit, CliError> {
    let found = instrument(&request(arguments), &stop_on_signals()?)?;
    let Some(path) = &arguments.output else {
        output.write_text(&found.text)?;
        let mut words = output.beside();
        write_remarks(&found, &mut words)?;
        words.finish()?;
        return Ok(Exit::Success);
    };
    write_remarks(&found, output)?;
    let file = quote_path(path);
    let count = properties(found.properties.len());
    output.remark(format_args!("Written: {}, with {count}", path.display()))?;
    let next = match arguments.tool.checker() {
        ModelChecker::Cbmc => format!("cbmc {CBMC_ARGUMENTS} {file}   (a failure: a test)"),
        checker => format!("{} {file}   (valid: uncoverable; invalid: a test)", checker.word()),
    };
    output.remark(format_args!("Next: {next}"))?;
    Ok(Exit::Success)
}

/// A criterion without properties is refused where it is named and no part of all.
fn request(arguments: &InstrumentArgs) -> InstrumentRequest {
    let mut criteria = arguments.criteria();
    criteria.retain(|criterion| arguments.names(*criterion) || has_properties(*criterion));
    InstrumentRequest {
        subject: arguments.subject.options(),
        criteria,
        observe: arguments.observe.clone(),
        checker: arguments.tool.checker(),
        uncoverable: arguments.uncoverable.clone(),
        output: arguments.output.clone(),
    }
}

/// What is to be known of the program, and of what was not written.
fn write_remarks(found: &Instrumentation, output: &mut Output) -> Result<(), CliError> {
    found.remarks.iter().try_for_each(|remark| output.remark(format_args!("{remark}")))?;
    let left_out = found.left_out.len();
    if left_out > 0 {
        let count = counted(left_out, "obligation");
        output.remark(format_args!("note: {count} without a property; the file lists them"))?;
    }
    Ok(())
}

fn properties(count: usize) -> String {
    if count == 1 { "1 property".to_owned() } else { format!("{count} properties") }
}
