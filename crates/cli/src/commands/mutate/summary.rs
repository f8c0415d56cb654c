//! What became of the mutants in short: a row per kind of fault, and the score.

use std::io::{self, Write};

use obligato_lustre::mutation::Operator;
use obligato_replay::Fate;

use super::Outcome;
use crate::output::{BAD, GOOD, counted, printable};

/// No more names than this are listed.
const MOST_NAMED: usize = 20;

/// What was run, and what was compared.
pub fn write_heading(outcome: &Outcome<'_>, seed: u64, out: &mut dyn Write) -> io::Result<()> {
    let Outcome { loaded, chosen, compared, tests, .. } = outcome;
    let mutants = if chosen.is_sample() {
        format!("a sample of {} of {} mutants (seed {seed})", chosen.mutants.len(), chosen.made)
    } else {
        counted(chosen.made, "mutant")
    };
    let steps = tests.iter().map(|test| test.steps.len()).sum();
    let (path, main) = (printable(&loaded.path), loaded.main());
    let (tests, steps) = (counted(tests.len(), "test"), counted(steps, "step"));
    writeln!(out, "{path}: node {main}, {mutants}, {tests}, {steps}")?;
    let (named, more) = compared.split_at(compared.len().min(MOST_NAMED));
    let more = if more.is_empty() { String::new() } else { format!(" and {} more", more.len()) };
    writeln!(out, "compared: {}{more}\n", printable(&named.join(", ")))
}

/// One row per kind of fault, their sum, and the score.
pub fn write_table(outcome: &Outcome<'_>, out: &mut dyn Write) -> io::Result<()> {
    let heading = "mutants  killed  (by fault)  survived  (weakly killed)  (not executed)";
    writeln!(out, "{:10}  {heading}", "operator")?;
    let mut total = Row::default();
    for operator in Operator::ALL {
        let fates = outcome.chosen.mutants.iter().zip(&outcome.fates);
        let mut row = Row::default();
        fates.filter(|(mutant, _)| mutant.operator == operator).for_each(|(_, fate)| {
            row.add(*fate);
            total.add(*fate);
        });
        if row.all > 0 {
            row.write(operator.name(), out)?;
        }
    }
    total.write("total", out)?;
    total.write_score(out)
}

/// How many mutants ended how.
#[derive(Default)]
struct Row {
    all: usize,
    killed: usize,
    faulted: usize,
    weakly_killed: usize,
    not_executed: usize,
}

impl Row {
    fn add(&mut self, fate: Fate) {
        self.all += 1;
        self.killed += usize::from(fate.is_killed());
        self.faulted += usize::from(fate == Fate::Faulted);
        self.weakly_killed += usize::from(fate == Fate::WeaklyKilled);
        self.not_executed += usize::from(fate == Fate::NotExecuted);
    }

    fn write(&self, title: &str, out: &mut dyn Write) -> io::Result<()> {
        let Self { all, killed, faulted, weakly_killed, not_executed } = self;
        let survived = all - killed;
        let style = if survived == 0 { GOOD } else { BAD };
        writeln!(
            out,
            "{title:10}  {all:7}  {killed:6}  {faulted:10}  {style}{survived:8}{style:#}  \
             {weakly_killed:15}  {not_executed:14}",
        )
    }

    fn write_score(&self, out: &mut dyn Write) -> io::Result<()> {
        let Self { all, killed, .. } = self;
        // Rounded down: all but one is not all.
        let permille = killed * 1000 / all;
        let (percent, tenth) = (permille / 10, permille % 10);
        let doubt =
            if killed < all { "; some survivors may be equivalent to the model" } else { "" };
        writeln!(out, "\nScore: {killed} of {all}, {percent}.{tenth} %{doubt}")
    }
}
