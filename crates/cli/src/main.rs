//! The `obligato` command: reads the arguments, runs one command, ends with a documented exit code.
//!
//! Start reading here, then [`args`] (what can be asked), [`commands`] (what is done) and [`exit`]
//! (how it ends).

mod args;
mod campaign;
mod code;
mod commands;
mod config;
mod directory;
mod doctor;
mod error;
mod exit;
mod failures;
mod interrupt;
mod justifications;
mod key_path;
mod lost;
mod measuring;
mod missing;
mod model;
mod mutants;
mod nearest;
mod observed;
mod output;
mod progress;
mod proof_book;
mod record;
mod scalars;
mod shards;
mod shell;
mod snippet;
mod suite_writer;
mod timeline;
mod trace_table;
mod unit;
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
            let mut output = Output::stdout(colour, cli.global.verbosity());
            let exit = commands::run(&cli.command, &mut output)?;
            output.finish()?;
            Ok(exit)
        }
    }
}
