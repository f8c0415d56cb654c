//! Records a run: its evidence, its runtime errors, and the candidates along its path.

use std::rc::Rc;

use obligato_c_bmc::boundary::meets;
use obligato_c_unit::Ending;
use obligato_c_unit::driver::is_of_driver;
use obligato_campaign::{Event, EventId, Ledger, MadeTest};
use obligato_concolic::search::strategy::View;
use obligato_concolic::search::tree::UnexploredBranch;
use obligato_concolic::search::{
    BlockId, Candidate, CandidateTarget, Goals, Graph, Path, Relevance, fitness,
};
use obligato_concolic::{
    Alternative, CodeLocation, ConditionValue, Continuation, Fork, ForkKind, Trace,
};
use obligato_control_flow::{CallGraph, may_return};
use obligato_criteria::bvc;
use obligato_criteria::evidence::TestEvidence;
use obligato_execute::{Class, ExecutionLimit, FindingKind};
use obligato_model::{ConditionId, Limit, RunLimit, Undecided};
use obligato_term::{Term, Values};
use rustc_hash::FxHashMap;

use super::FunctionCampaign;
use crate::findings::{FunctionError, RuntimeError};
use crate::relevance::possible;
use crate::request::{FunctionUnderTest, Request};
use crate::traced_runner::{Patience, TracedRun};

impl FunctionCampaign<'_, '_> {
    /// Records the evidence of a run, its runtime error if it ended with one, and the candidates along its path.
    pub(super) fn record_run(&mut self, mut ran: TracedRun) -> Result<(), FunctionError> {
        let unfinished = matches!(&ran.run.ending, Some(Ending::Finding(finding))
            if finding.kind.class() == Class::Limit)
            && !(ran.run.is_endless() && self.is_last_word());
        self.record_condition_values(&ran.evidence);
        // A run that ended at a limit makes no test, unless longer ones end there as well.
        let new = if unfinished { Vec::new() } else { self.ledger.record(&ran.evidence) };
        if !new.is_empty() {
            ran.test = self.runner.without_idle_writes(&ran)?;
        }
        let TracedRun { test, assignment, run, evidence, trace } = ran;
        if !new.is_empty() {
            self.tests.push(MadeTest { test: test.clone(), phase: self.phase });
            self.note_progress();
            self.set_goals();
        }
        let program = self.request.subject.unit.program();
        self.effect_seeds.keep(program, &self.ledger, &evidence, &assignment);
        if let Some(Ending::Finding(finding)) = run.ending {
            match finding.kind.class() {
                Class::RuntimeError => {
                    self.note_runtime_error(RuntimeError { test, finding: *finding });
                }
                Class::Limit if self.is_cut_off(&finding.kind) => {
                    self.cut_off.push_back(assignment.clone());
                }
                Class::Limit => {
                    let ended = run_limit(&finding.kind).map(Undecided::RunEnded);
                    self.obstacle(ended.unwrap_or(Undecided::Divergence).into());
                }
                Class::Unsupported => self.obstacle(unsupported(&finding.kind)),
            }
        }
        for (_, why) in &trace.concretised {
            self.obstacle(Undecided::NotFollowed(why.clone()).into());
        }
        let path = Rc::new(Path { trace, assignment });
        self.add_candidates(&path);
        if !new.is_empty() {
            self.reassess();
        }
        Ok(())
    }

    /// Was a run cut off that may go on when nothing else is left?
    fn is_cut_off(&self, kind: &FindingKind) -> bool {
        !self.is_last_word() && matches!(kind, FindingKind::Limit(ExecutionLimit::Steps))
    }

    /// Does it help nothing to let a run go on that has not ended yet?
    fn is_last_word(&self) -> bool {
        self.is_task || self.runner.patience() == Patience::Long
    }

    pub(super) fn add_candidates(&mut self, path: &Rc<Path>) {
        let (unexplored, nodes) = self.tree.add(self.runner.terms(), &path.trace);
        let distances = self.distances(path, &unexplored);
        for (branch, fitness) in unexplored.into_iter().zip(distances) {
            let UnexploredBranch { fork: index, alternative } = branch;
            let fork = &path.trace.forks[index];
            let target =
                CandidateTarget::FlippedBranch { fork: index as u32, term: alternative.term };
            let Some(block) = self.target_block(fork, &alternative) else {
                continue;
            };
            let location = fork.location;
            let mut candidate = Candidate {
                path: Rc::clone(path),
                target,
                block,
                location,
                relevance: Relevance::May,
                fitness,
            };
            if alternative.continuation == Continuation::RuntimeError {
                self.runtime_error_candidates.push_back(candidate);
                continue;
            }
            if fork.kind == ForkKind::Access {
                // The flipped branch accesses another object, or none at all.
                self.runtime_error_candidates.push_back(candidate.clone());
            }
            candidate.relevance = self.relevance(&candidate);
            self.push(candidate);
        }
        for candidate in self.boundary_candidates(path, &nodes) {
            self.push(candidate);
        }
    }

    pub(super) fn push(&mut self, candidate: Candidate) {
        let view =
            View { graph: &self.graph, goals: &self.goals, levels: self.request.subject.levels };
        self.pool.add(candidate, view);
    }

    /// The branch distances of a run to unexplored branches.
    fn distances(&mut self, path: &Path, unexplored: &[UnexploredBranch]) -> Vec<u64> {
        let mut values = Values::new(&path.assignment);
        let terms = self.runner.terms();
        let distance = |branch: &UnexploredBranch| {
            fitness::distance(terms, &mut values, branch.alternative.term)
        };
        unexplored.iter().map(distance).collect()
    }

    /// The basic block that control enters when a branch is flipped.
    pub(super) fn target_block(&self, fork: &Fork, alternative: &Alternative) -> Option<BlockId> {
        let operation = alternative.target.unwrap_or(fork.location.operation);
        self.graph.block_of(CodeLocation { function: fork.location.function, operation })
    }

    /// Candidates for the open boundaries of the comparisons along a path.
    pub(super) fn boundary_candidates(&mut self, path: &Rc<Path>, nodes: &[u32]) -> Vec<Candidate> {
        let mut wanted: FxHashMap<ConditionId, Vec<(usize, EventId)>> = FxHashMap::default();
        for id in self.ledger.open_events() {
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
        let program = self.request.subject.unit.program();
        for evaluated in &path.trace.evaluated {
            let Some(operands) = evaluated.operands else { continue };
            for (ordinal, event) in wanted.get(&evaluated.condition).into_iter().flatten() {
                let condition = evaluated.condition;
                let Some(term) = self.boundary_term(condition, *ordinal, operands) else {
                    continue;
                };
                let node = nodes[evaluated.forks as usize];
                if self.runner.terms().as_constant(term).is_some()
                    || !self.asked.insert((node, term))
                {
                    continue;
                }
                let blocks = self.map.blocks(program, self.ledger.events().get(*event));
                let Some(block) = blocks.first().copied() else { continue };
                found.push(Candidate {
                    path: Rc::clone(path),
                    target: CandidateTarget::Goal {
                        forks: evaluated.forks,
                        term,
                        wanted: event.index() as u32,
                    },
                    block,
                    location: CodeLocation {
                        function: obligato_bytecode::CodeId::new(0),
                        operation: 0,
                    },
                    relevance: Relevance::Must,
                    fitness: 0,
                });
            }
        }
        found
    }

    /// One bit: are the operands of a comparison at the boundary with this ordinal?
    pub(super) fn boundary_term(
        &mut self,
        condition: ConditionId,
        ordinal: usize,
        [left, right]: [Term; 2],
    ) -> Option<Term> {
        let program = self.request.subject.unit.program();
        let boundary = *bvc::boundaries_of(program, condition).get(ordinal)?;
        let relation = program.condition(condition).relation.as_ref()?;
        meets(self.runner.terms(), relation, boundary, left, right)
    }

    /// A candidate's relevance to the open goals.
    pub(super) fn relevance(&self, candidate: &Candidate) -> Relevance {
        relevance(self.request, &self.ledger, &self.graph, &self.goals, candidate)
    }

    pub(super) fn set_goals(&mut self) {
        let program = self.request.subject.unit.program();
        let mut blocks = Vec::new();
        let mut anywhere = false;
        for id in self.ledger.open_events() {
            let event = self.ledger.events().get(*id);
            if matches!(event, Event::Observed(..) | Event::ObservedBoundary(..)) {
                anywhere |= !self.exhausted_effects.contains(id);
            }
            blocks.extend(self.map.blocks(program, event).iter().copied());
        }
        self.goals = Goals::new(&self.graph, blocks, anywhere);
    }

    pub(super) fn reassess(&mut self) {
        let view =
            View { graph: &self.graph, goals: &self.goals, levels: self.request.subject.levels };
        let (request, ledger) = (self.request, &self.ledger);
        self.pool.reassess(view, |candidate| {
            relevance(request, ledger, view.graph, view.goals, candidate)
        });
    }

    pub(super) fn record_condition_values(&mut self, evidence: &TestEvidence) {
        let program = self.request.subject.unit.program();
        for (decision, seen) in &evidence.decisions {
            for ordinal in 0..program.decision(*decision).tree.conditions() {
                for value in [false, true] {
                    if seen.took(ordinal, value) {
                        let condition = program.condition_at(*decision, ordinal);
                        self.taken.insert(ConditionValue { condition, value });
                    }
                }
            }
        }
    }

    /// The innermost location of a finding in the unit's own code: an error in a library function counts at its call.
    pub(super) fn location_of(&self, finding: &obligato_c_unit::Finding) -> Option<CodeLocation> {
        let module = self.request.subject.unit.module();
        let mut frames = finding.stack.iter();
        let own = frames.find(|one| !is_of_driver(&module.function(one.function).name))?;
        Some(CodeLocation { function: own.function, operation: own.operation })
    }

    pub(super) fn note_runtime_error(&mut self, mut found: RuntimeError) {
        let location = |finding: &obligato_c_unit::Finding| self.location_of(finding);
        let kind = |finding: &obligato_c_unit::Finding| std::mem::discriminant(&finding.kind);
        let same = |known: &RuntimeError| {
            location(&known.finding) == location(&found.finding)
                && kind(&known.finding) == kind(&found.finding)
        };
        if !self.errors.iter().any(same) {
            found.test.name = format!("f{}", self.errors.len() + 1);
            self.errors.push(found);
        }
    }
}

/// The limit of the executor that ended a run.
fn run_limit(kind: &FindingKind) -> Option<RunLimit> {
    match kind {
        FindingKind::Limit(ExecutionLimit::Steps) => Some(RunLimit::Operations),
        FindingKind::Limit(ExecutionLimit::Depth) => Some(RunLimit::Calls),
        FindingKind::Limit(ExecutionLimit::Memory) => Some(RunLimit::Memory),
        FindingKind::Limit(ExecutionLimit::Objects) => Some(RunLimit::Objects),
        _ => None,
    }
}

/// The construct that the executor does not support.
fn unsupported(kind: &FindingKind) -> Limit {
    match kind {
        FindingKind::Unsupported { note } => Limit::construct(note.clone()),
        other => Limit::construct(other.to_string()),
    }
}

/// A candidate's relevance to the open goals (Su et al., algorithm 2).
fn relevance(
    request: &Request<'_>,
    ledger: &Ledger<'_>,
    graph: &Graph,
    goals: &Goals,
    candidate: &Candidate,
) -> Relevance {
    let trace = &candidate.path.trace;
    let fork = match candidate.target {
        CandidateTarget::Goal { wanted, .. } => {
            let wanted = EventId::new(wanted as usize);
            let open = ledger.open_events().binary_search(&wanted).is_ok();
            return if open { Relevance::Must } else { Relevance::Irrelevant };
        }
        CandidateTarget::FlippedBranch { fork, .. } => &trace.forks[fork as usize],
    };
    if let ForkKind::Condition(evaluation) = fork.kind
        && can_cover_open_goal(request, ledger, trace, evaluation)
    {
        return Relevance::Must;
    }
    let more_steps = (fork.step as usize) + 1 < request.subject.steps;
    let callers = trace.callers(fork.stack);
    if more_steps || goals.reachable(graph, candidate.block, callers) {
        Relevance::May
    } else {
        Relevance::Irrelevant
    }
}

/// Can the evaluation of a decision cover an open goal if this value of a condition is flipped?
fn can_cover_open_goal(
    request: &Request<'_>,
    ledger: &Ledger<'_>,
    trace: &Trace,
    evaluation: u32,
) -> bool {
    let program = request.subject.unit.program();
    let condition = trace.evaluated[evaluation as usize].condition;
    let decision = program.condition(condition).decision;
    let tree = &program.decision(decision).tree;
    let mut known = vec![None; tree.conditions()];
    for (index, evaluated) in trace.so_far(evaluation).enumerate() {
        let ordinal = program.condition(evaluated.condition).ordinal;
        known[ordinal] = Some(evaluated.value != (index == 0));
    }
    ledger.open_events().iter().any(|id| {
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

/// Has the function under test no path to a return?
pub(super) fn never_returns(request: &Request<'_>) -> bool {
    let FunctionUnderTest { unit, interface, .. } = request.subject;
    let module = unit.module();
    let function = module.function_named(&interface.function);
    function.is_some_and(|code| !may_return(module, &CallGraph::new(module), code))
}
