//! What `obligato mutate` prints as JSON: an `obligato-mutants` document. Nothing reads it back.

use obligato_model::{Limit, Proof, Span};

use crate::document;
use crate::json::print::{Fields, lines, quote, row};
use crate::result::{print_limit, print_proof};

/// What a mutants document calls itself.
pub const FORMAT: &str = "obligato-mutants";

/// Mutants of a model, and what the tests of a suite did to them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredMutants {
    /// Who found it out.
    pub tool: String,
    /// The file.
    pub model: String,
    /// The main node.
    pub main: String,
    /// What was compared to tell a mutant from the model.
    pub compared: Vec<String>,
    /// How many mutants the model has.
    pub made: usize,
    /// What a sample of them is drawn by.
    pub seed: u64,
    /// How many of the tests were given, if others were made to kill the rest.
    pub given: Option<usize>,
    /// The names of the tests.
    pub tests: Vec<String>,
    /// The mutants that were run.
    pub mutants: Vec<StoredMutant>,
}

/// A mutant; tests are given by their positions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredMutant {
    /// Its stable name.
    pub id: String,
    /// The node it is in.
    pub node: String,
    /// The kind of fault.
    pub operator: String,
    /// Where the text changes.
    pub span: Span,
    /// The text as it was.
    pub original: String,
    /// The text put in its place.
    pub replacement: String,
    /// What became of it: `killed`, `faulted`, `weakly-killed`, `unnoticed`, `not-executed` or
    /// `equivalent`.
    pub fate: &'static str,
    /// How it was proved to be equivalent.
    pub proof: Option<Proof>,
    /// What stood in the way of killing it, if that was tried.
    pub limit: Option<Limit>,
    /// In these tests something differed that is compared.
    pub strong: Vec<usize>,
    /// In these it failed at run time before that.
    pub faulted: Vec<usize>,
    /// In these a variable differed that the changed equation defines.
    pub weak: Vec<usize>,
}

/// Prints a mutants document.
pub fn print(document: &StoredMutants) -> String {
    let quoted = |names: &[String]| names.iter().map(|name| quote(name)).collect::<Vec<_>>();
    let mut fields = document::start(FORMAT)
        .with_line(2, "tool", quote(&document.tool))
        .with_line(2, "model", quote(&document.model))
        .with_line(2, "main", quote(&document.main))
        .with_line(2, "compared", lines(2, quoted(&document.compared)))
        .with_line(2, "made", document.made)
        .with_line(2, "seed", document.seed);
    if let Some(given) = document.given {
        fields = fields.with_line(2, "given", given);
    }
    fields
        .with_line(2, "tests", lines(2, quoted(&document.tests)))
        .with_line(2, "mutants", lines(2, document.mutants.iter().map(print_mutant)))
        .close_line()
}

fn print_mutant(mutant: &StoredMutant) -> String {
    let mut fields = Fields::new()
        .with_text("id", &mutant.id)
        .with_text("node", &mutant.node)
        .with_text("operator", &mutant.operator)
        .with_text("span", mutant.span)
        .with_text("original", &mutant.original)
        .with_text("replacement", &mutant.replacement)
        .with_text("fate", mutant.fate);
    if let Some(proof) = &mutant.proof {
        fields = print_proof(fields, proof);
    }
    if let Some(limit) = &mutant.limit {
        fields = print_limit(fields, limit);
    }
    for (name, tests) in
        [("strong", &mutant.strong), ("faulted", &mutant.faulted), ("weak", &mutant.weak)]
    {
        if !tests.is_empty() {
            fields = fields.with(name, row(tests));
        }
    }
    fields.close()
}
