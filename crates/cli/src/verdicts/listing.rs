//! Every obligation with its verdict, its tests and its pair.

use std::io::{self, Write};

use obligato_model::{Justification, TestId, Verdict};
use obligato_store::{StoredObligation, StoredResult};

use super::Subject;
use super::summary::{method, nothing_to_cover, place, what};
use crate::output::{BAD, FAINT, GOOD, printable};

/// All obligations, criterion by criterion.
pub fn write_list(result: &StoredResult, subject: Subject, out: &mut dyn Write) -> io::Result<()> {
    for criterion in &result.criteria {
        writeln!(out, "\n{}:", criterion.title())?;
        let asked = || result.obligations.iter().filter(|one| one.criterion == *criterion);
        if asked().next().is_none() {
            let why = nothing_to_cover(*criterion, subject);
            writeln!(out, "  nothing to cover{why}")?;
        }
        for obligation in asked() {
            write_entry(obligation, subject, &result.tests, out)?;
        }
    }
    Ok(())
}

fn write_entry(
    obligation: &StoredObligation,
    subject: Subject,
    tests: &[String],
    out: &mut dyn Write,
) -> io::Result<()> {
    let StoredObligation { id, verdict, .. } = obligation;
    let style = match verdict {
        Verdict::Unresolved(_) => BAD,
        _ => GOOD,
    };
    let (name, place) = (verdict.class(), place(obligation));
    writeln!(out, "  {style}{name:11}{style:#}  {place}  {}", what(obligation, subject))?;
    for detail in details(verdict, tests) {
        writeln!(out, "               {}", printable(&detail))?;
    }
    if let Some(error) = &obligation.ends_in {
        let error = printable(error);
        writeln!(out, "               {BAD}only by a test that ends in{BAD:#} {error}")?;
    }
    writeln!(out, "               {FAINT}{}{FAINT:#}", printable(id))
}

fn details(verdict: &Verdict, tests: &[String]) -> Vec<String> {
    let name = |test: &TestId| tests[test.index()].as_str();
    match verdict {
        Verdict::Covered { tests: by, pair } => {
            let names: Vec<&str> = by.iter().map(name).collect();
            let mut lines = vec![format!("by {}", names.join(", "))];
            lines.extend(pair.map(|pair| {
                let (with_true, with_false) = (name(&pair.with_true), name(&pair.with_false));
                format!("pair: {with_true} with true, {with_false} with false")
            }));
            lines
        }
        Verdict::Uncoverable(proof) => vec![method(proof)],
        Verdict::Justified(Justification { reason, author, date }) => {
            vec![format!("{reason} ({author}, {date})")]
        }
        Verdict::Unresolved(limit) => vec![limit.to_string()],
    }
}
