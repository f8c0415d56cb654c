//! A campaign: phase after phase until every obligation has its test or its proof, or the budget is
//! spent.
//!
//! [`run`] is the walk. Whatever a phase finds goes to the [`Workbench`], which replays it; proofs go to
//! the ledger. What follows for each obligation is for [judging](obligato_campaign::judging) to say.

use std::time::{Duration, Instant};

use obligato_campaign::{
    CampaignError, ErrorKind, Event, EventId, Ledger, MadeTest, Phase, PhaseReport, PhaseReports,
    RunningBudget, RunningPhase, Status, Watcher,
};
use obligato_circuit::EncodeError;
use obligato_criteria::plan;
use obligato_lustre::lowering::Lowered;
use obligato_lustre_replay::{LANES, Measurement, Meter, Watch, random_suite};
use obligato_model::{Assumption, Limit, Observability, Random, Step, TestCase};
use obligato_prove::{Start, Unrolling};
use obligato_solver::{Answer, Engine, Stop};
use obligato_transition_system::{CheckKind, Error};

use crate::explore::{Explorer, PreparedModel};
use crate::proofs::BookedProof;
use crate::query::Query;
use crate::request::{ModelFindings, Outcome, Request};
use crate::undefined::UndefinedRun;
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
    let meter = Meter::new(&measurement, &compiled);
    let mut explorer = Explorer::new(&prepared, meter, request.seed);
    if request.phases.contains(&Phase::Random) {
        campaign.phase(Phase::Random, |campaign| campaign.explore(&mut explorer))?;
    }
    let solves = request.phases.iter().any(|phase| *phase > Phase::Random);
    if solves && !campaign.bench.ledger.open_events().is_empty() {
        let prefixes = explorer.states().into_iter().map(|prefix| prefix.steps().to_vec());
        let mut prefixes: Vec<Vec<Step>> = prefixes.collect();
        if prefixes.is_empty() {
            prefixes.push(Vec::new());
        }
        let meter = Meter::new(&measurement, &compiled);
        campaign.solve(&request.phases, &prefixes, meter)?;
    }
    let ModelCampaign { bench, budget, reports, proofs, undefined, .. } = campaign;
    let Workbench { ledger, made, .. } = bench;
    let reports = reports.into_inner();
    let limit = (!ledger.open_events().is_empty()).then(|| budget.limit());
    Ok(Conducted { ledger, made, reports, proofs, undefined, limit })
}

/// Do any inputs satisfy the assertions in the first step? Yes, unless it is certain that none do.
fn has_run(lowered: &Lowered, stop: &Stop) -> Result<bool, ModelError> {
    let mut checks = lowered.system.checks.iter();
    if !checks.any(|check| check.kind == CheckKind::Assertion) {
        return Ok(true);
    }
    let query = Query::new(&lowered.system, &[], &[], lowered.system.inputs.len())?;
    let circuit = &query.encoding.circuit;
    let mut first = Unrolling::new(circuit, Engine::Cadical, Start::Initial, stop);
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

    /// Explores at random: first directed by what lanes can tell, then plainly for what takes runs of
    /// its own to tell.
    fn explore(&mut self, explorer: &mut Explorer<'_>) -> Result<(), ModelError> {
        // Where functions have no body, a test counts only once it was looked at as a whole.
        if !self.request.subject.lowered.functions.is_empty() {
            return self.try_prefixes(explorer);
        }
        let stop = self.budget.stop().clone();
        let left = usize::try_from(self.budget.left() / STEP_WORK).unwrap_or(usize::MAX);
        let (ledger, made) = (&mut self.bench.ledger, self.bench.made.len());
        let (watcher, mut told) = (&mut *self.watcher, Instant::now());
        let mut found = Vec::new();
        let done = explorer.explore(ledger, left, &stop, |ledger, test, _| {
            found.push(test);
            // Whoever watches looks now and then; counting takes time.
            if told.elapsed() >= PAUSE {
                watcher.watch(&Status::new(ledger, Phase::Random, made + found.len()));
                told = Instant::now();
            }
        })?;
        self.bench.add_found(Phase::Random, &found)?;
        self.budget.spend(done.effort as u64 * STEP_WORK);
        self.tell(Phase::Random, None);
        self.try_prefixes(explorer)
    }

    /// Replays tests that lead to rare states, for the events that an explorer is blind to.
    fn try_prefixes(&mut self, explorer: &Explorer<'_>) -> Result<(), ModelError> {
        let blind = |event: &EventId| match self.bench.ledger.events().get(*event) {
            Event::Observed(semantics, ..) | Event::ObservedBoundary(semantics, ..) => {
                *semantics == Observability::Exact
            }
            _ => !self.request.subject.lowered.functions.is_empty(),
        };
        if !self.bench.ledger.open_events().iter().any(blind) {
            return Ok(());
        }
        let mut random = Random::for_purpose(self.request.seed, "plain");
        let prefixes = explorer.states().into_iter().take(MOST_PREFIXES);
        let mut tests: Vec<TestCase> = prefixes
            .map(|prefix| TestCase { name: String::new(), steps: prefix.steps().to_vec() })
            .collect();
        let mut without_new = 0;
        while without_new < PATIENCE && !self.budget.is_empty() {
            let plain =
                random_suite(self.request.subject.lowered, LANES, PLAIN_STEPS, &mut random)?;
            tests.extend(plain.tests);
            let steps: usize = tests.iter().map(|test| test.steps.len()).sum();
            self.budget.spend(steps as u64 * STEP_WORK);
            let new = self.bench.try_out(Phase::Random, &tests)?;
            without_new = if new.is_empty() { without_new + 1 } else { 0 };
            tests.clear();
            self.tell(Phase::Random, None);
        }
        Ok(())
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

/// While tests are drawn, it is told no more often than this how far that is.
const PAUSE: Duration = Duration::from_millis(5);
/// A simulated step in units of work: some hundred take as long as a conflict.
const STEP_WORK: u64 = 1;
/// So many tests to rare states are replayed for what an explorer is blind to.
const MOST_PREFIXES: usize = 512;
/// The steps of a plain random test.
const PLAIN_STEPS: usize = 20;
/// So many rounds of plain random tests may bring nothing.
const PATIENCE: usize = 3;
