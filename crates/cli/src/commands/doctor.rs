//! `obligato doctor`: what is installed, what is missing, and how to get it.

use crate::args::{DoctorArgs, Format};
use crate::doctor::machine::Machine as _;
use crate::doctor::report::Report;
use crate::doctor::{ThisMachine, examine};
use crate::error::CliError;
use crate::exit::Exit;
use crate::output::Output;

/// Examines this machine and reports.
pub fn run(arguments: &DoctorArgs, output: &mut Output) -> Result<Exit, CliError> {
    let machine = ThisMachine::new();
    let report = Report::new(&examine(&machine), machine.user());
    let text = match arguments.format {
        Format::Text => report.to_text(output.verbosity()),
        Format::Json => report.to_json(),
    };
    output.write_text(&text)?;
    Ok(if report.ready() { Exit::Success } else { Exit::ToolError })
}
