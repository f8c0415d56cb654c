//! The mutants that no test kills, place by place, with the source line.

use std::io::{self, Write};

use obligato_replay::Fate;

use super::Outcome;
use crate::output::{BAD, FAINT, printable};
use crate::snippet::snippet;

/// No more survivors than this are shown; `--list` shows all.
pub const MOST_SHOWN: usize = 20;

/// Writes all survivors, or the first few.
pub fn write(outcome: &Outcome<'_>, all: bool, out: &mut dyn Write) -> io::Result<()> {
    let survivors: Vec<usize> = outcome.survivors().collect();
    if survivors.is_empty() {
        return Ok(());
    }
    let shown = if all { survivors.len() } else { survivors.len().min(MOST_SHOWN) };
    let source = outcome.loaded.file.source();
    let path = printable(&outcome.loaded.path);
    let mut last = None;
    writeln!(out, "\nSurvivors:")?;
    for &mutant in &survivors[..shown] {
        let fault = &outcome.chosen.listed[mutant].fault;
        let at = fault.span.start;
        if last.replace(at) != Some(at) {
            writeln!(out, "  {path}:{at}")?;
            for line in snippet(&source.line(at.line), at.column as usize).lines() {
                writeln!(out, "  {FAINT}{line}{FAINT:#}")?;
            }
        }
        let (before, after) = (bare(&fault.original), bare(&fault.replacement));
        let why = reason(outcome.fates[mutant]);
        let change = printable(&format!("{}: `{before}` → `{after}`", fault.operator));
        writeln!(out, "    {change}  {BAD}{why}{BAD:#}")?;
    }
    if shown < survivors.len() {
        writeln!(out, "  … and {} more; --list shows all", survivors.len() - shown)?;
    }
    Ok(())
}

fn reason(fate: Fate) -> &'static str {
    match fate {
        Fate::NotExecuted => "not executed",
        Fate::Unnoticed => "executed, without a difference",
        Fate::WeaklyKilled => "weakly killed: a difference that reached nothing compared",
        Fate::Faulted | Fate::Killed => "killed",
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
