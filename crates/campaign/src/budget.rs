//! Budgets: what a campaign may spend, and what is left of it.

use std::fmt;
use std::time::{Duration, Instant};

use obligato_model::{Limit, Spent};
use obligato_solver::Stop;

/// What a campaign may spend.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Budget {
    /// So much time.
    Time(Duration),
    /// So many units of work: simulated steps, runs and conflicts of solvers, weighed. The same request
    /// and seed give the same answer everywhere and every time.
    Work(u64),
}

impl fmt::Display for Budget {
    /// As it is written on a command line: `90s`, `2m`, `250ms`, or units of work as a number.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Work(units) => write!(f, "{units}"),
            Self::Time(time) if time.subsec_nanos() > 0 => write!(f, "{}ms", time.as_millis()),
            Self::Time(time) => match time.as_secs() {
                seconds if seconds == 0 || seconds % 60 > 0 => write!(f, "{seconds}s"),
                seconds if seconds % 3600 > 0 => write!(f, "{}m", seconds / 60),
                seconds => write!(f, "{}h", seconds / 3600),
            },
        }
    }
}

/// A budget that is being spent.
#[derive(Clone, Debug)]
pub struct RunningBudget {
    budget: Budget,
    start: Instant,
    stop: Stop,
    /// Units of work so far.
    pub spent: u64,
}

/// A time to be added to any instant: longer than anybody waits.
const MOST_TIME: Duration = Duration::from_secs(u32::MAX as u64);

impl RunningBudget {
    /// All of a budget, from now on.
    pub fn new(budget: Budget, stop: &Stop) -> Self {
        let start = Instant::now();
        let stop = match budget {
            Budget::Time(time) => stop.by(start + time.min(MOST_TIME)),
            Budget::Work(_) => stop.clone(),
        };
        Self { budget, start, stop, spent: 0 }
    }

    /// What engines stop by.
    pub fn stop(&self) -> &Stop {
        &self.stop
    }

    /// Is nothing left?
    pub fn is_empty(&self) -> bool {
        self.stop.is_due() || self.left() == 0
    }

    /// Units of work that are left.
    pub fn left(&self) -> u64 {
        match self.budget {
            Budget::Time(_) => u64::MAX,
            Budget::Work(units) => units.saturating_sub(self.spent),
        }
    }

    /// Takes note of work.
    pub fn spend(&mut self, units: u64) {
        self.spent = self.spent.saturating_add(units);
    }

    /// What ended the campaign, if something is left open.
    pub fn limit(&self) -> Limit {
        Limit::Spent(match self.budget {
            _ if self.stop.is_requested() => Spent::Seconds(self.start.elapsed().as_secs()),
            Budget::Time(time) if self.stop.is_due() => Spent::Seconds(time.as_secs()),
            Budget::Work(units) if self.left() == 0 => Spent::Work(units),
            // Whoever asked set a deadline of their own.
            Budget::Work(_) if self.stop.is_due() => Spent::Seconds(self.start.elapsed().as_secs()),
            _ => Spent::Work(self.spent),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_budget_of_work_ends_with_its_last_unit_and_says_so() {
        let mut budget = RunningBudget::new(Budget::Work(10), &Stop::never());
        budget.spend(9);
        assert!(!budget.is_empty());
        assert_eq!(budget.limit(), Limit::Spent(Spent::Work(9)));
        budget.spend(5);
        assert!(budget.is_empty());
        assert_eq!(budget.limit(), Limit::Spent(Spent::Work(10)));
    }

    #[test]
    fn a_budget_of_time_ends_when_somebody_asks() {
        let stop = Stop::never();
        let budget = RunningBudget::new(Budget::Time(Duration::from_mins(10)), &stop);
        assert!(!budget.is_empty());
        stop.request();
        assert!(budget.is_empty());
        assert_eq!(budget.limit(), Limit::Spent(Spent::Seconds(0)));
    }
}
