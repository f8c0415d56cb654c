//! The arguments of `obligato merge`.

use std::path::PathBuf;

use clap::Args;

/// The arguments of `obligato merge`.
#[derive(Debug, Args)]
pub struct MergeArgs {
    /// The results, each the directory that a command stored it in
    #[arg(value_name = "DIR", required = true)]
    pub parts: Vec<PathBuf>,
    /// The directory to store the merged suite and result in; made if it does not exist
    #[arg(long, short, value_name = "DIR")]
    pub output: PathBuf,
}

impl MergeArgs {
    pub(super) const AFTER_HELP: &'static str = "\
What is merged:
  The shards of one 'generate --shard i/n' or 'mutate --shard i/n', all of them, or results of
  different suites for the same program by the same criteria, from different machines say.
  Nothing runs again. An obligation is covered if a part has a test for it, uncoverable if a
  part has a proof, justified if a part has a reason; the suites and the proofs are put together.
  Tests that do the same are kept once; names that mean different tests get the number of their
  part, as in g1@2.

  Shards of one decision's obligations are never divided, so a merged result has the verdicts of
  one run, as far as budgets reach: each shard has the whole budget. Of results of different
  suites, pairs of tests from two parts are not looked for: measure the merged suite for that.

Exit codes:
  0  merged
  1  tool error, such as a directory that cannot be written to
  2  usage or input error: a shard is missing, or parts do not belong together; nothing was written

Examples:
  obligato generate brake.lus --shard 1/2 --budget 500000 --store one
  obligato generate brake.lus --shard 2/2 --budget 500000 --store two
  obligato merge one two -o .obligato
  obligato gate --mcdc 100 --allow uncoverable";
}
