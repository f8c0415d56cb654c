//! Satisfiability of clauses: one interface over two solvers.
//!
//! A [`Solver`] takes clauses and answers under assumptions, any number of times; what it learns in
//! one query serves the later ones. CaDiCaL is the stronger one on large formulas; batsat
//! answers many small queries faster, and being another program it checks what CaDiCaL has said.
//!
//! Work is counted in conflicts, so the same queries cost the same everywhere and every time.

use std::fmt;
use std::ops::Not;

use crate::stop::Stop;

mod batsat_door;
mod cadical_door;

use batsat_door::Batsat;
use cadical_door::Cadical;

/// A variable or its negation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Literal(u32);

impl Literal {
    /// The literal with this [code](Self::code).
    pub const fn from_code(code: u32) -> Self {
        Self(code)
    }

    /// Twice the variable, plus one if negated.
    pub fn code(self) -> u32 {
        self.0
    }

    /// The number of the variable, from 0.
    pub fn variable(self) -> usize {
        (self.0 >> 1) as usize
    }

    /// Is it the negation?
    pub fn is_negated(self) -> bool {
        self.0 & 1 == 1
    }

    /// The literal itself, or its negation.
    #[must_use]
    pub fn negated_if(self, negated: bool) -> Self {
        Self(self.0 ^ u32::from(negated))
    }
}

impl Not for Literal {
    type Output = Self;

    fn not(self) -> Self {
        self.negated_if(true)
    }
}

impl fmt::Debug for Literal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", if self.is_negated() { "-" } else { "" }, self.variable())
    }
}

/// What a query came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// There is a model; [`Solver::value`] reads it.
    Sat,
    /// There is none; [`Solver::core`] says which assumptions are to blame.
    Unsat,
    /// The limit came first, or the solver gave up.
    Unknown,
}

/// Which solver does the work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Engine {
    /// For large formulas.
    Cadical,
    /// For many small queries, and for checking.
    Batsat,
}

/// An incremental SAT solver.
#[derive(Debug)]
pub struct Solver {
    backend: Backend,
    variables: u32,
    conflicts: u64,
}

#[derive(Debug)]
enum Backend {
    Cadical(Box<Cadical>),
    Batsat(Box<Batsat>),
}

impl Solver {
    /// A solver without clauses. It ends its queries when `stop` says so.
    pub fn new(engine: Engine, stop: &Stop) -> Self {
        let backend = match engine {
            Engine::Cadical => Backend::Cadical(Box::new(Cadical::new(stop))),
            Engine::Batsat => Backend::Batsat(Box::new(Batsat::new(stop))),
        };
        Self { backend, variables: 0, conflicts: 0 }
    }

    /// Ends its queries from now on when this says so.
    pub fn end_with(&mut self, stop: &Stop) {
        match &mut self.backend {
            Backend::Cadical(solver) => solver.end_with(stop),
            Backend::Batsat(solver) => solver.end_with(stop),
        }
    }

    /// A new variable, as its positive literal.
    pub fn variable(&mut self) -> Literal {
        let literal = Literal(self.variables * 2);
        self.variables += 1;
        literal
    }

    /// A new variable that the others determine, as its positive literal: once they all have values, clauses give it
    /// one by propagation. Batsat then never decides it, which makes many small satisfiable queries faster.
    pub fn dependent_variable(&mut self) -> Literal {
        if let Backend::Batsat(solver) = &mut self.backend {
            solver.add_dependent(self.variables);
        }
        self.variable()
    }

    /// How many variables there are.
    pub fn variables(&self) -> usize {
        self.variables as usize
    }

    /// One of these literals has to hold.
    pub fn add(&mut self, clause: &[Literal]) {
        match &mut self.backend {
            Backend::Cadical(solver) => solver.add(clause),
            Backend::Batsat(solver) => solver.add(clause),
        }
    }

    /// Is there a model in which all assumptions hold? At most so many conflicts are spent.
    pub fn solve(&mut self, assumptions: &[Literal], most_conflicts: Option<u64>) -> Answer {
        let (answer, conflicts) = match &mut self.backend {
            Backend::Cadical(solver) => solver.solve(assumptions, most_conflicts),
            Backend::Batsat(solver) => solver.solve(assumptions, most_conflicts),
        };
        self.conflicts += conflicts;
        answer
    }

    /// The value of a literal in the model that was just found. What no clause constrains is false.
    pub fn value(&self, literal: Literal) -> bool {
        let variable = literal.negated_if(literal.is_negated());
        let value = match &self.backend {
            Backend::Cadical(solver) => solver.value(variable),
            Backend::Batsat(solver) => solver.value(variable),
        };
        value != literal.is_negated()
    }

    /// Assumptions of the query just refuted that cannot hold together.
    pub fn core(&mut self) -> Vec<Literal> {
        match &mut self.backend {
            Backend::Cadical(solver) => solver.core(),
            Backend::Batsat(solver) => solver.core(),
        }
    }

    /// The conflicts spent so far.
    pub fn conflicts(&self) -> u64 {
        self.conflicts
    }
}

#[cfg(test)]
mod tests;
