//! The walk of a campaign.

use std::collections::VecDeque;
use std::time::Instant;

use obligato_bv_solver::{Answer, Question, Solver};
use obligato_campaign::{EventId, Ledger, Standing};
use obligato_concolic::search::{Candidate, Goals, Graph, Pool, Tree};
use obligato_criteria::plan;
use obligato_model::{ConditionId, Limit, Spent, Suite, TestCase, Undecided};
use obligato_solver::Stop;
use obligato_term::{Assignment, Term, Values};
use rustc_hash::FxHashSet;

use crate::bench::{Bench, Prepared, Ran};
use crate::map::EventMap;
use crate::outcome::{CampaignError, FoundFault, Moment, Outcome, Statistics};
use crate::request::{Merging, Phase, Request, Status};
use crate::twins::Promising;

mod absorbing;
mod closing;
mod formula;

use formula::Share;

/// Runs a campaign. `stop` ends it early; what it has done by then counts.
pub fn run<'u>(
    request: &Request<'u>,
    stop: &Stop,
    watch: &mut dyn FnMut(Status),
) -> Result<Outcome<'u>, CampaignError> {
    let prepared = Prepared::new(request)?;
    let mut campaign = Campaign::new(request, &prepared, stop)?;
    watch(campaign.status());
    campaign.take_given()?;
    campaign.enter(Phase::Search, watch);
    campaign.start()?;
    let mut formula = None;
    if request.merging == Merging::On {
        campaign.search(Some(PATIENCE), watch)?;
        formula = campaign.merge_paths();
    }
    if let Some(formula) = &mut formula {
        campaign.ask_formula(formula, Share::Half, watch)?;
    }
    campaign.search_and_show(watch)?;
    if let Some(formula) = &mut formula {
        campaign.ask_formula(formula, Share::All, watch)?;
        campaign.search_and_show(watch)?;
    }
    campaign.conclude()?;
    watch(campaign.status());
    campaign.statistics.runs = campaign.runs;
    campaign.statistics.work = campaign.work();
    campaign.hunt(watch)?;
    watch(campaign.status());
    Ok(campaign.finish())
}

struct Campaign<'c, 'u> {
    request: &'c Request<'u>,
    stop: &'c Stop,
    bench: Bench<'c>,
    ledger: Ledger<'u>,
    map: EventMap,
    graph: Graph,
    goals: Goals,
    pool: Pool,
    tree: Tree,
    solver: Solver,
    statistics: Statistics,
    tests: Vec<TestCase>,
    faults: Vec<FoundFault>,
    /// Ways that lead to faults: tried when everything else is done.
    hunts: VecDeque<Candidate>,
    /// Goals that were asked for already, by node of the tree.
    asked: FxHashSet<(u32, Term)>,
    promising: Promising,
    /// Effects that were looked for in vain.
    barren: FxHashSet<EventId>,
    /// What each condition did, in any run: by value, taken and shown.
    taken: FxHashSet<(ConditionId, bool)>,
    /// Why not everything was seen.
    obstacles: Vec<Limit>,
    /// The budget, if it was spent before everything was done.
    spent: Option<Limit>,
    start: Instant,
    phase: Phase,
    runs: u64,
}

/// So many runs in a row may show nothing new before all paths are asked together.
const PATIENCE: u64 = 40;

/// A place is tried for faults so often.
const MOST_HUNTS: u32 = 4;

impl<'c, 'u> Campaign<'c, 'u> {
    fn new(
        request: &'c Request<'u>,
        prepared: &'c Prepared<'u>,
        stop: &'c Stop,
    ) -> Result<Self, CampaignError>
    where
        'u: 'c,
    {
        let program = request.unit.program();
        let plan = plan(program, &request.criteria);
        let mut ledger = Ledger::new(program, &plan);
        if let Some(shard) = request.shard {
            ledger.set_aside(|index| !shard.holds(&plan.obligations[index].key));
        }
        let bench = Bench::new(request, prepared)?;
        let module = request.unit.module();
        let function = &request.interface.function;
        let entry = request.unit.call_of(function);
        let entry = entry.ok_or_else(|| {
            obligato_c_unit::RunError::Malformed(format!("nothing calls '{function}'"))
        })?;
        let graph = Graph::new(module, entry);
        let map = EventMap::new(program, &graph, request.unit.points());
        let goals = Goals::new(&graph, [], false);
        let mut campaign = Self {
            request,
            stop,
            bench,
            ledger,
            map,
            graph,
            goals,
            pool: Pool::new(request.strategy, request.filtering, request.seed),
            tree: Tree::default(),
            solver: Solver::new(stop, Some(request.most_conflicts)),
            statistics: Statistics::default(),
            tests: Vec::new(),
            faults: Vec::new(),
            hunts: VecDeque::new(),
            asked: FxHashSet::default(),
            promising: Promising::default(),
            barren: FxHashSet::default(),
            taken: FxHashSet::default(),
            obstacles: Vec::new(),
            spent: None,
            start: Instant::now(),
            phase: Phase::Given,
            runs: 0,
        };
        campaign.doubt_what_is_unseen();
        campaign.set_goals();
        Ok(campaign)
    }

    /// What the code shows nothing of cannot be searched for, and nothing is proved of it.
    fn doubt_what_is_unseen(&mut self) {
        let program = self.request.unit.program();
        for event in self.ledger.wanted().to_vec() {
            if self.map.blocks(program, self.ledger.events().get(event)).is_empty() {
                self.ledger.doubt(event, Undecided::Unobservable);
            }
        }
    }

    /// The tests that are there count first.
    fn take_given(&mut self) -> Result<(), CampaignError> {
        let Request { unit, interface, options, .. } = *self.request;
        if self.request.given.is_empty() {
            return Ok(());
        }
        let inputs = unit.variables(interface).inputs;
        let suite = Suite { inputs, tests: self.request.given.clone() };
        let measured = unit.measure(interface, &suite, &self.request.criteria, options)?;
        for evidence in measured.evidence.tests() {
            self.ledger.record(evidence);
        }
        self.note_progress();
        self.set_goals();
        Ok(())
    }

    /// The first runs: the given tests as far as they have a value for every input, or the plainest inputs.
    fn start(&mut self) -> Result<(), CampaignError> {
        let given = self.request.given.iter();
        let steps = self.request.steps;
        let whole = |test: &&TestCase| test.steps.len() == steps;
        let mut starts: Vec<Assignment> =
            given.filter(whole).filter_map(|test| self.bench.assignment(test)).collect();
        if starts.is_empty() {
            let plain = self.bench.plainest();
            starts.extend(self.fitting(plain)?);
        }
        for assignment in starts {
            if self.ledger.wanted().is_empty() || self.is_over() {
                break;
            }
            let ran = self.execute(assignment)?;
            self.absorb(ran);
        }
        Ok(())
    }

    /// These inputs, or others that satisfy what every test has to.
    fn fitting(&mut self, assignment: Assignment) -> Result<Option<Assignment>, CampaignError> {
        let constraints = self.bench.inputs.constraints().to_vec();
        let terms = self.bench.terms();
        let mut values = Values::new(&assignment);
        if constraints.iter().all(|one| values.holds(terms, *one)) {
            return Ok(Some(assignment));
        }
        let question = Question { constraints: &constraints, near: &assignment };
        match self.solver.ask(terms, question) {
            Answer::Holds(found) => Ok(Some(found)),
            Answer::Never => Err(CampaignError::NoInputs),
            Answer::Unknown(why) => {
                self.obstacle(Undecided::Solver(why).into());
                Ok(None)
            }
        }
    }

    /// Takes candidates until nothing is wanted, none is left, the budget is spent, or so many runs in a row have shown nothing new.
    fn search(
        &mut self,
        patience: Option<u64>,
        watch: &mut dyn FnMut(Status),
    ) -> Result<(), CampaignError> {
        self.enter(Phase::Search, watch);
        while !self.goals.is_empty() && !self.is_over() {
            let last = self.statistics.progress.last().map_or(0, |moment| moment.runs);
            if patience.is_some_and(|patience| self.runs > last + patience) {
                break;
            }
            let Some(candidate) = self.pool.take() else { break };
            watch(self.status());
            self.try_candidate(&candidate)?;
        }
        Ok(())
    }

    /// Searches, and looks for effects, until nothing comes of it any more.
    fn search_and_show(&mut self, watch: &mut dyn FnMut(Status)) -> Result<(), CampaignError> {
        loop {
            self.search(None, watch)?;
            if !self.show_effects(watch)? {
                return Ok(());
            }
        }
    }

    /// Asks for inputs, and runs them.
    fn try_candidate(&mut self, candidate: &Candidate) -> Result<bool, CampaignError> {
        let path = &candidate.path;
        let forks = &path.trace.forks[..candidate.turn.fork() as usize];
        let mut constraints = self.bench.inputs.constraints().to_vec();
        constraints.extend(forks.iter().map(|fork| fork.holds));
        constraints.push(candidate.turn.term());
        let found = self.ask(&constraints, &path.assignment);
        tracing::debug!(branch = candidate.turn.fork(), feasible = found.is_some(), "candidate");
        let Some(found) = found else { return Ok(false) };
        let ran = self.execute(found)?;
        let same = forks.iter().zip(&ran.trace.forks).all(|(one, other)| one.holds == other.holds);
        if !same || ran.trace.forks.len() < forks.len() {
            self.statistics.strayed += 1;
            tracing::debug!(run = self.runs, "divergence");
            self.obstacle(Undecided::Divergence.into());
        }
        self.absorb(ran);
        Ok(true)
    }

    fn ask(&mut self, constraints: &[Term], near: &Assignment) -> Option<Assignment> {
        let question = Question { constraints, near };
        match self.solver.ask(self.bench.terms(), question) {
            Answer::Holds(found) => {
                self.statistics.solved += 1;
                Some(found)
            }
            Answer::Never => {
                self.statistics.unsolvable += 1;
                None
            }
            Answer::Unknown(why) => {
                self.statistics.given_up += 1;
                self.obstacle(Undecided::Solver(why).into());
                None
            }
        }
    }

    fn execute(&mut self, assignment: Assignment) -> Result<Ran, CampaignError> {
        self.runs += 1;
        let name = format!("g{}", self.tests.len() + 1);
        Ok(self.bench.run(assignment, self.request.steps, &name)?)
    }

    /// Runs a test, which may be shorter than others.
    fn execute_test(&mut self, test: &TestCase) -> Result<Ran, CampaignError> {
        self.runs += 1;
        let name = format!("g{}", self.tests.len() + 1);
        let assignment = self.bench.assignment(test).unwrap_or_default();
        Ok(self.bench.run(assignment, test.steps.len(), &name)?)
    }

    fn obstacle(&mut self, limit: Limit) {
        if !self.obstacles.contains(&limit) {
            self.obstacles.push(limit);
        }
    }

    fn covered(&self) -> usize {
        let standing = |index: &usize| self.ledger.standing(*index) == Standing::Covered;
        (0..self.ledger.len()).filter(standing).count()
    }

    fn note_progress(&mut self) {
        let moment = Moment { runs: self.runs, covered: self.covered() };
        tracing::debug!(run = moment.runs, covered = moment.covered, "progress");
        self.statistics.progress.push(moment);
    }

    /// Goes on with something else.
    fn enter(&mut self, phase: Phase, watch: &mut dyn FnMut(Status)) {
        self.phase = phase;
        tracing::info!(?phase, run = self.runs, open = self.ledger.wanted().len(), "phase");
        watch(self.status());
    }

    fn status(&self) -> Status {
        let obligations = self.ledger.len();
        let uncoverable = |index: &usize| {
            matches!(self.ledger.standing(*index), Standing::Refuted(_) | Standing::Settled)
        };
        Status {
            runs: self.runs,
            tests: self.tests.len(),
            phase: self.phase,
            obligations,
            covered: self.covered(),
            uncoverable: (0..obligations).filter(uncoverable).count(),
            waiting: self.pool.len(),
        }
    }

    fn is_over(&self) -> bool {
        self.stop.is_due() || self.request.work.is_some_and(|most| self.work() >= most)
    }

    /// The budget that is spent: there may be other obstacles, but more of it would help first.
    fn spent(&self) -> Option<Limit> {
        let work = || Limit::Spent(Spent::Work(self.work()));
        if self.stop.is_due() {
            Some(Limit::Spent(Spent::Seconds(self.start.elapsed().as_secs())))
        } else {
            self.is_over().then(work)
        }
    }

    fn work(&self) -> u64 {
        self.runs * RUN + self.solver.statistics().conflicts
    }

    fn finish(mut self) -> Outcome<'u> {
        self.statistics.filtered = self.pool.filtered;
        self.statistics.asked = self.solver.statistics();
        let open = !self.ledger.wanted().is_empty();
        let limit = open.then(|| {
            self.spent.or_else(|| self.obstacles.first().cloned()).unwrap_or_else(|| {
                if self.statistics.exhausted {
                    Undecided::NoPathShowsEffect.into()
                } else {
                    Limit::Spent(Spent::Runs(self.runs))
                }
            })
        });
        Outcome {
            tests: self.tests,
            faults: self.faults,
            ledger: self.ledger,
            limit,
            statistics: self.statistics,
        }
    }
}

/// A run costs as much as so many conflicts.
const RUN: u64 = 10;
