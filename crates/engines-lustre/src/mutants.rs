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
use obligato_lustre_replay::{MutationError, MutationExperiment};
use obligato_model::Strength;
use obligato_solver::Stop;

use crate::campaign::ModelError;
use crate::proofs::BookedProof;
use obligato_campaign::{Conclusion, MadeTest, Phase, PhaseReport, Watcher};

mod campaign;
mod check;
mod lockstep;
mod parallel;
mod product;
mod systems;

use self::campaign::{KillCampaign, SurvivorState};
pub use check::check;

/// A campaign for mutants: each is to be killed by a test, or proved equivalent. New tests have other names than given ones;
/// random tests are a phase, and any other means solvers.
pub type KillRequest<'a> = obligato_campaign::Request<Survivors<'a>>;

/// Mutants of a model that tests leave alive.
#[derive(Clone, Debug)]
pub struct Survivors<'a> {
    /// The model, its mutants, and what tells them apart.
    pub experiment: MutationExperiment<'a>,
    /// The model by itself.
    pub lowered: &'a Lowered,
    /// The mutants to kill, by their positions in the experiment.
    pub mutants: Vec<usize>,
    /// When one counts as killed.
    pub strength: Strength,
}

/// The result of deciding survivors.
#[derive(Clone, Debug)]
pub struct KillOutcome {
    /// One per survivor, in order; none of one that a new test kills. A proof says that a mutant is equivalent.
    pub conclusions: Vec<Option<Conclusion>>,
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
    let conclusions = campaign.states.into_iter().map(|state| match state {
        SurvivorState::Open => Some(Conclusion::Open(limit.clone())),
        SurvivorState::Killed => None,
        SurvivorState::Equivalent(proof) => Some(Conclusion::Refuted(proof)),
    });
    let (conclusions, tests) = (conclusions.collect(), campaign.tests);
    let phases = campaign.reports.into_inner();
    Ok(KillOutcome { conclusions, tests, proofs: campaign.proofs, phases })
}

#[cfg(test)]
mod tests;
