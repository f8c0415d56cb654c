//! What came of a gate, in words.

use std::collections::BTreeMap;
use std::io::Write as _;

use obligato::gate::{GateOutcome, GateResult, GateRow, Percent, Regression};
use obligato_model::{Assumption, BoundedGroup, Verdict};
use obligato_store::StoredObligation;
use obligato_store::evidence::SourceDigest;

use crate::args::GateArgs;
use crate::error::CliError;
use crate::output::{BAD, FAINT, GOOD, Output, Verbosity, counted, printable};
use crate::verdicts::bounded::sentence;

/// No more obligations than this are shown; `--list` shows all.
const MOST_SHOWN: usize = 10;

/// So many sources are listed.
const MOST_SOURCES: usize = 4;

/// A table of what is required, what is missing, and what is worse than before.
pub fn write(result: &GateResult, arguments: &GateArgs, out: &mut Output) -> Result<(), CliError> {
    let passed = result.outcome == GateOutcome::Met;
    if passed && out.verbosity() == Verbosity::Quiet {
        write_allowed(&result.allowed_bounded, out)?;
        return write_assumed(&result.assumptions, out);
    }
    write_judged(result, out)?;
    if !result.rows.is_empty() {
        write_rows(&result.rows, out)?;
    }
    let most = if arguments.list { usize::MAX } else { MOST_SHOWN };
    if !result.missing.is_empty() {
        writeln!(out, "\n{BAD}Missing{BAD:#}:")?;
        write_missing(&result.missing, arguments.list, out)?;
    }
    if result.outcome == GateOutcome::Unreviewed {
        writeln!(out, "\n{BAD}Not reviewed{BAD:#}:")?;
        write_obligations(&result.unreviewed.iter().collect::<Vec<_>>(), most, out)?;
    }
    if let Some(regressions) = &result.regressions {
        write_regressions(regressions, most, out)?;
    }
    write_allowed(&result.allowed_bounded, out)?;
    write_assumed(&result.assumptions, out)?;
    writeln!(out)?;
    match result.outcome {
        GateOutcome::Below => writeln!(out, "{BAD}Below the gate{BAD:#}")?,
        GateOutcome::Unresolved => {
            let what = counted(result.missing.len(), "obligation");
            writeln!(out, "{BAD}Unresolved{BAD:#}: {what} where none may be")?;
        }
        GateOutcome::Unreviewed => {
            let what = counted(result.unreviewed.len(), "obligation");
            writeln!(out, "{BAD}Not reviewed{BAD:#}: {what} that a proof closes")?;
        }
        GateOutcome::Met => writeln!(out, "{GOOD}Everything that is required is met{GOOD:#}")?,
    }
    let (first, why) = match result.outcome {
        GateOutcome::Unreviewed => (result.unreviewed.first(), "if the proof was reviewed"),
        _ => (result.missing.first(), "if no test is to be expected"),
    };
    if let Some(first) = first {
        let id = crate::shell::quote(&first.id);
        out.remark(format_args!("Next: obligato justify {id} --reason … --author …   ({why})"))?;
    }
    Ok(())
}

/// What the gate judged: subject, criteria, date and the digests of sources.
fn write_judged(result: &GateResult, out: &mut Output) -> Result<(), CliError> {
    let Some(evidence) = &result.evidence else { return Ok(()) };
    let criteria: Vec<String> = result.criteria.iter().map(ToString::to_string).collect();
    let function = evidence.function.as_ref().map(|name| format!(", {name}")).unwrap_or_default();
    let subject = printable(&format!("{}{function}", evidence.subject));
    out.remark(format_args!("Judged: {subject}; {}", criteria.join(", ")))?;
    let (command, date, tool) = (&evidence.command, &evidence.date, &evidence.tool);
    out.remark(format_args!("  by '{command}' of {} on {}", printable(tool), printable(date)))?;
    for SourceDigest { file, sha256 } in evidence.sources.iter().take(MOST_SOURCES) {
        out.remark(format_args!("  {}  sha256 {sha256}", printable(file)))?;
    }
    if evidence.sources.len() > MOST_SOURCES {
        let more = evidence.sources.len() - MOST_SOURCES;
        out.remark(format_args!("  … and {more} more files"))?;
    }
    out.remark(format_args!(""))
}

fn write_rows(rows: &[GateRow], out: &mut Output) -> Result<(), CliError> {
    let titles: Vec<String> = rows.iter().map(|row| row.criterion.title()).collect();
    let width = titles.iter().map(String::len).chain(["criterion".len()]).max().unwrap_or(0);
    let has_bounded = rows.iter().any(|row| row.bounded > 0);
    let heading = if has_bounded { "  bounded" } else { "" };
    writeln!(
        out,
        "{:width$}    met  of total{heading}  unresolved     share  required",
        "criterion"
    )?;
    for (row, title) in rows.iter().zip(titles) {
        let (style, word) = if row.is_enough { (GOOD, "met") } else { (BAD, "below") };
        let share = format!("{} %", Percent::of(row.met, row.total));
        let required = format!("{} %", row.required);
        let bounded = if has_bounded { format!("  {:7}", row.bounded) } else { String::new() };
        writeln!(
            out,
            "{title:width$}  {:5}  {:8}{bounded}  {:10}  {share:>8}  {required:>8}  {style}{word}{style:#}",
            row.met, row.total, row.unresolved
        )?;
    }
    Ok(())
}

/// What is missing: one by one, but what was refuted within bounds once per group, unless all are to be listed.
fn write_missing(
    missing: &[StoredObligation],
    all: bool,
    out: &mut Output,
) -> Result<(), CliError> {
    if all {
        return write_obligations(&missing.iter().collect::<Vec<_>>(), usize::MAX, out);
    }
    for group in BoundedGroup::of(missing.iter().map(|one| &one.verdict)) {
        writeln!(out, "  {}", sentence(&group))?;
    }
    let others = missing.iter().filter(|one| one.verdict.bounds().is_none());
    write_obligations(&others.collect::<Vec<_>>(), MOST_SHOWN, out)
}

/// What counts although it was refuted within bounds only: whoever reads that the gate is met has to read this too.
fn write_allowed(allowed: &[StoredObligation], out: &mut Output) -> Result<(), CliError> {
    if allowed.is_empty() {
        return Ok(());
    }
    let count = counted(allowed.len(), "obligation");
    writeln!(out, "\n{count} allowed although only refuted within bounds (--allow bounded):")?;
    for group in BoundedGroup::of(allowed.iter().map(|one| &one.verdict)) {
        writeln!(out, "  {}", sentence(&group))?;
    }
    Ok(())
}

/// What a person has assumed, and the gate with it.
fn write_assumed(
    assumptions: &BTreeMap<Assumption, usize>,
    out: &mut Output,
) -> Result<(), CliError> {
    if assumptions.is_empty() {
        return Ok(());
    }
    writeln!(out, "\nAssumed by proofs that count:")?;
    for (assumption, count) in assumptions {
        let assumption = assumption.to_string();
        writeln!(out, "  {}: {}", counted(*count, "obligation"), printable(&assumption))?;
    }
    Ok(())
}

fn write_regressions(
    regressions: &[Regression],
    most: usize,
    out: &mut Output,
) -> Result<(), CliError> {
    if regressions.is_empty() {
        return out.remark(format_args!("\nNothing is worse than in the older result"));
    }
    writeln!(out, "\n{BAD}Worse than in the older result{BAD:#}:")?;
    let mut lost = Vec::new();
    for regression in regressions {
        match regression {
            Regression::Share { criterion, before, now } => {
                writeln!(out, "  {}: {before} % before, {now} % now", criterion.title())?;
            }
            Regression::Lost(obligation) => lost.push(obligation.as_ref()),
        }
    }
    write_obligations(&lost, most, out)
}

fn write_obligations(
    obligations: &[&StoredObligation],
    most: usize,
    out: &mut Output,
) -> Result<(), CliError> {
    for one in obligations.iter().take(most) {
        let place = printable(&format!("{}:{}", one.file, one.span.start));
        let (criterion, text) = (one.criterion, printable(&one.text));
        writeln!(out, "  {place}  {criterion}  {text}")?;
        writeln!(out, "      {}", printable(&why(one)))?;
        writeln!(out, "      {FAINT}{}{FAINT:#}", printable(&one.id))?;
    }
    if obligations.len() > most {
        writeln!(out, "  … and {} more; --list shows all", obligations.len() - most)?;
    }
    Ok(())
}

/// Why an obligation does not count.
fn why(obligation: &StoredObligation) -> String {
    if let Some(error) = &obligation.ends_in {
        return format!(
            "covered, only by a test that ends in {error}, and --allow does not name covered-by-errors"
        );
    }
    match &obligation.verdict {
        Verdict::Unresolved(limit) => format!("unresolved: {limit}"),
        Verdict::Justified(_) => "justified, which --allow does not name".to_owned(),
        Verdict::Uncoverable(_) if obligation.review.is_none() => {
            "uncoverable, which --allow does not name or nobody has reviewed".to_owned()
        }
        Verdict::Uncoverable(_) => "uncoverable, which --allow does not name".to_owned(),
        Verdict::Covered { .. } => "covered".to_owned(),
    }
}
