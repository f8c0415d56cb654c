//! The arguments of every command that judges a suite: by what, what to print, what to keep.

use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use clap::Args;
use obligato::expectations::FailingTests;
use obligato::judging::JudgingOptions;
use obligato_model::Criterion;
use obligato_model::criterion::{ALL, UnknownCriterion};

use super::Format;

/// What to judge by, and what to do with the verdicts.
#[derive(Debug, Args)]
pub struct VerdictArgs {
    /// The criteria to judge by, separated by commas
    #[arg(long, value_name = "C", value_delimiter = ',', default_value = USUAL)]
    criterion: Vec<Asked>,
    /// Print every obligation with its verdict, its tests and its pair
    #[arg(long)]
    pub list: bool,
    /// Print what each test covers, and what no other test does
    #[arg(long)]
    pub matrix: bool,
    /// Print the evaluations that each decision had as a truth table
    #[arg(long)]
    pub table: bool,
    /// How to print the result
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t = Format::Text)]
    pub format: Format,
    /// What to keep.
    #[command(flatten)]
    kept: StoreArgs,
}

/// Where to keep suite and result.
#[derive(Debug, Args)]
struct StoreArgs {
    /// The directory to store suite and result in; made if it does not exist
    #[arg(long, value_name = "DIR", default_value = USUAL_STORE)]
    store: PathBuf,
    /// The justifications [default: obligato-justifications.toml, if it is there]
    #[arg(long, value_name = "FILE")]
    justifications: Option<PathBuf>,
    /// Store nothing
    #[arg(long, conflicts_with = "store")]
    no_store: bool,
}

/// One word of `--criterion`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Asked {
    /// Every criterion, in its default variant.
    All,
    /// Every variant of the criterion with this name.
    Variants(&'static str),
    /// This one.
    One(Criterion),
}

const EVERY: &str = "all";
pub(super) const USUAL: &str = "mcdc";

/// Where results are stored unless another directory is named.
pub const USUAL_STORE: &str = ".obligato";

impl fmt::Display for Asked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::All => f.write_str(EVERY),
            Self::Variants(name) => write!(f, "{name}:{EVERY}"),
            Self::One(criterion) => criterion.fmt(f),
        }
    }
}

impl FromStr for Asked {
    type Err = UnknownCriterion;

    fn from_str(word: &str) -> Result<Self, UnknownCriterion> {
        if word == EVERY {
            return Ok(Self::All);
        }
        let of_name = |name| move |one: &Criterion| one.name() == name && one.variant().is_some();
        let variants = word.strip_suffix(EVERY).and_then(|rest| rest.strip_suffix(':'));
        match variants.and_then(|name| ALL.into_iter().find(of_name(name))) {
            Some(criterion) => Ok(Self::Variants(criterion.name())),
            None => word.parse().map(Self::One),
        }
    }
}

impl Asked {
    /// The criteria that words ask for, each once, in the order of reports.
    pub(super) fn criteria(words: &[Self]) -> Vec<Criterion> {
        let asked = |criterion: &Criterion| words.iter().any(|one| one.asks_for(*criterion));
        ALL.into_iter().filter(asked).collect()
    }

    /// Do words ask for the criterion by its name, and not only as one of all?
    pub(super) fn names(words: &[Self], criterion: Criterion) -> bool {
        words.iter().any(|one| *one != Self::All && one.asks_for(criterion))
    }

    fn asks_for(self, criterion: Criterion) -> bool {
        match self {
            // Only a default variant prints without naming itself.
            Self::All => criterion.to_string() == criterion.name(),
            Self::Variants(name) => criterion.name() == name,
            Self::One(one) => criterion == one,
        }
    }
}

impl VerdictArgs {
    /// By these criteria, and what is kept, as the library is asked for it.
    pub fn judging(&self, criteria: Vec<Criterion>) -> JudgingOptions {
        JudgingOptions {
            criteria,
            justifications: self.kept.justifications.clone(),
            failing: FailingTests::default(),
            tables: self.table,
            invocation: std::env::args().skip(1).collect(),
            store: self.store().cloned(),
        }
    }

    /// The criteria asked for, each once, in the order of reports.
    pub fn criteria(&self) -> Vec<Criterion> {
        Asked::criteria(&self.criterion)
    }

    /// Was this criterion asked for by its name, and not only as one of all?
    pub fn names(&self, criterion: Criterion) -> bool {
        Asked::names(&self.criterion, criterion)
    }

    /// The value of `--criterion`, if it is not the usual one.
    pub fn unusual_criteria(&self) -> Option<String> {
        let words: Vec<String> = self.criterion.iter().map(ToString::to_string).collect();
        Some(words.join(",")).filter(|words| words != USUAL)
    }

    /// The file of justifications, if one is named.
    pub fn justifications(&self) -> Option<&Path> {
        self.kept.justifications.as_deref()
    }

    /// Where to store, unless nothing is to be stored.
    pub fn store(&self) -> Option<&PathBuf> {
        (!self.kept.no_store).then_some(&self.kept.store)
    }
}

#[cfg(test)]
mod tests;
