//! The arguments of `obligato explain`.

use std::path::PathBuf;

use clap::{Arg, Args};

use super::{Format, MeasuredFormat, SubjectArgs};

/// The arguments of `obligato explain`.
#[derive(Debug, Args)]
pub struct ExplainArgs {
    /// What is meant, with a place in it at the end of its name.
    #[command(flatten)]
    pub subject: SubjectArgs,
    /// The suite to look for in the tables (.csv, .json or .rif)
    #[arg(long, value_name = "SUITE")]
    pub tests: Option<PathBuf>,
    /// What the suite is, whatever its name
    #[arg(long, value_name = "FORMAT", value_enum, requires = "tests")]
    pub from: Option<MeasuredFormat>,
    /// Variables that are observed, separated by commas [default: outputs]
    #[arg(long, value_name = "VAR", value_delimiter = ',', requires = "tests")]
    pub observe: Vec<String>,
    /// Explain only what stands in this call, such as main/f#2
    #[arg(long, value_name = "PATH")]
    pub instance: Option<String>,
    /// How to print the explanation
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t = Format::Text)]
    pub format: Format,
}

impl ExplainArgs {
    /// The positional argument names a place, not only a file.
    pub(super) fn ask_for_a_place(file: Arg) -> Arg {
        file.value_name("FILE:LINE[:COLUMN]")
            .help("The file, and the line of a decision; with a column, the innermost one there")
    }

    pub(super) const AFTER_HELP: &'static str = "\
The table:
  Every row that the decision can have, or those that tests have executed if there
  are more than 64: T true, F false, * decides the outcome. A row without a test is
  missing.

Below the table, condition by condition:
  in which rows it decides the outcome with which value, and which tests do that;
  whether the effect reaches an observed variable, in models under the strict
  semantics, in C under the exact one; where it got lost, in C if the strict one
  loses it as well; and the pairs of MC/DC, by masking and by unique cause.
  Steps are counted from 0.

Exit codes:
  0  explained
  1  tool error
  2  usage or input error, such as a line without a decision

Examples:
  obligato explain brake.lus:17
  obligato explain brake.lus:17 --tests suite.csv
  obligato explain brake.lus:17:21 --tests suite.csv --observe brake
  obligato explain brake.lus:8 --instance brake/filter#2 --tests suite.csv --format json
  obligato explain brake.c:42 --function step --tests suite.csv -- -Iinclude";
}
