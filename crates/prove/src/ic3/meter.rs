//! The budget of IC3, in work units.

use obligato_solver::Stop;

/// Limits of IC3.
#[derive(Clone, Debug)]
pub struct Ic3Limits {
    /// The most work units: a conflict of the solver is one, and so is a query, as most queries
    /// cause no conflict.
    pub work: u64,
    /// The most frames. Frame `k` over-approximates the states reachable in at most `k` steps.
    pub levels: usize,
    /// Ends IC3 from outside.
    pub stop: Stop,
}

/// Why there is no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoAnswer {
    /// All work units are spent.
    #[error("the work limit was reached")]
    Work,
    /// The last frame is complete.
    #[error("the limit on levels was reached")]
    Levels,
    /// The stop was requested, or the deadline has passed.
    #[error("it was stopped")]
    Stopped,
    /// Simulation did not confirm the run that was found: an internal error.
    #[error("the run that was found could not be confirmed")]
    Unconfirmed,
}

/// Counts work against its limits.
#[derive(Debug)]
pub struct WorkMeter {
    limits: Ic3Limits,
    done: u64,
}

impl WorkMeter {
    /// A budget of which nothing is spent.
    pub fn new(limits: &Ic3Limits) -> Self {
        Self { limits: limits.clone(), done: 0 }
    }

    /// The most conflicts of the next query.
    pub fn left(&self) -> Result<u64, NoAnswer> {
        match self.limits.work.saturating_sub(self.done) {
            0 => Err(NoAnswer::Work),
            left => Ok(left),
        }
    }

    /// Counts a query that took so many conflicts.
    pub fn spend(&mut self, conflicts: u64) {
        self.done = self.done.saturating_add(conflicts).saturating_add(1);
    }

    /// Runs `act` with at most `work` of the remaining units.
    pub fn within<T>(&mut self, work: u64, act: impl FnOnce(&mut Self) -> T) -> T {
        let all = self.limits.work;
        self.limits.work = all.min(self.done.saturating_add(work));
        let result = act(self);
        self.limits.work = all;
        result
    }

    /// The work units spent so far.
    pub fn done(&self) -> u64 {
        self.done
    }

    /// Is another frame within the limit?
    pub fn admit_level(&self, level: usize) -> Result<(), NoAnswer> {
        if level <= self.limits.levels { Ok(()) } else { Err(NoAnswer::Levels) }
    }

    /// Why a query was not answered.
    pub fn reason(&self) -> NoAnswer {
        if self.limits.stop.is_due() { NoAnswer::Stopped } else { NoAnswer::Work }
    }

    /// What ends IC3 from outside.
    pub fn stop(&self) -> &Stop {
        &self.limits.stop
    }
}
