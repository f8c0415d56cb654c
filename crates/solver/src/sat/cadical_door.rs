//! CaDiCaL, by way of `rustsat`.

use std::fmt;

use rustsat::solvers::{
    ControlSignal, GetInternalStats as _, LimitConflicts as _, Solve as _, SolveIncremental as _,
    SolverResult, Terminate as _,
};
use rustsat::types::{Clause, Lit, TernaryVal};
use rustsat_cadical::CaDiCaL;

use super::{Answer, Literal};
use crate::stop::Stop;

/// The solver.
pub struct Cadical {
    solver: CaDiCaL<'static, 'static>,
    stop: Stop,
}

/// What is not left as it is.
const OPTIONS: &[(&str, i32)] = &[
    // Guesses of simple solutions before every query cost more than they find where queries are many and small.
    ("lucky", 0),
    // The search for equal gates looks at all clauses each time, which on formulas of millions of gates takes
    // most of the time, and nothing can end it early. Whoever makes these formulas has made equal gates one already.
    ("congruence", 0),
];

impl Cadical {
    pub fn new(stop: &Stop) -> Self {
        let mut solver = CaDiCaL::default();
        for (option, value) in OPTIONS {
            let is_set = solver.set_option(option, *value);
            debug_assert!(is_set.is_ok(), "CaDiCaL has the option '{option}'");
        }
        let mut door = Self { solver, stop: stop.clone() };
        door.end_with(stop);
        door
    }

    pub fn end_with(&mut self, stop: &Stop) {
        self.stop = stop.clone();
        let watched = stop.clone();
        self.solver.attach_terminator(move || {
            if watched.is_due() { ControlSignal::Terminate } else { ControlSignal::Continue }
        });
    }

    pub fn add(&mut self, clause: &[Literal]) {
        let clause: Clause = clause.iter().map(|literal| foreign(*literal)).collect();
        // Out of memory is the only reason it gives, and nothing can go on then.
        self.solver.add_clause(clause).expect("invariant: there is memory for a clause");
    }

    pub fn solve(&mut self, assumptions: &[Literal], most: Option<u64>) -> (Answer, u64) {
        if self.stop.is_due() {
            return (Answer::Unknown, 0);
        }
        let most = most.map(|most| u32::try_from(most).unwrap_or(i32::MAX as u32));
        let before = self.solver.conflicts() as u64;
        let assumptions: Vec<Lit> = assumptions.iter().map(|one| foreign(*one)).collect();
        // A limit holds for one query.
        let limited = self.solver.limit_conflicts(most.map(|most| most.min(i32::MAX as u32)));
        let result = limited.and_then(|()| self.solver.solve_assumps(&assumptions));
        let answer = match result {
            Ok(SolverResult::Sat) => Answer::Sat,
            Ok(SolverResult::Unsat) => Answer::Unsat,
            Ok(SolverResult::Interrupted) | Err(_) => Answer::Unknown,
        };
        (answer, self.solver.conflicts() as u64 - before)
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

impl fmt::Debug for Cadical {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Cadical").finish_non_exhaustive()
    }
}

fn foreign(literal: Literal) -> Lit {
    Lit::new(literal.variable() as u32, literal.is_negated())
}

fn own(literal: Lit) -> Literal {
    Literal::from_code(literal.vidx32() * 2 + u32::from(literal.is_neg()))
}
