//! What became of the mutants in short: a row per kind of fault, and the score.

use std::io::{self, Write};

use obligato::mutate::MutationOperator;
use obligato::mutate::{MutantStatus, MutatedModel, RunMutant};

use crate::output::{BAD, GOOD, counted, printable};

/// No more names than this are listed.
const MOST_NAMED: usize = 20;

/// What was run, and what was compared.
pub fn write_heading(mutated: &MutatedModel, out: &mut dyn Write) -> io::Result<()> {
    let MutatedModel { model, mutants, made, seed, compared, tests, .. } = mutated;
    let mutants = if mutated.is_sample() {
        format!("a sample of {} of {made} mutants (seed {seed})", mutants.len())
    } else {
        counted(*made, "mutant")
    };
    let steps = tests.iter().map(|test| test.steps.len()).sum();
    let (path, main) = (printable(&model.path), model.main());
    let (tests, steps) = (counted(tests.len(), "test"), counted(steps, "step"));
    writeln!(out, "{path}: node {main}, {mutants}, {tests}, {steps}")?;
    let (named, more) = compared.split_at(compared.len().min(MOST_NAMED));
    let more = if more.is_empty() { String::new() } else { format!(" and {} more", more.len()) };
    writeln!(out, "compared: {}{more}\n", printable(&named.join(", ")))
}

/// One row per kind of fault, their sum, and the score.
pub fn write_table(mutated: &MutatedModel, out: &mut dyn Write) -> io::Result<()> {
    let searched = mutated.killing.is_some();
    let equivalent = if searched { "  equivalent" } else { "" };
    let heading = "mutants  killed  (by fault)  survived  (weakly killed)  (not executed)";
    writeln!(out, "{:10}  {heading}{equivalent}", "operator")?;
    let mut total = Row::default();
    for operator in MutationOperator::ALL {
        let mut row = Row::default();
        for mutant in mutated.mutants.iter().filter(|mutant| mutant.operator == operator) {
            row.add(mutant);
            total.add(mutant);
        }
        if row.all > 0 {
            row.write(operator.name(), searched, out)?;
        }
    }
    total.write("total", searched, out)?;
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
    equivalent: usize,
}

impl Row {
    /// An equivalent mutant counts as nothing else.
    fn add(&mut self, mutant: &RunMutant) {
        let status = mutant.status;
        self.all += 1;
        if mutant.proof.is_some() {
            self.equivalent += 1;
            return;
        }
        self.killed += usize::from(status.is_killed());
        self.faulted += usize::from(status == MutantStatus::Faulted);
        self.weakly_killed += usize::from(status == MutantStatus::WeaklyKilled);
        self.not_executed += usize::from(status == MutantStatus::NotExecuted);
    }

    fn write(&self, title: &str, searched: bool, out: &mut dyn Write) -> io::Result<()> {
        let Self { all, killed, faulted, weakly_killed, not_executed, equivalent } = self;
        let survived = all - killed - equivalent;
        let style = if survived == 0 { GOOD } else { BAD };
        let equivalent = if searched { format!("  {equivalent:10}") } else { String::new() };
        writeln!(
            out,
            "{title:10}  {all:7}  {killed:6}  {faulted:10}  {style}{survived:8}{style:#}  \
             {weakly_killed:15}  {not_executed:14}{equivalent}",
        )
    }

    /// What is killed of what can be.
    fn write_score(&self, out: &mut dyn Write) -> io::Result<()> {
        let Self { all, killed, equivalent, .. } = self;
        let others = all - equivalent;
        let without = match equivalent {
            0 => String::new(),
            _ => format!("; {equivalent} more are equivalent to the model"),
        };
        if others == 0 {
            return writeln!(out, "\nScore: nothing to kill{without}");
        }
        // Rounded down: all but one is not all.
        let permille = killed * 1000 / others;
        let (percent, tenth) = (permille / 10, permille % 10);
        let doubt =
            if *killed < others { "; some survivors may be equivalent to the model" } else { "" };
        writeln!(out, "\nScore: {killed} of {others}, {percent}.{tenth} %{without}{doubt}")
    }
}
