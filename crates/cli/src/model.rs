//! Lustre models from files, and their diagnostics in words.

use std::path::{Path, PathBuf};

use obligato_lustre::analysis::Model;
use obligato_lustre::{Diagnostic, Options, Program, Severity, Source, analyse, parse};
use obligato_store::file;

use crate::error::CliError;
use crate::snippet::snippet;

/// A model file that was read.
pub struct ModelFile {
    path: PathBuf,
    bytes: Vec<u8>,
}

impl ModelFile {
    /// Reads the file at `path`, which has to be called a Lustre model.
    pub fn read(path: &Path) -> Result<Self, CliError> {
        let is_lustre =
            path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("lus"));
        if !is_lustre {
            return Err(CliError::Input {
                message: format!("'{}' is not called a Lustre model", path.display()),
                way_out: "the name of a model ends in .lus".to_owned(),
            });
        }
        Ok(Self { path: path.to_owned(), bytes: file::read(path)? })
    }

    /// The bytes of the file.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The syntax tree.
    pub fn parse(&self) -> Result<Program, CliError> {
        parse(&self.bytes).map(|parsed| parsed.program).map_err(|found| self.refuse(&found))
    }

    /// The model that the tree means, and its warnings in words.
    pub fn analyse(&self, main: Option<&str>) -> Result<(Model, Vec<String>), CliError> {
        let options = Options { main };
        let model = analyse(self.parse()?, &options).map_err(|found| self.refuse(&found))?;
        let source = Source::new(&self.bytes);
        let warnings = model.warnings.iter().map(|found| self.render(&source, found)).collect();
        Ok((model, warnings))
    }

    /// The error that these diagnostics are together. Warnings wait until the errors
    /// are mended.
    pub fn refuse(&self, found: &[Diagnostic]) -> CliError {
        let source = Source::new(&self.bytes);
        let errors = found.iter().filter(|one| one.severity == Severity::Error);
        let mut rendered: Vec<String> = errors.map(|one| self.render(&source, one)).collect();
        let first = if rendered.is_empty() { String::new() } else { rendered.remove(0) };
        let (message, details) = first.split_once('\n').unwrap_or((&first, ""));
        let others: String = rendered.into_iter().map(|text| format!("\n{text}")).collect();
        CliError::Model { message: message.to_owned(), details: format!("{details}{others}") }
    }

    /// The lines of the file.
    pub fn source(&self) -> Source<'_> {
        Source::new(&self.bytes)
    }

    /// The place and the message on a line; below it the source line with a caret, what
    /// may help, and other places.
    pub fn render(&self, source: &Source<'_>, found: &Diagnostic) -> String {
        let at = source.position(found.span.start);
        let path = self.path.display();
        let line = snippet(&source.line(at.line), at.column as usize);
        let help = found.help.iter().map(|help| format!("  help: {help}\n"));
        let notes = found
            .related
            .iter()
            .map(|(span, note)| format!("  {path}:{}: {note}\n", source.position(span.start)));
        let more: String = help.chain(notes).collect();
        format!("{path}:{at}: {}\n{line}{more}", found.message)
    }
}
