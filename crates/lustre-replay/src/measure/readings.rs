//! The Booleans that measuring reads, by slot.
//!
//! Everything measuring asks of a step is a Boolean of the graph: conditions, outcomes, clocks,
//! boundaries, whether the arms of a choice differ. They are listed once; a step then is one
//! row of masks.

use obligato_transition_system::lanes::{Mask, Reader, WORDS};
use obligato_transition_system::{Error, LaneProgram, NodeId, Simulator};
use rustc_hash::FxHashMap;

/// The position of a Boolean in a row.
pub type Slot = u32;

/// The Booleans to read.
#[derive(Clone, Debug, Default)]
pub struct Readings {
    nodes: Vec<NodeId>,
    slots: FxHashMap<NodeId, Slot>,
}

impl Readings {
    /// The slot of a node, which is read from now on.
    pub fn slot(&mut self, node: NodeId) -> Slot {
        let next = self.nodes.len() as Slot;
        let slot = *self.slots.entry(node).or_insert(next);
        if slot == next {
            self.nodes.push(node);
        }
        slot
    }

    /// All nodes, by slot.
    pub fn nodes(&self) -> &[NodeId] {
        &self.nodes
    }

    /// Where a program that observes all of them has them.
    pub fn readers(&self, program: &LaneProgram<'_>) -> Result<Vec<Reader>, Error> {
        self.nodes.iter().map(|node| program.reader(*node)).collect()
    }
}

/// Reads a row of the last step.
pub fn read_row(readers: &[Reader], simulator: &Simulator<'_, WORDS>, row: &mut Vec<Mask<WORDS>>) {
    row.clear();
    row.extend(readers.iter().map(|reader| simulator.read(*reader)));
}
