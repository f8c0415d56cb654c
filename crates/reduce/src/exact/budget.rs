//! What is left of a budget, and how much of it one query may take.

use std::time::{Duration, Instant};

use obligato_solver::Stop;

use super::ExactBudget;

/// A budget that is being spent, until somebody asks to stop.
#[derive(Debug)]
pub struct RunningBudget {
    start: Instant,
    budget: ExactBudget,
    /// Conflicts spent so far.
    conflicts: u64,
    stop: Stop,
}

/// What one query may spend.
#[derive(Clone, Copy, Debug)]
pub enum Share {
    /// Until then.
    Until(Instant),
    /// So many conflicts.
    Conflicts(u64),
}

/// A time to be added to any instant: longer than anybody waits.
const MOST_TIME: Duration = Duration::from_secs(u32::MAX as u64);

/// A share that is smaller than this is not worth a query.
const LEAST_TIME: Duration = Duration::from_millis(1);

impl RunningBudget {
    /// All of the budget, from now on.
    pub fn new(budget: ExactBudget, stop: &Stop) -> Self {
        Self { start: Instant::now(), budget, conflicts: 0, stop: stop.clone() }
    }

    /// What ends a query before its share is spent.
    pub fn stop(&self) -> &Stop {
        &self.stop
    }

    /// Half of what is left, so that a hard query leaves something for easier ones.
    pub fn share(&self) -> Option<Share> {
        if self.stop.is_due() {
            return None;
        }
        match self.budget {
            ExactBudget::Time(all) => {
                let half = all.saturating_sub(self.start.elapsed()) / 2;
                let end = Instant::now() + half.min(MOST_TIME);
                (half >= LEAST_TIME).then_some(Share::Until(end))
            }
            ExactBudget::Conflicts(all) => {
                let left = all.saturating_sub(self.conflicts);
                (left > 0).then(|| Share::Conflicts(left.div_ceil(2)))
            }
        }
    }

    /// Takes note of what a query has spent.
    pub fn spend(&mut self, conflicts: u64) {
        // A query without any conflict has cost something, too; so every search ends.
        self.conflicts += conflicts.max(1);
    }
}
