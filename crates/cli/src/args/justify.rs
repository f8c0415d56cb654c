//! The arguments of `obligato justify`.

use std::path::PathBuf;

use clap::Args;

use super::USUAL_STORE;

/// The arguments of `obligato justify`.
#[derive(Debug, Args)]
pub struct JustifyArgs {
    /// The obligations, by the ids that --list of other commands prints
    #[arg(value_name = "ID", required_unless_present = "list")]
    pub ids: Vec<String>,
    /// Why they are left uncovered
    #[arg(long, value_name = "TEXT", required_unless_present = "list")]
    pub reason: Option<String>,
    /// Who answers for it
    #[arg(long, value_name = "NAME", required_unless_present = "list")]
    pub author: Option<String>,
    /// When, as YYYY-MM-DD [default: today]
    #[arg(long, value_name = "DATE")]
    pub date: Option<String>,
    /// List all justifications, and whether they count for the stored result
    #[arg(long, conflicts_with_all = ["ids", "reason", "author", "date"])]
    pub list: bool,
    /// The directory that the result is stored in
    #[arg(long, value_name = "DIR", default_value = USUAL_STORE)]
    pub store: PathBuf,
    /// The file of justifications [default: obligato-justifications.toml]
    #[arg(long, value_name = "FILE")]
    pub justifications: Option<PathBuf>,
}

impl JustifyArgs {
    pub(super) const AFTER_HELP: &'static str = "\
A justification is a person's reason for leaving an obligation uncovered. It is kept in a TOML
file, which may be edited by hand and belongs under version control:
  [[justification]]
  id = \"mcdc@brake.c#apply/decision-e1f45ef9.1/c3=F\"
  reason = \"check() fails only if the hardware does\"
  author = \"R. Hooke\"
  date = \"2026-03-01\"
  fingerprint = \"5d1b0f3c\"

The fingerprint is that of the function the obligation lies in. Code that moves, or is laid out
anew, keeps it. Once the code changes the reason is stale: commands warn about it and do not
count it, until somebody reviews it and justifies the obligation again. A reason for what a
test covers or a proof closes is noted, and changes nothing.

'measure', 'generate', 'judge' and 'gate' read the file; the stored result is brought up to
date at once.

Exit codes:
  0  written
  1  tool error, such as a file that cannot be written
  2  usage or input error, such as an id that the stored result does not have

Examples:
  obligato measure brake.c --tests suite.csv --list
  obligato justify mcdc@brake.c#apply/decision-e1f45ef9.1/c3=F --reason 'hardware' --author Hooke
  obligato justify --list";
}
