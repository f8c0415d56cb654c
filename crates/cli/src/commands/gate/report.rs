//! What came of a gate, in words and as JSON.

use std::io::Write as _;

use obligato_model::Verdict;
use obligato_store::StoredObligation;
use serde_json::json;

use super::ratchet::Slip;
use super::{Outcome, Row};
use crate::args::GateArgs;
use crate::error::CliError;
use crate::exit::Exit;
use crate::output::{BAD, FAINT, GOOD, Output, Verbosity, counted, printable};
use obligato::gate::Percent;

/// No more obligations than this are shown; `--list` shows all.
const MOST_SHOWN: usize = 10;

/// A table of what is required, what is missing, and what is worse than before.
pub fn write(
    outcome: &Outcome<'_>,
    arguments: &GateArgs,
    out: &mut Output,
) -> Result<(), CliError> {
    let passed = outcome.exit == Exit::Success;
    if passed && out.verbosity() == Verbosity::Quiet {
        return Ok(());
    }
    if !outcome.rows.is_empty() {
        write_rows(&outcome.rows, out)?;
    }
    let most = if arguments.list { usize::MAX } else { MOST_SHOWN };
    if !outcome.missing.is_empty() {
        writeln!(out, "\n{BAD}Missing{BAD:#}:")?;
        write_obligations(&outcome.missing, most, out)?;
    }
    if let Some(slips) = &outcome.slips {
        write_slips(slips, most, out)?;
    }
    writeln!(out)?;
    match outcome.exit {
        Exit::BelowGate => writeln!(out, "{BAD}Below the gate{BAD:#}")?,
        Exit::Unresolved => {
            let unresolved = outcome.rows.iter().map(|row| row.unresolved).sum();
            let what = counted(unresolved, "obligation");
            writeln!(out, "{BAD}Unresolved{BAD:#}: {what} where none may be")?;
        }
        _ => writeln!(out, "{GOOD}Everything that is required is met{GOOD:#}")?,
    }
    if let Some(first) = outcome.missing.first() {
        let id = crate::shell::quote(&first.id);
        out.remark(format_args!(
            "Next: obligato justify {id} --reason … --author …   (if no test is to be expected)"
        ))?;
    }
    Ok(())
}

fn write_rows(rows: &[Row], out: &mut Output) -> Result<(), CliError> {
    let titles: Vec<String> = rows.iter().map(|row| row.criterion.title()).collect();
    let width = titles.iter().map(String::len).chain(["criterion".len()]).max().unwrap_or(0);
    writeln!(out, "{:width$}    met  of total  unresolved     share  required", "criterion")?;
    for (row, title) in rows.iter().zip(titles) {
        let (style, word) = if row.is_enough { (GOOD, "met") } else { (BAD, "below") };
        let share = format!("{} %", Percent::of(row.met, row.total));
        let required = format!("{} %", row.required);
        writeln!(
            out,
            "{title:width$}  {:5}  {:8}  {:10}  {share:>8}  {required:>8}  {style}{word}{style:#}",
            row.met, row.total, row.unresolved
        )?;
    }
    Ok(())
}

fn write_slips(slips: &[Slip<'_>], most: usize, out: &mut Output) -> Result<(), CliError> {
    if slips.is_empty() {
        return out.remark(format_args!("\nNothing is worse than in the older result"));
    }
    writeln!(out, "\n{BAD}Worse than in the older result{BAD:#}:")?;
    let mut lost = Vec::new();
    for slip in slips {
        match slip {
            Slip::Share { criterion, before, now } => {
                writeln!(out, "  {}: {before} % before, {now} % now", criterion.title())?;
            }
            Slip::Lost(obligation) => lost.push(*obligation),
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
        writeln!(out, "      {}", printable(&why(&one.verdict)))?;
        writeln!(out, "      {FAINT}{}{FAINT:#}", printable(&one.id))?;
    }
    if obligations.len() > most {
        writeln!(out, "  … and {} more; --list shows all", obligations.len() - most)?;
    }
    Ok(())
}

/// Why an obligation does not count.
fn why(verdict: &Verdict) -> String {
    match verdict {
        Verdict::Unresolved(limit) => format!("unresolved: {limit}"),
        Verdict::Justified(_) => "justified, which --allow does not name".to_owned(),
        Verdict::Uncoverable(_) => "uncoverable, which --allow does not name".to_owned(),
        Verdict::Covered { .. } => "covered".to_owned(),
    }
}

/// The same for programs.
pub fn document(outcome: &Outcome<'_>) -> String {
    let rows = outcome.rows.iter().map(|row| {
        json!({
            "criterion": row.criterion.to_string(),
            "required": row.required.to_string(),
            "share": Percent::of(row.met, row.total).to_string(),
            "met": row.met,
            "unresolved": row.unresolved,
            "total": row.total,
            "enough": row.is_enough,
        })
    });
    let ids = |all: &[&StoredObligation]| all.iter().map(|one| one.id.clone()).collect::<Vec<_>>();
    let mut shares = Vec::new();
    let mut lost = Vec::new();
    for slip in outcome.slips.iter().flatten() {
        match slip {
            Slip::Share { criterion, before, now } => shares.push(json!({
                "criterion": criterion.to_string(),
                "before": before.to_string(),
                "now": now.to_string(),
            })),
            Slip::Lost(obligation) => lost.push(*obligation),
        }
    }
    let document = json!({
        "format": "obligato-gate",
        "version": 1,
        "tool": outcome.result.tool,
        "exit": outcome.exit.code(),
        "criteria": rows.collect::<Vec<_>>(),
        "missing": ids(&outcome.missing),
        "fallen": shares,
        "lost": ids(&lost),
    });
    format!("{document:#}\n")
}
