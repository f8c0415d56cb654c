//! A campaign for a C function: the stages in [`run()`], and the state they share.

use std::collections::VecDeque;

use obligato_bv_solver::{BvSolver, Query, QueryAnswer};
use obligato_campaign::{
    EventId, Ledger, MadeTest, Phase, PhaseReports, RunningBudget, RunningPhase, Status, Watcher,
};
use obligato_concolic::ConditionValue;
use obligato_concolic::search::{Candidate, Goals, Graph, Pool, Tree};
use obligato_criteria::plan;
use obligato_model::{Limit, Spent, Suite, TestCase, Undecided};
use obligato_solver::Stop;
use obligato_term::{Assignment, Term, Values};
use rustc_hash::FxHashSet;

use crate::call_proofs::CallProof;
use crate::event_map::EventMap;
use crate::findings::{FunctionError, FunctionFindings, Outcome, RuntimeError, Statistics};
use crate::request::{FunctionUnderTest, Request};
use crate::traced_runner::{Patience, Prepared, TracedRun, TracedRunner, UnionPointers};
use crate::twins::EffectSeeds;

mod call_sequences;
mod closing;
mod formula;
mod longer_formulas;
mod outgrown;
mod progress;
mod recording;

use formula::Share;

/// Runs a campaign. `stop` ends it early; coverage and proofs up to then count.
pub fn run<'u>(
    request: &Request<'u>,
    stop: &Stop,
    watcher: &mut dyn Watcher,
) -> Result<Outcome<'u>, FunctionError> {
    let prepared = Prepared::new(request)?;
    let mut campaign = FunctionCampaign::new(request, &prepared, stop)?;
    watcher.watch(&campaign.status());
    campaign.take_given()?;
    campaign.enter(Phase::Concolic, watcher);
    campaign.start()?;
    let mut formula = None;
    if request.phases.contains(&Phase::Bmc) {
        campaign.search(Some(PATIENCE), watcher)?;
        if campaign.is_too_narrow() {
            campaign.count_runs();
            return Ok(campaign.finish());
        }
        formula = campaign.merge_paths();
    }
    if let Some(formula) = &mut formula {
        campaign.ask_formula(formula, Share::Half, watcher)?;
    }
    campaign.search_paths_and_effects(watcher)?;
    if let Some(formula) = &mut formula {
        campaign.ask_formula(formula, Share::All, watcher)?;
        campaign.search_paths_and_effects(watcher)?;
    }
    campaign.conclude();
    if request.phases.contains(&Phase::Bmc) {
        campaign.search_call_sequences(watcher)?;
    }
    watcher.watch(&campaign.status());
    campaign.count_runs();
    if request.phases.contains(&Phase::RuntimeErrors) {
        campaign.search_for_runtime_errors(watcher)?;
    }
    watcher.watch(&campaign.status());
    Ok(campaign.finish())
}

/// A campaign under way.
struct FunctionCampaign<'c, 'u> {
    request: &'c Request<'u>,
    budget: RunningBudget,
    runner: TracedRunner<'c>,
    ledger: Ledger<'u>,
    map: EventMap,
    graph: Graph,
    goals: Goals,
    pool: Pool,
    tree: Tree,
    solver: BvSolver,
    statistics: Statistics,
    tests: Vec<MadeTest>,
    errors: Vec<RuntimeError>,
    /// Branches into undefined behaviour, explored last.
    runtime_error_candidates: VecDeque<Candidate>,
    /// Boundary goals that became candidates already, by node of the execution tree.
    asked: FxHashSet<(u32, Term)>,
    effect_seeds: EffectSeeds,
    /// Effects for which every seed was tried.
    exhausted_effects: FxHashSet<EventId>,
    /// The values that conditions had, in any run.
    taken: FxHashSet<ConditionValue>,
    /// The inputs of runs that were cut off because they were long.
    cut_off: VecDeque<Assignment>,
    /// Why the exploration of paths is incomplete.
    obstacles: Vec<Limit>,
    /// The budget, if it was spent before the search ended.
    spent: Option<Limit>,
    reports: PhaseReports,
    /// How things stood when the present phase began.
    begun: RunningPhase,
    phase: Phase,
    runs: u64,
    /// Work of engines for call sequences.
    sequence_work: u64,
    /// The events that the formula of one call refutes without any bound.
    refuted_by_formula: Vec<EventId>,
    /// The proof over any number of calls.
    call_proof: Option<CallProof>,
    /// Has it ended because only wider inputs help?
    yielded: bool,
    /// Does the function never return, as the loop of a task? Then its runs count although they are stopped.
    is_task: bool,
}

/// After so many runs in a row without new coverage, bounded model checking takes over.
const PATIENCE: u64 = 40;

/// How many candidates are tried for a runtime error at one operation.
const MOST_TRIES_PER_LOCATION: u32 = 4;

impl<'c, 'u> FunctionCampaign<'c, 'u> {
    fn new(
        request: &'c Request<'u>,
        prepared: &'c Prepared<'u>,
        stop: &Stop,
    ) -> Result<Self, FunctionError>
    where
        'u: 'c,
    {
        let program = request.subject.unit.program();
        let plan = plan(program, &request.criteria);
        let mut ledger = Ledger::new(program, &plan);
        if let Some(shard) = request.shard {
            ledger.set_aside(|index| !shard.holds(&plan.obligations[index].key));
        }
        let runner = TracedRunner::new(request, prepared)?;
        let unit = request.subject.unit;
        let function = &request.subject.interface.function;
        let entry = unit.call_of(function).ok_or_else(|| {
            obligato_c_unit::RunError::Malformed(format!("nothing calls '{function}'"))
        })?;
        let graph = Graph::new(unit.module(), entry);
        let map = EventMap::new(program, &graph, unit.points());
        let goals = Goals::new(&graph, [], false);
        let budget = RunningBudget::new(request.budget, stop);
        let solver = BvSolver::new(budget.stop(), Some(request.subject.most_conflicts));
        let begun = RunningPhase::begin(Status::new(&ledger, Phase::Given, 0), 0);
        let mut campaign = Self {
            request,
            budget,
            runner,
            ledger,
            map,
            graph,
            goals,
            pool: Pool::new(request.subject.strategy, request.subject.filtering, request.seed),
            tree: Tree::default(),
            solver,
            statistics: Statistics::default(),
            tests: Vec::new(),
            errors: Vec::new(),
            runtime_error_candidates: VecDeque::new(),
            asked: FxHashSet::default(),
            effect_seeds: EffectSeeds::default(),
            exhausted_effects: FxHashSet::default(),
            taken: FxHashSet::default(),
            cut_off: VecDeque::new(),
            obstacles: Vec::new(),
            spent: None,
            reports: PhaseReports::default(),
            begun,
            phase: Phase::Given,
            runs: 0,
            sequence_work: 0,
            refuted_by_formula: Vec::new(),
            call_proof: None,
            yielded: false,
            is_task: recording::never_returns(request),
        };
        campaign.mark_unobservable_goals();
        campaign.set_goals();
        Ok(campaign)
    }

    /// Marks goals without a basic block: they can neither be searched for nor proved uncoverable.
    fn mark_unobservable_goals(&mut self) {
        let program = self.request.subject.unit.program();
        for event in self.ledger.open_events().to_vec() {
            if self.map.blocks(program, self.ledger.events().get(event)).is_empty() {
                self.ledger.note_limit(event, Undecided::Unobservable);
            }
        }
    }

    /// Measures the given tests first.
    fn take_given(&mut self) -> Result<(), FunctionError> {
        let FunctionUnderTest { unit, interface, options, .. } = self.request.subject;
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

    /// The first runs: the given tests as far as they have a value for every input, or the default inputs.
    fn start(&mut self) -> Result<(), FunctionError> {
        let given = self.request.given.iter();
        let steps = self.request.subject.steps;
        let whole = |test: &&TestCase| test.steps.len() == steps;
        let mut starts: Vec<Assignment> =
            given.filter(whole).filter_map(|test| self.runner.assignment(test)).collect();
        if starts.is_empty() {
            let default = self.runner.default_inputs(UnionPointers::Unset);
            starts.extend(self.satisfying(default)?);
            if self.runner.has_union_pointers() {
                let default = self.runner.default_inputs(UnionPointers::Set);
                starts.extend(self.satisfying(default)?);
            }
        }
        // Whether functions outside write is no branch of a path: one run is with all of it.
        if let Some(writing) =
            starts.first().and_then(|one| self.runner.with_all_writes(one.clone()))
        {
            starts.extend(self.satisfying(writing)?);
        }
        for assignment in starts {
            if self.ledger.open_events().is_empty() || self.is_over() {
                break;
            }
            let ran = self.execute(assignment)?;
            self.record_run(ran)?;
        }
        Ok(())
    }

    /// These inputs, or others that satisfy the ranges and preconditions.
    fn satisfying(&mut self, assignment: Assignment) -> Result<Option<Assignment>, FunctionError> {
        let constraints = self.runner.inputs.constraints_of_search();
        let terms = self.runner.terms();
        let mut values = Values::new(&assignment);
        if constraints.iter().all(|one| values.holds(terms, *one)) {
            return Ok(Some(assignment));
        }
        let query = Query { constraints: &constraints, near: &assignment };
        match self.solver.ask(terms, query) {
            QueryAnswer::Satisfiable(found) => Ok(Some(found)),
            QueryAnswer::Unsatisfiable => Err(FunctionError::NoInputs),
            QueryAnswer::Unknown(why) => {
                self.obstacle(Undecided::Solver(why).into());
                Ok(None)
            }
        }
    }

    /// Tries candidates until no goal is open, the pool is empty, the budget is spent, or `patience` runs in a row covered nothing new.
    fn search(
        &mut self,
        patience: Option<u64>,
        watcher: &mut dyn Watcher,
    ) -> Result<(), FunctionError> {
        self.enter(Phase::Concolic, watcher);
        while !self.goals.is_empty() && !self.is_over() {
            let last = self.statistics.progress.last().map_or(0, |point| point.runs);
            if patience.is_some_and(|patience| self.runs > last + patience) {
                break;
            }
            watcher.watch(&self.status());
            if let Some(candidate) = self.pool.take() {
                self.try_candidate(&candidate)?;
            } else if patience.is_some() || !self.run_on()? {
                break;
            }
        }
        Ok(())
    }

    /// Runs one of the inputs again whose runs were cut off, to its end; false if there is none.
    fn run_on(&mut self) -> Result<bool, FunctionError> {
        let Some(assignment) = self.cut_off.pop_front() else { return Ok(false) };
        self.runner.set_patience(Patience::Long);
        let ran = self.execute(assignment)?;
        self.record_run(ran)?;
        Ok(true)
    }

    /// Alternates the search for paths and for effects until neither makes a new test.
    fn search_paths_and_effects(&mut self, watcher: &mut dyn Watcher) -> Result<(), FunctionError> {
        loop {
            self.search(None, watcher)?;
            if !self.show_effects(watcher)? {
                return Ok(());
            }
        }
    }

    /// Solves for a candidate and runs the model; false if there is none.
    fn try_candidate(&mut self, candidate: &Candidate) -> Result<bool, FunctionError> {
        let path = &candidate.path;
        let forks = &path.trace.forks[..candidate.target.prefix_length() as usize];
        let mut constraints = self.runner.inputs.constraints_of_search();
        constraints.extend(forks.iter().map(|fork| fork.holds));
        constraints.push(candidate.target.term());
        let found = self.ask(&constraints, &path.assignment);
        tracing::debug!(
            branch = candidate.target.prefix_length(),
            feasible = found.is_some(),
            "candidate"
        );
        let Some(found) = found else { return Ok(false) };
        let ran = self.execute(found)?;
        let same = forks.iter().zip(&ran.trace.forks).all(|(one, other)| one.holds == other.holds);
        if !same || ran.trace.forks.len() < forks.len() {
            self.statistics.divergent += 1;
            tracing::debug!(run = self.runs, "divergence");
            self.obstacle(Undecided::Divergence.into());
        }
        self.record_run(ran)?;
        Ok(true)
    }

    fn ask(&mut self, constraints: &[Term], near: &Assignment) -> Option<Assignment> {
        let query = Query { constraints, near };
        match self.solver.ask(self.runner.terms(), query) {
            QueryAnswer::Satisfiable(found) => {
                self.statistics.solved += 1;
                Some(found)
            }
            QueryAnswer::Unsatisfiable => {
                self.statistics.unsolvable += 1;
                None
            }
            QueryAnswer::Unknown(why) => {
                self.statistics.given_up += 1;
                self.obstacle(Undecided::Solver(why).into());
                None
            }
        }
    }

    fn execute(&mut self, assignment: Assignment) -> Result<TracedRun, FunctionError> {
        self.runs += 1;
        let name = format!("g{}", self.tests.len() + 1);
        Ok(self.runner.run(assignment, self.request.subject.steps, &name)?)
    }

    /// Runs a test, which may be shorter than alternatives.
    fn execute_test(&mut self, test: &TestCase) -> Result<TracedRun, FunctionError> {
        self.runs += 1;
        let name = format!("g{}", self.tests.len() + 1);
        self.runner.allow_steps(test.steps.len());
        let assignment = self.runner.assignment(test).unwrap_or_default();
        let patience = self.runner.patience();
        self.runner.set_patience(Patience::Long);
        let ran = self.runner.run(assignment, test.steps.len(), &name)?;
        self.runner.set_patience(patience);
        Ok(ran)
    }

    fn obstacle(&mut self, limit: Limit) {
        if !self.obstacles.contains(&limit) {
            self.obstacles.push(limit);
        }
    }

    /// What only searches for runtime errors comes after this and does not count.
    fn count_runs(&mut self) {
        self.statistics.runs = self.runs;
        self.statistics.work = self.work();
    }

    fn finish(mut self) -> Outcome<'u> {
        self.end_phase();
        let (proofs, outgrown) = (self.proofs(), self.outgrown());
        self.statistics.filtered = self.pool.filtered;
        self.statistics.asked = self.solver.statistics();
        let open = !self.ledger.open_events().is_empty();
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
            ledger: self.ledger,
            limit,
            phases: self.reports.into_inner(),
            found: FunctionFindings {
                errors: self.errors,
                statistics: self.statistics,
                proofs,
                outgrown,
                yielded: self.yielded,
            },
        }
    }
}
