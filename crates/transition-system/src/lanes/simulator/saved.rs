//! Leaving a state and coming back to it.

use std::collections::BTreeMap;

use super::Simulator;
use crate::error::Error;
use crate::lanes::bools::Mask;
use crate::lanes::exact::ExactLane;
use crate::lanes::failures::Failures;
use crate::lanes::registers::Column;

/// The state of all runs between two steps: latches, failures, which lanes take
/// part. Inputs and forcing are no part of it.
#[derive(Clone, Debug)]
pub struct Saved<const W: usize> {
    latches: Vec<Column<W>>,
    exact: BTreeMap<usize, ExactLane>,
    active: Mask<W>,
    exhausted: Mask<W>,
    steps: u64,
    failures: Failures<W>,
}

impl<const W: usize> Simulator<'_, W> {
    /// The state before the next step.
    pub fn save(&self) -> Saved<W> {
        let latches = self.program.next.iter().zip(&self.program.current);
        let column =
            |(next, current): (&_, &_)| self.registers.merged(*next, *current, &self.stepped);
        Saved {
            latches: latches.map(column).collect(),
            exact: self.exact.states(&self.stepped),
            active: self.active,
            exhausted: self.exhausted,
            steps: self.steps,
            failures: self.failures.clone(),
        }
    }

    /// Back to a state that a simulator of the same program saved. Nothing can be
    /// read until the next step.
    pub fn restore(&mut self, saved: &Saved<W>) -> Result<(), Error> {
        let latches = self.program.current.iter().zip(&saved.latches);
        let suited = latches.clone().all(|(place, column)| column.suits(place.sort));
        if !suited || saved.latches.len() != self.program.current.len() {
            return Err(Error::ForeignState);
        }
        for (place, column) in latches {
            self.registers.put_back(*place, column);
        }
        self.exact.lanes.clone_from(&saved.exact);
        self.active = saved.active;
        self.exhausted = saved.exhausted;
        self.stepped = [0; W];
        self.steps = saved.steps;
        self.failures = saved.failures.clone();
        Ok(())
    }
}
