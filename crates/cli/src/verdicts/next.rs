//! The next useful command, ready to be typed.

use std::path::Path;

use obligato_store::StoredResult;

use crate::args::{USUAL_STORE, VerdictArgs};
use crate::shell::quote_path;

/// What to do after reading the result of a command, given without the arguments of verdicts and with
/// what has to come last.
pub fn command(again: &str, arguments: &VerdictArgs, last: &str, result: &StoredResult) -> String {
    let open = result.criteria.iter().any(|criterion| result.tally(*criterion).open() > 0);
    let (flag, why) = if open && !arguments.table {
        ("--table", "the evaluations each decision had")
    } else if !arguments.list {
        ("--list", "every obligation with its tests")
    } else {
        ("--format json", "the same for programs")
    };
    format!("Next: {again}{} {flag}{last}   ({why})", kept(arguments))
}

/// What was said about verdicts, without what only changes the output.
pub fn kept(arguments: &VerdictArgs) -> String {
    let criteria = arguments.unusual_criteria().map(|names| format!(" --criterion {names}"));
    let store = match arguments.store() {
        None => " --no-store".to_owned(),
        Some(directory) if directory != Path::new(USUAL_STORE) => {
            format!(" --store {}", quote_path(directory))
        }
        Some(_) => String::new(),
    };
    let reasons = arguments.justifications();
    let reasons = reasons.map(|path| format!(" --justifications {}", quote_path(path)));
    criteria.unwrap_or_default() + &reasons.unwrap_or_default() + &store
}
