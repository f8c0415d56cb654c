//! Lustre models from files, and their diagnostics in words.

use std::path::{Path, PathBuf};

use obligato_lustre::analysis::Model;
use obligato_lustre::inline::{self, Inlined, inline};
use obligato_lustre::lowering::{self, Lowered, lower};
use obligato_lustre::{Options, analyse};
use obligato_lustre_syntax::{Diagnostic, Severity, Source, SyntaxTree, parse};
use obligato_store::details::SourceFile;
use obligato_store::file;

use crate::details::source;
use crate::error::Error;
use crate::evidence::{SubjectFacts, named};
use crate::key_path::key_path;
use crate::snippet::snippet;
use crate::subject::{ModelOptions, SubjectOptions};

mod code;
mod expected;
mod subject;

pub(crate) use code::codes;
pub use subject::ModelSubject;
pub(crate) use subject::suite_format;

/// A model and what is to be said about it.
pub struct AnalysedModel {
    /// The model.
    pub model: Model,
    /// The warnings about the file, in words.
    pub warnings: Vec<String>,
    /// That inlining found nothing to do, or ended at its limit, if it did.
    pub left: Option<String>,
}

/// A model file that was read.
pub struct ModelFile {
    path: PathBuf,
    bytes: Vec<u8>,
}

/// A model ready to be run.
pub struct LoadedModel {
    /// The file.
    pub file: ModelFile,
    /// Its name, as it was given.
    pub path: String,
    /// What it means.
    pub model: Model,
    /// One step of it.
    pub lowered: Lowered,
    /// What is to be known of it: warnings, what inlining left, what is assumed.
    pub remarks: Vec<String>,
}

impl LoadedModel {
    /// Reads, analyses and lowers the model that the arguments name.
    pub fn load(options: &SubjectOptions) -> Result<Self, Error> {
        let file = ModelFile::read(&options.file)?;
        let AnalysedModel { model, warnings, left } = file.analyse(&options.model)?;
        let path = options.file.display().to_string();
        let key = key_path(&options.file);
        let lowered = lower(&model, &key, file.bytes(), &lowering::Options::default())
            .map_err(|found| file.refuse(&found))?;
        let warnings = warnings.into_iter().map(|warning| format!("warning: {warning}"));
        let notes = left.into_iter().map(|note| format!("note: {note}"));
        let assumed = lowered.assumptions.iter().map(|what| format!("assumed: {what}"));
        let remarks = warnings.chain(notes).chain(assumed).collect();
        Ok(Self { file, path, model, lowered, remarks })
    }

    /// Its text, for reports.
    pub fn sources(&self) -> Vec<SourceFile> {
        let files = self.lowered.program.files();
        files.iter().map(|name| source(name, self.file.bytes())).collect()
    }

    /// What results rely on.
    pub fn facts(&self) -> SubjectFacts {
        SubjectFacts {
            function: Some(self.main().to_owned()),
            files: vec![named(Path::new(&self.path))],
            ..SubjectFacts::default()
        }
    }

    /// The name of the main node.
    pub fn main(&self) -> &str {
        self.model.text(self.model.main_node().name.symbol)
    }
}

impl ModelFile {
    /// Reads the file at `path`.
    pub fn read(path: &Path) -> Result<Self, Error> {
        Ok(Self { path: path.to_owned(), bytes: file::read(path)? })
    }

    /// The bytes of the file.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The syntax tree.
    pub fn parse(&self) -> Result<SyntaxTree, Error> {
        parse(&self.bytes).map(|parsed| parsed.program).map_err(|found| self.refuse(&found))
    }

    /// The model that the tree means, in the structure that is asked for, and its warnings in
    /// words.
    pub fn analyse(&self, asked: &ModelOptions) -> Result<AnalysedModel, Error> {
        let options = Options { main: asked.main.as_deref() };
        let analyse = |program| analyse(program, &options).map_err(|found| self.refuse(&found));
        let written = analyse(self.parse()?)?;
        let source = Source::new(&self.bytes);
        let warnings = written.warnings.iter().map(|found| self.render(&source, found)).collect();
        if !asked.inline {
            return Ok(AnalysedModel { model: written, warnings, left: None });
        }
        let limit = inline::Options::default();
        let inlined = inline(&written, &limit);
        let left = say_what_is_left(&inlined, limit);
        Ok(AnalysedModel { model: analyse(inlined.program)?, warnings, left })
    }

    /// The error that these diagnostics are together. Warnings wait until the errors
    /// are mended.
    pub fn refuse(&self, found: &[Diagnostic]) -> Error {
        let source = Source::new(&self.bytes);
        let errors = found.iter().filter(|one| one.severity == Severity::Error);
        let mut rendered: Vec<String> = errors.map(|one| self.render(&source, one)).collect();
        let first = if rendered.is_empty() { String::new() } else { rendered.remove(0) };
        let (message, details) = first.split_once('\n').unwrap_or((&first, ""));
        let others: String = rendered.into_iter().map(|text| format!("\n{text}")).collect();
        Error::Source { message: message.to_owned(), details: format!("{details}{others}") }
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

/// How far inlining went, if it found nothing or ended at its limit.
fn say_what_is_left(inlined: &Inlined, limit: inline::Options) -> Option<String> {
    let Inlined { found, replaced, .. } = inlined;
    if *found == 0 {
        return Some("there is nothing to inline, the model is the same as without".to_owned());
    }
    (replaced < found).then(|| {
        format!(
            "inlined {replaced} of {found} variables; the others would make the model larger than \
             {} expressions",
            limit.most_exprs
        )
    })
}
