//! What came of a request as JSON: `obligato-generation` documents, described in `docs/formats.md`.

use obligato_campaign::Phase;
use obligato_store::generation::{GeneratedKind, StoredGeneration, StoredTest, print};

use super::{Extras, Generated, Generation, stored_phases};
use crate::error::Error;
use crate::subject::RunFindings;
use crate::unit::Cause;

/// The document of what came of a request with this seed: of several functions, a list of their documents.
pub fn document(generation: &Generation, seed: u64) -> Result<String, Error> {
    match generation {
        Generation::One(generated) => document_of(generated, seed),
        Generation::Each(all) => {
            let documents = all.iter().map(|one| document_of(one, seed));
            Ok(list(&documents.collect::<Result<Vec<_>, _>>()?))
        }
    }
}

/// Documents as a list.
pub(crate) fn list(documents: &[String]) -> String {
    let trimmed: Vec<&str> = documents.iter().map(|one| one.trim_end()).collect();
    format!("[\n{}\n]\n", trimmed.join(",\n"))
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
    let tool_errors = match &generated.findings {
        RunFindings::Unit { agreement, .. } => agreement.causes.iter().map(Cause::words).collect(),
        RunFindings::Model { .. } | RunFindings::Elsewhere(_) => Vec::new(),
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
        tool_errors,
    })?)
}
