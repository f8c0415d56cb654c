//! From raw arguments to a request, and from clap's several-line complaints to one line.
//!
//! A one-line error is easy to find in a CI log and never pushes the user's own output off the
//! screen. clap's suggestion ("a similar argument exists") is kept.

use std::ffi::{OsStr, OsString};

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{ArgMatches, CommandFactory as _, FromArgMatches as _, ValueEnum as _};

use crate::args::generate::languages;
use crate::args::{Cli, ColourWhen};
use crate::error::CliError;

/// What the arguments ask for.
pub enum Request {
    /// Show this text (help or version).
    Show(String),
    /// Run this command.
    Run(Box<Cli>),
}

/// Reads the arguments; `arguments[0]` is the program's own name.
pub fn parse(arguments: &[OsString]) -> Result<Request, CliError> {
    let mut command = Cli::command();
    let parsed = command.try_get_matches_from_mut(arguments).and_then(|matches| {
        let cli = Cli::from_arg_matches(&matches).map_err(|error| error.format(&mut command))?;
        Ok((matches, cli))
    });
    match parsed {
        Ok((matches, cli)) => {
            refuse_foreign(&matches, &cli)?;
            Ok(Request::Run(Box::new(cli)))
        }
        Err(error) => match error.kind() {
            ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => {
                Ok(Request::Show(error.render().ansi().to_string()))
            }
            _ => Err(CliError::Usage {
                message: describe(&error),
                help_command: help_command(arguments),
            }),
        },
    }
}

/// Refuses options that the program of a command does not have, by its language.
fn refuse_foreign(matches: &ArgMatches, cli: &Cli) -> Result<(), CliError> {
    let Some((name, matches)) = matches.subcommand() else { return Ok(()) };
    match cli.command.subject() {
        Some(subject) => Ok(languages::refuse_foreign(name, matches, subject.language())?),
        None => Ok(()),
    }
}

/// The value of `--color`, found without parsing the rest: errors and help are coloured too, and
/// they come from arguments that clap did not accept.
pub fn colour_asked_for(arguments: &[OsString]) -> ColourWhen {
    let mut asked = ColourWhen::Auto;
    let mut previous = OsStr::new("");
    for argument in arguments.iter().take_while(|argument| *argument != "--") {
        let text = argument.to_string_lossy();
        let value = match text.strip_prefix("--color=") {
            Some(value) => Some(value),
            None if previous == "--color" => Some(text.as_ref()),
            None => None,
        };
        if let Some(colour) = value.and_then(|value| ColourWhen::from_str(value, false).ok()) {
            asked = colour;
        }
        previous = argument;
    }
    asked
}

/// What is wrong, on one line, with clap's suggestion where it has one.
fn describe(error: &clap::Error) -> String {
    let argument = || text(error, ContextKind::InvalidArg);
    let value = || text(error, ContextKind::InvalidValue);
    let message = match error.kind() {
        ErrorKind::UnknownArgument => format!("unexpected argument '{}'", argument()),
        ErrorKind::InvalidSubcommand => {
            format!("unknown command '{}'", text(error, ContextKind::InvalidSubcommand))
        }
        ErrorKind::MissingSubcommand | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            "no command given".to_owned()
        }
        ErrorKind::MissingRequiredArgument => format!("missing {}", argument()),
        ErrorKind::InvalidValue if value().is_empty() => {
            format!("'{}' needs a value{}", argument(), possible_values(error))
        }
        ErrorKind::InvalidValue => {
            format!("invalid value '{}' for '{}'{}", value(), argument(), possible_values(error))
        }
        ErrorKind::ArgumentConflict if argument() == text(error, ContextKind::PriorArg) => {
            format!("'{}' is given more than once", argument())
        }
        ErrorKind::ArgumentConflict => {
            format!("'{}' cannot be used with {}", argument(), text(error, ContextKind::PriorArg))
        }
        _ => first_line(error),
    };
    message + &suggestion(error)
}

fn possible_values(error: &clap::Error) -> String {
    match text(error, ContextKind::ValidValue) {
        values if values.is_empty() => String::new(),
        values => format!(" (one of: {values})"),
    }
}

fn suggestion(error: &clap::Error) -> String {
    let similar = [
        ("argument", ContextKind::SuggestedArg),
        ("command", ContextKind::SuggestedSubcommand),
        ("value", ContextKind::SuggestedValue),
    ];
    similar
        .into_iter()
        .map(|(what, kind)| (what, text(error, kind)))
        .find(|(_, found)| !found.is_empty())
        .map(|(what, found)| format!("; a similar {what} exists: '{found}'"))
        .unwrap_or_default()
}

/// A piece of clap's context as text; empty where it has none.
fn text(error: &clap::Error, kind: ContextKind) -> String {
    match error.get(kind) {
        Some(ContextValue::String(text)) => text.clone(),
        Some(ContextValue::Strings(texts)) => texts.join(", "),
        _ => String::new(),
    }
}

/// The first line of clap's own words, for the kinds that carry no more than that.
fn first_line(error: &clap::Error) -> String {
    let rendered = error.render().to_string();
    let line = rendered.lines().next().unwrap_or_default();
    line.strip_prefix("error: ").unwrap_or(line).to_owned()
}

/// The help to read: that of the command the arguments name, as far as they name one.
fn help_command(arguments: &[OsString]) -> String {
    let mut command = &Cli::command();
    let mut path = command.get_name().to_owned();
    for argument in arguments.iter().skip(1) {
        if let Some(found) = command.find_subcommand(argument) {
            command = found;
            path = format!("{path} {}", command.get_name());
        }
    }
    path + " --help"
}

#[cfg(test)]
mod tests;
