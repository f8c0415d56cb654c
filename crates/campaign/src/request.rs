//! What a campaign is asked to do.

use obligato_model::{Criterion, Shard, TestCase};

use crate::budget::Budget;
use crate::phase::Phase;

/// A test or a proof for every obligation of these criteria. `S` is what the language adds: the program itself and the
/// settings of its own engines.
#[derive(Clone, Debug)]
pub struct Request<S> {
    /// What is tested, and how its engines are set.
    pub subject: S,
    /// The criteria, in the order of reports.
    pub criteria: Vec<Criterion>,
    /// Tests that are there already: what they cover is kept.
    pub given: Vec<TestCase>,
    /// The phases that may run.
    pub phases: Vec<Phase>,
    /// What it may spend.
    pub budget: Budget,
    /// Another number gives other tests.
    pub seed: u64,
    /// How many threads may work; the answer to a budget of work is the same for any number.
    pub threads: usize,
    /// Only the obligations of this shard are searched for; all if there is none. What tests show of others by the way counts.
    pub shard: Option<Shard>,
}

impl<S> Request<S> {
    /// The same request about a subject.
    pub fn about<T>(&self, subject: T) -> Request<T> {
        Request {
            subject,
            criteria: self.criteria.clone(),
            given: self.given.clone(),
            phases: self.phases.clone(),
            budget: self.budget,
            seed: self.seed,
            threads: self.threads,
            shard: self.shard,
        }
    }
}
