//! The walk of a campaign.

use std::collections::VecDeque;
use std::rc::Rc;

use obligato_concolic::{ForkKind, Leads, Other, Place, Trace};
use obligato_criteria::{bvc, plan};
use obligato_execute::Class;
use obligato_ledger::{Event, EventId, Ledger, Standing};
use obligato_merge::boundary::meets;
use obligato_merge::{Found, Limits, Merged};
use obligato_model::{ConditionId, Limit, Method, Proof, Suite, TestCase};
use obligato_query::{Answer, Question, Solver};
use obligato_search::fitness;
use obligato_search::strategy::View;
use obligato_search::{BlockId, Candidate, Goals, Graph, Path, Pool, Relevance, Tree, Turn};
use obligato_solver::Stop;
use obligato_term::{Assignment, Term, Values};
use obligato_unit::Ending;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::bench::{Bench, Prepared, Ran};
use crate::map::EventMap;
use crate::outcome::{CampaignError, FoundFault, Moment, Outcome, Statistics};
use crate::relevance::possible;
use crate::request::{Request, Status};
use crate::twins::{Promising, effect_of};

/// Runs a campaign. `stop` ends it early; what it has done by then counts.
pub fn run<'u>(
    request: &Request<'u>,
    stop: &Stop,
    watch: &mut dyn FnMut(Status),
) -> Result<Outcome<'u>, CampaignError> {
    let prepared = Prepared::new(request)?;
    let mut campaign = Campaign::new(request, &prepared, stop)?;
    campaign.take_given()?;
    campaign.start()?;
    campaign.search(Some(PATIENCE), watch)?;
    campaign.ask_merged(watch)?;
    loop {
        campaign.search(None, watch)?;
        if !campaign.show_effects()? {
            break;
        }
    }
    campaign.conclude()?;
    campaign.hunt()?;
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
        let ledger = Ledger::new(program, &plan);
        let bench = Bench::new(request, prepared)?;
        let module = request.unit.module();
        let entry = request.unit.call_of(&request.interface.function);
        let graph = Graph::new(module, entry.unwrap_or(obligato_bytecode::CodeId::new(0)));
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
                self.ledger.doubt(event, "nothing of it can be seen in the code".to_owned());
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

    /// The first runs: the given tests as far as they have a value for every input, and the plainest inputs.
    fn start(&mut self) -> Result<(), CampaignError> {
        let given = self.request.given.iter();
        let steps = self.request.steps;
        let whole = |test: &&TestCase| test.steps.len() == steps;
        let mut starts: Vec<Assignment> =
            given.filter(whole).filter_map(|test| self.bench.assignment(test)).collect();
        let plain = self.bench.plainest();
        starts.extend(self.fitting(plain));
        for assignment in starts {
            if self.ledger.wanted().is_empty() || self.is_over() {
                break;
            }
            let ran = self.execute(assignment)?;
            self.absorb(ran)?;
        }
        Ok(())
    }

    /// These inputs, or others that satisfy what every test has to.
    fn fitting(&mut self, assignment: Assignment) -> Option<Assignment> {
        let constraints = self.bench.inputs.constraints().to_vec();
        let terms = self.bench.terms();
        let mut values = Values::new(&assignment);
        if constraints.iter().all(|one| values.holds(terms, *one)) {
            return Some(assignment);
        }
        let question = Question { constraints: &constraints, near: &assignment };
        match self.solver.ask(terms, question) {
            Answer::Holds(found) => Some(found),
            Answer::Never => {
                self.obstacle(Limit::Undecided(
                    "no inputs satisfy the ranges that were asked for".to_owned(),
                ));
                None
            }
            Answer::Unknown(why) => {
                self.obstacle(Limit::Undecided(why));
                None
            }
        }
    }

    /// Takes candidates until nothing is wanted, none is left, the budget is spent, or so many runs in a row have shown nothing new.
    fn search(
        &mut self,
        patience: Option<u64>,
        watch: &mut dyn FnMut(Status),
    ) -> Result<(), CampaignError> {
        while !self.goals.is_empty() && !self.is_over() {
            let last = self.statistics.progress.last().map_or(0, |moment| moment.runs);
            if patience.is_some_and(|patience| self.runs > last + patience) {
                break;
            }
            let Some(candidate) = self.pool.take() else {
                self.statistics.exhausted = self.obstacles.is_empty();
                break;
            };
            watch(self.status());
            self.try_candidate(&candidate)?;
        }
        Ok(())
    }

    /// Asks for inputs, and runs them.
    fn try_candidate(&mut self, candidate: &Candidate) -> Result<bool, CampaignError> {
        let path = &candidate.path;
        let forks = &path.trace.forks[..candidate.turn.fork() as usize];
        let mut constraints = self.bench.inputs.constraints().to_vec();
        constraints.extend(forks.iter().map(|fork| fork.holds));
        constraints.push(candidate.turn.term());
        let Some(found) = self.ask(&constraints, &path.assignment) else { return Ok(false) };
        let ran = self.execute(found)?;
        let same = forks.iter().zip(&ran.trace.forks).all(|(one, other)| one.holds == other.holds);
        if !same || ran.trace.forks.len() < forks.len() {
            self.statistics.strayed += 1;
            self.obstacle(Limit::Undecided(
                "a run went another way than its path condition says".to_owned(),
            ));
        }
        self.absorb(ran)?;
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
                self.obstacle(Limit::Undecided(why));
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

    /// Takes note of everything a run has shown, and of what it could have done instead.
    fn absorb(&mut self, ran: Ran) -> Result<(), CampaignError> {
        let Ran { test, assignment, run, evidence, trace } = ran;
        self.note_taken(&evidence);
        let new = self.ledger.record(&evidence);
        if !new.is_empty() {
            self.tests.push(test.clone());
            self.note_progress();
            self.set_goals();
        }
        let program = self.request.unit.program();
        self.promising.keep(program, &self.ledger, &evidence, &assignment);
        if let Some(Ending::Finding(finding)) = run.ending {
            match finding.kind.class() {
                Class::Fault => self.note_fault(FoundFault { test, finding: *finding }),
                Class::Limit => {
                    let text = finding.kind.to_string();
                    self.obstacle(Limit::Undecided(format!("a run was cut short: {text}")));
                }
                Class::Unsupported => self.obstacle(Limit::Unsupported(finding.kind.to_string())),
            }
        }
        for (_, why) in &trace.fixed {
            self.obstacle(Limit::Undecided(format!("not followed: {why}")));
        }
        let path = Rc::new(Path { trace, assignment });
        self.add_candidates(&path);
        if !new.is_empty() {
            self.renew();
        }
        Ok(())
    }

    fn add_candidates(&mut self, path: &Rc<Path>) {
        let (ways, nodes) = self.tree.add(self.bench.terms(), &path.trace);
        for way in ways {
            let fork = &path.trace.forks[way.fork];
            let turn = Turn::Way { fork: way.fork as u32, term: way.other.term };
            let Some(block) = self.block_behind(&path.trace, way.fork, &way.other) else {
                continue;
            };
            let leads = way.other.leads;
            let place = fork.place;
            let mut candidate = Candidate {
                path: Rc::clone(path),
                turn,
                block,
                place,
                relevance: Relevance::May,
                fitness: 0,
            };
            if leads == Leads::ToFault {
                self.hunts.push_back(candidate);
                continue;
            }
            candidate.relevance = self.relevance(&candidate);
            candidate.fitness = self.fitness(path, way.other.term);
            self.push(candidate);
        }
        for candidate in self.goals_along(path, &nodes) {
            self.push(candidate);
        }
    }

    fn push(&mut self, candidate: Candidate) {
        let view = View { graph: &self.graph, goals: &self.goals, levels: self.request.levels };
        self.pool.add(candidate, view);
    }

    fn fitness(&mut self, path: &Path, term: Term) -> u64 {
        let mut values = Values::new(&path.assignment);
        fitness::distance(self.bench.terms(), &mut values, term)
    }

    /// Where control is when a fork is turned around.
    fn block_behind(&self, trace: &Trace, fork: usize, other: &Other) -> Option<BlockId> {
        let fork = &trace.forks[fork];
        let operation = other.target.unwrap_or(fork.place.operation);
        self.graph.block_of(Place { function: fork.place.function, operation })
    }

    /// Boundaries that are wanted of comparisons along a path.
    fn goals_along(&mut self, path: &Rc<Path>, nodes: &[u32]) -> Vec<Candidate> {
        let mut wanted: FxHashMap<ConditionId, Vec<(usize, EventId)>> = FxHashMap::default();
        for id in self.ledger.wanted() {
            if let Event::Boundary(condition, ordinal)
            | Event::ObservedBoundary(_, condition, ordinal) = self.ledger.events().get(*id)
            {
                wanted.entry(*condition).or_default().push((*ordinal, *id));
            }
        }
        let mut found = Vec::new();
        if wanted.is_empty() {
            return found;
        }
        let program = self.request.unit.program();
        for evaluated in &path.trace.evaluated {
            let Some(operands) = evaluated.operands else { continue };
            for (ordinal, event) in wanted.get(&evaluated.condition).into_iter().flatten() {
                let condition = evaluated.condition;
                let Some(term) = self.stands_at(condition, *ordinal, operands) else { continue };
                let node = nodes[evaluated.forks as usize];
                if self.bench.terms().as_constant(term).is_some()
                    || !self.asked.insert((node, term))
                {
                    continue;
                }
                let blocks = self.map.blocks(program, self.ledger.events().get(*event));
                let Some(block) = blocks.first().copied() else { continue };
                found.push(Candidate {
                    path: Rc::clone(path),
                    turn: Turn::Goal { forks: evaluated.forks, term, wanted: event.index() as u32 },
                    block,
                    place: Place { function: obligato_bytecode::CodeId::new(0), operation: 0 },
                    relevance: Relevance::Must,
                    fitness: 0,
                });
            }
        }
        found
    }

    /// One bit: do the operands of a comparison stand at the boundary with this ordinal?
    fn stands_at(
        &mut self,
        condition: ConditionId,
        ordinal: usize,
        [left, right]: [Term; 2],
    ) -> Option<Term> {
        let program = self.request.unit.program();
        let boundary = *bvc::boundaries_of(program, condition).get(ordinal)?;
        let relation = program.condition(condition).relation.as_ref()?;
        meets(self.bench.terms(), relation, boundary, left, right)
    }

    /// How a candidate stands to what is wanted.
    fn relevance(&self, candidate: &Candidate) -> Relevance {
        relevance(self.request, &self.ledger, (&self.graph, &self.goals), candidate)
    }

    fn set_goals(&mut self) {
        let program = self.request.unit.program();
        let mut blocks = Vec::new();
        let mut anywhere = false;
        for id in self.ledger.wanted() {
            let event = self.ledger.events().get(*id);
            if matches!(event, Event::Observed(..) | Event::ObservedBoundary(..)) {
                anywhere |= !self.barren.contains(id);
            }
            blocks.extend(self.map.blocks(program, event).iter().copied());
        }
        self.goals = Goals::new(&self.graph, blocks, anywhere);
    }

    fn renew(&mut self) {
        let view = View { graph: &self.graph, goals: &self.goals, levels: self.request.levels };
        let (request, ledger) = (self.request, &self.ledger);
        self.pool.renew(view, |candidate| {
            relevance(request, ledger, (view.graph, view.goals), candidate)
        });
    }

    fn note_taken(&mut self, evidence: &obligato_criteria::evidence::TestEvidence) {
        let program = self.request.unit.program();
        for (decision, seen) in &evidence.decisions {
            for ordinal in 0..program.decision(*decision).tree.conditions() {
                for value in [false, true] {
                    if seen.took(ordinal, value) {
                        self.taken.insert((program.condition_at(*decision, ordinal), value));
                    }
                }
            }
        }
    }

    fn note_fault(&mut self, found: FoundFault) {
        let place = |finding: &obligato_unit::Finding| {
            let innermost = finding.stack.first();
            innermost.map(|place| (place.function, place.operation))
        };
        let kind = |finding: &obligato_unit::Finding| std::mem::discriminant(&finding.kind);
        let same = |known: &FoundFault| {
            place(&known.finding) == place(&found.finding)
                && kind(&known.finding) == kind(&found.finding)
        };
        if !self.faults.iter().any(same) {
            self.faults.push(found);
        }
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
        self.statistics.progress.push(moment);
    }

    fn status(&self) -> Status {
        let open = |index: &usize| self.ledger.standing(*index) == Standing::Open;
        let obligations = self.ledger.len();
        Status {
            runs: self.runs,
            tests: self.tests.len(),
            obligations,
            settled: obligations - (0..obligations).filter(open).count(),
            waiting: self.pool.len(),
        }
    }

    fn is_over(&self) -> bool {
        let spent = self.runs * RUN + self.solver.statistics().conflicts;
        self.stop.is_due() || self.request.work.is_some_and(|most| spent >= most)
    }

    /// Asks the formula of the whole function, all paths merged, for everything that is still wanted.
    fn ask_merged(&mut self, watch: &mut dyn FnMut(Status)) -> Result<(), CampaignError> {
        let Request { unit, interface, steps, .. } = *self.request;
        let program = unit.program();
        let mut open: VecDeque<EventId> = self.ledger.wanted().to_vec().into();
        open.retain(|event| effect_of(program, &self.ledger, *event).is_none());
        if open.is_empty() || self.is_over() {
            return Ok(());
        }
        let limits = Limits { stop: self.stop.clone(), ..Limits::default() };
        let Some(mut merged) = Merged::build(unit, interface, steps, limits) else { return Ok(()) };
        while let Some(event) = open.pop_front() {
            if self.is_over() {
                break;
            }
            if self.ledger.wanted().binary_search(&event).is_err() {
                continue;
            }
            watch(self.status());
            self.statistics.merged += 1;
            let asked = self.ledger.events().get(event).clone();
            match merged.find(&asked) {
                Found::Test(test) => {
                    let ran = self.execute_test(&test)?;
                    self.absorb(ran)?;
                    if self.ledger.wanted().binary_search(&event).is_ok() {
                        let why = "the inputs that were found do not show it when they are run";
                        self.ledger.doubt(event, why.to_owned());
                    }
                }
                Found::Never(proof) => self.refute(vec![(event, proof)])?,
                Found::Unknown(why) => self.ledger.doubt(event, why),
            }
        }
        self.set_goals();
        self.renew();
        Ok(())
    }

    fn refute(&mut self, proofs: Vec<(EventId, Proof)>) -> Result<(), CampaignError> {
        self.ledger.refute(proofs).map_err(|event| {
            CampaignError::Contradiction(format!("{:?}", self.ledger.events().get(event)))
        })
    }

    /// Looks for inputs that show effects which are still wanted; true if something came of it.
    fn show_effects(&mut self) -> Result<bool, CampaignError> {
        let program = self.request.unit.program();
        let before = self.tests.len();
        for event in self.ledger.wanted().to_vec() {
            if self.is_over() {
                return Ok(false);
            }
            let effect = effect_of(program, &self.ledger, event);
            let Some(effect) = effect.filter(|_| self.barren.insert(event)) else { continue };
            for assignment in self.promising.of(effect.0, effect.1) {
                if !self.ledger.wanted().contains(&event) {
                    break;
                }
                let Some(twins) = self.bench.twins(&assignment, effect)? else { continue };
                let differs = self.bench.terms().any(twins.differences);
                let mut constraints = self.bench.inputs.constraints().to_vec();
                constraints.extend(twins.paths);
                constraints.push(differs);
                if let Some(found) = self.ask(&constraints, &assignment) {
                    let ran = self.execute(found)?;
                    self.absorb(ran)?;
                }
            }
        }
        self.set_goals();
        Ok(self.tests.len() > before)
    }

    /// If all paths that could matter were seen, what is still wanted never happens.
    fn conclude(&mut self) -> Result<(), CampaignError> {
        let complete =
            self.pool.is_empty() && self.obstacles.is_empty() && !self.is_over() && self.runs > 0;
        self.statistics.exhausted = complete;
        if !complete {
            return Ok(());
        }
        let program = self.request.unit.program();
        let steps = self.request.steps;
        let assumptions = vec![format!(
            "tests of {steps} step{} that set the inputs listed for the function and nothing else",
            if steps == 1 { "" } else { "s" }
        )];
        let proof = Proof { method: Method::Exploration, assumptions };
        let refuted: Vec<(EventId, Proof)> = self
            .ledger
            .wanted()
            .iter()
            .filter(|id| {
                let event = self.ledger.events().get(**id);
                let seen = !self.map.blocks(program, event).is_empty();
                // A boundary or an effect needs the condition to have the value at all.
                let effect = effect_of(program, &self.ledger, **id);
                seen && effect.is_none_or(|effect| !self.taken.contains(&effect))
            })
            .map(|id| (*id, proof.clone()))
            .collect();
        self.refute(refuted)
    }

    /// Looks for inputs that lead to faults, at each place a few times.
    fn hunt(&mut self) -> Result<(), CampaignError> {
        let mut tries: FxHashMap<Place, u32> = FxHashMap::default();
        while let Some(candidate) = self.hunts.pop_front() {
            if self.is_over() {
                break;
            }
            let known = self.faults.iter().any(|fault| {
                fault.finding.stack.first().is_some_and(|place| {
                    (place.function, place.operation)
                        == (candidate.place.function, candidate.place.operation)
                })
            });
            let tried = tries.entry(candidate.place).or_default();
            if known || *tried >= MOST_HUNTS {
                continue;
            }
            *tried += 1;
            let obstacles = self.obstacles.len();
            self.try_candidate(&candidate)?;
            // That a fault was not found says nothing about what is covered.
            self.obstacles.truncate(obstacles);
        }
        Ok(())
    }

    fn finish(mut self) -> Outcome<'u> {
        self.statistics.runs = self.runs;
        self.statistics.filtered = self.pool.filtered;
        self.statistics.asked = self.solver.statistics();
        let open = !self.ledger.wanted().is_empty();
        let limit = open.then(|| {
            self.obstacles.first().cloned().unwrap_or_else(|| {
                if self.statistics.exhausted {
                    Limit::Undecided("all paths were seen, and none shows its effect".to_owned())
                } else {
                    Limit::Bound("runs".to_owned(), self.runs)
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

/// How a candidate stands to what is wanted (Su et al., algorithm 2).
fn relevance(
    request: &Request<'_>,
    ledger: &Ledger<'_>,
    (graph, goals): (&Graph, &Goals),
    candidate: &Candidate,
) -> Relevance {
    let trace = &candidate.path.trace;
    let fork = match candidate.turn {
        Turn::Goal { wanted, .. } => {
            let wanted = EventId::new(wanted as usize);
            let open = ledger.wanted().binary_search(&wanted).is_ok();
            return if open { Relevance::Must } else { Relevance::Irrelevant };
        }
        Turn::Way { fork, .. } => &trace.forks[fork as usize],
    };
    if let ForkKind::Condition(evaluation) = fork.kind
        && shows_something(request, ledger, trace, evaluation)
    {
        return Relevance::Must;
    }
    let more_steps = (fork.step as usize) + 1 < request.steps;
    let callers = trace.callers(fork.stack).filter_map(|place| graph.block_of(place));
    if more_steps || goals.reachable(graph, candidate.block, callers) {
        Relevance::May
    } else {
        Relevance::Irrelevant
    }
}

/// If this value of a condition were the other one, could its decision show something that is wanted?
fn shows_something(
    request: &Request<'_>,
    ledger: &Ledger<'_>,
    trace: &Trace,
    evaluation: u32,
) -> bool {
    let program = request.unit.program();
    let condition = trace.evaluated[evaluation as usize].condition;
    let decision = program.condition(condition).decision;
    let tree = &program.decision(decision).tree;
    let mut known = vec![None; tree.conditions()];
    for (index, evaluated) in trace.so_far(evaluation).enumerate() {
        let ordinal = program.condition(evaluated.condition).ordinal;
        known[ordinal] = Some(evaluated.value != (index == 0));
    }
    ledger.wanted().iter().any(|id| {
        let event = ledger.events().get(*id);
        let home = match event {
            Event::Outcome(home, _) | Event::Vector(home, _) => *home,
            Event::Taken(condition, _) | Event::Shown { condition, .. } => {
                program.condition(*condition).decision
            }
            _ => return false,
        };
        home == decision && possible(program, event, tree, &known)
    })
}
