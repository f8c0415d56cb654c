//! What came of a gate, in words.

use std::io::Write as _;

use obligato::gate::{GateOutcome, GateResult, GateRow, Percent, Regression};
use obligato_model::Verdict;
use obligato_store::StoredObligation;

use crate::args::GateArgs;
use crate::error::CliError;
use crate::output::{BAD, FAINT, GOOD, Output, Verbosity, counted, printable};

/// No more obligations than this are shown; `--list` shows all.
const MOST_SHOWN: usize = 10;

/// A table of what is required, what is missing, and what is worse than before.
pub fn write(result: &GateResult, arguments: &GateArgs, out: &mut Output) -> Result<(), CliError> {
    let passed = result.outcome == GateOutcome::Met;
    if passed && out.verbosity() == Verbosity::Quiet {
        return Ok(());
    }
    if !result.rows.is_empty() {
        write_rows(&result.rows, out)?;
    }
    let most = if arguments.list { usize::MAX } else { MOST_SHOWN };
    if !result.missing.is_empty() {
        writeln!(out, "\n{BAD}Missing{BAD:#}:")?;
        write_obligations(&result.missing.iter().collect::<Vec<_>>(), most, out)?;
    }
    if let Some(regressions) = &result.regressions {
        write_regressions(regressions, most, out)?;
    }
    writeln!(out)?;
    match result.outcome {
        GateOutcome::Below => writeln!(out, "{BAD}Below the gate{BAD:#}")?,
        GateOutcome::Unresolved => {
            let unresolved = result.rows.iter().map(|row| row.unresolved).sum();
            let what = counted(unresolved, "obligation");
            writeln!(out, "{BAD}Unresolved{BAD:#}: {what} where none may be")?;
        }
        GateOutcome::Met => writeln!(out, "{GOOD}Everything that is required is met{GOOD:#}")?,
    }
    if let Some(first) = result.missing.first() {
        let id = crate::shell::quote(&first.id);
        out.remark(format_args!(
            "Next: obligato justify {id} --reason … --author …   (if no test is to be expected)"
        ))?;
    }
    Ok(())
}

fn write_rows(rows: &[GateRow], out: &mut Output) -> Result<(), CliError> {
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
            Regression::Lost(obligation) => lost.push(obligation),
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
