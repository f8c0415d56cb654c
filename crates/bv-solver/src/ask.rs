//! Questions about paths, and the layers that answer them.
//!
//! Constraints that hold for the inputs of the run are no question; those that do not are, together with all that share variables with
//! them. The rest keeps its inputs. From there the layers are asked in the order of what they cost: refutations that are known,
//! ranges, recent models, a guess from the ranges, and last a SAT solver, which is kept as long as questions extend what it
//! has been told (one solver along each path; Een and Sorensson 2003 on such use).

use obligato_model::SolverLimit;
use obligato_solver::{Answer as Verdict, Engine, Stop};
use obligato_term::{Assignment, Scratch, Term, Terms, Values, VariableId};

use crate::blaster::Blaster;
use crate::bounds::Bounds;
use crate::cache::Cache;
use crate::slice::Supports;
use paths::Paths;

mod paths;
mod statistics;

pub use statistics::Statistics;

/// How many variables are given back the values they had, one by one.
const MOST_RESTORED: usize = 64;

/// Can these hold together?
#[derive(Clone, Copy, Debug)]
pub struct Question<'a> {
    /// Terms of one bit, the newest last.
    pub constraints: &'a [Term],
    /// The inputs of the run that the question comes from. What does not matter is answered with its values.
    pub near: &'a Assignment,
}

/// What a question came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// They hold for these values, as evaluation has confirmed.
    Holds(Assignment),
    /// They never do.
    Never,
    /// Why that is not known.
    Unknown(SolverLimit),
}

impl Answer {
    fn name(&self) -> &'static str {
        match self {
            Self::Holds(_) => "satisfiable",
            Self::Never => "unsatisfiable",
            Self::Unknown(_) => "unknown",
        }
    }
}

/// Answers questions about terms of one [`Terms`], which may grow.
#[derive(Debug)]
pub struct Solver {
    stop: Stop,
    most_conflicts: Option<u64>,
    supports: Supports,
    cache: Cache,
    paths: Paths,
    scratch: Scratch,
    statistics: Statistics,
}

/// A question without what does not matter.
struct Core {
    constraints: Vec<Term>,
    variables: Vec<VariableId>,
}

impl Solver {
    /// Each question ends when `stop` says so, or when the SAT solver has spent so many conflicts on it.
    pub fn new(stop: &Stop, most_conflicts: Option<u64>) -> Self {
        Self {
            stop: stop.clone(),
            most_conflicts,
            supports: Supports::default(),
            cache: Cache::default(),
            paths: Paths::default(),
            scratch: Scratch::default(),
            statistics: Statistics::default(),
        }
    }

    /// What it has done so far.
    pub fn statistics(&self) -> Statistics {
        self.statistics
    }

    /// Answers a question.
    pub fn ask(&mut self, terms: &Terms, question: Question<'_>) -> Answer {
        let before = self.statistics.conflicts;
        let answer = self.answer(terms, question);
        tracing::debug!(
            constraints = question.constraints.len(),
            conflicts = self.statistics.conflicts - before,
            answer = answer.name(),
            "question"
        );
        answer
    }

    fn answer(&mut self, terms: &Terms, question: Question<'_>) -> Answer {
        self.statistics.asked += 1;
        let mut constraints: Vec<Term> = Vec::with_capacity(question.constraints.len());
        for one in question.constraints {
            match terms.as_constant(*one) {
                Some(1) => {}
                Some(_) => {
                    self.statistics.by_constants += 1;
                    return Answer::Never;
                }
                None => constraints.push(*one),
            }
        }
        let failing = self.failing(terms, &constraints, question.near);
        if failing.is_empty() {
            self.statistics.by_inputs += 1;
            return Answer::Holds(question.near.clone());
        }
        let newest = failing.iter().map(|index| constraints[*index]).collect::<Vec<Term>>();
        let (slice, variables) = self.supports.slice(terms, &constraints, &failing);
        let core = Core { constraints: slice, variables };
        let answer = match self.by_layers(terms, &core, question.near) {
            Some(answer) => answer,
            None => self.by_blaster(terms, &constraints, &core, &newest, question.near),
        };
        if let Answer::Holds(model) = &answer {
            if !self.failing(terms, &constraints, model).is_empty() {
                debug_assert!(false, "a model that does not hold");
                return Answer::Unknown(SolverLimit::WrongModel);
            }
            self.cache.add_model(model.clone());
        }
        answer
    }

    /// The places of the constraints that do not hold.
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
        // The newest fail most.
        let holds = constraints.iter().rev().all(|one| values.holds(terms, *one));
        self.scratch = values.into_scratch();
        holds
    }

    /// The answer of a layer above the SAT solver.
    fn by_layers(&mut self, terms: &Terms, core: &Core, near: &Assignment) -> Option<Answer> {
        if self.cache.refutes(&core.constraints) {
            self.statistics.by_cores += 1;
            return Some(Answer::Never);
        }
        let bounds = match Bounds::of(terms, &core.constraints) {
            Ok(bounds) => bounds,
            Err(contradiction) => {
                self.statistics.by_ranges += 1;
                self.cache.add_core(contradiction);
                return Some(Answer::Never);
            }
        };
        let models: Vec<Assignment> =
            self.cache.models().map(|model| core.taking(near, model)).collect();
        if let Some(model) =
            models.into_iter().find(|one| self.holds(terms, &core.constraints, one))
        {
            self.statistics.by_models += 1;
            return Some(Answer::Holds(model));
        }
        let mut guess = near.clone();
        for variable in &core.variables {
            let term = terms.variables()[variable.0 as usize];
            guess.set(*variable, bounds.nearest(terms, term, near.get(*variable)));
        }
        if self.holds(terms, &core.constraints, &guess) {
            self.statistics.by_guesses += 1;
            return Some(Answer::Holds(guess));
        }
        None
    }

    /// The answer of a SAT solver.
    fn by_blaster(
        &mut self,
        terms: &Terms,
        constraints: &[Term],
        core: &Core,
        newest: &[Term],
        near: &Assignment,
    ) -> Answer {
        let is_older = |one: &&Term| !newest.contains(one);
        let older: Vec<Term> = core.constraints.iter().filter(is_older).copied().collect();
        let mut path = self.paths.take(constraints, &self.stop);
        self.statistics.fresh_solvers += u64::from(path.is_fresh());
        path.require(terms, &older);
        let few = self.most_conflicts.map_or(FEW_CONFLICTS, |most| most.min(FEW_CONFLICTS));
        let (verdict, spent) = self.solve(terms, path.blaster(), newest, Some(few));
        let left = self.most_conflicts.map(|most| most.saturating_sub(spent));
        let goes_on = verdict == Verdict::Unknown
            && path.blaster().left_out().is_none()
            && left != Some(0)
            && !self.stop.is_due();
        let answer = if goes_on {
            // What is hard for the one is often easy for the other.
            let mut other = Blaster::new(FOR_HARD_ONES, &self.stop);
            self.statistics.fresh_solvers += 1;
            for one in &older {
                other.require(terms, *one);
            }
            let (verdict, _) = self.solve(terms, &mut other, newest, left);
            self.conclude(terms, core, near, verdict, &mut other, &older)
        } else {
            self.conclude(terms, core, near, verdict, path.blaster(), &older)
        };
        self.paths.keep(path);
        answer
    }

    /// Asks a SAT solver, and says what that cost.
    fn solve(
        &mut self,
        terms: &Terms,
        blaster: &mut Blaster,
        assumptions: &[Term],
        most: Option<u64>,
    ) -> (Verdict, u64) {
        let before = blaster.conflicts();
        let verdict = blaster.solve(terms, assumptions, most);
        let spent = blaster.conflicts() - before;
        self.statistics.conflicts += spent;
        (verdict, spent)
    }

    /// What a SAT solver has found. Together with the constraints that it blames, all of `older` are to blame; those that it
    /// requires besides have no variables in common with them and hold by themselves.
    fn conclude(
        &mut self,
        terms: &Terms,
        core: &Core,
        near: &Assignment,
        verdict: Verdict,
        blaster: &mut Blaster,
        older: &[Term],
    ) -> Answer {
        match verdict {
            Verdict::Sat => {
                self.statistics.by_solver += 1;
                let mut model = Assignment::default();
                blaster.fill(terms, &mut model);
                let model = core.taking(near, &model);
                Answer::Holds(self.restored(terms, core, model, near))
            }
            Verdict::Unsat => {
                self.statistics.by_solver += 1;
                let mut blamed = blaster.core();
                blamed.extend(older);
                self.cache.add_core(blamed);
                Answer::Never
            }
            Verdict::Unknown => {
                self.statistics.unknown += 1;
                Answer::Unknown(reason(blaster, &self.stop, self.most_conflicts))
            }
        }
    }

    /// Gives variables back the values that they had, as far as the question still holds.
    fn restored(
        &mut self,
        terms: &Terms,
        core: &Core,
        mut model: Assignment,
        near: &Assignment,
    ) -> Assignment {
        let changed = core.variables.iter().filter(|one| model.get(**one) != near.get(**one));
        let changed: Vec<VariableId> = changed.copied().take(MOST_RESTORED).collect();
        if changed.len() < 2 {
            return model;
        }
        for variable in changed {
            let found = model.get(variable);
            model.set(variable, near.get(variable));
            if !self.holds(terms, &core.constraints, &model) {
                model.set(variable, found);
            }
        }
        model
    }
}

impl Core {
    /// The values that `near` gives, but those of the question from `model`.
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

/// Which SAT solver answers questions about paths: many small ones.
const ENGINE: Engine = Engine::Batsat;

/// Which one answers what costs more than a few conflicts.
const FOR_HARD_ONES: Engine = Engine::Cadical;

/// The few.
const FEW_CONFLICTS: u64 = 2_000;

#[cfg(test)]
mod tests;
