//! The arguments of `obligato gate`.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use clap::{Args, ValueEnum};
use obligato_model::Criterion;
use serde::Deserialize;

use super::{Format, USUAL_STORE};

/// The arguments of `obligato gate`.
#[derive(Debug, Args)]
pub struct GateArgs {
    /// How much is required of each criterion.
    #[command(flatten)]
    pub required: RequiredArgs,
    /// The same by the name of a criterion, as in mcdc:unique-cause=90
    #[arg(long, value_name = "C=PERCENT")]
    pub require: Vec<Requirement>,
    /// What counts besides what is covered, separated by commas [default: nothing]
    #[arg(long, value_name = "VERDICT", value_enum, value_delimiter = ',')]
    pub allow: Option<Vec<Allowed>>,
    /// Exit 4 if an obligation is unresolved, of the criteria that are required
    #[arg(long)]
    pub forbid_unresolved: bool,
    /// A result that this one may not fall behind, such as an older result.json
    #[arg(long, value_name = "RESULT")]
    pub ratchet: Option<PathBuf>,
    /// The directory that the result is stored in
    #[arg(long, value_name = "DIR", default_value = USUAL_STORE)]
    pub store: PathBuf,
    /// The justifications [default: obligato-justifications.toml, if it is there]
    #[arg(long, value_name = "FILE")]
    pub justifications: Option<PathBuf>,
    /// The settings [default: the obligato.toml of this directory, if there is one]
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// List everything that is missing
    #[arg(long)]
    pub list: bool,
    /// How to print what was found
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t = Format::Text)]
    pub format: Format,
}

/// How much is required of each criterion, in its first variant.
#[derive(Debug, Args)]
pub struct RequiredArgs {
    /// How much of statement coverage is required, in percent; so for every criterion
    #[arg(long, value_name = "PERCENT")]
    statement: Option<Percent>,
    #[arg(long, value_name = "PERCENT", help = "Of branch coverage")]
    branch: Option<Percent>,
    #[arg(long, value_name = "PERCENT", help = "Of entries and exits")]
    entry_exit: Option<Percent>,
    #[arg(long, value_name = "PERCENT", help = "Of decision coverage")]
    decision: Option<Percent>,
    #[arg(long, value_name = "PERCENT", help = "Of condition coverage")]
    condition: Option<Percent>,
    #[arg(long, value_name = "PERCENT", help = "Of condition and decision coverage")]
    cdc: Option<Percent>,
    #[arg(long, value_name = "PERCENT", help = "Of multiple condition coverage")]
    mcc: Option<Percent>,
    #[arg(long, value_name = "PERCENT", help = "Of masking MC/DC")]
    mcdc: Option<Percent>,
    #[arg(long, value_name = "PERCENT", help = "Of boundary values")]
    bvc: Option<Percent>,
    #[arg(long, value_name = "PERCENT", help = "Of observable MC/DC")]
    omcdc: Option<Percent>,
    #[arg(long, value_name = "PERCENT", help = "Of observable boundary values")]
    obvc: Option<Percent>,
    #[arg(long, value_name = "PERCENT", help = "Of mutants, as 'mutate --store' keeps them")]
    mutation: Option<Percent>,
}

/// A share, in thousandths of a percent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Percent(u32);

/// A criterion and how much of it is required.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Requirement {
    /// The criterion.
    pub criterion: Criterion,
    /// How much of it.
    pub percent: Percent,
}

/// A verdict that may count besides `covered`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Allowed {
    /// A person's reason.
    #[value(help = None)]
    Justified,
    /// A proof.
    #[value(help = None)]
    Uncoverable,
}

impl RequiredArgs {
    /// What is required, in the order of reports.
    pub fn all(&self) -> Vec<Requirement> {
        let named = [
            ("statement", self.statement),
            ("branch", self.branch),
            ("entry-exit", self.entry_exit),
            ("decision", self.decision),
            ("condition", self.condition),
            ("cdc", self.cdc),
            ("mcc", self.mcc),
            ("mcdc", self.mcdc),
            ("bvc", self.bvc),
            ("omcdc", self.omcdc),
            ("obvc", self.obvc),
            ("mutation", self.mutation),
        ];
        let given = named.into_iter().filter_map(|(name, percent)| {
            let criterion = name.parse().expect("invariant: the flags are named as the criteria");
            percent.map(|percent| Requirement { criterion, percent })
        });
        given.collect()
    }
}

impl Percent {
    const WHOLE: u32 = 100_000;

    /// So many of so many, rounded down: all but one is not all. Nothing at all is everything.
    pub fn of(part: usize, whole: usize) -> Self {
        let share = (part as u128 * u128::from(Self::WHOLE)).checked_div(whole as u128);
        Self(share.map_or(Self::WHOLE, |share| share as u32))
    }

    /// Are so many of so many enough? Exactly, without rounding.
    pub fn is_met_by(self, part: usize, whole: usize) -> bool {
        part as u128 * u128::from(Self::WHOLE) >= whole as u128 * u128::from(self.0)
    }
}

impl fmt::Display for Percent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (whole, rest) = (self.0 / 1000, self.0 % 1000);
        if rest == 0 {
            return write!(f, "{whole}");
        }
        let digits = format!("{rest:03}");
        write!(f, "{whole}.{}", digits.trim_end_matches('0'))
    }
}

impl FromStr for Percent {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let refuse = || "a share is a number from 0 to 100 with at most 3 decimals".to_owned();
        let bare = text.strip_suffix('%').unwrap_or(text).trim_end();
        let (whole, decimals) = bare.split_once('.').unwrap_or((bare, ""));
        let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        if whole.is_empty() || !is_number(whole) || !is_number(decimals) || decimals.len() > 3 {
            return Err(refuse());
        }
        let padded = format!("{whole}{decimals:0<3}");
        let share: u32 = padded.parse().map_err(|_| refuse())?;
        if share <= Self::WHOLE { Ok(Self(share)) } else { Err(refuse()) }
    }
}

impl FromStr for Requirement {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (name, percent) =
            text.rsplit_once('=').ok_or("it is written C=PERCENT, as in mcdc=100")?;
        let criterion = name.parse().map_err(|error| format!("{error}"))?;
        Ok(Self { criterion, percent: percent.parse()? })
    }
}

impl GateArgs {
    pub(super) const AFTER_HELP: &'static str = "\
What is gated:
  The stored result of 'measure', 'generate', 'judge', 'merge' or 'mutate --store'; nothing
  runs again. A criterion is met if enough of its obligations are covered, or closed by a
  verdict that --allow names. Justifications are read anew: a stale one does not count.

  --ratchet compares with an older result: of no criterion may a smaller share be met, and no
  obligation that was met may be open now.

  Every setting can stand in the [gate] of an obligato.toml; flags win:
    [gate]
    allow = [\"justified\", \"uncoverable\"]
    forbid-unresolved = true
    ratchet = \"baseline.json\"
    [gate.require]
    mcdc = 100
    \"mcdc:unique-cause\" = 97.5

Exit codes:
  0  everything that is required is met
  1  tool error
  2  usage or input error, such as a criterion that was not measured
  3  a share is too small, or the ratchet slips
  4  all shares are met, but something is unresolved, and --forbid-unresolved is given

Examples:
  obligato gate --mcdc 100 --allow justified,uncoverable
  obligato gate --branch 100 --omcdc 90 --forbid-unresolved
  obligato gate --require mcdc:unique-cause=95 --ratchet baseline.json
  obligato gate --store shards --mutation 80 --format json";
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_is_printed_as_it_is_read() {
        for text in ["0", "100", "99.5", "97.125", "0.001"] {
            assert_eq!(text.parse::<Percent>().map(|one| one.to_string()).as_deref(), Ok(text));
        }
        for wrong in ["", "-1", "100.001", "1e2", "1.2345", ".5", "%", "nan", "5 5", "٣"] {
            assert!(wrong.parse::<Percent>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn all_but_one_is_not_all() {
        let all: Percent = "100".parse().unwrap();
        assert!(!all.is_met_by(999_999, 1_000_000));
        assert!(all.is_met_by(0, 0));
        assert_eq!(Percent::of(999_999, 1_000_000).to_string(), "99.999");
        assert_eq!(Percent::of(2, 3).to_string(), "66.666");
    }
}
