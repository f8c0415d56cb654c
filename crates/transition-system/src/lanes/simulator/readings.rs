//! What can be read of the last step.

use obligato_model::Value;

use super::Simulator;
use crate::error::Error;
use crate::lanes::bools::{Mask, assign, contains};
use crate::lanes::failures::FirstFailure;
use crate::lanes::number;
use crate::lanes::program::Reader;
use crate::sort::{Sort, decode};
use crate::term::{NodeId, TapId};

/// A word per lane, read in bulk.
#[derive(Clone, Debug)]
pub struct WordsView<const W: usize> {
    /// Blocks of 64 lanes. A `uint64` is there by its bit pattern.
    pub words: Box<[[i64; 64]; W]>,
    /// Lanes whose value does not fit a word: what is there means nothing, and
    /// [`Simulator::value`] has it.
    pub outsized: Mask<W>,
}

impl<const W: usize> Simulator<'_, W> {
    /// The value of an observed node, as a value of its sort.
    pub fn value(&self, node: NodeId, lane: usize) -> Result<Value, Error> {
        Self::check_lane(lane)?;
        let position = self.program.position(node)?;
        if let Some(value) = self.exact_value(position, lane) {
            return Ok(value.clone());
        }
        let observed = &self.program.observed[position];
        Ok(match self.registers.get(observed.place, lane) {
            Value::Bool(value) => Value::Bool(value != observed.inverted),
            value => value,
        })
    }

    /// An output, as a value of its type.
    pub fn output(&self, index: usize, lane: usize) -> Result<Value, Error> {
        let outputs = &self.program.system().outputs;
        let count = outputs.len();
        let output = outputs.get(index).ok_or(Error::NoSuch { what: "output", index, count })?;
        Ok(decode(&output.kind, self.value(output.node, lane)?))
    }

    /// What a latch held during the step, as a value of its type.
    pub fn latch(&self, index: usize, lane: usize) -> Result<Value, Error> {
        let latches = &self.program.system().latches;
        let count = latches.len();
        let latch = latches.get(index).ok_or(Error::NoSuch { what: "latch", index, count })?;
        Ok(decode(&latch.kind, self.value(latch.node, lane)?))
    }

    /// The value of a tap, as a value of its sort.
    pub fn tap(&self, tap: TapId, lane: usize) -> Result<Value, Error> {
        self.value(self.program.system().tap_node(tap)?, lane)
    }

    /// An observed Boolean, in all lanes, by a reader of this program.
    pub fn read(&self, reader: Reader) -> Mask<W> {
        let register = self.registers.bools[reader.slot as usize];
        if reader.inverted { register.map(|word| !word) } else { register }
    }

    /// An observed Boolean, in all lanes.
    pub fn bools(&self, node: NodeId) -> Result<Mask<W>, Error> {
        Ok(self.read(self.program.reader(node)?))
    }

    /// An observed integer, in all lanes.
    pub fn words(&self, node: NodeId) -> Result<WordsView<W>, Error> {
        let position = self.program.position(node)?;
        let place = self.program.observed[position].place;
        if !matches!(place.sort, Sort::Int | Sort::Machine(_)) {
            let found = place.sort;
            return Err(Error::WrongOperand { operation: "reading words".into(), found });
        }
        let mut outsized = [0; W];
        for lane in self.exact.lanes.keys() {
            let value = self.exact_value(position, *lane);
            let fits = value.is_none_or(|value| number::fits(place.sort, value));
            assign(&mut outsized, *lane, !fits);
        }
        let words = Box::new(self.registers.words.registers[place.slot as usize].words().0);
        Ok(WordsView { words, outsized })
    }

    /// The lanes in which an observed node has another value than in lane 0: what
    /// shows a fault, if lane 0 runs the original. Of the lanes that took part in
    /// the last step; none, if lane 0 itself did not.
    pub fn differing(&self, node: NodeId) -> Result<Mask<W>, Error> {
        let position = self.program.position(node)?;
        if !contains(&self.stepped, 0) {
            return Ok([0; W]);
        }
        let place = self.program.observed[position].place;
        let mut differing = self.registers.unlike_first(place);
        if !self.exact.lanes.is_empty() {
            let first = self.value(node, 0)?;
            if !number::fits(place.sort, &first) {
                differing = [u64::MAX; W];
            }
            for lane in self.exact.lanes.keys() {
                if let Some(value) = self.exact_value(position, *lane) {
                    assign(&mut differing, *lane, *value != first);
                }
            }
        }
        Ok(std::array::from_fn(|word| differing[word] & self.stepped[word]))
    }

    /// The active lanes that failed a check in the last step.
    pub fn failed(&self, check: usize) -> Result<Mask<W>, Error> {
        let count = self.program.checks.len();
        let no_such = Error::NoSuch { what: "check", index: check, count };
        let position = *self.program.checks.get(check).ok_or(no_such)?;
        let holds = self.registers.observed_bools(&self.program.observed[position as usize]);
        Ok(std::array::from_fn(|word| !holds[word] & self.stepped[word]))
    }

    /// The lanes that have failed any check since the start.
    pub fn failed_lanes(&self) -> Mask<W> {
        self.failures.lanes
    }

    /// When a lane failed first, and which check.
    pub fn first_failure(&self, lane: usize) -> Result<Option<FirstFailure>, Error> {
        Self::check_lane(lane)?;
        Ok(self.failures.first(lane))
    }

    /// How many lanes the exact evaluator redid in the last step.
    pub fn redone(&self) -> usize {
        self.exact.lanes.values().filter(|lane| !lane.values.is_empty()).count()
    }

    fn exact_value(&self, position: usize, lane: usize) -> Option<&Value> {
        self.exact.lanes.get(&lane).and_then(|exact| exact.values.get(position))
    }
}
