//! What a campaign came to.

use obligato_model::Limit;

use crate::judging::Conclusions;
use crate::ledger::Ledger;
use crate::phase::{MadeTest, PhaseReport};

/// What a campaign came to. `F` is what the engines of a language found besides: certificates, runtime errors, statistics.
#[derive(Clone, Debug)]
pub struct Outcome<'p, F> {
    /// The tests that were made, in order.
    pub tests: Vec<MadeTest>,
    /// What is known of everything that was asked for.
    pub ledger: Ledger<'p>,
    /// Why something is still open, if it is.
    pub limit: Option<Limit>,
    /// What each phase did, in the order they began.
    pub phases: Vec<PhaseReport>,
    /// What only engines of this language find.
    pub found: F,
}

impl<F> Outcome<'_, F> {
    /// What follows for each obligation that no test covers.
    pub fn conclusions(&self) -> Conclusions {
        Conclusions::of(&self.ledger, self.limit.as_ref())
    }
}

/// What kind of error ended a campaign: who has to do something about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorKind {
    /// The program, the tests or the settings are wrong.
    InvalidInput,
    /// The program has something that engines do not support.
    Unsupported,
    /// It is too large.
    Exhausted,
    /// Our engines contradict each other.
    Internal,
}

/// An error of a campaign, of whatever language.
pub trait CampaignError: std::error::Error {
    /// Who has to do something about it.
    fn kind(&self) -> ErrorKind;
}
