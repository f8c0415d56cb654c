//! A campaign: phase after phase until every obligation has its test or its proof, or the budget is
//! spent.
//!
//! [`run`] is the walk. Whatever a phase finds goes to the [`Workbench`], which replays it; proofs go to
//! the ledger; at the end the criteria judge the evidence of all tests.

use std::time::{Duration, Instant};

use obligato_circuit::EncodeError;
use obligato_criteria::{Evidence, JudgeError, plan};
use obligato_lustre::lowering::Lowered;
use obligato_lustre_replay::{LANES, Measurement, Meter, Watch, random_suite};
use obligato_model::{Assumption, Limit, Obligation, Observability, Random, Spent, Step, TestCase};
use obligato_prove::{Start, Unrolling};
use obligato_solver::{Answer, Engine, Stop};
use obligato_transition_system::{CheckKind, Error};

use crate::event::{Event, EventId};
use crate::explore::{Explorer, PreparedModel};
use crate::ledger::{Ledger, Standing};
use crate::outcome::{MadeTest, Outcome, PhaseReport, assess};
use crate::proofs::BookedProof;
use crate::query::Query;
use crate::request::{Budget, Phase, Request, Status, Watcher};
use crate::workbench::Workbench;

/// Why a campaign cannot be run.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CampaignError {
    /// The tests do not go with the model, or the model cannot be simulated.
    #[error(transparent)]
    System(#[from] Error),
    /// A proof and a replay contradict each other.
    #[error(transparent)]
    Judge(#[from] JudgeError),
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

/// Runs a campaign. `stop` ends it early; what it has done by then counts.
pub fn run(
    request: &Request<'_>,
    stop: &Stop,
    watcher: &mut dyn Watcher,
) -> Result<Outcome, CampaignError> {
    run_part(request, |_| true, stop, watcher)
}

/// Runs a campaign for a part of the obligations; the others are left to whoever runs it for them. What the tests show
/// of those by the way counts.
pub fn run_part(
    request: &Request<'_>,
    is_asked: impl Fn(&Obligation) -> bool,
    stop: &Stop,
    watcher: &mut dyn Watcher,
) -> Result<Outcome, CampaignError> {
    let program = &request.lowered.program;
    let plan = plan(program, &request.criteria);
    let mut ledger = Ledger::new(program, &plan);
    ledger.set_aside(|index| !is_asked(&plan.obligations[index]));
    let conducted = conduct(request, ledger, stop, watcher)?;
    let Conducted { ledger, evidence, made, reports, proofs, limit } = conducted;
    let assessment = assess(program, plan, &evidence, &ledger, limit.as_ref())?;
    Ok(Outcome { assessment, evidence, tests: made, proofs, phases: reports, limit })
}

/// What all phases together have done.
pub(crate) struct Conducted<'m> {
    pub ledger: Ledger<'m>,
    pub evidence: Evidence,
    pub made: Vec<MadeTest>,
    pub reports: Vec<PhaseReport>,
    pub proofs: Vec<BookedProof>,
    /// Why something is still open, if it is.
    pub limit: Option<Limit>,
}

/// Runs the phases of a request for whatever the ledger wants.
pub(crate) fn conduct<'m>(
    request: &Request<'m>,
    ledger: Ledger<'m>,
    stop: &Stop,
    watcher: &mut dyn Watcher,
) -> Result<Conducted<'m>, CampaignError> {
    let lowered = request.lowered;
    if !has_run(lowered, stop)? {
        return Err(CampaignError::NoRun);
    }
    let watch = Watch::for_criteria(&request.criteria, request.observed.clone());
    let measurement = Measurement::new(lowered, watch)?;
    let compiled = measurement.compile()?;
    let meter = Meter::new(&measurement, &compiled);
    let (program, vectors) = (&lowered.program, measurement.watch().vectors);
    let evidence = Evidence::new(program, measurement.watched().clone(), vectors);
    let bench = Workbench::new(meter, lowered, ledger, evidence)?;
    let purse = Purse::new(request.budget, stop);
    let mut campaign =
        Campaign { request, bench, purse, watcher, reports: Vec::new(), proofs: Vec::new() };

    campaign.phase(Phase::Given, Campaign::take_given)?;
    let prepared = PreparedModel::new(lowered)?;
    let meter = Meter::new(&measurement, &compiled);
    let mut explorer = Explorer::new(&prepared, meter, request.seed);
    if request.phases.contains(&Phase::Random) {
        campaign.phase(Phase::Random, |campaign| campaign.explore(&mut explorer))?;
    }
    let solves = request.phases.iter().any(|phase| *phase > Phase::Random);
    if solves && !campaign.bench.ledger.wanted().is_empty() {
        let prefixes = explorer.states().into_iter().map(|prefix| prefix.steps().to_vec());
        let mut prefixes: Vec<Vec<Step>> = prefixes.collect();
        if prefixes.is_empty() {
            prefixes.push(Vec::new());
        }
        let meter = Meter::new(&measurement, &compiled);
        campaign.solve(&request.phases, &prefixes, meter)?;
    }
    let Campaign { bench, purse, reports, proofs, .. } = campaign;
    let Workbench { ledger, evidence, made, .. } = bench;
    let limit = (!ledger.wanted().is_empty()).then(|| purse.limit());
    Ok(Conducted { ledger, evidence, made, reports, proofs, limit })
}

/// Do any inputs satisfy the assertions in the first step? Yes, unless it is certain that none do.
fn has_run(lowered: &Lowered, stop: &Stop) -> Result<bool, CampaignError> {
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
pub(crate) struct Campaign<'c, 'm> {
    pub(crate) request: &'c Request<'m>,
    pub(crate) bench: Workbench<'c, 'm>,
    pub(crate) purse: Purse,
    watcher: &'c mut dyn Watcher,
    pub(crate) reports: Vec<PhaseReport>,
    pub(crate) proofs: Vec<BookedProof>,
}

impl Campaign<'_, '_> {
    /// Does some work of a phase and adds to the report what it did.
    pub(crate) fn phase(
        &mut self,
        phase: Phase,
        run: impl FnOnce(&mut Self) -> Result<(), CampaignError>,
    ) -> Result<(), CampaignError> {
        let (before, start, spent) = (self.status(phase), Instant::now(), self.purse.spent);
        self.watcher.watch(&before);
        run(self)?;
        let after = self.status(phase);
        tracing::info!(
            ?phase,
            tests = after.tests,
            open = self.bench.ledger.wanted().len(),
            work = self.purse.spent,
            "phase"
        );
        self.watcher.watch(&after);
        let report = self.report(phase);
        report.tests += after.tests - before.tests;
        report.covered += after.covered - before.covered;
        report.uncoverable += after.uncoverable - before.uncoverable;
        report.time += start.elapsed();
        let work = self.purse.spent - spent;
        self.report(phase).work += work;
        Ok(())
    }

    /// The report of a phase.
    pub(crate) fn report(&mut self, phase: Phase) -> &mut PhaseReport {
        let known = self.reports.iter().position(|report| report.phase == phase);
        let index = known.unwrap_or_else(|| {
            self.reports.push(PhaseReport::new(phase));
            self.reports.len() - 1
        });
        &mut self.reports[index]
    }

    /// Tells who watches.
    pub(crate) fn tell(&mut self, phase: Phase, depth: Option<usize>) {
        let status = Status { depth, ..self.status(phase) };
        self.watcher.watch(&status);
    }

    fn status(&self, phase: Phase) -> Status {
        status_of(&self.bench.ledger, phase, self.bench.made.len())
    }

    fn take_given(&mut self) -> Result<(), CampaignError> {
        Ok(self.bench.take_given(&self.request.tests)?)
    }

    /// Explores at random: first directed by what lanes can tell, then plainly for what takes runs of
    /// its own to tell.
    fn explore(&mut self, explorer: &mut Explorer<'_>) -> Result<(), CampaignError> {
        // Where functions have no body, a test counts only once it was looked at as a whole.
        if !self.request.lowered.functions.is_empty() {
            return self.try_prefixes(explorer);
        }
        let stop = self.purse.stop().clone();
        let left = usize::try_from(self.purse.left() / STEP_WORK).unwrap_or(usize::MAX);
        let (ledger, made) = (&mut self.bench.ledger, self.bench.made.len());
        let (watcher, mut told) = (&mut *self.watcher, Instant::now());
        let mut found = Vec::new();
        let done = explorer.explore(ledger, left, &stop, |ledger, test, _| {
            found.push(test);
            // Whoever watches looks now and then; counting takes time.
            if told.elapsed() >= PAUSE {
                watcher.watch(&status_of(ledger, Phase::Random, made + found.len()));
                told = Instant::now();
            }
        })?;
        self.bench.add_found(Phase::Random, &found)?;
        self.purse.spend(done.effort as u64 * STEP_WORK);
        self.tell(Phase::Random, None);
        self.try_prefixes(explorer)
    }

    /// Replays tests that lead to rare states, for the events that an explorer is blind to.
    fn try_prefixes(&mut self, explorer: &Explorer<'_>) -> Result<(), CampaignError> {
        let blind = |event: &EventId| match self.bench.ledger.events().get(*event) {
            Event::Observed(semantics, ..) | Event::ObservedBoundary(semantics, ..) => {
                *semantics == Observability::Exact
            }
            _ => !self.request.lowered.functions.is_empty(),
        };
        if !self.bench.ledger.wanted().iter().any(blind) {
            return Ok(());
        }
        let mut random = Random::for_purpose(self.request.seed, "plain");
        let prefixes = explorer.states().into_iter().take(MOST_PREFIXES);
        let mut tests: Vec<TestCase> = prefixes
            .map(|prefix| TestCase { name: String::new(), steps: prefix.steps().to_vec() })
            .collect();
        let mut barren = 0;
        while barren < PATIENCE && !self.purse.is_empty() {
            let plain = random_suite(self.request.lowered, LANES, PLAIN_STEPS, &mut random)?;
            tests.extend(plain.tests);
            let steps: usize = tests.iter().map(|test| test.steps.len()).sum();
            self.purse.spend(steps as u64 * STEP_WORK);
            let new = self.bench.try_out(Phase::Random, &tests)?;
            barren = if new.is_empty() { barren + 1 } else { 0 };
            tests.clear();
            self.tell(Phase::Random, None);
        }
        Ok(())
    }
}

/// How far a campaign is that has made so many tests.
fn status_of(ledger: &Ledger<'_>, phase: Phase, tests: usize) -> Status {
    let (mut covered, mut uncoverable) = (0, 0);
    for obligation in 0..ledger.len() {
        match ledger.standing(obligation) {
            Standing::Covered => covered += 1,
            Standing::Refuted(_) | Standing::Settled => uncoverable += 1,
            Standing::Open | Standing::Unsupported(_) => {}
        }
    }
    Status { phase, obligations: ledger.len(), covered, uncoverable, tests, depth: None }
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

/// What is left of a budget.
#[derive(Clone, Debug)]
pub struct Purse {
    budget: Budget,
    start: Instant,
    stop: Stop,
    /// Units of work so far.
    pub spent: u64,
}

/// A time to be added to any instant: longer than anybody waits.
const MOST_TIME: Duration = Duration::from_secs(u32::MAX as u64);

impl Purse {
    /// All of a budget, from now on.
    pub fn new(budget: Budget, stop: &Stop) -> Self {
        let start = Instant::now();
        let stop = match budget {
            Budget::Time(time) => stop.by(start + time.min(MOST_TIME)),
            Budget::Work(_) => stop.clone(),
        };
        Self { budget, start, stop, spent: 0 }
    }

    /// What engines stop by.
    pub fn stop(&self) -> &Stop {
        &self.stop
    }

    /// Is nothing left?
    pub fn is_empty(&self) -> bool {
        self.stop.is_due() || self.left() == 0
    }

    /// Units of work that are left.
    pub fn left(&self) -> u64 {
        match self.budget {
            Budget::Time(_) => u64::MAX,
            Budget::Work(units) => units.saturating_sub(self.spent),
        }
    }

    /// Takes note of work.
    pub fn spend(&mut self, units: u64) {
        self.spent = self.spent.saturating_add(units);
    }

    /// What ended the campaign, if something is left open.
    pub fn limit(&self) -> Limit {
        match self.budget {
            _ if self.stop.is_requested() => {
                Limit::Spent(Spent::Seconds(self.start.elapsed().as_secs()))
            }
            Budget::Time(time) if self.stop.is_due() => {
                Limit::Spent(Spent::Seconds(time.as_secs()))
            }
            Budget::Work(units) if self.left() == 0 => Limit::Spent(Spent::Work(units)),
            _ => Limit::Spent(Spent::Work(self.spent)),
        }
    }
}
