//! The arguments of `obligato reduce`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use obligato::reduce;
use obligato::reduce::ExactBudget;
use obligato_model::Criterion;

use super::verdicts::{Asked, USUAL};
use super::{Format, SubjectArgs, SuiteFormat, budget};

/// The arguments of `obligato reduce`.
#[derive(Debug, Args)]
pub struct ReduceArgs {
    /// What is meant.
    #[command(flatten)]
    pub subject: SubjectArgs,
    /// The suite (.csv, .json or .rif)
    #[arg(long, value_name = "SUITE")]
    pub tests: PathBuf,
    /// What the suite is, whatever its name
    #[arg(long, value_name = "FORMAT", value_enum)]
    pub from: Option<SuiteFormat>,
    /// The criteria whose coverage is kept, separated by commas
    #[arg(long, value_name = "C", value_delimiter = ',', default_value = USUAL)]
    criterion: Vec<Asked>,
    /// How to choose the tests
    #[arg(long, value_name = "HOW", value_enum, default_value_t = Algorithm::All)]
    pub algorithm: Algorithm,
    /// Where the random orders start
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// How many random orders are tried
    #[arg(
        long,
        value_name = "N",
        default_value_t = 10,
        value_parser = clap::value_parser!(u32).range(1..=1_000_000)
    )]
    pub reductions: u32,
    /// What the exact search may take: 10s, 500ms, 2m, or 20000conflicts
    #[arg(long, value_name = "BUDGET", default_value = "10s", value_parser = parse_budget)]
    pub budget: ExactBudget,
    /// Write the smaller suite into a file (.csv, .json or .rif)
    #[arg(long, short, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// How to print the sizes
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t = Format::Text)]
    pub format: Format,
}

/// How tests are chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Algorithm {
    /// What adds most.
    #[value(help = None)]
    Greedy,
    /// At random.
    #[value(help = None)]
    Random,
    /// The fewest.
    #[value(help = None)]
    Exact,
    /// Each of them.
    #[value(help = None)]
    All,
}

impl Algorithm {
    /// The algorithms that the library runs for it.
    pub fn chosen(self) -> Vec<reduce::Algorithm> {
        match self {
            Self::Greedy => vec![reduce::Algorithm::Greedy],
            Self::Random => vec![reduce::Algorithm::Random],
            Self::Exact => vec![reduce::Algorithm::Exact],
            Self::All => reduce::Algorithm::ALL.to_vec(),
        }
    }
}

impl ReduceArgs {
    /// The criteria asked for, each once, in the order of reports.
    pub fn criteria(&self) -> Vec<Criterion> {
        Asked::criteria(&self.criterion)
    }

    pub(super) const AFTER_HELP: &'static str = "\
Algorithms:
  greedy  always the test that adds most, the first of equals
  random  tests in random order, each kept if it adds something; the smallest of
          --reductions suites, from --seed
  exact   the fewest tests that can do, by a SAT solver; if the budget runs out, the
          best found, and how many are needed at least
  all     each of them; the smallest suite is written

What is kept:
  Every obligation that the suite covers stays covered. Where a condition is
  shown by a pair of tests, two that go together stay. Each smaller suite is run
  again by itself and judged before anything is said of it. Tests keep their
  names, their order, and what they expect of outputs.

The suite:
  It is read as 'obligato run' reads it. A test that violates an 'assert' is none of
  this model, and an error. Tests of a C function run as machine code too, unless
  --no-native is given; one that does something else there is left out, and the exit
  code is 1.

JSON fields:
  schema      1; changes when a field changes its meaning or goes away
  model, main (of C: unit, function), suite
  criteria    one object per criterion: its name, obligations, covered
  before      tests and steps of the suite
  reductions  one object per algorithm, the smallest of each:
    algorithm  greedy, random or exact
    tests, steps
    kept      the names of the tests, in order
    sizes     of random: the number of tests of every reduction, in order
    at_least  of exact: no fewer tests can do; the minimum if it equals tests
  written     the algorithm whose suite was written, or null

Exit codes:
  0  reduced, or nothing could be left out
  1  tool error, such as a file that cannot be written
  2  usage or input error; nothing was written

Examples:
  obligato reduce brake.lus --tests suite.csv
  obligato reduce brake.lus --tests suite.csv --criterion mcdc,bvc -o small.csv
  obligato reduce brake.lus --tests suite.rif --criterion omcdc --algorithm exact --budget 2m
  obligato reduce brake.lus --tests suite.csv --algorithm random --seed 7 -o random7.json
  obligato reduce brake.c --function step --tests suite.csv -o small.csv";
}

/// A number with its unit.
fn parse_budget(text: &str) -> Result<ExactBudget, String> {
    let (number, unit) = budget::split(text)?;
    match budget::time(number, unit) {
        Some(time) => Ok(ExactBudget::Time(time)),
        None if unit == "conflicts" => Ok(ExactBudget::Conflicts(number)),
        None => Err("it ends in a unit: ms, s, m, h or conflicts".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn a_budget_is_a_number_with_a_unit() {
        assert_eq!(parse_budget("10s"), Ok(ExactBudget::Time(Duration::from_secs(10))));
        assert_eq!(parse_budget("0ms"), Ok(ExactBudget::Time(Duration::ZERO)));
        assert_eq!(parse_budget("2m"), Ok(ExactBudget::Time(Duration::from_mins(2))));
        assert_eq!(parse_budget("500 conflicts"), Ok(ExactBudget::Conflicts(500)));
        for wrong in ["", "s", "10", "-1s", "1.5s", "10d", "99999999999999999999s"] {
            assert!(parse_budget(wrong).is_err(), "{wrong}");
        }
    }
}
