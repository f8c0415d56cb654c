//! What `obligato mutate` prints as JSON, and stores: an `obligato-mutants` document.

use std::path::Path;

use obligato_model::{Limit, Proof, Span};

use crate::document;
use crate::error::StoreError;
use crate::file;
use crate::json::Json;
use crate::json::print::{Fields, lines, quote, row};
use crate::json::words::Words;
use crate::result::{print_limit, print_proof, read_limit, read_names, read_proof};
use crate::source::Source;

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
    /// What became of it.
    pub fate: Fate,
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

/// What became of a mutant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// Something differed that is compared.
    Killed,
    /// It failed at run time where the model does not.
    Faulted,
    /// The variable differed that the changed equation defines, and nothing that is compared.
    WeaklyKilled,
    /// Nothing differed.
    Unnoticed,
    /// No test computed the changed expression.
    NotExecuted,
    /// It was proved to be equivalent to the model.
    Equivalent,
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

/// Loads a mutants document.
pub fn load(path: &Path) -> Result<StoredMutants, StoreError> {
    parse(&file::read(path)?).map_err(|error| error.in_file(path))
}

/// Reads a mutants document.
pub fn parse(bytes: &[u8]) -> Result<StoredMutants, StoreError> {
    let known = &[
        "format", "version", "tool", "model", "main", "compared", "made", "seed", "given", "tests",
        "mutants",
    ];
    let root = document::open(Source::of(bytes)?, FORMAT, known)?;
    let text = |name: &str| root.need(name)?.owned_string();
    let tests = read_names("test", root.need("tests")?.items()?)?;
    let mutants = root.need("mutants")?.items()?.into_iter();
    Ok(StoredMutants {
        tool: text("tool")?,
        model: text("model")?,
        main: text("main")?,
        compared: read_names("compared variable", root.need("compared")?.items()?)?,
        made: root.need("made")?.whole()?,
        seed: root.need("seed")?.whole()?,
        given: root.get("given").map(Json::whole).transpose()?,
        mutants: mutants.map(|one| read_mutant(one, tests.len())).collect::<Result<_, _>>()?,
        tests,
    })
}

const FATES: Words<Fate> = Words {
    what: "fate",
    all: &[
        ("killed", Fate::Killed),
        ("faulted", Fate::Faulted),
        ("weakly-killed", Fate::WeaklyKilled),
        ("unnoticed", Fate::Unnoticed),
        ("not-executed", Fate::NotExecuted),
        ("equivalent", Fate::Equivalent),
    ],
};

/// The fields of mutants: first those that every one may have.
const FIELDS: [&str; 22] = [
    "id",
    "node",
    "operator",
    "span",
    "original",
    "replacement",
    "fate",
    "strong",
    "faulted",
    "weak",
    "method",
    "depth",
    "assumptions",
    "limit",
    "shortfall",
    "bound",
    "bounds",
    "value",
    "seconds",
    "construct",
    "what",
    "why",
];

/// So many of the fields every mutant may have.
const EVERY: usize = 10;

fn read_mutant(json: Json<'_>, tests: usize) -> Result<StoredMutant, StoreError> {
    let object = json.object(&FIELDS)?;
    let every = &FIELDS[..EVERY];
    let text = |name: &str| object.need(name)?.owned_string();
    let fate = FATES.read(object.need("fate")?)?;
    let proof = (fate == Fate::Equivalent).then(|| read_proof(&object, every)).transpose()?;
    let limited = object.get("limit").is_some() && proof.is_none();
    let limit = limited.then(|| read_limit(&object, every)).transpose()?;
    if proof.is_none() && limit.is_none() {
        object.only(every, "a mutant without a proof or a limit")?;
    }
    let told = |name: &str| {
        let told = object.list(name)?.into_iter().map(|item| {
            let at: usize = item.whole()?;
            let there = at < tests;
            there.then_some(at).ok_or_else(|| item.invalid(format!("there is no test {at}")))
        });
        told.collect::<Result<Vec<usize>, StoreError>>()
    };
    Ok(StoredMutant {
        id: text("id")?,
        node: text("node")?,
        operator: text("operator")?,
        span: object.need("span")?.parsed()?,
        original: text("original")?,
        replacement: text("replacement")?,
        fate,
        proof,
        limit,
        strong: told("strong")?,
        faulted: told("faulted")?,
        weak: told("weak")?,
    })
}

fn print_mutant(mutant: &StoredMutant) -> String {
    let mut fields = Fields::new()
        .with_text("id", &mutant.id)
        .with_text("node", &mutant.node)
        .with_text("operator", &mutant.operator)
        .with_text("span", mutant.span)
        .with_text("original", &mutant.original)
        .with_text("replacement", &mutant.replacement)
        .with_text("fate", FATES.word(mutant.fate));
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::documented;
    use crate::tests::{assert_truncation_is_noticed, complaint};

    #[test]
    fn the_example_of_the_documentation_is_read_and_printed_as_it_stands() {
        let text = documented("json mutants");
        assert_eq!(print(&parse(text.as_bytes()).unwrap()), text);
        assert_truncation_is_noticed(parse, text);
    }

    #[test]
    fn an_unknown_fate_and_a_test_that_is_not_there_are_refused() {
        let text = documented("json mutants");
        let lost = text.replacen("\"fate\": \"killed\"", "\"fate\": \"lost\"", 1);
        assert!(complaint(parse(lost.as_bytes())).contains("no fate is called 'lost'"));
        let far = text.replacen("\"strong\": [", "\"strong\": [99, ", 1);
        assert!(complaint(parse(far.as_bytes())).contains("there is no test 99"));
    }
}
