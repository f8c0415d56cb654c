//! The arguments of `obligato generate`.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use obligato_generate::{Budget, Phase};

use super::mutate::MOST_MUTANTS;
use super::{EffortArgs, ModelArgs, SuiteFormat, VerdictArgs};

/// The arguments of `obligato generate`.
#[derive(Debug, Args)]
pub struct GenerateArgs {
    /// The model.
    #[command(flatten)]
    pub model: ModelArgs,
    /// The suite that is there already (.csv, .json or .rif)
    #[arg(long, value_name = "SUITE")]
    pub tests: Option<PathBuf>,
    /// What the suite is, whatever its name
    #[arg(long, value_name = "FORMAT", value_enum, requires = "tests")]
    pub from: Option<SuiteFormat>,
    /// Variables that are observed, separated by commas [default: outputs]
    #[arg(long, value_name = "VAR", value_delimiter = ',')]
    pub observe: Vec<String>,
    /// What it may take.
    #[command(flatten)]
    pub effort: EffortArgs,
    /// Another seed gives other tests
    #[arg(long, value_name = "SEED", default_value_t = USUAL_SEED)]
    pub seed: u64,
    /// What to search and to prove with, separated by commas
    #[arg(long, value_name = "E", value_enum, value_delimiter = ',', default_value = "auto")]
    engine: Vec<Engine>,
    /// Kill no more mutants than this, a sample if there are more [default: 2000]
    #[arg(long, value_name = "N")]
    mutants: Option<NonZeroUsize>,
    /// Leave out new tests that the others make superfluous
    #[arg(long)]
    pub reduce: bool,
    /// Write the new tests into a file (.csv, .json or .rif)
    #[arg(long, short, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Exit 4 if an obligation stays unresolved
    #[arg(long)]
    pub fail_on_unresolved: bool,
    /// By what, and what to do with the verdicts.
    #[command(flatten)]
    pub verdicts: VerdictArgs,
}

const USUAL_SEED: u64 = 1;

/// What to search and to prove with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Engine {
    /// All of them, the cheap ones first.
    #[value(help = None)]
    Auto,
    /// Directed random simulation.
    #[value(help = None)]
    Random,
    /// Solving from concrete states.
    #[value(help = None)]
    Incremental,
    /// Solving from the initial state.
    #[value(help = None)]
    Complete,
    /// Proofs.
    #[value(help = None)]
    Prove,
}

impl Engine {
    fn runs(self, phase: Phase) -> bool {
        match self {
            Self::Auto => true,
            Self::Random => phase == Phase::Random,
            Self::Incremental => phase == Phase::Incremental,
            Self::Complete => phase == Phase::Complete,
            Self::Prove => phase == Phase::Prove,
        }
    }
}

impl GenerateArgs {
    /// The phases to run, in their order.
    pub fn phases(&self) -> Vec<Phase> {
        let asked = |phase: &Phase| self.engine.iter().any(|engine| engine.runs(*phase));
        Phase::MAKERS.into_iter().filter(asked).collect()
    }

    /// How many mutants are asked for at most.
    pub fn mutants(&self) -> usize {
        self.mutants.map_or(MOST_MUTANTS, NonZeroUsize::get)
    }

    /// What was said about the way tests are made, as it is typed, with another budget.
    pub fn unusual_way(&self, budget: Budget) -> String {
        let budget = EffortArgs::unusual(budget);
        let engines: Vec<String> = self.engine.iter().map(|engine| word(*engine)).collect();
        let engines = Some(engines.join(",")).filter(|engines| *engines != word(Engine::Auto));
        let engines = engines.map(|engines| format!(" --engine {engines}"));
        let seed = (self.seed != USUAL_SEED).then(|| format!(" --seed {}", self.seed));
        let mutants = self.mutants.map(|count| format!(" --mutants {count}"));
        let reduce = self.reduce.then(|| " --reduce".to_owned());
        [budget, engines, seed, mutants, reduce].into_iter().flatten().collect()
    }

    pub(super) const AFTER_HELP: &'static str = "\
What is made:
  Only the tests that are missing: what the suite of --tests covers is kept. Each
  test is replayed and measured before anything is said of it, and whatever no test
  can cover is proved to be so, as far as the budget goes. A suite made from a model
  is for closing structural gaps after requirements-based testing.

  -o FILE writes the new tests, with what the model gave for its outputs. That is a
  characterisation, to be reviewed, and no oracle. The store gets all tests, those of
  --tests first, and the result.

Engines:
  random       simulation of many random tests at once
  incremental  a solver, from states that tests have reached
  complete     a solver, from the initial state
  prove        proofs that no test can cover what is left
  auto         each of them, in this order

Budgets:
  A time (ms, s, m, h), or units of work, which make the answer the same everywhere and
  every time, on any number of threads. What is left open then is unresolved.
  Ctrl-C stops early: what was made until then counts, is written and stored. A second
  one ends the command at once, and nothing is written.

Criteria, and what is observed:
  As 'obligato measure' takes them, and 'mutation', if it is named: its obligations are
  the mutants of 'obligato mutate', a sample if there are more than --mutants. Covered are
  those that a test kills by what is observed, uncoverable those that are proved to be
  equivalent to the model. Named with other criteria, it has half of the budget and what
  the others leave of theirs.

Exit codes:
  0  done, or stopped by Ctrl-C, whatever the verdicts
  1  tool error, such as a file that cannot be written
  2  usage or input error; nothing was written
  4  with --fail-on-unresolved: an obligation stays unresolved

Examples:
  obligato generate brake.lus -o suite.csv
  obligato generate brake.lus --tests suite.csv --criterion omcdc -o missing.csv
  obligato generate brake.lus --criterion mcdc,bvc --budget 10m --reduce -o suite.json
  obligato generate brake.lus --criterion mutation --mutants 250 -o killers.csv
  obligato generate brake.lus --budget 500000 --seed 7 --engine random --list
  obligato generate brake.lus --tests suite.csv --fail-on-unresolved --quiet";
}

fn word(engine: Engine) -> String {
    engine.to_possible_value().map_or_else(String::new, |value| value.get_name().to_owned())
}
