//! "Can so many tests do?", asked of a SAT solver: the only place that knows it.
//!
//! A variable per test says that it is kept. A required fact is a clause over its tests; a
//! choice is a clause over its ways, each of which implies its facts. A totalizer counts
//! the kept tests, and a query assumes its output for the size asked about, so what the solver
//! learns in one query serves all later ones.

use std::ops::Range;
use std::time::Instant;

use batsat::{Callbacks, ClauseKind};
use obligato_model::TestId;
use obligato_solver::Stop;
use rustc_hash::FxHashMap;
use rustsat::encodings::card::{BoundUpper as _, Totalizer};
use rustsat::instances::{BasicVarManager, ManageVars as _};
use rustsat::solvers::{Solve as _, SolveIncremental as _, SolverResult};
use rustsat::types::{Clause, Lit, TernaryVal};
use rustsat_batsat::Solver;

use super::budget::{RunningBudget, Share};
use crate::problem::{FactId, Problem};

/// The totalizer of so many tests times sizes takes some gigabytes; no larger one is built.
const MOST_COUNTED: usize = 20_000_000;

/// A problem as clauses.
pub struct Query {
    solver: Solver<Limit>,
    /// The tests that matter, with the literal that keeps each.
    tests: Vec<(TestId, Lit)>,
    counter: Totalizer,
}

/// What the solver says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// These tests do, and they are no more than asked about.
    Enough(Vec<TestId>),
    /// So few cannot do.
    TooFew,
    /// It took too long.
    Unknown,
}

impl Query {
    /// Prepares for questions about these sizes, unless they are too large to count.
    pub fn new(problem: &Problem, sizes: Range<usize>) -> Option<Self> {
        let mut variables = BasicVarManager::default();
        let all = (0..problem.tests()).map(TestId::new);
        let relevant = all.filter(|test| !problem.shown_by(*test).is_empty());
        let tests: Vec<(TestId, Lit)> = relevant.map(|test| (test, variables.new_lit())).collect();
        if tests.len().saturating_mul(sizes.end) > MOST_COUNTED {
            return None;
        }
        let mut counter: Totalizer = tests.iter().map(|(_, kept)| *kept).collect();
        let mut solver = Solver::default();
        let most = sizes.end - 1;
        counter.encode_ub(sizes.start..=most, &mut solver, &mut variables).ok()?;
        let mut encoder = Encoder {
            problem,
            kept: tests.iter().copied().collect(),
            shown: FxHashMap::default(),
            variables,
            clauses: Vec::new(),
        };
        encoder.encode();
        encoder.clauses.into_iter().try_for_each(|clause| solver.add_clause(clause)).ok()?;
        Some(Self { solver, tests, counter })
    }

    /// Can `size` tests do?
    pub fn ask(&mut self, size: usize, share: Share, budget: &mut RunningBudget) -> Answer {
        let Ok(assumptions) = self.counter.enforce_ub(size) else { return Answer::Unknown };
        *self.solver.batsat_mut().cb_mut() =
            Limit { share: Some(share), conflicts: 0, stop: budget.stop().clone() };
        let result = self.solver.solve_assumps(&assumptions);
        budget.spend(self.solver.batsat_ref().cb().conflicts);
        match result {
            Ok(SolverResult::Sat) => {
                let kept = self
                    .tests
                    .iter()
                    .filter(|(_, kept)| matches!(self.solver.lit_val(*kept), Ok(TernaryVal::True)));
                Answer::Enough(kept.map(|(test, _)| *test).collect())
            }
            Ok(SolverResult::Unsat) => Answer::TooFew,
            Ok(SolverResult::Interrupted) | Err(_) => Answer::Unknown,
        }
    }
}

/// Writes the clauses of a problem.
struct Encoder<'p> {
    problem: &'p Problem,
    kept: FxHashMap<TestId, Lit>,
    /// For facts of ways, a literal that implies the fact.
    shown: FxHashMap<FactId, Lit>,
    variables: BasicVarManager,
    clauses: Vec<Clause>,
}

impl Encoder<'_> {
    fn encode(&mut self) {
        let problem = self.problem;
        for fact in problem.required() {
            let clause = self.tests_of(*fact);
            self.clauses.push(clause);
        }
        for choice in problem.choices() {
            let ways = choice.iter().map(|way| self.way(way)).collect();
            self.clauses.push(ways);
        }
    }

    /// A literal that implies that all these facts are shown.
    fn way(&mut self, facts: &[FactId]) -> Lit {
        if let [only] = facts {
            return self.fact(*only);
        }
        let way = self.variables.new_lit();
        for fact in facts {
            let shown = self.fact(*fact);
            self.clauses.push([!way, shown].into_iter().collect());
        }
        way
    }

    /// A literal that implies that the fact is shown.
    fn fact(&mut self, fact: FactId) -> Lit {
        if let Some(shown) = self.shown.get(&fact) {
            return *shown;
        }
        let shown = self.variables.new_lit();
        let mut clause = self.tests_of(fact);
        clause.add(!shown);
        self.clauses.push(clause);
        self.shown.insert(fact, shown);
        shown
    }

    fn tests_of(&self, fact: FactId) -> Clause {
        self.problem.tests_of(fact).iter().map(|test| self.kept[test]).collect()
    }
}

/// Stops the solver when its share is spent, or somebody asks for it.
#[derive(Debug, Default)]
struct Limit {
    share: Option<Share>,
    /// Conflicts of the query at hand.
    conflicts: u64,
    stop: Stop,
}

impl Callbacks for Limit {
    fn on_new_clause(&mut self, _: &[batsat::Lit], kind: ClauseKind) {
        self.conflicts += u64::from(kind == ClauseKind::Learnt);
    }

    fn stop(&self) -> bool {
        let is_spent = match self.share {
            None => false,
            Some(Share::Until(end)) => Instant::now() >= end,
            Some(Share::Conflicts(most)) => self.conflicts >= most,
        };
        is_spent || self.stop.is_due()
    }
}
