//! Surviving mutants: for each a test that kills it, or a proof that it is equivalent to the
//! model.
//!
//! [`kill`] is the main function. First random tests run on all survivors together. Then rounds with growing budgets:
//! mutants that never diverge from the model in lockstep are proved equivalent together ([`lockstep`]), and the others
//! are decided one by one in their products with the model ([`product`]). Every new test runs on all open
//! mutants: a test made for one often kills more. A mutant counts as killed only if a replay
//! shows it. Proofs are kept, and [`check`] checks them.
//!
//! Reading order: this file, [`systems`], [`lockstep`], [`product`].

use obligato_lustre::lowering::Lowered;
use obligato_lustre_replay::{Experiment, MutationError};
use obligato_model::{Limit, Proof, Strength};
use obligato_solver::Stop;

use crate::campaign::ModelError;
use crate::proofs::BookedProof;
use obligato_campaign::{Budget, Phase, Watcher};
use obligato_campaign::{MadeTest, PhaseReport};

mod campaign;
mod check;
mod lockstep;
mod parallel;
mod product;
mod systems;

use self::campaign::KillCampaign;
pub use check::check;

/// Survivors to be killed or proved equivalent.
#[derive(Clone, Debug)]
pub struct KillRequest<'a> {
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
    /// The budget.
    pub budget: Budget,
    /// The seed of random tests.
    pub seed: u64,
    /// How many threads may work; the answer to a budget of work is the same for any number.
    pub threads: usize,
}

/// The verdict on a survivor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SurvivorVerdict {
    /// A new test kills it.
    Killed,
    /// No test can kill it, by this proof.
    Equivalent(Proof),
    /// Undecided, because of this limit.
    Open(Limit),
}

/// The result of deciding survivors.
#[derive(Clone, Debug)]
pub struct KillOutcome {
    /// One per survivor, in order.
    pub verdicts: Vec<SurvivorVerdict>,
    /// The tests that were made, in order.
    pub tests: Vec<MadeTest>,
    /// The proofs, for [`check`].
    pub proofs: Vec<BookedProof>,
    /// What each phase did.
    pub phases: Vec<PhaseReport>,
}

/// Why survivors cannot be decided.
#[derive(Debug, thiserror::Error)]
pub enum KillError {
    /// They cannot be run.
    #[error(transparent)]
    Mutation(#[from] MutationError),
    /// They cannot be encoded for solvers.
    #[error(transparent)]
    Campaign(#[from] ModelError),
}

/// Work units on each mutant in the first round, the factor for a proof about a lockstep group, and the
/// growth from round to round.
const FIRST_WORK: u64 = 2_000;
const LOCKSTEP_SHARE: u64 = 10;
const GROWTH: u64 = 4;

/// Kills mutants, or proves them equivalent. `stop` ends it early; what it has done by then counts.
pub fn kill(
    request: &KillRequest<'_>,
    stop: &Stop,
    watcher: &mut dyn Watcher,
) -> Result<KillOutcome, KillError> {
    let mut campaign = KillCampaign::new(request, stop, watcher);
    if request.phases.contains(&Phase::Random) {
        campaign.phase(Phase::Random, KillCampaign::run_random_tests)?;
    }
    let solves = request.phases.iter().any(|phase| *phase > Phase::Random);
    let mut work = FIRST_WORK;
    while solves && !campaign.open().is_empty() && !campaign.budget.is_empty() {
        campaign.phase(Phase::Prove, |campaign| {
            campaign.prove_in_lockstep(work.saturating_mul(LOCKSTEP_SHARE))
        })?;
        campaign.phase(Phase::Prove, |campaign| campaign.decide_in_products(work))?;
        work = work.saturating_mul(GROWTH);
    }
    let limit = campaign.budget.limit();
    let verdicts = campaign
        .verdicts
        .into_iter()
        .map(|verdict| verdict.unwrap_or(SurvivorVerdict::Open(limit.clone())));
    let (verdicts, tests) = (verdicts.collect(), campaign.tests);
    let phases = campaign.reports.into_inner();
    Ok(KillOutcome { verdicts, tests, proofs: campaign.proofs, phases })
}

#[cfg(test)]
mod tests;
