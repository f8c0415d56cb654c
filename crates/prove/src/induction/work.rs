//! How much induction may do.

use obligato_solver::Stop;

/// When to give up.
#[derive(Clone, Debug)]
pub struct Limits {
    /// The most steps in a row that a proof may take to make the next.
    pub most_k: usize,
    /// The most work, in conflicts of the solver and one for every question.
    pub work: u64,
    /// A question that takes more conflicts than this is too hard, and what it is about is given up.
    pub hard: u64,
    /// Ends the work from outside.
    pub stop: Stop,
}

/// All work that was allowed is done, or somebody has ended it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spent;

/// Counts work against its limits.
#[derive(Debug)]
pub struct Work<'l> {
    limits: &'l Limits,
    left: u64,
}

impl<'l> Work<'l> {
    /// Nothing done so far.
    pub fn new(limits: &'l Limits) -> Self {
        Self { limits, left: limits.work }
    }

    /// How many conflicts a question may take.
    pub fn allowance(&self) -> u64 {
        self.left.min(self.limits.hard)
    }

    /// A question has taken so many conflicts.
    pub fn spend(&mut self, conflicts: u64) -> Result<(), Spent> {
        self.left = self.left.saturating_sub(conflicts.saturating_add(1));
        if self.left == 0 || self.limits.stop.is_due() { Err(Spent) } else { Ok(()) }
    }

    /// The work done so far.
    pub fn done(&self) -> u64 {
        self.limits.work - self.left
    }

    /// The most steps in a row.
    pub fn most_k(&self) -> usize {
        self.limits.most_k
    }

    /// What ends the work from outside.
    pub fn stop(&self) -> &'l Stop {
        &self.limits.stop
    }
}
