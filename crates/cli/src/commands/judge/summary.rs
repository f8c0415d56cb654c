//! The result in short: how many obligations ended how, and those that no test covers.

use std::io::{self, Write};

use obligato_model::{Proof, Verdict};
use obligato_store::{StoredObligation, StoredResult};

use super::input::Case;
use crate::output::{BAD, FAINT, GOOD, printable};

/// No more obligations of a kind than this are shown; `--list` shows all.
const MOST_SHOWN: usize = 20;

/// What was judged, on one line.
pub fn write_heading(case: &Case, out: &mut dyn Write) -> io::Result<()> {
    let program = &case.program;
    let counts = [
        counted(program.decisions().len(), "decision"),
        counted(program.conditions().len(), "condition"),
        counted(case.recording.tests.len(), "test"),
    ];
    writeln!(out, "{}: {}\n", printable(&case.name), counts.join(", "))
}

fn counted(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

/// One row per criterion.
pub fn write_table(result: &StoredResult, out: &mut dyn Write) -> io::Result<()> {
    let titles: Vec<String> = result.criteria.iter().map(|criterion| criterion.title()).collect();
    let width = titles.iter().map(String::len).chain(["criterion".len()]).max().unwrap_or(0);
    writeln!(out, "{:width$}  covered  uncoverable  justified  unresolved  total", "criterion")?;
    for (criterion, title) in result.criteria.iter().zip(titles) {
        let tally = result.tally(*criterion);
        let style = if tally.unresolved == 0 { GOOD } else { BAD };
        writeln!(
            out,
            "{title:width$}  {:7}  {:11}  {:9}  {style}{:10}{style:#}  {:5}",
            tally.covered,
            tally.uncoverable,
            tally.justified,
            tally.unresolved,
            tally.total()
        )?;
    }
    Ok(())
}

/// What no test can cover, with how that was shown.
pub fn write_uncoverable(result: &StoredResult, out: &mut dyn Write) -> io::Result<()> {
    write_section(result, "Uncoverable", out, |verdict| match verdict {
        Verdict::Uncoverable(proof) => Some(method(proof)),
        _ => None,
    })
}

/// How something was shown to be uncoverable, with what was taken for granted.
pub fn method(proof: &Proof) -> String {
    let method = proof.method.to_string();
    if proof.assumptions.is_empty() {
        return method;
    }
    format!("{method}, assuming {}", proof.assumptions.join(", "))
}

/// What is neither covered nor closed in another way, with what stands in the way.
pub fn write_unresolved(result: &StoredResult, out: &mut dyn Write) -> io::Result<()> {
    write_section(result, "Unresolved", out, |verdict| match verdict {
        Verdict::Unresolved(limit) => Some(limit.to_string()),
        _ => None,
    })
}

/// The obligations for which `reason` has one, each with it.
fn write_section(
    result: &StoredResult,
    title: &str,
    out: &mut dyn Write,
    reason: impl Fn(&Verdict) -> Option<String>,
) -> io::Result<()> {
    let all: Vec<(&StoredObligation, String)> = result
        .obligations
        .iter()
        .filter_map(|obligation| Some((obligation, reason(&obligation.verdict)?)))
        .collect();
    if all.is_empty() {
        return Ok(());
    }
    writeln!(out, "\n{title}:")?;
    for (obligation, reason) in all.iter().take(MOST_SHOWN) {
        let (place, text) = (place(obligation), printable(&obligation.text));
        writeln!(out, "  {place}  {FAINT}{}{FAINT:#}  {text}", obligation.criterion)?;
        writeln!(out, "      {}", printable(reason))?;
    }
    if all.len() > MOST_SHOWN {
        writeln!(out, "  … and {} more; --list shows all", all.len() - MOST_SHOWN)?;
    }
    Ok(())
}

/// Where an obligation stands, as editors and compilers write it.
pub fn place(obligation: &StoredObligation) -> String {
    printable(&format!("{}:{}", obligation.file, obligation.span.start))
}
