//! The arguments of `obligato generate`.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use obligato::campaign::Superfluous;
use obligato::campaign::{Budget, Phase};
use obligato::generate::{Filtering, Strategy};
use obligato::generate::{SearchOptions, Steps};
use obligato_model::Shard;

use super::mutate::MOST_MUTANTS;
use super::{EffortArgs, SubjectArgs, SuiteFormat, VerdictArgs};

pub mod languages;
pub mod words;

/// The arguments of `obligato generate`.
#[expect(clippy::struct_excessive_bools, reason = "flags of a command line")]
#[derive(Debug, Args)]
pub struct GenerateArgs {
    /// The model or the C file.
    #[command(flatten)]
    pub subject: SubjectArgs,
    /// The suite that is there already (.csv, .json or .rif)
    #[arg(long, value_name = "SUITE")]
    pub tests: Option<PathBuf>,
    /// What the suite is, whatever its name
    #[arg(long, value_name = "FORMAT", value_enum, requires = "tests")]
    pub from: Option<SuiteFormat>,
    /// Count what tests execute whose expected outputs do not come out
    #[arg(long, requires = "tests")]
    pub count_failing: bool,
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
    /// Work on one of n parts of the obligations only, as in 2/4; 'obligato merge' joins them
    #[arg(long, value_name = "I/N")]
    pub shard: Option<Shard>,
    /// Leave out new tests that the others make superfluous; usual for C functions
    #[arg(long, overrides_with = "no_reduce")]
    reduce: bool,
    /// Keep new tests that the others make superfluous; usual for Lustre models
    #[arg(long, overrides_with = "reduce")]
    no_reduce: bool,
    /// Write the new tests into a file (.csv, .json or .rif)
    #[arg(long, short, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// How a C function is searched.
    #[command(flatten)]
    pub search: SearchArgs,
    /// Exit 4 if an obligation stays unresolved
    #[arg(long)]
    pub fail_on_unresolved: bool,
    /// By what, and what to do with the verdicts.
    #[command(flatten)]
    pub verdicts: VerdictArgs,
}

const USUAL_SEED: u64 = 1;
const USUAL_STRATEGY: &str = "mixed";
const USUAL_LEVELS: u32 = 3;

const SEARCH: &str = "C search";

/// How the paths of a C function are searched.
#[derive(Debug, Args)]
pub struct SearchArgs {
    /// How often a new test calls the function at most, from the initial state; auto: as often as static state takes
    #[arg(long, value_name = "N", default_value = "auto", help_heading = SEARCH, value_parser = parse_steps)]
    pub steps: Steps,
    /// In which order paths are tried
    #[arg(long, value_name = "S", value_parser = strategy_parser(), default_value = USUAL_STRATEGY,
        help_heading = SEARCH)]
    strategy: String,
    /// Try paths as well that lead to nothing uncovered
    #[arg(long, help_heading = SEARCH)]
    no_filter: bool,
    /// How many blocks ahead predictive search counts what is uncovered
    #[arg(long, value_name = "N", default_value_t = USUAL_LEVELS, help_heading = SEARCH)]
    pub levels: u32,
    /// Write the tests that end in runtime errors into a file (.csv, .json or .rif)
    #[arg(long, value_name = "FILE", help_heading = SEARCH)]
    pub faults: Option<PathBuf>,
    /// Exit 5 if a test ends in a runtime error
    #[arg(long, help_heading = SEARCH)]
    pub fail_on_fault: bool,
}

/// More steps than this are a slip of the finger.
const MOST_STEPS: usize = 10_000;

fn parse_steps(text: &str) -> Result<Steps, String> {
    if text == "auto" {
        return Ok(Steps::Auto);
    }
    let number = text.parse().ok().filter(|steps| (1..=MOST_STEPS).contains(steps));
    number
        .map(Steps::AtMost)
        .ok_or_else(|| format!("neither 'auto' nor a number from 1 to {MOST_STEPS}"))
}

fn strategy_parser() -> clap::builder::PossibleValuesParser {
    clap::builder::PossibleValuesParser::new(Strategy::ALL.map(|(name, _)| name))
}

impl SearchArgs {
    /// The strategy.
    fn strategy(&self) -> Strategy {
        let named = Strategy::ALL.iter().find(|(name, _)| *name == self.strategy);
        named.map_or(Strategy::default(), |(_, strategy)| *strategy)
    }

    /// Are candidates left out that lead to nothing uncovered?
    fn filtering(&self) -> Filtering {
        if self.no_filter { Filtering::Off } else { Filtering::On }
    }

    /// What was said about the search, as it is typed.
    pub fn words(&self) -> String {
        words::of_search(&self.options()).iter().map(|word| format!(" {word}")).collect()
    }

    /// The same, as the library is asked for it.
    pub fn options(&self) -> SearchOptions {
        SearchOptions {
            steps: self.steps,
            strategy: self.strategy(),
            filtering: self.filtering(),
            levels: self.levels,
        }
    }
}

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
        Phase::OF_MODELS.into_iter().filter(asked).collect()
    }

    /// What was said of superfluous tests, if something was.
    pub fn superfluous(&self) -> Option<Superfluous> {
        match (self.reduce, self.no_reduce) {
            (true, _) => Some(Superfluous::LeaveOut),
            (false, true) => Some(Superfluous::Keep),
            (false, false) => None,
        }
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
        let reduce = match self.superfluous() {
            Some(Superfluous::LeaveOut) => Some(" --reduce".to_owned()),
            Some(Superfluous::Keep) => Some(" --no-reduce".to_owned()),
            None => None,
        };
        let shard = self.shard.map(|shard| format!(" --shard {shard}"));
        [budget, engines, seed, mutants, shard, reduce].into_iter().flatten().collect()
    }

    pub(super) const AFTER_HELP: &'static str = "\
What is made:
  Only the tests that are missing: what the suite of --tests covers is kept. Each
  test is replayed and measured before anything is said of it, and whatever no test
  can cover is proved to be so, as far as the budget goes. A suite made from a model
  is for closing structural gaps after requirements-based testing.

C functions:
  Paths are searched by dynamic symbolic execution: a run, then the inputs that take another
  branch at one of its forks, in the order of --strategy. Without --function every function of the
  file is done by itself, each with a store of its own below that of --store. Every test is also run
  as machine code. If all paths were seen, what is left is uncoverable. Inputs that cause
  runtime errors are reported beside the tests, and written by --faults.
  A compile_commands.json stands for all functions of its files, --threads at a time, each in a
  process of its own; what was done before with the same text and options is kept.
  Options of the other language are refused, and so are those of a suite for a project.

  -o FILE writes the new tests, with what the model gave for its outputs. That is a
  characterisation, to be reviewed, and no oracle. The store gets all tests, those of
  --tests first, and the result. A test of --tests whose expected outputs do not come out
  fails: it is reported, and covers nothing unless --count-failing is given.

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

Shards:
  --shard 2/4 works on a quarter of the obligations, chosen by their ids, with the whole
  budget; all are measured. Each shard has a store of its own, by --store, and 'obligato
  merge' puts them together.

Criteria, and what is observed:
  As 'obligato measure' takes them, and 'mutation', if it is named: its obligations are
  the mutants of 'obligato mutate', a sample if there are more than --mutants. Covered are
  those that a test kills by what is observed, uncoverable those that are proved to be
  equivalent to the model. Named with other criteria, it has half of the budget and what
  the others leave of theirs.

Exit codes:
  0  done, or stopped by Ctrl-C, whatever the verdicts
  1  tool error, such as a file that cannot be written, or a test in which machine code
     does something else; of a project, also if a file or a function has no result
  2  usage or input error; nothing was written
  4  with --fail-on-unresolved: an obligation stays unresolved
  5  with --fail-on-fault: a test ends in a runtime error

Strategies:
  dfs, bfs      the deepest or the shallowest fork first
  random-path   at random, each level half as likely as the one above
  cfg           the nearest to something uncovered
  rp-md2u       by turns random-path and cfg
  pps           the most uncovered goals within --levels blocks, sure ones first
  fitness       the branch that is closest to being flipped
  mixed         pps, and among equals fitness

Examples:
  obligato generate brake.c --function step -o suite.csv
  obligato generate brake.c --criterion mcdc,bvc,omcdc --steps 4 -- -Iinclude
  obligato generate build/compile_commands.json --budget 30s --store results
  obligato generate brake.lus -o suite.csv
  obligato generate brake.lus --tests suite.csv --criterion omcdc -o missing.csv
  obligato generate brake.lus --criterion mcdc,bvc --budget 10m --reduce -o suite.json
  obligato generate brake.lus --criterion mutation --mutants 250 -o killers.csv
  obligato generate brake.lus --shard 1/2 --budget 500000 --store one
  obligato generate brake.lus --budget 500000 --seed 7 --engine random --list
  obligato generate brake.lus --tests suite.csv --fail-on-unresolved --quiet";
}

fn word(engine: Engine) -> String {
    engine.to_possible_value().map_or_else(String::new, |value| value.get_name().to_owned())
}
