//! What a gate requires of a result.

use std::fmt;
use std::str::FromStr;

use obligato_model::Criterion;
use serde::Deserialize;

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
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Allowed {
    /// A person's reason.
    Justified,
    /// A proof.
    Uncoverable,
    /// A refutation that holds within bounds that the tool chose, and says nothing beyond them.
    Bounded,
    /// Coverage by tests that end with a runtime error, where no other test covers.
    CoveredByErrors,
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
