//! The arguments of `obligato judge`.

use std::path::PathBuf;

use clap::Args;

use super::VerdictArgs;

/// The arguments of `obligato judge`.
#[derive(Debug, Args)]
pub struct JudgeArgs {
    /// Decisions (.decisions); with --recording, the outline of a program (.json)
    #[arg(value_name = "FILE", required_unless_present = "decision")]
    pub file: Option<PathBuf>,
    /// A decision to judge instead of a file's; may be given several times
    #[arg(long, value_name = "EXPR", conflicts_with = "file", allow_hyphen_values = true)]
    pub decision: Vec<String>,
    /// The suite (.csv or .json)
    #[arg(long, value_name = "SUITE", required_unless_present = "recording")]
    pub tests: Option<PathBuf>,
    /// What happened when the suite ran elsewhere
    #[arg(long, value_name = "REC", conflicts_with = "decision")]
    pub recording: Option<PathBuf>,
    /// By what, and what to do with the verdicts.
    #[command(flatten)]
    pub verdicts: VerdictArgs,
}

impl JudgeArgs {
    pub(super) const AFTER_HELP: &'static str = "\
Decisions:
  FILE has one decision per line; lines that start with # are comments. A condition
  is a Boolean column of the suite or a comparison of columns and numbers, as in
  x && (y || speed >= 10). Two number columns are compared for equality in
  brackets: [x == y].

Criteria:
  statement, branch, entry-exit, decision, condition, cdc, mcc, bvc
  mcdc      by masking; also mcdc:unique-cause
  omcdc     by strict tags; also omcdc:tags, omcdc:exact
  obvc      by strict tags; also obvc:tags, obvc:exact
  mutation  strong; also mutation:weak
  all       every criterion, in its first variant; omcdc:all, every variant of one

Exit codes:
  0  judged, whatever the verdicts
  1  tool error, such as a store that cannot be written
  2  usage or input error; nothing was stored

Examples:
  obligato judge door.decisions --tests suite.csv
  obligato judge --decision 'x && (y || z)' --tests suite.csv --table
  obligato judge door.decisions --tests suite.csv --criterion mcdc,bvc --list
  obligato judge program.json --recording recording.json --criterion all
  obligato judge program.json --recording recording.json --tests suite.csv --format json";
}
