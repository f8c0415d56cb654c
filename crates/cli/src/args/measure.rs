//! The arguments of `obligato measure`.

use std::path::PathBuf;

use clap::Args;

use super::{SubjectArgs, SuiteFormat, VerdictArgs};

/// The arguments of `obligato measure`.
#[derive(Debug, Args)]
pub struct MeasureArgs {
    /// What is meant.
    #[command(flatten)]
    pub subject: SubjectArgs,
    /// The suite (.csv, .json or .rif)
    #[arg(long, value_name = "SUITE")]
    pub tests: PathBuf,
    /// What the suite is, whatever its name
    #[arg(long, value_name = "FORMAT", value_enum)]
    pub from: Option<SuiteFormat>,
    /// Variables that are observed, separated by commas [default: outputs]
    #[arg(long, value_name = "VAR", value_delimiter = ',')]
    pub observe: Vec<String>,
    /// By what, and what to do with the verdicts.
    #[command(flatten)]
    pub verdicts: VerdictArgs,
}

impl MeasureArgs {
    pub(super) const AFTER_HELP: &'static str = "\
Criteria:
  statement     each equation is evaluated
  branch        each test of an 'if' comes out both ways
  decision, condition, cdc, mcc, bvc
  mcdc          by masking; also mcdc:unique-cause
  omcdc, obvc   by strict tags; also omcdc:tags, omcdc:exact, and omcdc:all to
                see the three side by side
  all           every criterion, in its first variant
  Mutants are made and run by 'obligato mutate'.

What is observed:
  --observe x,main/f.y   variables and their parts, as --show of 'obligato run'
                         takes them
  --observe outputs      the outputs of the main node, as by default
  --observe all          every named variable of every call; also called maximum

The suite:
  It is read as 'obligato run' reads it; what it expects of outputs is not looked at.
  A test that violates an 'assert' is none of this model, and an error. A test in
  which the model is at fault, as by a division by zero, counts and is reported.

What is printed:
  --list    every obligation with its verdict and its tests
  --matrix  per test, how many obligations it covers and how many only it does; which
            test covers what is in the result, by obligation, as JSON

Exit codes:
  0  measured, whatever the verdicts
  1  tool error, such as a store that cannot be written
  2  usage or input error; nothing was stored

Examples:
  obligato measure brake.lus --tests suite.csv
  obligato measure brake.lus --tests suite.csv --criterion all --matrix
  obligato measure brake.lus --tests suite.csv --criterion omcdc:all --observe brake,light
  obligato measure brake.lus --inline --tests trace.rif --criterion mcdc,bvc --list
  obligato measure brake.lus --tests suite.csv --no-store --format json";
}
