//! The mutants that no test kills, and those that none can, place by place, with the source line.

use std::io::{self, Write};

use obligato::mutate::{MutantStatus, MutatedModel, RunMutant};
use obligato::snippet::snippet;

use crate::output::{BAD, FAINT, printable};
use crate::verdicts::method;

/// No more survivors than this are shown; `--list` shows all.
pub const MOST_SHOWN: usize = 20;

/// Writes all survivors, or the first few.
pub fn write(mutated: &MutatedModel, all: bool, out: &mut dyn Write) -> io::Result<()> {
    let survivors: Vec<&RunMutant> = mutated.survivors().map(|at| &mutated.mutants[at]).collect();
    write_section(mutated, "Survivors", &survivors, all, out, |mutant| {
        let limit = mutant.limit.as_ref();
        let limit = limit.map_or_else(String::new, |limit| format!("; {limit}"));
        format!("{BAD}{}{limit}{BAD:#}", reason(mutant.status))
    })
}

/// Writes all mutants that no test can kill, or the first few, with how that was shown.
pub fn write_equivalent(mutated: &MutatedModel, all: bool, out: &mut dyn Write) -> io::Result<()> {
    let equivalent: Vec<&RunMutant> =
        mutated.mutants.iter().filter(|mutant| mutant.proof.is_some()).collect();
    write_section(mutated, "Equivalent", &equivalent, all, out, |mutant| {
        mutant.proof.as_ref().map_or_else(String::new, |proof| format!("by {}", method(proof)))
    })
}

/// Mutants place by place, each with what is to be said of it.
fn write_section(
    mutated: &MutatedModel,
    title: &str,
    mutants: &[&RunMutant],
    all: bool,
    out: &mut dyn Write,
    why: impl Fn(&RunMutant) -> String,
) -> io::Result<()> {
    if mutants.is_empty() {
        return Ok(());
    }
    let shown = if all { mutants.len() } else { mutants.len().min(MOST_SHOWN) };
    let source = mutated.model.file.source();
    let path = printable(&mutated.model.path);
    let mut last = None;
    writeln!(out, "\n{title}:")?;
    for &mutant in &mutants[..shown] {
        let fault = &mutant.fault;
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

fn reason(status: MutantStatus) -> &'static str {
    match status {
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
