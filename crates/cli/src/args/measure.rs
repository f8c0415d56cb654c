//! The arguments of `obligato measure`.

use std::path::PathBuf;

use clap::Args;

use super::{MeasuredFormat, SubjectArgs, VerdictArgs};

/// The arguments of `obligato measure`.
#[derive(Debug, Args)]
pub struct MeasureArgs {
    /// What is meant.
    #[command(flatten)]
    pub subject: SubjectArgs,
    /// The suite (.csv, .json or .rif), or what llvm-cov says of it
    #[arg(long, value_name = "SUITE")]
    pub tests: PathBuf,
    /// What the suite is, whatever its name
    #[arg(long, value_name = "FORMAT", value_enum)]
    pub from: Option<MeasuredFormat>,
    /// Variables that are observed, separated by commas [default: outputs]
    #[arg(long, value_name = "VAR", value_delimiter = ',')]
    pub observe: Vec<String>,
    /// Count what tests execute whose expected outputs do not come out
    #[arg(long)]
    pub count_failing: bool,
    /// By what, and what to do with the verdicts.
    #[command(flatten)]
    pub verdicts: VerdictArgs,
}

impl MeasureArgs {
    pub(super) const AFTER_HELP: &'static str = "\
Criteria:
  statement     each equation is evaluated, each statement executed
  branch        each test of an 'if' or loop comes out both ways, each label is reached
  entry-exit    each C function is entered, and left by each return
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
  It is read as 'obligato run' reads it. A test whose expected outputs do not come out
  fails: it is reported, and covers nothing unless --count-failing is given. A test that violates an 'assert' is none of this model, and an error. A test in
  which the model is at fault, as by a division by zero, counts and is reported.

C functions:
  A test is a list of calls, one per step. Columns are called as in C: x, config.limit,
  table[2]; p is NULL or new, and what it points to is p[0], p->next->len. What a
  suite has no column for is 0, and a pointer NULL unless something behind it is set.
  The result of the first call in a step of a function that nothing defines is f()[0],
  of the second f()[1]. Static variables keep what each step leaves, unless --state
  free makes them inputs. What is both set and seen has a second column, 'x (after)'.
  'obligato check FILE --function NAME' lists the columns, --template writes a suite.
  Every test also runs as machine code; one that does something else there is not
  counted. Settings may stand in an obligato.toml beside the file.
  --from llvm-cov judges what 'llvm-cov show --show-mcdc' or 'llvm-cov export' says
  of a suite that ran elsewhere.

What is printed:
  --list    every obligation with its verdict and its tests
  --matrix  per test, how many obligations it covers and how many only it does; which
            test covers what is in the result, by obligation, as JSON

Exit codes:
  0  measured, whatever the verdicts
  1  tool error: a store cannot be written, or the machine does something else
  2  usage or input error, such as a file that does not compile; nothing was stored

Examples:
  obligato measure brake.lus --tests suite.csv
  obligato measure brake.lus --tests suite.csv --criterion all --matrix
  obligato measure brake.lus --tests suite.csv --criterion omcdc:all --observe brake,light
  obligato measure brake.lus --inline --tests trace.rif --criterion mcdc,bvc --list
  obligato measure brake.lus --tests suite.csv --no-store --format json
  obligato measure brake.c --function step --tests suite.csv -- -Iinclude
  obligato measure brake.c --from llvm-cov --tests coverage.txt";
}
