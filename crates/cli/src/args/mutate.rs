//! The arguments of `obligato mutate`.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::{Arg, Args};
use obligato_model::Shard;

use super::{EffortArgs, Format, SubjectArgs, SuiteFormat};

/// So many mutants run if it is not said how many.
pub(super) const MOST_MUTANTS: usize = 2000;

/// The arguments of `obligato mutate`.
#[derive(Debug, Args)]
pub struct MutateArgs {
    /// What is meant.
    #[command(flatten)]
    pub subject: SubjectArgs,
    /// The suite (.csv, .json or .rif)
    #[arg(long, value_name = "SUITE", required_unless_present = "kill")]
    pub tests: Option<PathBuf>,
    /// What the suite is, whatever its name
    #[arg(long, value_name = "FORMAT", value_enum, requires = "tests")]
    pub from: Option<SuiteFormat>,
    /// Run no more mutants than this, a sample if there are more [default: 2000]
    #[arg(long, value_name = "N")]
    count: Option<NonZeroUsize>,
    /// Another seed draws another sample, and makes other tests
    #[arg(long, value_name = "SEED", default_value_t = 1)]
    pub seed: u64,
    /// Variables that are compared, separated by commas [default: outputs]
    #[arg(long, value_name = "VAR", value_delimiter = ',')]
    pub oracle: Vec<String>,
    /// Make tests that kill the survivors, and prove that the others are equivalent to the model
    #[arg(long)]
    pub kill: bool,
    /// What killing may take.
    #[command(flatten)]
    pub effort: EffortArgs,
    /// Write the new tests into a file (.csv, .json or .rif)
    #[arg(long, short, value_name = "FILE", requires = "kill")]
    pub output: Option<PathBuf>,
    /// Store suite and verdicts in this directory, each mutant an obligation, for 'report', 'gate' and 'merge'
    #[arg(long, value_name = "DIR")]
    pub store: Option<PathBuf>,
    /// Run one of n parts of the mutants only, as in 2/4; 'obligato merge' joins their results
    #[arg(long, value_name = "I/N", requires = "store")]
    pub shard: Option<Shard>,
    /// List all survivors
    #[arg(long)]
    pub list: bool,
    /// Print what each test kills
    #[arg(long)]
    pub matrix: bool,
    /// How to print what was found
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t = Format::Text)]
    pub format: Format,
}

impl MutateArgs {
    /// What killing may take is said only where something is to be killed.
    pub(super) fn ask_to_kill(argument: Arg) -> Arg {
        argument.requires("kill")
    }

    /// How many mutants to run at most.
    pub fn count(&self) -> usize {
        self.count.map_or(MOST_MUTANTS, NonZeroUsize::get)
    }

    /// The number that was given, if one was.
    pub fn given_count(&self) -> Option<NonZeroUsize> {
        self.count
    }

    pub(super) const AFTER_HELP: &'static str = "\
A mutant is the model with one fault: another operator, constant or variable, a 'not'
too many or too few, a value one step late, another first value. All calls of its node
have the fault. Where there are more than --count, a sample has the kinds of faults in
the shares in which they occur; the same seed gives the same sample.

What becomes of a mutant:
  killed         a test sees it: something that is compared differs, or the mutant
                 fails at run time where the model does not (by fault)
  survived       no test sees it; some survivors may be equivalent to the model
  weakly killed  a survivor: the variable that the changed equation defines differs,
                 but nothing that is compared does
  not executed   a survivor: no test computes the changed expression

Killing:
  --kill makes tests for the survivors, at random and then by solvers, and runs them with
  the suite. Those that no test can kill are proved to be equivalent, under what is
  compared; they are listed apart, and the score leaves them out. What the budget does
  not decide survives. Budgets are those of 'obligato generate', and so is Ctrl-C.
  -o FILE writes the new tests, with what the model gave for its outputs: a
  characterisation, to be reviewed.

Results and shards:
  --store DIR stores a result in which every mutant is an obligation: covered if a test
  kills it, uncoverable if it is proved to be equivalent, else unresolved. It takes the
  place of a result that is there; 'obligato generate --criterion mcdc,mutation' has
  mutants beside other obligations. --shard 2/4 runs a quarter of the mutants, chosen by
  their ids; the result has all of them.

What is compared:
  --oracle x,f#2.y    variables and their parts, as --show of 'obligato run' takes them
  --oracle outputs    the outputs of the main node, as by default
  --oracle maximum    every variable of every call; also called all

The suite:
  It is read as 'obligato run' reads it; what it expects of outputs is not looked at, as
  mutants are compared with the model. A test that violates an 'assert' is none
  of this model, and an error.

Exit codes:
  0  run, whatever survived
  1  tool error, such as a file that cannot be written
  2  usage or input error; nothing was written

Examples:
  obligato mutate brake.lus --tests suite.csv
  obligato mutate brake.lus --tests suite.csv --oracle maximum --list
  obligato mutate brake.lus --tests suite.csv --count 250 --seed 7 --matrix
  obligato mutate brake.lus --tests suite.csv --kill --budget 5m -o killers.csv
  obligato mutate brake.lus --tests suite.csv --shard 1/2 --store one
  obligato mutate brake.lus --tests suite.csv --format json > mutants.json";
}
