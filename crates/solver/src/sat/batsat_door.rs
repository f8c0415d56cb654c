//! batsat, by way of `rustsat`.

use std::fmt;

use batsat::{Callbacks, ClauseKind, SolverInterface as _, lbool};
use rustsat::solvers::{Solve as _, SolveIncremental as _, SolverResult};
use rustsat::types::{Clause, Lit, TernaryVal};
use rustsat_batsat::Solver;

use super::{Answer, Literal};
use crate::stop::Stop;

/// The solver.
pub struct Batsat {
    solver: Solver<Limit>,
}

/// When a query has to end.
#[derive(Default)]
struct Limit {
    stop: Stop,
    most: Option<u64>,
    conflicts: u64,
}

impl Callbacks for Limit {
    fn on_new_clause(&mut self, _: &[batsat::Lit], kind: ClauseKind) {
        self.conflicts += u64::from(kind == ClauseKind::Learnt);
    }

    fn stop(&self) -> bool {
        self.most.is_some_and(|most| self.conflicts >= most) || self.stop.is_due()
    }
}

impl Batsat {
    pub fn new(stop: &Stop) -> Self {
        let mut door = Self { solver: Solver::default() };
        door.end_with(stop);
        door
    }

    pub fn end_with(&mut self, stop: &Stop) {
        self.solver.batsat_mut().cb_mut().stop = stop.clone();
    }

    pub fn add(&mut self, clause: &[Literal]) {
        let clause: Clause = clause.iter().map(|literal| foreign(*literal)).collect();
        self.solver.add_clause(clause).expect("invariant: adding a clause does not fail");
    }

    /// Makes the next variable, which has this number, one that is never decided.
    pub fn add_dependent(&mut self, variable: u32) {
        let solver = self.solver.batsat_mut();
        while solver.num_vars() < variable {
            solver.new_var_default();
        }
        if solver.num_vars() == variable {
            solver.new_var(lbool::UNDEF, false);
        }
    }

    pub fn solve(&mut self, assumptions: &[Literal], most: Option<u64>) -> (Answer, u64) {
        let limit = self.solver.batsat_mut().cb_mut();
        limit.most = most;
        limit.conflicts = 0;
        if limit.stop() {
            return (Answer::Unknown, 0);
        }
        let assumptions: Vec<Lit> = assumptions.iter().map(|one| foreign(*one)).collect();
        let answer = match self.solver.solve_assumps(&assumptions) {
            Ok(SolverResult::Sat) => Answer::Sat,
            Ok(SolverResult::Unsat) => Answer::Unsat,
            Ok(SolverResult::Interrupted) | Err(_) => Answer::Unknown,
        };
        (answer, self.solver.batsat_ref().cb().conflicts)
    }

    pub fn value(&self, variable: Literal) -> bool {
        matches!(self.solver.lit_val(foreign(variable)), Ok(TernaryVal::True))
    }

    pub fn core(&mut self) -> Vec<Literal> {
        let core = self.solver.core().unwrap_or_default();
        // The core is a clause: the negations of assumptions.
        core.into_iter().map(|literal| !own(literal)).collect()
    }
}

impl fmt::Debug for Batsat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Batsat").finish_non_exhaustive()
    }
}

fn foreign(literal: Literal) -> Lit {
    Lit::new(literal.variable() as u32, literal.is_negated())
}

fn own(literal: Lit) -> Literal {
    Literal::from_code(literal.vidx32() * 2 + u32::from(literal.is_neg()))
}
