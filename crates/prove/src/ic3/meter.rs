//! How much work is done, and when it has to end.

use obligato_solver::Stop;

/// When to give up.
#[derive(Clone, Debug)]
pub struct Limits {
    /// The most work, counted in conflicts of the solver and one for every question: most questions are
    /// answered without any conflict.
    pub work: u64,
    /// The most levels. Level `k` is about the states reachable in at most `k` steps.
    pub levels: usize,
    /// Ends the work from outside.
    pub stop: Stop,
}

/// Why there is no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Ended {
    /// All work that was allowed is done.
    #[error("the work limit was reached")]
    Work,
    /// All levels that were allowed are done.
    #[error("the limit on levels was reached")]
    Levels,
    /// Somebody, or the time, has ended it.
    #[error("it was stopped")]
    Stopped,
    /// A run was found, and simulating it did not confirm it: a fault of ours.
    #[error("the run that was found could not be confirmed")]
    Unconfirmed,
}

/// Counts work against its limits.
#[derive(Debug)]
pub struct Meter {
    limits: Limits,
    done: u64,
}

impl Meter {
    /// Nothing done so far.
    pub fn new(limits: &Limits) -> Self {
        Self { limits: limits.clone(), done: 0 }
    }

    /// How many conflicts a question may take.
    pub fn left(&self) -> Result<u64, Ended> {
        match self.limits.work.saturating_sub(self.done) {
            0 => Err(Ended::Work),
            left => Ok(left),
        }
    }

    /// A question has taken so many conflicts.
    pub fn spend(&mut self, conflicts: u64) {
        self.done = self.done.saturating_add(conflicts).saturating_add(1);
    }

    /// Does something with no more than so much work, of what is left.
    pub fn within<T>(&mut self, work: u64, act: impl FnOnce(&mut Self) -> T) -> T {
        let all = self.limits.work;
        self.limits.work = all.min(self.done.saturating_add(work));
        let result = act(self);
        self.limits.work = all;
        result
    }

    /// The work done so far.
    pub fn done(&self) -> u64 {
        self.done
    }

    /// Is there room for a level?
    pub fn admit_level(&self, level: usize) -> Result<(), Ended> {
        if level <= self.limits.levels { Ok(()) } else { Err(Ended::Levels) }
    }

    /// Why a solver has given up.
    pub fn reason(&self) -> Ended {
        if self.limits.stop.is_due() { Ended::Stopped } else { Ended::Work }
    }

    /// What ends the work from outside.
    pub fn stop(&self) -> &Stop {
        &self.limits.stop
    }
}
