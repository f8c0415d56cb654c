//! The `obligato` command: reads the arguments, runs one command, ends with a documented exit code.
//!
//! Start reading here, then [`args`] (what can be asked), [`commands`] (what is done) and [`exit`]
//! (how it ends).

mod args;
mod campaign;
mod commands;
mod doctor;
mod error;
mod exit;
mod interrupt;
mod log;
mod output;
mod progress;
mod rendering;
mod shell;
mod trace_table;
mod usage;
mod verdicts;

use std::ffi::OsString;
use std::process::ExitCode;

use crate::args::ColourWhen;
use crate::error::CliError;
use crate::exit::Exit;
use crate::output::{Output, Verbosity};
use crate::usage::Request;

fn main() -> ExitCode {
    let arguments: Vec<OsString> = std::env::args_os().collect();
    let colour = usage::colour_asked_for(&arguments);
    let exit = run(&arguments, colour).unwrap_or_else(|error| {
        output::write_error(&error, colour);
        error.exit()
    });
    exit.into()
}

fn run(arguments: &[OsString], colour: ColourWhen) -> Result<Exit, CliError> {
    match usage::parse(arguments)? {
        Request::Show(text) => {
            let mut output = Output::stdout(colour, Verbosity::Normal);
            output.write_text(&text)?;
            output.finish()?;
            Ok(Exit::Success)
        }
        Request::Run(cli) => {
            log::start()?;
            let mut output = Output::stdout(colour, cli.global.verbosity());
            let exit = commands::run(&cli.command, &mut output)?;
            output.finish()?;
            Ok(exit)
        }
    }
}
