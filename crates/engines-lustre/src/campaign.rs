//! A campaign: engines share the budget until every obligation has its test or its proof, or nothing of it is left.
//!
//! [`run`] is the walk. The [portfolio](crate::portfolio) lets the engines work. Whatever they find goes to the [`Workbench`],
//! which replays it; proofs go to the ledger. What follows for each obligation is for [judging](obligato_campaign::judging) to say.

use std::sync::OnceLock;

use obligato_campaign::{
    CampaignError, ErrorKind, EventId, Ledger, MadeTest, Phase, PhaseReport, PhaseReports,
    RunningBudget, RunningPhase, Status, Watcher,
};
use obligato_circuit::EncodeError;
use obligato_criteria::plan;
use obligato_lustre::lowering::Lowered;
use obligato_lustre_replay::{Measurement, Meter, Watch};
use obligato_model::{Assumption, Limit, Proof};
use obligato_prove::{Start, Unrolling};
use obligato_solver::{Answer, Engine as SolverEngine, Stop};
use obligato_transition_system::{CheckKind, Error};

use crate::engine::{Engine, Setting, Slice};
use crate::explore::PreparedModel;
use crate::proofs::BookedProof;
use crate::query::Query;
use crate::random::RandomEngine;
use crate::refuting::ProvingEngine;
use crate::request::{ModelFindings, Outcome, Request};
use crate::solving::CompleteEngine;
use crate::stepping::IncrementalEngine;
use crate::undefined::{UndefinedEngine, UndefinedRun};
use crate::workbench::Workbench;

/// Why a campaign cannot be run.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ModelError {
    /// The tests do not go with the model, or the model cannot be simulated.
    #[error(transparent)]
    System(#[from] Error),
    /// A proof says that something never happens that a replay has shown: one of our engines is wrong.
    #[error("{0} is proved to never happen, yet a test shows it; the proof or the replay is wrong")]
    Contradiction(String),
    /// No inputs satisfy the assertions, so there is nothing to test, and everything would be proved.
    #[error(
        "no inputs satisfy the assertions of the model in its first step, so it has no run at all"
    )]
    NoRun,
    /// The model is too large for the solvers.
    #[error(transparent)]
    Encode(#[from] EncodeError),
}

impl CampaignError for ModelError {
    fn kind(&self) -> ErrorKind {
        match self {
            Self::NoRun => ErrorKind::InvalidInput,
            Self::Encode(_) => ErrorKind::Exhausted,
            Self::System(_) | Self::Contradiction(_) => ErrorKind::Internal,
        }
    }
}

/// Runs a campaign. `stop` ends it early; what it has done by then counts. What is left to other shards is not searched
/// for; what the tests show of it by the way counts.
pub fn run<'m>(
    request: &Request<'m>,
    stop: &Stop,
    watcher: &mut dyn Watcher,
) -> Result<Outcome<'m>, ModelError> {
    let program = &request.subject.lowered.program;
    let plan = plan(program, &request.criteria);
    let mut ledger = Ledger::new(program, &plan);
    if let Some(shard) = request.shard {
        ledger.set_aside(|index| !shard.holds(&plan.obligations[index].key));
    }
    let conducted = conduct(request, ledger, stop, watcher)?;
    let Conducted { ledger, made, reports, proofs, limit, .. } = conducted;
    Ok(Outcome { tests: made, ledger, limit, phases: reports, found: ModelFindings { proofs } })
}

/// What all phases together have done.
pub(crate) struct Conducted<'m> {
    pub ledger: Ledger<'m>,
    pub made: Vec<MadeTest>,
    pub reports: Vec<PhaseReport>,
    pub proofs: Vec<BookedProof>,
    /// Runs to open events that need other values of what nothing defines than replays take.
    pub undefined: Vec<(EventId, UndefinedRun)>,
    /// Why something is still open, if it is.
    pub limit: Option<Limit>,
}

/// Runs the phases of a request for whatever the ledger wants.
pub(crate) fn conduct<'m>(
    request: &Request<'m>,
    ledger: Ledger<'m>,
    stop: &Stop,
    watcher: &mut dyn Watcher,
) -> Result<Conducted<'m>, ModelError> {
    let lowered = request.subject.lowered;
    if !has_run(lowered, stop)? {
        return Err(ModelError::NoRun);
    }
    let watch = Watch::for_criteria(&request.criteria, request.subject.observed.clone());
    let measurement = Measurement::new(lowered, watch)?;
    let compiled = measurement.compile()?;
    let meter = Meter::new(&measurement, &compiled);
    let bench = Workbench::new(meter, lowered, ledger)?;
    let budget = RunningBudget::new(request.budget, stop);
    let mut campaign = ModelCampaign {
        request,
        bench,
        budget,
        watcher,
        reports: PhaseReports::default(),
        proofs: Vec::new(),
        undefined: Vec::new(),
    };

    campaign.phase(Phase::Given, ModelCampaign::take_given)?;
    let prepared = PreparedModel::new(lowered)?;
    let ledger = campaign.bench.ledger.clone();
    let (events, shared) = (ledger.events().clone(), OnceLock::new());
    // A stop of the engines alone, so that they end when nothing is open any more.
    let asked = campaign.budget.stop().deadline();
    let stop = asked.map_or_else(Stop::never, |deadline| Stop::never().by(deadline));
    let setting = Setting {
        lowered,
        observed: &request.subject.observed,
        events: &events,
        measurement: &measurement,
        compiled: &compiled,
        shared: &shared,
        stop: &stop,
    };
    let engines = engines(request, setting, &prepared, &ledger)?;
    campaign.share_budget(engines, &stop)?;
    let ModelCampaign { bench, budget, reports, proofs, undefined, .. } = campaign;
    let Workbench { ledger, made, .. } = bench;
    let reports = reports.into_inner();
    let limit = (!ledger.open_events().is_empty()).then(|| budget.limit());
    Ok(Conducted { ledger, made, reports, proofs, undefined, limit })
}

/// The engines of the phases that are asked for, in the order of their first turns.
fn engines<'c>(
    request: &Request<'_>,
    setting: Setting<'c>,
    prepared: &'c PreparedModel<'c>,
    ledger: &Ledger<'c>,
) -> Result<Vec<Box<dyn Engine<'c> + 'c>>, ModelError> {
    let wants = |phase: Phase| request.phases.contains(&phase);
    let mut engines: Vec<Box<dyn Engine<'c> + 'c>> = Vec::new();
    if wants(Phase::Random) {
        let random = RandomEngine::new(setting, prepared, ledger.clone(), request.seed)?;
        engines.push(Box::new(random));
    }
    if wants(Phase::Incremental) {
        engines.push(Box::new(IncrementalEngine::new(setting, ledger.clone())?));
    }
    if wants(Phase::Complete) {
        engines.push(Box::new(CompleteEngine::new(setting, ledger.clone())?));
    }
    if wants(Phase::Prove) {
        engines.push(Box::new(ProvingEngine::new(setting)));
    }
    if wants(Phase::Complete) || wants(Phase::Prove) {
        engines.push(Box::new(UndefinedEngine::new(setting)));
    }
    Ok(engines)
}

/// Do any inputs satisfy the assertions in the first step? Yes, unless it is certain that none do.
fn has_run(lowered: &Lowered, stop: &Stop) -> Result<bool, ModelError> {
    let mut checks = lowered.system.checks.iter();
    if !checks.any(|check| check.kind == CheckKind::Assertion) {
        return Ok(true);
    }
    let query = Query::new(&lowered.system, &[], &[], lowered.system.inputs.len())?;
    let circuit = &query.encoding.circuit;
    let mut first = Unrolling::new(circuit, SolverEngine::Cadical, Start::Initial, stop);
    first.push();
    Ok(first.solve(&[], None) != Answer::Unsat)
}

/// A campaign under way.
pub(crate) struct ModelCampaign<'c, 'm> {
    pub(crate) request: &'c Request<'m>,
    pub(crate) bench: Workbench<'c, 'm>,
    pub(crate) budget: RunningBudget,
    watcher: &'c mut dyn Watcher,
    pub(crate) reports: PhaseReports,
    pub(crate) proofs: Vec<BookedProof>,
    pub(crate) undefined: Vec<(EventId, UndefinedRun)>,
}

impl ModelCampaign<'_, '_> {
    /// Does some work of a phase and adds to the report what it did.
    pub(crate) fn phase(
        &mut self,
        phase: Phase,
        run: impl FnOnce(&mut Self) -> Result<(), ModelError>,
    ) -> Result<(), ModelError> {
        let before = self.status(phase);
        let begun = RunningPhase::begin(before, self.budget.spent);
        self.watcher.watch(&before);
        run(self)?;
        let after = self.status(phase);
        tracing::info!(
            ?phase,
            tests = after.tests,
            open = self.bench.ledger.open_events().len(),
            work = self.budget.spent,
            "phase"
        );
        self.watcher.watch(&after);
        self.reports.end(&begun, &after, self.budget.spent);
        Ok(())
    }

    /// Tells who watches.
    pub(crate) fn tell(&mut self, phase: Phase, depth: Option<usize>) {
        let status = Status { depth, ..self.status(phase) };
        self.watcher.watch(&status);
    }

    fn status(&self, phase: Phase) -> Status {
        Status::new(&self.bench.ledger, phase, self.bench.made.len())
    }

    fn take_given(&mut self) -> Result<(), ModelError> {
        Ok(self.bench.take_given(&self.request.given)?)
    }

    /// Takes what a slice has found; gives the number of events that are settled now.
    pub(crate) fn take(&mut self, phase: Phase, slice: Slice) -> Result<usize, ModelError> {
        let before = self.bench.ledger.open_events().len();
        let depth = slice.depth;
        let proofs = slice.proofs;
        let assumptions = assumptions(self.request.subject.lowered);
        self.phase(phase, |campaign| {
            campaign.budget.spend(slice.work);
            campaign.bench.try_out(phase, &slice.tests)?;
            let refuted = proofs.refuted.iter().map(|(event, method)| {
                (*event, Proof { method: *method, assumptions: assumptions.clone() })
            });
            let ledger = &mut campaign.bench.ledger;
            ledger.refute(refuted).map_err(|event| {
                ModelError::Contradiction(format!("{:?}", ledger.events().get(event)))
            })?;
            for (event, why) in slice.limits {
                ledger.note_limit(event, why);
            }
            for (event, run) in slice.undefined {
                campaign.note_undefined(event, run);
            }
            for (event, why) in proofs.undecided {
                // What an undefined value is needed for has its reason.
                if !campaign.undefined.iter().any(|(known, _)| *known == event) {
                    campaign.bench.ledger.note_limit(event, why);
                }
            }
            campaign.proofs.extend(proofs.booked);
            campaign.bench.try_out(phase, &proofs.tests)?;
            Ok(())
        })?;
        if depth.is_some() {
            self.tell(phase, depth);
        }
        Ok(before.saturating_sub(self.bench.ledger.open_events().len()))
    }
}

/// What every proof about a model takes for granted.
pub(crate) fn assumptions(lowered: &Lowered) -> Vec<Assumption> {
    let mut assumptions = lowered.assumptions.clone();
    if lowered.system.checks.iter().any(|check| check.kind == CheckKind::Assertion) {
        assumptions.push(Assumption::ModelAssertions);
    }
    assumptions
}
