//! What was refuted within bounds only: a line per group of equal bounds, and what lifts them.

use std::collections::BTreeSet;
use std::io::{self, Write};

use obligato_model::BoundedGroup;
use obligato_store::StoredObligation;

use crate::output::{FAINT, counted, printable};

/// So many lines of source are named per group.
const MOST_PLACES: usize = 6;
/// No more groups than this are shown; `--list` shows every obligation.
const MOST_GROUPS: usize = 12;

/// Writes the groups among some obligations; nothing if there is none.
pub fn write_section(all: &[StoredObligation], out: &mut dyn Write) -> io::Result<()> {
    let groups = BoundedGroup::of(all.iter().map(|one| &one.verdict));
    if groups.is_empty() {
        return Ok(());
    }
    writeln!(out, "\nNot within bounds (no test within them, and no proof beyond them):")?;
    for group in groups.iter().take(MOST_GROUPS) {
        writeln!(out, "  {}", sentence(group))?;
        let members = group.members.iter().map(|at| &all[*at]);
        writeln!(out, "      {FAINT}{}{FAINT:#}", printable(&places(members)))?;
    }
    if groups.len() > MOST_GROUPS {
        writeln!(out, "  … and {} more groups; --list shows all", groups.len() - MOST_GROUPS)?;
    }
    Ok(())
}

/// A group in a sentence: `16 obligations: not within bounds: one step. Next: --steps 4`.
pub fn sentence(group: &BoundedGroup) -> String {
    let count = counted(group.members.len(), "obligation");
    let bounds = if group.bounds.is_empty() {
        String::new()
    } else {
        format!(": {}. Next: {}", group.words(), group.next())
    };
    printable(&format!("{count}: not within bounds{bounds}"))
}

/// The first lines of source that obligations stand on, file by file.
fn places<'o>(members: impl Iterator<Item = &'o StoredObligation>) -> String {
    let lines: BTreeSet<(&str, u32)> =
        members.map(|one| (one.file.as_str(), one.span.start.line)).collect();
    let mut parts: Vec<String> = Vec::new();
    let mut last = None;
    for (file, line) in lines.iter().take(MOST_PLACES) {
        parts.push(match last {
            Some(known) if known == *file => format!(", {line}"),
            Some(_) => format!("; {file}:{line}"),
            None => format!("{file}:{line}"),
        });
        last = Some(*file);
    }
    if lines.len() > MOST_PLACES {
        parts.push(format!(" and {} more lines", lines.len() - MOST_PLACES));
    }
    parts.concat()
}
