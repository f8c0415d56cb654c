//! The arguments of `obligato judge`.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use clap::Args;
use obligato_model::Criterion;
use obligato_model::criterion::{ALL, UnknownCriterion};

use super::Format;

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
    /// The criteria to judge by, separated by commas
    #[arg(long, value_name = "C", value_delimiter = ',', default_value = USUAL)]
    criterion: Vec<Asked>,
    /// Print every obligation with its verdict, its tests and its pair
    #[arg(long)]
    pub list: bool,
    /// Print the evaluations that each decision had as a truth table
    #[arg(long)]
    pub table: bool,
    /// How to print the result
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t = Format::Text)]
    pub format: Format,
    /// The directory to store suite and result in; made if it does not exist
    #[arg(long, value_name = "DIR", default_value = USUAL_STORE)]
    store: PathBuf,
    /// Store nothing
    #[arg(long, conflicts_with = "store")]
    no_store: bool,
}

/// One word of `--criterion`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Asked {
    /// Every criterion, in its default variant.
    All,
    /// This one.
    One(Criterion),
}

const EVERY: &str = "all";
const USUAL: &str = "mcdc";

/// Where results are stored unless another directory is named.
pub const USUAL_STORE: &str = ".obligato";

impl fmt::Display for Asked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::All => f.write_str(EVERY),
            Self::One(criterion) => criterion.fmt(f),
        }
    }
}

impl FromStr for Asked {
    type Err = UnknownCriterion;

    fn from_str(word: &str) -> Result<Self, UnknownCriterion> {
        if word == EVERY { Ok(Self::All) } else { word.parse().map(Self::One) }
    }
}

impl JudgeArgs {
    /// The criteria asked for, each once, in the order of reports.
    pub fn criteria(&self) -> Vec<Criterion> {
        let mut criteria = Vec::new();
        for asked in &self.criterion {
            match asked {
                Asked::One(criterion) => criteria.push(*criterion),
                Asked::All => criteria.extend(ALL.into_iter().filter(|criterion| {
                    // Only a default variant prints without naming itself.
                    criterion.to_string() == criterion.name()
                })),
            }
        }
        criteria.sort_unstable();
        criteria.dedup();
        criteria
    }

    /// The value of `--criterion`, if it is not the usual one.
    pub fn unusual_criteria(&self) -> Option<String> {
        let words: Vec<String> = self.criterion.iter().map(ToString::to_string).collect();
        Some(words.join(",")).filter(|words| words != USUAL)
    }

    /// Where to store, unless nothing is to be stored.
    pub fn store(&self) -> Option<&PathBuf> {
        (!self.no_store).then_some(&self.store)
    }

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
  all       every criterion, in its first variant

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

#[cfg(test)]
mod tests;
