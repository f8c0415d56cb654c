//! The result in short: how many obligations ended how, and those that no test covers.

use std::io::{self, Write};

use obligato_model::{Criterion, ElementKind, Limit, Proof, Verdict};
use obligato_store::{StoredObligation, StoredResult};

use super::{Judged, Subject};
use crate::output::{BAD, FAINT, GOOD, counted, printable};

/// No more obligations of a kind than this are shown; `--list` shows all.
const MOST_SHOWN: usize = 20;

/// What was judged, on one line, and what was observed if that matters.
pub fn write_heading(judged: &Judged<'_>, out: &mut dyn Write) -> io::Result<()> {
    let Judged { name, program, result, .. } = judged;
    let counts = [
        counted(program.decisions().len(), "decision"),
        counted(program.conditions().len(), "condition"),
        counted(result.tests.len(), "test"),
    ];
    writeln!(out, "{}: {}", printable(name), counts.join(", "))?;
    let effects = |one: &Criterion| one.observability().is_some();
    if !result.observed.is_empty() && result.criteria.iter().any(effects) {
        let (shown, more) = result.observed.split_at(result.observed.len().min(MOST_SHOWN));
        let more =
            if more.is_empty() { String::new() } else { format!(" and {} more", more.len()) };
        writeln!(out, "observed: {}{more}", printable(&shown.join(", ")))?;
    }
    writeln!(out)
}

/// One row per criterion.
pub fn write_table(result: &StoredResult, subject: Subject, out: &mut dyn Write) -> io::Result<()> {
    let titles: Vec<String> = result.criteria.iter().map(|criterion| criterion.title()).collect();
    let width = titles.iter().map(String::len).chain(["criterion".len()]).max().unwrap_or(0);
    // Only where there is something to tell: models have no bounds.
    let has_bounded = result.obligations.iter().any(|one| one.verdict.bounds().is_some());
    let heading = if has_bounded { "  bounded" } else { "" };
    writeln!(
        out,
        "{:width$}  covered  uncoverable  justified{heading}  unresolved  total",
        "criterion"
    )?;
    for (criterion, title) in result.criteria.iter().zip(titles) {
        let tally = result.tally(*criterion);
        if tally.total() == 0 {
            // A row of zeros would look like full marks.
            let why = nothing_to_cover(*criterion, subject);
            writeln!(out, "{title:width$}  {FAINT}nothing to cover{why}{FAINT:#}")?;
            continue;
        }
        let style = if tally.unresolved == 0 { GOOD } else { BAD };
        let bounded = match (has_bounded, tally.bounded) {
            (false, _) => String::new(),
            (true, 0) => format!("  {:7}", 0),
            (true, count) => format!("  {BAD}{count:7}{BAD:#}"),
        };
        writeln!(
            out,
            "{title:width$}  {:7}  {:11}  {:9}{bounded}  {style}{:10}{style:#}  {:5}",
            tally.covered,
            tally.uncoverable,
            tally.justified,
            tally.unresolved,
            tally.total()
        )?;
    }
    Ok(())
}

/// Why a criterion finds nothing to ask for, as far as that can be told.
pub fn nothing_to_cover(criterion: Criterion, subject: Subject) -> &'static str {
    use ElementKind::{Arm, Exit, Function, Mutant, Statement};
    let asks = criterion.asks();
    let asks_only = |kinds: &[ElementKind]| asks.iter().all(|kind| kinds.contains(kind));
    match subject {
        Subject::Outline | Subject::Unit => "",
        _ if criterion.needs_operands() => ": no condition compares numbers",
        Subject::Decisions if asks_only(&[Statement]) => ": decisions have no statements",
        Subject::Decisions if asks_only(&[Mutant]) => ": decisions have no mutants",
        Subject::Decisions if asks_only(&[Function, Exit]) => {
            ": decisions are neither entered nor returned from"
        }
        Subject::Decisions if asks.contains(&Arm) => ": decisions as text steer no control flow",
        Subject::Model if asks_only(&[Function, Exit]) => {
            ": nodes are neither entered nor returned from"
        }
        Subject::Model if asks.contains(&Arm) => ": no value is chosen by 'if'",
        Subject::Decisions | Subject::Model => "",
    }
}

/// What no test can cover, with how that was shown.
pub fn write_uncoverable(
    result: &StoredResult,
    subject: Subject,
    out: &mut dyn Write,
) -> io::Result<()> {
    write_section(result, subject, "Uncoverable", out, |verdict| match verdict {
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
    let words: Vec<String> = proof.assumptions.iter().map(ToString::to_string).collect();
    format!("{method}, assuming {}", words.join(", "))
}

/// What is neither covered nor closed in another way, with what stands in the way; what was refuted within bounds has a section of
/// its own.
pub fn write_unresolved(
    result: &StoredResult,
    subject: Subject,
    out: &mut dyn Write,
) -> io::Result<()> {
    write_section(result, subject, "Unresolved", out, |verdict| match verdict {
        Verdict::Unresolved(Limit::NotWithinBounds(_)) => None,
        Verdict::Unresolved(limit) => Some(limit.to_string()),
        _ => None,
    })
}

/// What could not be judged at all, each reason once for all obligations of a criterion: it is
/// nothing that a test could mend.
pub fn write_unsupported(
    result: &StoredResult,
    subject: Subject,
    out: &mut dyn Write,
) -> io::Result<()> {
    let mut counts: Vec<((Criterion, String), usize)> = Vec::new();
    for obligation in &result.obligations {
        let Some(construct) = unsupported(obligation) else { continue };
        let key = (obligation.criterion, construct);
        match counts.iter_mut().find(|(known, _)| *known == key) {
            Some((_, count)) => *count += 1,
            None => counts.push((key, 1)),
        }
    }
    if counts.is_empty() {
        return Ok(());
    }
    writeln!(out, "\nNot judged:")?;
    for ((criterion, construct), count) in counts.iter().take(MOST_SHOWN) {
        let obligations = counted(*count, "obligation");
        writeln!(out, "  {}: {obligations}", criterion.title())?;
        writeln!(out, "      not supported: {}{}", printable(construct), why(*criterion, subject))?;
    }
    if counts.len() > MOST_SHOWN {
        writeln!(out, "  … and {} more; --list shows all", counts.len() - MOST_SHOWN)?;
    }
    Ok(())
}

/// What the construct is that keeps an obligation from being judged.
fn unsupported(obligation: &StoredObligation) -> Option<String> {
    match &obligation.verdict {
        Verdict::Unresolved(Limit::Unsupported(construct)) => Some(construct.to_string()),
        _ => None,
    }
}

/// Why decisions cannot have what a criterion would look for.
fn why(criterion: Criterion, subject: Subject) -> &'static str {
    match (subject, criterion.observability()) {
        (Subject::Decisions, Some(_)) => "; decisions as text have no outputs to watch",
        _ => "",
    }
}

/// The obligations for which `reason` has one, each with it.
fn write_section(
    result: &StoredResult,
    subject: Subject,
    title: &str,
    out: &mut dyn Write,
    reason: impl Fn(&Verdict) -> Option<String>,
) -> io::Result<()> {
    let all: Vec<(&StoredObligation, String)> = result
        .obligations
        .iter()
        .filter(|obligation| unsupported(obligation).is_none())
        .filter_map(|obligation| Some((obligation, reason(&obligation.verdict)?)))
        .collect();
    if all.is_empty() {
        return Ok(());
    }
    writeln!(out, "\n{title}:")?;
    for (obligation, reason) in all.iter().take(MOST_SHOWN) {
        let (place, text) = (place(obligation), what(obligation, subject));
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

/// What an obligation asks, and of which call of a node, if it is in one.
pub fn what(obligation: &StoredObligation, subject: Subject) -> String {
    let StoredObligation { function, text, .. } = obligation;
    printable(&format!("{text}{}", in_call(function, subject)))
}

/// The call of a node that a function stands for, in words; none for the main node.
pub fn in_call(function: &str, subject: Subject) -> String {
    let called = subject == Subject::Model && function.contains('/');
    if called { format!(", in {function}") } else { String::new() }
}
