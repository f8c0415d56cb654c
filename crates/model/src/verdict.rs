//! Verdicts: how each obligation ended, and why.
//!
//! [`limit`] says what stood in the way of one that is unresolved, with [`bound`], [`unsupported`], [`undecided`] and [`not_followed`];
//! [`assumption`] what a proof takes for granted; [`words`] takes stored texts apart again.

use std::fmt;

use crate::{Criterion, Plan, TestId};

mod assumption;
mod bound;
mod limit;
mod not_followed;
mod undecided;
mod unsupported;
mod words;

pub use assumption::{Assumption, MissingBody, Repeats};
pub use bound::{Bound, BoundedGroup, Remedy, is_stronger, strongest};
pub use limit::{Limit, Shortfall, Spent};
pub use not_followed::NotFollowed;
pub use undecided::{RunLimit, SolverLimit, Undecided};
pub use unsupported::{TooMany, Unsupported};
pub use words::Names;

/// How an obligation ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Tests were seen to cover it.
    Covered {
        /// Every test that does it; of a condition's effect, every test with this
        /// value of it.
        tests: Vec<TestId>,
        /// For criteria that compare two evaluations, two tests that show it.
        pair: Option<Pair>,
    },
    /// No test can.
    Uncoverable(Proof),
    /// A person took responsibility for leaving it.
    Justified(Justification),
    /// Neither; and what stood in the way.
    Unresolved(Limit),
}

/// Two tests (perhaps the same) that together show a condition's effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pair {
    /// The test in which the condition is true.
    pub with_true: TestId,
    /// The test in which it is false.
    pub with_false: TestId,
}

/// Why no test can cover an obligation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proof {
    /// How it was shown.
    pub method: Method,
    /// What was taken for granted; empty for nothing.
    pub assumptions: Vec<Assumption>,
}

/// How an obligation was shown to be uncoverable. A bounded search is not here:
/// it shows nothing about what it did not find.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// The condition can only have one value.
    Constant,
    /// The operands' type has no such value.
    OutOfRange,
    /// k-induction with this k; with 0, no state at all allows it, reachable or not.
    Induction(u32),
    /// An inductive invariant, found by IC3.
    Invariant,
    /// Every path was explored, none cut short.
    Exploration,
}

/// A person's reason for leaving an obligation uncovered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Justification {
    /// Why.
    pub reason: String,
    /// Who.
    pub author: String,
    /// When, as `YYYY-MM-DD`.
    pub date: String,
}

/// How many obligations ended in which way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// With a test.
    pub covered: usize,
    /// With a proof.
    pub uncoverable: usize,
    /// With a person's reason.
    pub justified: usize,
    /// Open, with a refutation that holds within bounds of the tool only.
    pub bounded: usize,
    /// Open for any other reason.
    pub unresolved: usize,
}

impl Tally {
    /// Counts one verdict.
    pub fn count(&mut self, verdict: &Verdict) {
        *match verdict {
            Verdict::Covered { .. } => &mut self.covered,
            Verdict::Uncoverable(_) => &mut self.uncoverable,
            Verdict::Justified(_) => &mut self.justified,
            Verdict::Unresolved(Limit::NotWithinBounds(_)) => &mut self.bounded,
            Verdict::Unresolved(_) => &mut self.unresolved,
        } += 1;
    }

    /// Adds the counts of another tally.
    pub fn add(&mut self, other: Self) {
        let Self { covered, uncoverable, justified, bounded, unresolved } = other;
        self.covered += covered;
        self.uncoverable += uncoverable;
        self.justified += justified;
        self.bounded += bounded;
        self.unresolved += unresolved;
    }

    /// All that nobody has closed: a refutation within bounds closes nothing.
    pub fn open(self) -> usize {
        self.bounded + self.unresolved
    }

    /// All obligations counted.
    pub fn total(self) -> usize {
        self.covered + self.uncoverable + self.justified + self.open()
    }
}

/// A plan with one verdict per obligation, over the named tests.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assessment {
    /// What was asked.
    pub plan: Plan,
    /// The tests that were run; [`TestId`] is a position here.
    pub tests: Vec<String>,
    /// One verdict per obligation of the plan.
    pub verdicts: Vec<Verdict>,
}

impl Assessment {
    /// How the obligations of one criterion ended.
    pub fn tally(&self, criterion: Criterion) -> Tally {
        let mut tally = Tally::default();
        for (obligation, verdict) in self.plan.obligations.iter().zip(&self.verdicts) {
            if obligation.criterion == criterion {
                tally.count(verdict);
            }
        }
        tally
    }
}

impl Verdict {
    /// The bounds of a refutation that holds within bounds only; none for any other verdict.
    pub fn bounds(&self) -> Option<&[Bound]> {
        match self {
            Self::Unresolved(Limit::NotWithinBounds(bounds)) => Some(bounds),
            _ => None,
        }
    }

    /// The verdict in one word, with a word of its own for a refutation that holds within bounds only.
    pub fn class(&self) -> &'static str {
        if self.bounds().is_some() { "bounded" } else { self.name() }
    }

    /// The verdict in one word, as stores use it.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Covered { .. } => "covered",
            Self::Uncoverable(_) => "uncoverable",
            Self::Justified(_) => "justified",
            Self::Unresolved(_) => "unresolved",
        }
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Constant => f.write_str("constant"),
            Self::OutOfRange => f.write_str("out of range"),
            Self::Induction(0) => f.write_str("combinational proof"),
            Self::Induction(depth) => write!(f, "{depth}-induction"),
            Self::Invariant => f.write_str("inductive invariant"),
            Self::Exploration => f.write_str("exhaustive exploration"),
        }
    }
}

#[cfg(test)]
mod tests;
