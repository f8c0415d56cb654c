//! `obligato fmt`: a model in one layout.

use obligato::fmt::{FmtRequest, Formatted, fmt};

use crate::args::FmtArgs;
use crate::error::CliError;
use crate::exit::Exit;
use crate::output::Output;

/// Prints the model back, or rewrites the file.
pub fn run(arguments: &FmtArgs, output: &mut Output) -> Result<Exit, CliError> {
    let subject = arguments.model.options();
    let request = FmtRequest { file: subject.file, model: subject.model, rewrite: arguments.write };
    let Formatted { text, left, rewritten } = fmt(&request)?;
    // A comment, as what is printed is to be a model.
    if let Some(note) = left {
        output.remark(format_args!("-- {note}"))?;
    }
    if !arguments.write {
        output.write_text(&text)?;
    } else if rewritten {
        output.remark(format_args!("{}: rewritten", request.file.display()))?;
    }
    Ok(Exit::Success)
}
