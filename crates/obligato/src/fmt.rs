//! A Lustre model in one layout.

use std::path::PathBuf;

use obligato_lustre_syntax::print;
use obligato_store::file as store;

use crate::error::Error;
use crate::language::Command;
use crate::model::{AnalysedModel, ModelFile};
use crate::subject::ModelOptions;

/// What to print, and where to.
#[derive(Debug, Clone, Default)]
pub struct FmtRequest {
    /// The file.
    pub file: PathBuf,
    /// How the model is read. With `inline`, the model is printed as inlining leaves it.
    pub model: ModelOptions,
    /// Whether the file is rewritten if its layout is another one. An inlined model is never written over the file.
    pub rewrite: bool,
}

/// A model in one layout.
#[derive(Debug, Clone)]
pub struct Formatted {
    /// Its text.
    pub text: String,
    /// That inlining found nothing to do, or ended at its limit, if it did.
    pub left: Option<String>,
    /// Whether the file was rewritten.
    pub rewritten: bool,
}

/// Prints a model back from its syntax tree.
///
/// ```
/// use obligato::fmt::{FmtRequest, fmt};
///
/// let directory = tempfile::tempdir()?;
/// let file = directory.path().join("same.lus");
/// std::fs::write(&file, "node same(a:bool)returns(b:bool);let b=a;tel")?;
/// let formatted = fmt(&FmtRequest { file, ..FmtRequest::default() })?;
/// assert!(formatted.text.contains("  b = a;\n"));
/// assert!(!formatted.rewritten);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn fmt(request: &FmtRequest) -> Result<Formatted, Error> {
    Command::Fmt.expect_language(&request.file)?;
    let file = ModelFile::read(&request.file)?;
    if request.model.inline {
        return print_inlined(&file, request);
    }
    let text = print(&file.parse()?);
    let rewritten = request.rewrite && text.as_bytes() != file.bytes();
    if rewritten {
        store::write(&request.file, text.as_bytes())?;
    }
    Ok(Formatted { text, left: None, rewritten })
}

fn print_inlined(file: &ModelFile, request: &FmtRequest) -> Result<Formatted, Error> {
    let AnalysedModel { model, left, .. } = file.analyse(&request.model)?;
    if model.program.has_additions() {
        return Err(Error::Input {
            message: format!("{}: cannot be printed inlined", request.file.display()),
            way_out: "what blocks, automata, 'last' and type parameters become has no text; \
                      other commands take --inline all the same"
                .to_owned(),
        });
    }
    Ok(Formatted { text: print(&model.program), left, rewritten: false })
}
