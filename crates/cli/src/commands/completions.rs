//! `obligato completions`: a completion script, made from the argument definitions.

use clap::CommandFactory as _;

use crate::args::{Cli, CompletionsArgs};
use crate::error::CliError;
use crate::exit::Exit;
use crate::output::Output;

/// Prints the script for one shell.
pub fn run(arguments: &CompletionsArgs, output: &mut Output) -> Result<Exit, CliError> {
    // Into memory first: the generators panic when their writer fails.
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut Cli::command(), "obligato", &mut script);
    output.write_text(&String::from_utf8_lossy(&script))?;
    Ok(Exit::Success)
}
