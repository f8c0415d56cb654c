//! What each command does: one file per command, each with one `run` that returns how it ended.

mod check;
mod check_proof;
mod completions;
mod doctor;
mod experiment;
mod explain;
mod export;
mod fmt;
mod gate;
pub mod generate;
mod instrument;
mod judge;
mod justify;
mod man;
mod measure;
mod merge;
mod mutate;
mod prove;
mod reduce;
mod report;
mod run;

use crate::args::Command;
use crate::error::CliError;
use crate::exit::Exit;
use crate::output::Output;

/// Runs the command that was asked for.
pub fn run(command: &Command, output: &mut Output) -> Result<Exit, CliError> {
    match command {
        Command::Doctor(arguments) => doctor::run(arguments, output),
        Command::Judge(arguments) => judge::run(arguments, output),
        Command::Check(arguments) => check::run(arguments, output),
        Command::Run(arguments) => run::run(arguments, output),
        Command::Measure(arguments) => measure::run(arguments, output),
        Command::Generate(arguments) => generate::run(arguments, output),
        Command::Prove(arguments) => prove::run(arguments, output),
        Command::CheckProof(arguments) => check_proof::run(arguments, output),
        Command::Explain(arguments) => explain::run(arguments, output),
        Command::Mutate(arguments) => mutate::run(arguments, output),
        Command::Reduce(arguments) => reduce::run(arguments, output),
        Command::Report(arguments) => report::run(arguments, output),
        Command::Experiment(arguments) => experiment::run(arguments, output),
        Command::Instrument(arguments) => instrument::run(arguments, output),
        Command::Export(arguments) => export::run(arguments, output),
        Command::Gate(arguments) => gate::run(arguments, output),
        Command::Justify(arguments) => justify::run(arguments, output),
        Command::Merge(arguments) => merge::run(arguments, output),
        Command::Fmt(arguments) => fmt::run(arguments, output),
        Command::Completions(arguments) => completions::run(arguments, output),
        Command::Man(arguments) => man::run(arguments, output),
    }
}
