//! The arguments of `obligato prove`.

use std::path::PathBuf;

use clap::Args;

use super::{EffortArgs, Format, SubjectArgs};

/// The arguments of `obligato prove`.
#[derive(Debug, Args)]
pub struct ProveArgs {
    /// What is meant.
    #[command(flatten)]
    pub subject: SubjectArgs,
    /// Only the properties of this name or on this line; may be given several times
    #[arg(long, value_name = "NAME")]
    pub property: Vec<String>,
    /// Prove too that the model never divides by zero and that no value leaves its type
    #[arg(long)]
    pub faults: bool,
    /// What it may take.
    #[command(flatten)]
    pub effort: EffortArgs,
    /// Print what happens in each counterexample, step by step
    #[arg(long)]
    pub list: bool,
    /// Write the proofs into a file, for 'obligato check-proof'
    #[arg(long, short, value_name = "PROOFS.json")]
    pub output: Option<PathBuf>,
    /// Write the model and its properties for other checkers, as AIGER (.aag is text, else compact)
    #[arg(long, value_name = "FILE.aig")]
    pub aiger: Option<PathBuf>,
    /// Write the counterexamples into a file (.csv, .json or .rif)
    #[arg(long, value_name = "FILE")]
    pub counterexamples: Option<PathBuf>,
    /// How to print the verdicts
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t = Format::Text)]
    pub format: Format,
    /// When to fail.
    #[command(flatten)]
    pub fail: FailArgs,
}

/// What is to be seen by a script.
#[derive(Debug, Args)]
pub struct FailArgs {
    /// Exit 5 if a property is violated
    #[arg(long)]
    pub fail_on_fault: bool,
    /// Exit 4 if a property is neither proved nor violated
    #[arg(long)]
    pub fail_on_unresolved: bool,
}

impl ProveArgs {
    pub(super) const AFTER_HELP: &'static str = "\
What is proved:
  Properties are what '--%PROPERTY' and 'check' state, and the guarantees of contracts, in
  every call of their node. Assertions are taken for granted. --faults adds divisions by
  zero, subranges and indices.

Verdicts:
  valid    it holds in every step of every run, by the method that is named
  invalid  a test violates it, which was replayed; in its last step
  unknown  neither is known, with what stood in the way; more --budget may tell

Budgets:
  A time (ms, s, m, h), or units of work, which make the answer the same everywhere and
  every time. Ctrl-C stops early, and what is known by then counts.

Exit codes:
  0  done, or stopped by Ctrl-C, whatever the verdicts
  1  tool error, such as a file that cannot be written
  2  usage or input error; nothing was written
  4  with --fail-on-unresolved: a property is neither proved nor violated
  5  with --fail-on-fault: a property is violated

Examples:
  obligato prove brake.lus
  obligato prove brake.lus --property 'speed is bounded' --budget 10m
  obligato prove brake.lus --faults --list --fail-on-fault
  obligato prove brake.lus --counterexamples violations.csv
  obligato prove brake.lus --aiger brake.aig
  obligato prove brake.lus -o proofs.json && obligato check-proof brake.lus proofs.json
  obligato prove brake.lus --format json > verdicts.json";
}
