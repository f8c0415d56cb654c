//! The budget of an induction, in work units.

use obligato_solver::Stop;

/// Limits of an induction.
#[derive(Clone, Debug)]
pub struct InductionLimits {
    /// The largest `k`.
    pub most_k: usize,
    /// The most work units: a conflict of the solver is one, and so is a query.
    pub work: u64,
    /// The most conflicts of one query. Candidates whose query takes more are dropped.
    pub hard: u64,
    /// Ends the induction from outside.
    pub stop: Stop,
}

/// All work units are spent, or the stop was requested.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BudgetExhausted;

/// Counts work units against their limits.
#[derive(Debug)]
pub struct Budget<'l> {
    limits: &'l InductionLimits,
    left: u64,
}

impl<'l> Budget<'l> {
    /// A budget of which nothing is spent.
    pub fn new(limits: &'l InductionLimits) -> Self {
        Self { limits, left: limits.work }
    }

    /// The most conflicts of the next query.
    pub fn allowance(&self) -> u64 {
        self.left.min(self.limits.hard)
    }

    /// Counts a query that took so many conflicts.
    pub fn spend(&mut self, conflicts: u64) -> Result<(), BudgetExhausted> {
        self.left = self.left.saturating_sub(conflicts.saturating_add(1));
        if self.left == 0 || self.limits.stop.is_due() { Err(BudgetExhausted) } else { Ok(()) }
    }

    /// The work units spent so far.
    pub fn done(&self) -> u64 {
        self.limits.work - self.left
    }

    /// The largest `k`.
    pub fn most_k(&self) -> usize {
        self.limits.most_k
    }

    /// What ends the induction from outside.
    pub fn stop(&self) -> &'l Stop {
        &self.limits.stop
    }
}
