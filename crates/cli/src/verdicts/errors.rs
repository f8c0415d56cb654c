//! What is covered, but only with tests that end with a runtime error.

use std::io::{self, Write};

use obligato_store::StoredResult;

use super::Subject;
use super::summary::{place, what};
use crate::output::{BAD, FAINT, printable};

/// No more obligations than this are shown; `--list` shows all.
const MOST_SHOWN: usize = 10;

/// The obligations, grouped by the runtime error.
pub fn write(result: &StoredResult, subject: Subject, out: &mut dyn Write) -> io::Result<()> {
    let covered = result.obligations.iter();
    let all: Vec<_> = covered.filter_map(|one| Some((one, one.ends_in.as_ref()?))).collect();
    if all.is_empty() {
        return Ok(());
    }
    let count = all.len();
    writeln!(out, "\n{BAD}Covered only by tests that end with a runtime error{BAD:#} ({count}):")?;
    let mut error = "";
    for (obligation, ends_in) in all.iter().take(MOST_SHOWN) {
        if error != ends_in.as_str() {
            error = ends_in;
            writeln!(out, "  ends in {}", printable(ends_in))?;
        }
        let (place, text) = (place(obligation), what(obligation, subject));
        writeln!(out, "    {place}  {FAINT}{}{FAINT:#}  {text}", obligation.criterion)?;
    }
    if count > MOST_SHOWN {
        writeln!(out, "  … and {} more; --list shows all", count - MOST_SHOWN)?;
    }
    Ok(())
}
