//! Which lanes failed a check, and when first.

use super::bools::{Mask, lanes};

/// The first time that a lane failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FirstFailure {
    /// The step, counted from 0.
    pub step: u64,
    /// The first check that failed then.
    pub check: usize,
}

/// What has failed since the start of the runs.
#[derive(Clone, Debug)]
pub(super) struct Failures<const W: usize> {
    /// The lanes that failed.
    pub lanes: Mask<W>,
    first: Vec<Option<FirstFailure>>,
}

impl<const W: usize> Failures<W> {
    pub fn none() -> Self {
        Self { lanes: [0; W], first: vec![None; 64 * W] }
    }

    pub fn first(&self, lane: usize) -> Option<FirstFailure> {
        self.first[lane]
    }

    /// Takes note of the lanes that failed each check, in the order of checks.
    pub fn record(&mut self, step: u64, failed: impl Iterator<Item = Mask<W>>) {
        for (check, mask) in failed.enumerate() {
            let new: Mask<W> = std::array::from_fn(|word| mask[word] & !self.lanes[word]);
            if new != [0; W] {
                for lane in lanes(new) {
                    self.first[lane] = Some(FirstFailure { step, check });
                }
                self.lanes = std::array::from_fn(|word| self.lanes[word] | new[word]);
            }
        }
    }
}
