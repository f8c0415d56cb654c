//! What `obligato check` prints as JSON: an `obligato-check` document. Nothing reads it back.

use obligato_model::{Criterion, Span, Variable};

use crate::document;
use crate::json::print::{Fields, lines, quote};

/// What a check document calls itself.
pub const FORMAT: &str = "obligato-check";

/// A file, and what was found of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckedFile {
    /// The file.
    pub file: String,
    /// What it has, or why it cannot be used.
    pub found: Result<Checked, String>,
}

/// What a file has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checked {
    /// How many there are of what.
    pub sizes: Vec<(&'static str, usize)>,
    /// How much each criterion asks for.
    pub obligations: Vec<(Criterion, usize)>,
    /// What tests can run.
    pub functions: Vec<CheckedFunction>,
    /// What cannot be measured.
    pub gaps: Vec<CheckedGap>,
}

/// A function, or the main node of a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckedFunction {
    /// Its name.
    pub name: String,
    /// What tests set.
    pub inputs: Vec<Variable>,
    /// What tests see.
    pub outputs: Vec<Variable>,
}

/// Something that cannot be measured.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckedGap {
    /// The file.
    pub file: String,
    /// Where.
    pub span: Span,
    /// What, and why.
    pub text: String,
}

/// Prints a check document.
pub fn print(files: &[CheckedFile]) -> String {
    let files = files.iter().map(print_file);
    document::start(FORMAT).with_line(2, "files", lines(2, files)).close_line()
}

fn print_file(checked: &CheckedFile) -> String {
    let fields = Fields::new().with_text("file", &checked.file);
    match &checked.found {
        Err(problem) => fields.with_text("problem", problem).close(),
        Ok(Checked { sizes, obligations, functions, gaps }) => {
            let sizes =
                sizes.iter().fold(Fields::new(), |all, (what, count)| all.with(what, count));
            let obligations = obligations.iter();
            let obligations = obligations.fold(Fields::new(), |all, (criterion, count)| {
                all.with(&criterion.to_string(), count)
            });
            fields
                .with_line(5, "sizes", sizes.close())
                .with_line(5, "obligations", obligations.close())
                .with_line(5, "functions", lines(5, functions.iter().map(print_function)))
                .with_line(5, "gaps", lines(5, gaps.iter().map(print_gap)))
                .close()
        }
    }
}

fn print_function(function: &CheckedFunction) -> String {
    let variables = |variables: &[Variable]| {
        let print = |Variable { name, kind }: &Variable| {
            Fields::new().with_text("name", name).with_text("type", kind).close()
        };
        lines(8, variables.iter().map(print))
    };
    Fields::new()
        .with("name", quote(&function.name))
        .with_line(8, "inputs", variables(&function.inputs))
        .with_line(8, "outputs", variables(&function.outputs))
        .close()
}

fn print_gap(gap: &CheckedGap) -> String {
    let CheckedGap { file, span, text } = gap;
    Fields::new().with_text("file", file).with_text("span", span).with_text("text", text).close()
}
