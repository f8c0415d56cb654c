//! The arguments of `obligato experiment`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use obligato::campaign::Budget;
use obligato::experiment::MOST_REDUCTIONS;
use obligato::experiment::Structure;
use obligato::experiment::{Pool, RandomSize};
use obligato::mutate::Oracle;
use obligato::subject::SubjectOptions;
use obligato_model::Criterion;

use super::budget::parse;

/// The arguments of `obligato experiment`.
#[derive(Debug, Args)]
pub struct ExperimentArgs {
    /// The models, Lustre files; with --paper caut, C files
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// The tables of another paper: caut compares search strategies on C functions
    #[arg(long, value_name = "PAPER", value_enum, conflicts_with_all = ["tests", "random", "generate", "equivalence"])]
    pub paper: Option<Paper>,
    /// The suites to choose from, one for each model in the same order, or a directory of them
    #[arg(long, value_name = "SUITE", num_args = 1.., required_unless_present_any = ["random", "generate", "paper"])]
    tests: Vec<PathBuf>,
    /// Draw suites of N random tests of L steps instead
    #[arg(long, value_name = "NxL", conflicts_with = "tests")]
    random: Option<RandomSize>,
    /// Make the suites instead, for each criterion as many as --reductions, each within this budget
    #[arg(long, value_name = "BUDGET", value_parser = parse, conflicts_with_all = ["tests", "random"])]
    generate: Option<Budget>,
    /// Prove mutants that no test kills to be equivalent, within this budget, and leave them out
    #[arg(long, value_name = "BUDGET", value_parser = parse)]
    pub equivalence: Option<Budget>,
    /// The criteria to reduce suites for, separated by commas
    #[arg(long, value_name = "C", value_delimiter = ',', default_value = "mcdc,omcdc")]
    criterion: Vec<Criterion>,
    /// What tests compare, separated by commas
    #[arg(
        long,
        value_name = "ORACLE",
        value_enum,
        value_delimiter = ',',
        default_value = "outputs,maximum"
    )]
    oracle: Vec<OracleName>,
    /// How models are written, separated by commas
    #[arg(
        long,
        value_name = "S",
        value_enum,
        value_delimiter = ',',
        default_value = "written,inlined"
    )]
    structure: Vec<StructureName>,
    /// How many mutants to sample of each model; all if there are fewer
    #[arg(long, value_name = "N", default_value_t = 250, value_parser = at_least_one)]
    pub count: usize,
    /// How often to reduce each suite
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = reductions)]
    pub reductions: usize,
    /// Another number gives other random choices
    #[arg(long, value_name = "SEED", default_value_t = 0)]
    pub seed: u64,
    /// The directory to write into; made if it does not exist
    #[arg(long, short, value_name = "DIR")]
    pub output: PathBuf,
}

/// A paper with experiments of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Paper {
    /// Su et al., Automated Coverage-Driven Test Data Generation Using Dynamic Symbolic Execution.
    #[value(help = None)]
    Caut,
}

/// An oracle by its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum OracleName {
    /// The outputs of the main node.
    #[value(help = None)]
    Outputs,
    /// Every variable.
    #[value(help = None)]
    Maximum,
}

/// A structure by its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum StructureName {
    /// As it stands.
    #[value(help = None)]
    Written,
    /// With intermediate variables replaced.
    #[value(help = None)]
    Inlined,
}

fn at_least_one(text: &str) -> Result<usize, String> {
    let number = text.parse().ok().filter(|number| *number > 0);
    number.ok_or_else(|| "expected a number from 1 on".to_owned())
}

fn reductions(text: &str) -> Result<usize, String> {
    let number = text.parse().ok().filter(|number| (1..=MOST_REDUCTIONS).contains(number));
    number.ok_or_else(|| format!("expected a number from 1 to {MOST_REDUCTIONS}"))
}

impl ExperimentArgs {
    /// The programs, as the library is asked for them.
    pub fn subjects(&self) -> Vec<SubjectOptions> {
        self.files.iter().map(SubjectOptions::new).collect()
    }

    /// Where the suites come from; clap has seen to it that this is said once.
    pub fn pool(&self) -> Pool {
        match (self.random, self.generate) {
            (Some(size), _) => Pool::Random(size),
            (None, Some(budget)) => Pool::Made(budget),
            (None, None) => Pool::Files(self.tests.clone()),
        }
    }

    /// The criteria asked for, each once.
    pub fn criteria(&self) -> Vec<Criterion> {
        each_once(&self.criterion)
    }

    /// The oracles asked for, each once.
    pub fn oracles(&self) -> Vec<Oracle> {
        let oracles = each_once(&self.oracle).into_iter().map(|name| match name {
            OracleName::Outputs => Oracle::Outputs,
            OracleName::Maximum => Oracle::Maximum,
        });
        oracles.collect()
    }

    /// The structures asked for, each once.
    pub fn structures(&self) -> Vec<Structure> {
        let structures = each_once(&self.structure).into_iter().map(|name| match name {
            StructureName::Written => Structure::Written,
            StructureName::Inlined => Structure::Inlined,
        });
        structures.collect()
    }

    pub(super) const AFTER_HELP: &'static str = "\
What it does, as the papers on observable MC/DC do:
  For each model, structure and criterion the suite is reduced at random, again and
  again, to tests that cover as much of the criterion. Each reduced suite, and a
  random one of as many tests, is held against the same mutants under each oracle.

Suites:
  One for each model, in the same order, or one directory that has for brake.lus a
  brake.csv, brake.json or brake.rif. They are read as 'obligato run' reads them; what
  they expect is not looked at. A test that violates an 'assert' is an error; of random
  tests those are dropped and counted.

  --generate makes them: for each criterion as many as --reductions, each with a seed of
  its own, as 'obligato generate' does, and then reduced. The random suite beside one has
  random tests of the same lengths. Suites for one criterion know nothing of the others.

Equivalent mutants:
  --equivalence proves of those that no test kills that none can, as 'obligato mutate
  --kill' does, for each model, structure and oracle within the budget. They do not count.
  Budgets are those of 'obligato generate'; with units of work the files are the same
  every time.

Names:
  --criterion   as 'obligato check' lists them, such as mcdc, mcdc:unique-cause, omcdc:exact
  --oracle      outputs (of the main node), maximum (every variable of every call)
  --structure   written (as it stands), inlined (as by --inline of 'obligato check')
  Of each list, the later is compared with the earlier.

What is written into DIR, the same bytes for the same seed:
  experiment.md     the tables, with how to read them
  models.csv        sizes, mutants, and what the whole suites kill
  coverage.csv      obligations and what the whole suites cover
  suites.csv        every reduced and random suite: its size, what it covers and kills
  comparisons.csv   criteria, chance, oracles and structures compared, with p-values
  killed-M.svg, size-M.svg   what the suites of model M kill, and by size

Exit codes:
  0  done
  1  tool error, such as a directory that cannot be written
  2  usage or input error; nothing was written

Examples:
  obligato experiment brake.lus --tests suite.csv -o results
  obligato experiment brake.lus door.lus --tests brake.csv door.csv -o results
  obligato experiment models/*.lus --tests suites/ --count 750 --seed 7 -o results
  obligato experiment brake.lus --generate 200000 --equivalence 500000 -o results
  obligato experiment brake.lus --random 500x20 --criterion decision,mcdc,omcdc:exact -o results";
}

/// The items, each where it is named first.
fn each_once<T: Copy + PartialEq>(items: &[T]) -> Vec<T> {
    let mut found = Vec::new();
    for item in items {
        if !found.contains(item) {
            found.push(*item);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_named_twice_counts_once() {
        assert_eq!(each_once(&[2, 1, 2, 3, 1]), [2, 1, 3]);
    }
}
