//! Mutants that a suite leaves alive: for each a test that kills it, or a proof that it is equivalent to the
//! model.
//!
//! [`kill`] is the walk. First random tests run on all survivors together. Then rounds with growing effort:
//! those that never stray from the model are proved equivalent together ([`march`]), and those that do
//! are decided one by one in the product with the model ([`duel`]). Whatever is found is run on all open
//! mutants: a test that was made for one often kills more. A mutant counts as killed only because a run
//! has shown it. Proofs are kept, and [`check`] checks them.
//!
//! Reading order: this file, [`arena`], [`march`], [`duel`].

use obligato_lustre::lowering::Lowered;
use obligato_lustre_replay::{Experiment, MutationError};
use obligato_model::{Limit, Proof, Strength};
use obligato_solver::Stop;

use crate::campaign::CampaignError;
use crate::outcome::{MadeTest, PhaseReport};
use crate::proofs::BookedProof;
use crate::request::{Budget, Phase, Watcher};

mod arena;
mod check;
mod duel;
mod march;
mod pack;
mod sharing;

pub use check::check;
use pack::Pack;

/// Survivors to be killed or proved equivalent.
#[derive(Clone, Debug)]
pub struct Hunt<'a> {
    /// The model, its mutants, and what tells them apart.
    pub experiment: Experiment<'a>,
    /// The model by itself.
    pub lowered: &'a Lowered,
    /// The mutants to kill, by their positions in the experiment.
    pub survivors: Vec<usize>,
    /// When one counts as killed.
    pub strength: Strength,
    /// The names that tests have already.
    pub taken: Vec<String>,
    /// The phases to run: random tests, and any other for solvers.
    pub phases: Vec<Phase>,
    /// What it may spend.
    pub budget: Budget,
    /// Another number gives other tests.
    pub seed: u64,
    /// How many threads may work; the answer to a budget of work is the same for any number.
    pub threads: usize,
}

/// What became of a survivor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fate {
    /// A new test kills it.
    Killed,
    /// No test can: this proves it.
    Equivalent(Proof),
    /// Neither is known; what stood in the way.
    Open(Limit),
}

/// What a hunt came to.
#[derive(Clone, Debug)]
pub struct Bag {
    /// One per survivor, in order.
    pub fates: Vec<Fate>,
    /// The tests that were made, in order.
    pub tests: Vec<MadeTest>,
    /// The proofs, to be [checked](check) by whoever wants to.
    pub proofs: Vec<BookedProof>,
    /// What each phase did.
    pub phases: Vec<PhaseReport>,
}

/// Why mutants cannot be hunted.
#[derive(Debug, thiserror::Error)]
pub enum HuntError {
    /// They cannot be run.
    #[error(transparent)]
    Mutation(#[from] MutationError),
    /// They cannot be solved for.
    #[error(transparent)]
    Campaign(#[from] CampaignError),
}

/// Work on each mutant in the first round, how many times as much a proof about a column may take, and how
/// many times as much each later round does.
const FIRST_WORK: u64 = 2_000;
const COLUMN_SHARE: u64 = 10;
const GROWTH: u64 = 4;

/// Kills mutants, or proves them equivalent. `stop` ends it early; what it has done by then counts.
pub fn kill(hunt: &Hunt<'_>, stop: &Stop, watcher: &mut dyn Watcher) -> Result<Bag, HuntError> {
    let mut pack = Pack::new(hunt, stop, watcher);
    if hunt.phases.contains(&Phase::Random) {
        pack.phase(Phase::Random, Pack::shoot_at_random)?;
    }
    let solves = hunt.phases.iter().any(|phase| *phase > Phase::Random);
    let mut work = FIRST_WORK;
    while solves && !pack.open().is_empty() && !pack.purse.is_empty() {
        pack.phase(Phase::Prove, |pack| pack.march_all(work.saturating_mul(COLUMN_SHARE)))?;
        pack.phase(Phase::Prove, |pack| pack.duel_all(work))?;
        work = work.saturating_mul(GROWTH);
    }
    let limit = pack.purse.limit();
    let fates = pack.fates.into_iter().map(|fate| fate.unwrap_or(Fate::Open(limit.clone())));
    let (fates, tests) = (fates.collect(), pack.tests);
    Ok(Bag { fates, tests, proofs: pack.proofs, phases: pack.reports })
}

#[cfg(test)]
mod tests;
