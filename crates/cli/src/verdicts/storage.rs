//! Keeping suite and result in the store.

use std::borrow::Borrow;
use std::path::Path;

use obligato_model::{TestCase, Variable};
use obligato_store::file::{Draft, replace_together};
use obligato_store::suite::Printer;

use crate::directory::ensure_directory;
use crate::error::CliError;
use crate::output::printable;

const SUITE: &str = "suite.json";
const RESULT: &str = "result.json";
const PROOFS: &str = "proofs.json";

/// Stores the document of a result, the suite and the proofs, if there are any, and says where. All are
/// written whole before one takes the place of what was stored before.
pub fn store(
    directory: &Path,
    result: &str,
    suite: impl FnOnce(&Path) -> Result<Option<Draft>, CliError>,
    proofs: Option<&str>,
) -> Result<String, CliError> {
    ensure_directory(directory)?;
    let [suite_path, result_path, proofs_path] =
        [SUITE, RESULT, PROOFS].map(|name| directory.join(name));
    let mut drafts = Vec::new();
    drafts.extend(suite(&suite_path)?);
    let has_suite = !drafts.is_empty();
    let mut draft = Draft::create(&result_path)?;
    draft.write(result.as_bytes())?;
    drafts.push(draft);
    if let Some(proofs) = proofs {
        let mut draft = Draft::create(&proofs_path)?;
        draft.write(proofs.as_bytes())?;
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

/// A suite on its way into the file at `path`.
pub fn write_tests(
    path: &Path,
    inputs: &[Variable],
    tests: impl Iterator<Item = Result<impl Borrow<TestCase>, CliError>>,
) -> Result<Draft, CliError> {
    let mut draft = Draft::create(path)?;
    let mut printer = Printer::new(inputs)?;
    for test in tests {
        draft.write(printer.print(test?.borrow())?.as_bytes())?;
    }
    draft.write(printer.finish().as_bytes())?;
    Ok(draft)
}
