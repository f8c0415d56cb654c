//! Limits: what stood in the way of a test and of a proof.
//!
//! A limit is data: commands, reports and stores match on it and never on its words. Stores keep the words, so each
//! type here reads back the words it prints; words that it does not know become its `Other`.

use std::fmt;

use super::{Bound, SolverLimit, TooMany, Undecided, Unsupported};

/// What stood in the way of a test and of a proof.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Limit {
    /// Only a given suite was judged, and this is what it lacks.
    Suite(Shortfall),
    /// A budget was spent.
    Spent(Spent),
    /// No test within these bounds covers it; beyond them nothing was proved.
    NotWithinBounds(Vec<Bound>),
    /// Something that is not supported.
    Unsupported(Unsupported),
    /// Too many cases to list.
    TooMany(TooMany),
    /// An engine gave up.
    Undecided(Undecided),
    /// Another shard works on it. Which one is not kept: the name of the obligation says so.
    AnotherShard,
    /// A person's reason once closed it, and no longer counts.
    JustificationWithdrawn,
}

/// A budget that was spent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Spent {
    /// So many seconds.
    Seconds(u64),
    /// So many units of work.
    Work(u64),
    /// So many runs of the function under test.
    Runs(u64),
    /// So much of something that only a stored document names.
    Other(String, u64),
}

/// What a suite lacks for an obligation; the furthest it got.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Shortfall {
    /// No test reaches it.
    NeverReached,
    /// Tests reach it, but never with this value, outcome, arm or vector.
    NeverWithValue,
    /// The condition had the value, but its decision never came to an end.
    NeverFinished,
    /// The condition had the value, but was masked each time.
    AlwaysMasked,
    /// It was unmasked, but no evaluation with the opposite value and
    /// outcome goes with it.
    NoPartner,
    /// What it asks happened, but the effect never reached an observed output.
    NeverObserved,
    /// The mutant ran like the original in every test.
    Survived,
}

/// The words for what another shard works on, as stores have them.
const ANOTHER_SHARD: &str = "left to another shard";

/// The words for a reason that no longer counts, as stores have them.
const WITHDRAWN: &str = "its justification is no longer in the file, or is stale";

impl Limit {
    /// Reads what stores keep under `undecided`.
    pub fn undecided(words: &str) -> Self {
        match words {
            ANOTHER_SHARD => Self::AnotherShard,
            WITHDRAWN => Self::JustificationWithdrawn,
            words => Self::Undecided(Undecided::read(words)),
        }
    }

    /// What stores keep under `undecided`, of a limit that belongs there.
    pub fn undecided_words(&self) -> Option<String> {
        match self {
            Self::Undecided(why) => Some(why.to_string()),
            Self::AnotherShard => Some(ANOTHER_SHARD.to_owned()),
            Self::JustificationWithdrawn => Some(WITHDRAWN.to_owned()),
            Self::Suite(_)
            | Self::Spent(_)
            | Self::NotWithinBounds(_)
            | Self::Unsupported(_)
            | Self::TooMany(_) => None,
        }
    }

    /// An unsupported construct, by its name.
    pub fn construct(name: impl Into<String>) -> Self {
        Self::Unsupported(Unsupported::Construct(name.into()))
    }
}

impl Spent {
    /// Reads a budget that is no time from its name and value.
    pub fn read(name: &str, value: u64) -> Self {
        match name {
            "work" => Self::Work(value),
            "runs" => Self::Runs(value),
            name => Self::Other(name.to_owned(), value),
        }
    }

    /// The name of the budget, as stores have it.
    pub fn name(&self) -> &str {
        match self {
            Self::Seconds(_) => "time",
            Self::Work(_) => "work",
            Self::Runs(_) => "runs",
            Self::Other(name, _) => name,
        }
    }

    /// How much was spent.
    pub fn value(&self) -> u64 {
        match self {
            Self::Seconds(value)
            | Self::Work(value)
            | Self::Runs(value)
            | Self::Other(_, value) => *value,
        }
    }
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Suite(shortfall) => write!(f, "{shortfall}"),
            Self::Spent(spent) => write!(f, "{spent}"),
            Self::NotWithinBounds(bounds) => {
                f.write_str("not within bounds")?;
                for (index, bound) in bounds.iter().enumerate() {
                    write!(f, "{}{bound}", if index == 0 { ": " } else { ", " })?;
                }
                Ok(())
            }
            Self::Unsupported(what) => write!(f, "not supported: {what}"),
            Self::TooMany(what) => write!(f, "too many to list: {what}"),
            Self::Undecided(why) => write!(f, "undecided: {why}"),
            Self::AnotherShard => write!(f, "undecided: {ANOTHER_SHARD}"),
            Self::JustificationWithdrawn => write!(f, "undecided: {WITHDRAWN}"),
        }
    }
}

impl fmt::Display for Spent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Seconds(seconds) => write!(f, "time limit of {seconds} s reached"),
            other => write!(f, "{} bound of {} reached", other.name(), other.value()),
        }
    }
}

impl fmt::Display for Shortfall {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NeverReached => "never reached",
            Self::NeverWithValue => "reached, but never with this value",
            Self::NeverFinished => "no evaluation with it comes to an end",
            Self::AlwaysMasked => "masked in every evaluation",
            Self::NoPartner => "no evaluation with the opposite value and outcome goes with it",
            Self::NeverObserved => "the effect never reaches an observed output",
            Self::Survived => "no test tells it from the original",
        })
    }
}

impl From<SolverLimit> for Limit {
    fn from(limit: SolverLimit) -> Self {
        Self::Undecided(limit.into())
    }
}

impl From<Undecided> for Limit {
    fn from(why: Undecided) -> Self {
        Self::Undecided(why)
    }
}
