//! Keeping suite and result in the store.

use std::path::Path;

use obligato_model::Suite;
use obligato_store::{file, suite};

use crate::directory::ensure_directory;
use crate::error::CliError;
use crate::output::printable;

const SUITE: &str = "suite.json";
const RESULT: &str = "result.json";

/// Stores a suite and the document of a result, and says where. The suite is put into words
/// first: if it cannot be, the store stays as it was.
pub fn store(directory: &Path, suite: Option<&Suite>, result: &str) -> Result<String, CliError> {
    let suite = suite.map(suite::print_json).transpose()?;
    ensure_directory(directory)?;
    let suite_path = directory.join(SUITE);
    if let Some(suite) = &suite {
        file::write(&suite_path, suite.as_bytes())?;
    }
    let result_path = directory.join(RESULT);
    file::write(&result_path, result.as_bytes())?;
    let remark = match suite {
        Some(_) => format!(", with {SUITE} beside it"),
        None if suite_path.exists() => format!("; the {SUITE} beside it is of an earlier run"),
        None => String::new(),
    };
    Ok(format!("Stored in {}{remark}", printable(&result_path.display().to_string())))
}
