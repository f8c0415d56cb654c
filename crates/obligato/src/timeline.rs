//! How far making tests has come after which time, kept for the store while it happens.

use std::time::{Duration, Instant};

use obligato_model::Verdict;
use obligato_store::details::digest;
use obligato_store::timeline::{Sample, Timeline, print};
use obligato_store::{StoreError, StoredResult};

use crate::TOOL;

/// No more samples are kept.
const MOST_SAMPLES: usize = 512;
/// What the last sample calls what is done after a campaign.
const CHECK: &str = "check";

/// Takes samples whenever something changes.
#[derive(Debug)]
pub struct Recorder {
    start: Instant,
    kept: Vec<Sample>,
    /// The newest, if it is not kept yet.
    latest: Option<Sample>,
    /// One of so many changes is kept.
    stride: usize,
    changes: usize,
}

impl Default for Recorder {
    fn default() -> Self {
        Self::new()
    }
}

impl Recorder {
    /// From now on.
    pub fn new() -> Self {
        let (kept, latest) = (Vec::new(), None);
        Self { start: Instant::now(), kept, latest, stride: 1, changes: 0 }
    }

    /// A campaign does this, and has covered and proved so much.
    pub fn note(&mut self, phase: &str, covered: usize, uncoverable: usize) {
        self.add(self.start.elapsed(), phase, [covered, uncoverable]);
    }

    /// What was recorded, and at last what the result says.
    pub fn finish(&mut self, result: &StoredResult) -> Result<String, StoreError> {
        let count = |fits: fn(&Verdict) -> bool| {
            result.obligations.iter().filter(|one| fits(&one.verdict)).count()
        };
        let covered = count(|verdict| matches!(verdict, Verdict::Covered { .. }));
        let uncoverable = count(|verdict| matches!(verdict, Verdict::Uncoverable(_)));
        self.add(self.start.elapsed(), CHECK, [covered, uncoverable]);
        print(&Timeline {
            tool: TOOL.to_owned(),
            result: digest(result),
            samples: self.kept.iter().chain(&self.latest).cloned().collect(),
        })
    }

    fn newest(&self) -> Option<&Sample> {
        self.latest.as_ref().or(self.kept.last())
    }

    fn add(&mut self, elapsed: Duration, phase: &str, [covered, uncoverable]: [usize; 2]) {
        let is_same = |one: &Sample| {
            one.phase == phase && one.covered == covered && one.uncoverable == uncoverable
        };
        if self.newest().is_some_and(is_same) {
            return;
        }
        let elapsed = u64::try_from(elapsed.as_millis()).unwrap_or(u64::MAX);
        let sample = Sample { elapsed, phase: phase.to_owned(), covered, uncoverable };
        let is_first = self.kept.iter().all(|one| one.phase != phase);
        self.latest = None;
        if is_first || self.changes.is_multiple_of(self.stride) {
            self.kept.push(sample);
        } else {
            self.latest = Some(sample);
        }
        self.changes += 1;
        // One place is left for the newest.
        if self.kept.len() >= MOST_SAMPLES {
            self.thin_out();
        }
    }

    /// Leaves out every second sample that does not begin a phase, here and from now on.
    fn thin_out(&mut self) {
        self.stride *= 2;
        self.latest = self.kept.last().cloned();
        let all = std::mem::take(&mut self.kept);
        for (at, sample) in all.into_iter().enumerate() {
            if at % 2 == 0 || self.kept.iter().all(|one| one.phase != sample.phase) {
                self.kept.push(sample);
            }
        }
        if self.latest.as_ref() == self.kept.last() {
            self.latest = None;
        }
    }
}

#[cfg(test)]
mod tests;
