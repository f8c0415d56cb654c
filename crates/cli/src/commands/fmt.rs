//! `obligato fmt`: a model in one layout.

use obligato_lustre::print;
use obligato_store::file;

use crate::args::FmtArgs;
use crate::error::CliError;
use crate::exit::Exit;
use crate::model::ModelFile;
use crate::output::Output;

/// Prints the model back, or rewrites the file.
pub fn run(arguments: &FmtArgs, output: &mut Output) -> Result<Exit, CliError> {
    let model = ModelFile::read(&arguments.file)?;
    let text = print(&model.parse()?);
    if !arguments.write {
        output.write_text(&text)?;
    } else if text.as_bytes() != model.bytes() {
        file::write(&arguments.file, text.as_bytes())?;
        output.remark(format_args!("{}: rewritten", arguments.file.display()))?;
    }
    Ok(Exit::Success)
}
