//! Queries about path conditions, and the layers that answer them.
//!
//! A query is first sliced: only the constraints that the inputs of the run violate, and all that share variables with
//! them, are solved; all other variables keep their values. The layers then follow in the order of their cost: cached unsat cores,
//! ranges, recent models, a guess from the ranges, and last an incremental SAT solver, which is kept as long as queries extend
//! its constraints (one solver along each path; Een and Sorensson 2003 on such use).

use obligato_model::SolverLimit;
use obligato_solver::{Answer, Engine, Stop};
use obligato_term::{Assignment, Scratch, Term, Terms, Values, VariableId};

use crate::blaster::Blaster;
use crate::bounds::Bounds;
use crate::cache::Cache;
use crate::slice::Supports;
use paths::Paths;

mod paths;
mod statistics;

pub use statistics::SolverStatistics;

/// How many variables of a model are reset to their values in the run, one by one.
const MOST_RESTORED: usize = 64;

/// Is the conjunction of these constraints satisfiable?
#[derive(Clone, Copy, Debug)]
pub struct Query<'a> {
    /// Terms of one bit, the newest last.
    pub constraints: &'a [Term],
    /// The inputs of the run that the query comes from. Variables outside of the slice keep these values.
    pub near: &'a Assignment,
}

/// The answer to a query.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum QueryAnswer {
    /// The model, confirmed by evaluation.
    Satisfiable(Assignment),
    /// No assignment satisfies the constraints.
    Unsatisfiable,
    /// The limit that the solver met first.
    Unknown(SolverLimit),
}

impl QueryAnswer {
    fn name(&self) -> &'static str {
        match self {
            Self::Satisfiable(_) => "satisfiable",
            Self::Unsatisfiable => "unsatisfiable",
            Self::Unknown(_) => "unknown",
        }
    }
}

/// Answers queries about terms of one [`Terms`], which may grow.
#[derive(Debug)]
pub struct BvSolver {
    stop: Stop,
    most_conflicts: Option<u64>,
    supports: Supports,
    cache: Cache,
    paths: Paths,
    scratch: Scratch,
    statistics: SolverStatistics,
}

/// The slice of a query: the constraints to solve, and their variables.
struct Slice {
    constraints: Vec<Term>,
    variables: Vec<VariableId>,
}

/// What a SAT solver said of a query that was asked in two parts.
struct Solved<'s> {
    answer: Answer,
    blaster: &'s mut Blaster,
    /// The part that it requires. The unsat core is that of the solver joined with all of it; other constraints that the solver requires share
    /// no variables with them and are satisfiable by themselves.
    older: &'s [Term],
}

impl BvSolver {
    /// Each query ends when `stop` says so, or when the SAT solver has spent so many conflicts on it.
    pub fn new(stop: &Stop, most_conflicts: Option<u64>) -> Self {
        Self {
            stop: stop.clone(),
            most_conflicts,
            supports: Supports::default(),
            cache: Cache::default(),
            paths: Paths::default(),
            scratch: Scratch::default(),
            statistics: SolverStatistics::default(),
        }
    }

    /// What it has done so far.
    pub fn statistics(&self) -> SolverStatistics {
        self.statistics
    }

    /// Answers a query.
    pub fn ask(&mut self, terms: &Terms, query: Query<'_>) -> QueryAnswer {
        let before = self.statistics.conflicts;
        let answer = self.answer(terms, query);
        tracing::debug!(
            constraints = query.constraints.len(),
            conflicts = self.statistics.conflicts - before,
            answer = answer.name(),
            "question"
        );
        answer
    }

    fn answer(&mut self, terms: &Terms, query: Query<'_>) -> QueryAnswer {
        self.statistics.asked += 1;
        let mut constraints: Vec<Term> = Vec::with_capacity(query.constraints.len());
        for one in query.constraints {
            match terms.as_constant(*one) {
                Some(1) => {}
                Some(_) => {
                    self.statistics.by_constants += 1;
                    return QueryAnswer::Unsatisfiable;
                }
                None => constraints.push(*one),
            }
        }
        let failing = self.failing(terms, &constraints, query.near);
        if failing.is_empty() {
            self.statistics.by_inputs += 1;
            return QueryAnswer::Satisfiable(query.near.clone());
        }
        let newest = failing.iter().map(|index| constraints[*index]).collect::<Vec<Term>>();
        let (sliced, variables) = self.supports.slice(terms, &constraints, &failing);
        let slice = Slice { constraints: sliced, variables };
        let answer = match self.by_layers(terms, &slice, query.near) {
            Some(answer) => answer,
            None => self.by_blaster(terms, &constraints, &slice, &newest, query.near),
        };
        if let QueryAnswer::Satisfiable(model) = &answer {
            if !self.failing(terms, &constraints, model).is_empty() {
                debug_assert!(false, "a model that does not hold");
                return QueryAnswer::Unknown(SolverLimit::WrongModel);
            }
            self.cache.add_model(model.clone());
        }
        answer
    }

    /// The indices of the constraints that an assignment violates.
    fn failing(&mut self, terms: &Terms, constraints: &[Term], under: &Assignment) -> Vec<usize> {
        let mut values = Values::reusing(under, std::mem::take(&mut self.scratch));
        let indices = constraints.iter().enumerate();
        let failing = indices.filter(|(_, one)| !values.holds(terms, **one));
        let failing = failing.map(|(index, _)| index).collect();
        self.scratch = values.into_scratch();
        failing
    }

    fn holds(&mut self, terms: &Terms, constraints: &[Term], under: &Assignment) -> bool {
        let mut values = Values::reusing(under, std::mem::take(&mut self.scratch));
        // The newest constraints are violated most often.
        let holds = constraints.iter().rev().all(|one| values.holds(terms, *one));
        self.scratch = values.into_scratch();
        holds
    }

    /// The answer of a layer above the SAT solver.
    fn by_layers(
        &mut self,
        terms: &Terms,
        slice: &Slice,
        near: &Assignment,
    ) -> Option<QueryAnswer> {
        if self.cache.refutes(&slice.constraints) {
            self.statistics.by_cores += 1;
            return Some(QueryAnswer::Unsatisfiable);
        }
        let bounds = match Bounds::of(terms, &slice.constraints) {
            Ok(bounds) => bounds,
            Err(contradiction) => {
                self.statistics.by_ranges += 1;
                self.cache.add_core(contradiction);
                return Some(QueryAnswer::Unsatisfiable);
            }
        };
        let models: Vec<Assignment> =
            self.cache.models().map(|model| slice.taking(near, model)).collect();
        if let Some(model) =
            models.into_iter().find(|one| self.holds(terms, &slice.constraints, one))
        {
            self.statistics.by_models += 1;
            return Some(QueryAnswer::Satisfiable(model));
        }
        let mut guess = near.clone();
        for variable in &slice.variables {
            let term = terms.variables()[variable.0 as usize];
            guess.set(*variable, bounds.nearest(terms, term, near.get(*variable)));
        }
        if self.holds(terms, &slice.constraints, &guess) {
            self.statistics.by_guesses += 1;
            return Some(QueryAnswer::Satisfiable(guess));
        }
        None
    }

    /// The answer of a SAT solver.
    fn by_blaster(
        &mut self,
        terms: &Terms,
        constraints: &[Term],
        slice: &Slice,
        newest: &[Term],
        near: &Assignment,
    ) -> QueryAnswer {
        let is_older = |one: &&Term| !newest.contains(one);
        let older: Vec<Term> = slice.constraints.iter().filter(is_older).copied().collect();
        let mut path = self.paths.take(constraints, &self.stop);
        self.statistics.fresh_solvers += u64::from(path.is_fresh());
        path.require(terms, &older);
        let few = self.most_conflicts.map_or(FEW_CONFLICTS, |most| most.min(FEW_CONFLICTS));
        let (sat_answer, spent) = self.solve(terms, path.blaster(), newest, Some(few));
        let left = self.most_conflicts.map(|most| most.saturating_sub(spent));
        let goes_on = sat_answer == Answer::Unknown
            && path.blaster().left_out().is_none()
            && left != Some(0)
            && !self.stop.is_due();
        let answer = if goes_on {
            // A query that is hard for one SAT solver is often easy for the other.
            let mut other = Blaster::new(ENGINE_FOR_HARD_QUERIES, &self.stop);
            self.statistics.fresh_solvers += 1;
            for one in &older {
                other.require(terms, *one);
            }
            let (sat_answer, _) = self.solve(terms, &mut other, newest, left);
            let solved = Solved { answer: sat_answer, blaster: &mut other, older: &older };
            self.conclude(terms, slice, near, solved)
        } else {
            let solved = Solved { answer: sat_answer, blaster: path.blaster(), older: &older };
            self.conclude(terms, slice, near, solved)
        };
        self.paths.keep(path);
        answer
    }

    /// Asks a SAT solver; gives its answer and the conflicts it spent.
    fn solve(
        &mut self,
        terms: &Terms,
        blaster: &mut Blaster,
        assumptions: &[Term],
        most: Option<u64>,
    ) -> (Answer, u64) {
        let before = blaster.conflicts();
        let sat_answer = blaster.solve(terms, assumptions, most);
        let spent = blaster.conflicts() - before;
        self.statistics.conflicts += spent;
        (sat_answer, spent)
    }

    /// The answer to a query from that of a SAT solver.
    fn conclude(
        &mut self,
        terms: &Terms,
        slice: &Slice,
        near: &Assignment,
        solved: Solved<'_>,
    ) -> QueryAnswer {
        let Solved { answer, blaster, older } = solved;
        match answer {
            Answer::Sat => {
                self.statistics.by_solver += 1;
                let mut model = Assignment::default();
                blaster.fill(terms, &mut model);
                let model = slice.taking(near, &model);
                QueryAnswer::Satisfiable(self.restored(terms, slice, model, near))
            }
            Answer::Unsat => {
                self.statistics.by_solver += 1;
                let mut core = blaster.core();
                core.extend(older);
                self.cache.add_core(core);
                QueryAnswer::Unsatisfiable
            }
            Answer::Unknown => {
                self.statistics.unknown += 1;
                QueryAnswer::Unknown(reason(blaster, &self.stop, self.most_conflicts))
            }
        }
    }

    /// Resets variables to their values in the run as long as the model still satisfies the slice, so that new inputs differ little.
    fn restored(
        &mut self,
        terms: &Terms,
        slice: &Slice,
        mut model: Assignment,
        near: &Assignment,
    ) -> Assignment {
        let changed = slice.variables.iter().filter(|one| model.get(**one) != near.get(**one));
        let changed: Vec<VariableId> = changed.copied().take(MOST_RESTORED).collect();
        if changed.len() < 2 {
            return model;
        }
        for variable in changed {
            let found = model.get(variable);
            model.set(variable, near.get(variable));
            if !self.holds(terms, &slice.constraints, &model) {
                model.set(variable, found);
            }
        }
        model
    }
}

impl Slice {
    /// The assignment `near`, with the variables of the slice from `model`.
    fn taking(&self, near: &Assignment, model: &Assignment) -> Assignment {
        let mut taken = near.clone();
        for variable in &self.variables {
            taken.set(*variable, model.get(*variable));
        }
        taken
    }
}

/// Why the SAT solver has no answer.
fn reason(blaster: &Blaster, stop: &Stop, most_conflicts: Option<u64>) -> SolverLimit {
    match (blaster.left_out(), most_conflicts) {
        _ if stop.is_due() => SolverLimit::Time,
        (Some(what), _) => SolverLimit::LeftOut(what.to_string()),
        (None, Some(most)) => SolverLimit::Conflicts(most),
        (None, None) => SolverLimit::Unknown,
    }
}

/// Which SAT solver answers queries about paths: many small ones.
const ENGINE: Engine = Engine::Batsat;

/// Which SAT solver answers queries that cost more than [`FEW_CONFLICTS`].
const ENGINE_FOR_HARD_QUERIES: Engine = Engine::Cadical;

/// The conflicts after which the other SAT solver takes over.
const FEW_CONFLICTS: u64 = 2_000;

#[cfg(test)]
mod tests;
