//! `obligato fmt`: a model in one layout.

use obligato_lustre_syntax::print;
use obligato_store::file as store;

use crate::args::FmtArgs;
use crate::error::CliError;
use crate::exit::Exit;
use crate::output::Output;
use obligato::Error;
use obligato::model::{AnalysedModel, ModelFile};

/// Prints the model back, or rewrites the file.
pub fn run(arguments: &FmtArgs, output: &mut Output) -> Result<Exit, CliError> {
    let path = &arguments.model.file;
    let file = ModelFile::read(path)?;
    if arguments.model.inline {
        let AnalysedModel { model, left, .. } = file.analyse(&arguments.model.options().model)?;
        if model.program.has_additions() {
            return Err(CliError::from(Error::Input {
                message: format!("{}: cannot be printed inlined", path.display()),
                way_out: "what blocks, automata, 'last' and type parameters become has no text; \
                          other commands take --inline all the same"
                    .to_owned(),
            }));
        }
        // A comment, as what is printed is to be a model.
        if let Some(note) = left {
            output.remark(format_args!("-- {note}"))?;
        }
        output.write_text(&print(&model.program))?;
        return Ok(Exit::Success);
    }
    let text = print(&file.parse()?);
    if !arguments.write {
        output.write_text(&text)?;
    } else if text.as_bytes() != file.bytes() {
        store::write(path, text.as_bytes())?;
        output.remark(format_args!("{}: rewritten", path.display()))?;
    }
    Ok(Exit::Success)
}
