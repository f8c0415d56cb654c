//! Tests without writes of functions outside that change nothing of what they show.

use obligato_c_unit::interface::{Interface, ObjectIndex};
use obligato_c_unit::{RunError, TestRun};
use obligato_model::TestCase;

use crate::traced_runner::{TracedRun, TracedRunner};

/// A longer run is not repeated to find out which writes it needs.
const MOST_OPERATIONS_TO_REPEAT: u64 = 20_000;
/// So many single writes are tried to be left out of a test.
const MOST_REPEATED: usize = 64;

/// A write of a function outside in a step of a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct OptionalWrite {
    step: usize,
    object: ObjectIndex,
    byte: u64,
}

/// The writes of functions outside that a test gives.
fn writes_of(test: &TestCase, interface: &Interface) -> Vec<OptionalWrite> {
    let mut writes = Vec::new();
    for (step, values) in test.steps.iter().enumerate() {
        for (cell, value) in interface.inputs.iter().zip(values) {
            if let (Some(byte), Some(_)) = (cell.given, value) {
                writes.push(OptionalWrite { step, object: cell.object, byte });
            }
        }
    }
    writes.dedup();
    writes
}

impl TracedRunner<'_> {
    /// The test of a run without the writes of functions outside that change nothing of what it shows.
    pub fn without_idle_writes(&mut self, ran: &TracedRun) -> Result<TestCase, RunError> {
        let mut kept = ran.test.clone();
        let all = writes_of(&kept, self.interface);
        if all.is_empty() || ran.run.operations > MOST_OPERATIONS_TO_REPEAT {
            return Ok(kept);
        }
        let mut candidates: Vec<Vec<OptionalWrite>> = vec![all.clone()];
        candidates.extend(all.into_iter().take(MOST_REPEATED).map(|one| vec![one]));
        for (index, candidate) in candidates.into_iter().enumerate() {
            let mut shorter = kept.clone();
            for write in candidate {
                for (cell, value) in
                    self.interface.inputs.iter().zip(&mut shorter.steps[write.step])
                {
                    if cell.given == Some(write.byte) && cell.object == write.object {
                        *value = None;
                    }
                }
            }
            let Some(assignment) = self.assignment(&shorter) else { continue };
            let again = self.run(assignment, shorter.steps.len(), &kept.name)?;
            let same = again.evidence == ran.evidence
                && again.run.ending.is_some() == ran.run.ending.is_some();
            if same {
                kept = again.test;
                if index == 0 {
                    break;
                }
            }
        }
        Ok(kept)
    }
}

/// Leaves out what functions outside would write where they are not called, or where there is no memory.
pub(crate) fn leave_out_writes(test: &mut TestCase, interface: &Interface, run: &TestRun) {
    for (index, step) in test.steps.iter_mut().enumerate() {
        let written = run.effects.get(index).map(|effects| &effects.written);
        for (cell, value) in interface.inputs.iter().zip(step) {
            let is_written =
                |byte| written.is_some_and(|written| written.contains(&(cell.object, byte)));
            if cell.given.is_some_and(|byte| !is_written(byte)) {
                *value = None;
            }
        }
    }
}
