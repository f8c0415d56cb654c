//! Counters: how many queries each layer answered.

/// How many queries each layer answered. Nothing here depends on time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SolverStatistics {
    /// Queries.
    pub asked: u64,
    /// Refuted because a constraint had been simplified to false.
    pub by_constants: u64,
    /// Satisfied by the inputs that came with the query.
    pub by_inputs: u64,
    /// Refuted by a cached unsat core.
    pub by_cores: u64,
    /// Refuted by ranges.
    pub by_ranges: u64,
    /// Satisfied by an earlier model.
    pub by_models: u64,
    /// Satisfied by a guess from the ranges.
    pub by_guesses: u64,
    /// Decided by a SAT solver.
    pub by_solver: u64,
    /// Left unknown.
    pub unknown: u64,
    /// SAT solvers that were created.
    pub fresh_solvers: u64,
    /// Conflicts of all SAT solvers.
    pub conflicts: u64,
}
