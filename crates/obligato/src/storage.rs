//! Keeping suite, result and what stands behind it in the store.

use std::borrow::Borrow;
use std::path::Path;

use obligato_model::{TestCase, Variable};
use obligato_store::file::{Draft, replace_together};
use obligato_store::suite::Printer;
use obligato_store::{Signature, StoredResult};

use crate::directory::ensure_directory;
use crate::error::Error;
use crate::text::printable;

/// The tests, with what was seen at their outputs.
pub const SUITE: &str = "suite.json";
/// The verdicts.
pub const RESULT: &str = "result.json";
/// Why obligations are uncoverable.
pub const PROOFS: &str = "proofs.json";
/// What stands behind the verdicts.
pub const DETAILS: &str = "details.json";
/// How far making tests had come after which time.
pub const TIMELINE: &str = "timeline.json";

/// What was judged, how, by what and when.
pub const EVIDENCE: &str = "evidence.json";

/// What `generate` printed for a function of a project.
pub const GENERATION: &str = "generation.json";

/// Suites of more tests are kept without their outputs, and their truth tables are not: both would be read by nobody.
pub const MOST_DETAILED: usize = 2000;

/// What is stored of a judged suite, as documents.
#[derive(Clone, Copy, Default)]
pub struct Documents<'a> {
    /// The verdicts.
    pub result: &'a str,
    /// What stands behind them, if it is known.
    pub details: Option<&'a str>,
    /// Why some are uncoverable.
    pub proofs: Option<&'a str>,
    /// How far making tests had come after which time.
    pub timeline: Option<&'a str>,
    /// What was judged, how, by what and when.
    pub evidence: Option<&'a str>,
}

/// Stores documents and the suite, if there is one, and says where. All are
/// written whole before one takes the place of what was stored before.
pub fn store(
    directory: &Path,
    documents: &Documents<'_>,
    suite: impl FnOnce(&Path) -> Result<Option<Draft>, Error>,
) -> Result<String, Error> {
    ensure_directory(directory)?;
    let Documents { result, details, proofs, timeline, evidence } = *documents;
    let [suite_path, result_path] = [SUITE, RESULT].map(|name| directory.join(name));
    let mut drafts = Vec::new();
    drafts.extend(suite(&suite_path)?);
    let has_suite = !drafts.is_empty();
    let texts = [
        (RESULT, Some(result)),
        (DETAILS, details),
        (PROOFS, proofs),
        (TIMELINE, timeline),
        (EVIDENCE, evidence),
    ];
    for (name, text) in texts {
        let Some(text) = text else { continue };
        let mut draft = Draft::create(&directory.join(name))?;
        draft.write(text.as_bytes())?;
        drafts.push(draft);
    }
    replace_together(drafts)?;
    let remark = if proofs.is_some() {
        format!(", with {SUITE} and {PROOFS} beside it")
    } else if has_suite {
        format!(", with {SUITE} beside it")
    } else if suite_path.exists() {
        format!("; the {SUITE} beside it is of an earlier run")
    } else {
        String::new()
    };
    Ok(format!("Stored in {}{remark}", printable(&result_path.display().to_string())))
}

/// The result that is stored in a directory.
pub fn load(directory: &Path) -> Result<StoredResult, Error> {
    let path = directory.join(RESULT);
    if !path.exists() {
        let directory = printable(&directory.display().to_string());
        return Err(Error::Input {
            message: format!("there is no result in '{directory}'"),
            way_out: "measure or generate first, or name another directory by --store".to_owned(),
        });
    }
    Ok(obligato_store::result::load(&path)?)
}

/// Puts a changed result in the place of the one that is stored in a directory.
pub fn save(directory: &Path, result: &StoredResult) -> Result<(), Error> {
    Ok(obligato_store::result::save(&directory.join(RESULT), result)?)
}

/// A suite on its way into the file at `path`.
pub fn write_tests(
    path: &Path,
    inputs: &[Variable],
    tests: impl Iterator<Item = Result<impl Borrow<TestCase>, Error>>,
) -> Result<Draft, Error> {
    write(path, Printer::new(inputs)?, tests)
}

/// The same with what was seen at the outputs, which comes after the inputs in each step.
pub fn write_recorded(
    path: &Path,
    signature: &Signature,
    tests: impl Iterator<Item = Result<TestCase, Error>>,
) -> Result<Draft, Error> {
    write(path, Printer::for_program(signature)?, tests)
}

fn write(
    path: &Path,
    mut printer: Printer<'_>,
    tests: impl Iterator<Item = Result<impl Borrow<TestCase>, Error>>,
) -> Result<Draft, Error> {
    let mut draft = Draft::create(path)?;
    for test in tests {
        draft.write(printer.print(test?.borrow())?.as_bytes())?;
    }
    draft.write(printer.finish().as_bytes())?;
    Ok(draft)
}
