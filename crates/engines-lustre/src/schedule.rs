//! Which engine works next, and for how long.
//!
//! All engines of a campaign share its budget from the beginning. An engine gets its turns as a slice each, of so many units of
//! work, and nothing interrupts a slice: a query that is cut off is work lost. [`Schedule::next_turn`] chooses among the engines that
//! do not run:
//!
//! 1. one that never had a turn, in the order of the engines;
//! 2. one that had less than its share, an [eighth](SHARE) of what all have cost, the one furthest behind;
//! 3. the one that lately brought most for what it cost; of those that brought nothing, the one that has cost least.
//!
//! Slices begin small, and grow by a factor of two while they cost less than a [part](PART) of all that was spent, those that
//! bring nothing up to a [larger one](FRUITLESS_PART). So no engine waits long for its first turns, and later ones are not cut
//! into pieces.
//!
//! What a slice costs is for the caller to say: time, or units of work where the same request has to give the same answer.

/// An engine is entitled to this part of the cost of all.
const SHARE: u64 = 8;
/// A slice may cost about this part of what was spent so far,
const PART: u64 = 16;
/// and this part if the last one brought nothing: to ask the same again with little more effort is work lost.
const FRUITLESS_PART: u64 = 6;
/// Slices grow up to so many times the first one.
const MOST_GROWTH: u64 = 1 << 20;

/// A turn of an engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Turn {
    /// The engine, by its position.
    pub engine: usize,
    /// The units of work that it may spend, about.
    pub work: u64,
}

/// What a turn came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TurnResult {
    /// The engine, by its position.
    pub engine: usize,
    /// What the turn has cost.
    pub cost: u64,
    /// How many events it has covered or refuted.
    pub gain: u64,
    /// Would the engine do nothing in another turn?
    pub has_ended: bool,
}

/// The engines of a campaign, and what each has cost and brought.
#[derive(Clone, Debug)]
pub struct Schedule {
    engines: Vec<Record>,
}

#[derive(Clone, Debug)]
struct Record {
    /// The work of its next slice.
    work: u64,
    /// How often slices may still double.
    growth: u64,
    turns: u64,
    /// What all of its turns have cost.
    cost: u64,
    /// Cost and gain of its latest turns: each counts half as much as the next.
    lately: (u64, u64),
    is_running: bool,
    has_ended: bool,
}

impl Schedule {
    /// Engines with the work of their first slices.
    pub fn new(first: &[u64]) -> Self {
        let record = |work: &u64| Record {
            work: *work,
            growth: MOST_GROWTH,
            turns: 0,
            cost: 0,
            lately: (0, 0),
            is_running: false,
            has_ended: false,
        };
        Self { engines: first.iter().map(record).collect() }
    }

    /// The next turn, if an engine is left that neither runs nor has ended. It runs from now on.
    pub fn next_turn(&mut self) -> Option<Turn> {
        let all: u64 = self.engines.iter().map(|engine| engine.cost).sum();
        let idle = (0..self.engines.len())
            .filter(|at| !self.engines[*at].is_running && !self.engines[*at].has_ended);
        let engine = idle.min_by(|a, b| self.engines[*a].precedes(&self.engines[*b], all))?;
        let record = &mut self.engines[engine];
        record.is_running = true;
        Some(Turn { engine, work: record.work })
    }

    /// Takes note of a turn that is over.
    pub fn note(&mut self, TurnResult { engine, cost, gain, has_ended }: TurnResult) {
        let all: u64 = self.engines.iter().map(|engine| engine.cost).sum::<u64>() + cost;
        let record = &mut self.engines[engine];
        record.is_running = false;
        record.has_ended = has_ended;
        record.turns += 1;
        record.cost += cost;
        record.lately = (record.lately.0 / 2 + cost, record.lately.1 / 2 + gain * SCALE);
        let part = if gain > 0 { PART } else { FRUITLESS_PART };
        if cost < all / part && record.growth > 1 {
            record.work = record.work.saturating_mul(2);
            record.growth /= 2;
        }
    }

    /// An engine that had ended has something to do again.
    pub fn revive(&mut self, engine: usize) {
        self.engines[engine].has_ended = false;
    }
}

/// Gains are scaled, so that halves of them are left.
const SCALE: u64 = 1 << 10;

impl Record {
    /// The order in which engines get their turns, where all have cost so much.
    fn precedes(&self, other: &Self, all: u64) -> std::cmp::Ordering {
        let is_known = |record: &Self| record.turns > 0;
        let lacking = |record: &Self| (all / SHARE).saturating_sub(record.cost);
        // Which has the higher rate of gain to cost, without fractions.
        let rate =
            |record: &Self, by: &Self| u128::from(record.lately.1) * u128::from(by.lately.0.max(1));
        is_known(self)
            .cmp(&is_known(other))
            .then(lacking(other).cmp(&lacking(self)))
            .then(rate(other, self).cmp(&rate(self, other)))
            .then(self.cost.cmp(&other.cost))
    }
}

#[cfg(test)]
mod tests;
