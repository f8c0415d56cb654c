//! The mutants that no test kills, and those that none can, place by place, with the source line.

use std::io::{self, Write};

use obligato_lustre_replay::MutantStatus;

use super::Outcome;
use crate::output::{BAD, FAINT, printable};
use crate::verdicts::method;
use obligato::snippet::snippet;

/// No more survivors than this are shown; `--list` shows all.
pub const MOST_SHOWN: usize = 20;

/// Writes all survivors, or the first few.
pub fn write(outcome: &Outcome<'_>, all: bool, out: &mut dyn Write) -> io::Result<()> {
    let survivors: Vec<usize> = outcome.survivors().collect();
    let limit = |mutant: usize| outcome.hunted.as_ref()?.limits[mutant].as_ref();
    write_section(outcome, "Survivors", &survivors, all, out, |mutant| {
        let limit = limit(mutant).map_or_else(String::new, |limit| format!("; {limit}"));
        format!("{BAD}{}{limit}{BAD:#}", reason(outcome.fates[mutant]))
    })
}

/// Writes all mutants that no test can kill, or the first few, with how that was shown.
pub fn write_equivalent(outcome: &Outcome<'_>, all: bool, out: &mut dyn Write) -> io::Result<()> {
    let is_equivalent = |mutant: &usize| outcome.proof(*mutant).is_some();
    let equivalent: Vec<usize> = (0..outcome.fates.len()).filter(is_equivalent).collect();
    write_section(outcome, "Equivalent", &equivalent, all, out, |mutant| {
        outcome.proof(mutant).map_or_else(String::new, |proof| format!("by {}", method(proof)))
    })
}

/// Mutants place by place, each with what is to be said of it.
fn write_section(
    outcome: &Outcome<'_>,
    title: &str,
    mutants: &[usize],
    all: bool,
    out: &mut dyn Write,
    why: impl Fn(usize) -> String,
) -> io::Result<()> {
    if mutants.is_empty() {
        return Ok(());
    }
    let shown = if all { mutants.len() } else { mutants.len().min(MOST_SHOWN) };
    let source = outcome.loaded.file.source();
    let path = printable(&outcome.loaded.path);
    let mut last = None;
    writeln!(out, "\n{title}:")?;
    for &mutant in &mutants[..shown] {
        let fault = &outcome.chosen.listed[mutant].fault;
        let at = fault.span.start;
        if last.replace(at) != Some(at) {
            writeln!(out, "  {path}:{at}")?;
            for line in snippet(&source.line(at.line), at.column as usize).lines() {
                writeln!(out, "  {FAINT}{line}{FAINT:#}")?;
            }
        }
        let (before, after) = (bare(&fault.original), bare(&fault.replacement));
        let change = printable(&format!("{}: `{before}` → `{after}`", fault.operator));
        writeln!(out, "    {change}  {}", why(mutant))?;
    }
    if shown < mutants.len() {
        writeln!(out, "  … and {} more; --list shows all", mutants.len() - shown)?;
    }
    Ok(())
}

fn reason(fate: MutantStatus) -> &'static str {
    match fate {
        MutantStatus::NotExecuted => "not executed",
        MutantStatus::Unnoticed => "executed, without a difference",
        MutantStatus::WeaklyKilled => "weakly killed: a difference that reached nothing compared",
        MutantStatus::Faulted | MutantStatus::Killed => "killed",
    }
}

/// The text without parentheses around all of it.
fn bare(text: &str) -> &str {
    let Some(inner) = text.strip_prefix('(').and_then(|text| text.strip_suffix(')')) else {
        return text;
    };
    let mut depth = 0_usize;
    for character in inner.chars() {
        match character {
            '(' => depth += 1,
            ')' if depth == 0 => return text,
            ')' => depth -= 1,
            _ => {}
        }
    }
    inner
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_parentheses_around_all_of_a_text_are_left_out() {
        assert_eq!(bare("(a or b)"), "a or b");
        assert_eq!(bare("(a) or (b)"), "(a) or (b)");
        assert_eq!(bare("((a) or (b))"), "(a) or (b)");
        assert_eq!(bare("a"), "a");
        assert_eq!(bare("("), "(");
    }
}
