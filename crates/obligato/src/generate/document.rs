//! What came of a request as JSON: `obligato-generation` documents, described in `docs/formats.md`.

use obligato_campaign::Phase;
use obligato_store::generation::{GeneratedKind, StoredGeneration, StoredTest, print};

use super::{Extras, FunctionGeneration, Generated, Generation, LostFunction, stored_phases};
use crate::error::Error;

/// The document of what came of a request with this seed: of several functions, a list of their documents.
pub fn document(generation: &Generation, seed: u64) -> Result<String, Error> {
    match generation {
        Generation::One(generated) => document_of(generated, seed),
        Generation::Each(all) => {
            let documents = all.iter().map(|one| match one {
                FunctionGeneration::Done(generated) => document_of(generated, seed),
                FunctionGeneration::Lost(lost) => Ok(lost.document()),
            });
            Ok(list(&documents.collect::<Result<Vec<_>, _>>()?))
        }
    }
}

/// Documents as a list.
pub(crate) fn list(documents: &[String]) -> String {
    let trimmed: Vec<&str> = documents.iter().map(|one| one.trim_end()).collect();
    format!("[\n{}\n]\n", trimmed.join(",\n"))
}

impl LostFunction {
    /// What stands for its document.
    pub(crate) fn document(&self) -> String {
        let Self { file, function, why } = self;
        serde_json::json!({"file": file, "function": function, "error": why}).to_string()
    }
}

/// The document of one model or function.
fn document_of(generated: &Generated, seed: u64) -> Result<String, Error> {
    let given = generated.given.iter();
    let given = given.map(|steps| StoredTest { phase: Phase::Given.name(), steps: *steps });
    let made = generated.made.iter();
    let made =
        made.map(|made| StoredTest { phase: made.phase.name(), steps: made.test.steps.len() });
    let (kind, runtime_errors) = match &generated.extras {
        Extras::Model(_) => (GeneratedKind::Model, Vec::new()),
        Extras::Unit(extras) => {
            let errors = extras.errors.iter().map(|found| &found.details);
            (GeneratedKind::Unit, errors.collect())
        }
    };
    Ok(print(&StoredGeneration {
        kind,
        file: generated.name.clone(),
        function: generated.function.clone(),
        seed,
        result: &generated.result,
        tests: given.chain(made).collect(),
        phases: stored_phases(&generated.phases, generated.given.len()),
        stopped: generated.stopped,
        runtime_errors,
        tool_errors: generated.tool_errors(),
    })?)
}
