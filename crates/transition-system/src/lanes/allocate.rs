//! Slots for registers: some keep one for good, the others share.

use super::draft::{Draft, Register};
use super::instruction::{File, InstructionRun, Operands};

/// Slots given so far.
#[derive(Debug)]
pub(super) struct Slots {
    slots: Vec<Option<u32>>,
    sizes: [u32; 3],
}

impl Slots {
    /// None yet, for this many registers.
    pub fn new(registers: usize) -> Self {
        Self { slots: vec![None; registers], sizes: [0; 3] }
    }

    /// Gives a register a slot of its own.
    pub fn keep(&mut self, register: Register, files: &[File]) -> u32 {
        let size = &mut self.sizes[files[register as usize] as usize];
        *self.slots[register as usize].get_or_insert_with(|| {
            *size += 1;
            *size - 1
        })
    }

    /// Does the register have a slot?
    pub fn has(&self, register: Register) -> bool {
        self.slots[register as usize].is_some()
    }

    /// How many slots a file needs.
    pub fn size(&self, file: File) -> usize {
        self.sizes[file as usize] as usize
    }

    /// Gives slots to all that is computed in between. A slot is free again after
    /// the last read, and the one freed last is taken first, as it is the most
    /// likely to be in the cache. A result never takes the slot of an operand.
    pub fn share(
        &mut self,
        order: &[Draft],
        files: &[File],
    ) -> (Vec<InstructionRun>, Vec<Operands>) {
        let mut last_read = vec![usize::MAX; self.slots.len()];
        for (index, draft) in order.iter().enumerate() {
            for source in draft.sources() {
                last_read[source as usize] = index;
            }
        }
        let kept: Vec<bool> = self.slots.iter().map(Option::is_some).collect();
        let mut free: [Vec<u32>; 3] = Default::default();
        let mut runs: Vec<InstructionRun> = Vec::new();
        let mut operands = Vec::with_capacity(order.len());
        for (index, draft) in order.iter().enumerate() {
            if !self.has(draft.to) {
                match free[files[draft.to as usize] as usize].pop() {
                    Some(slot) => self.slots[draft.to as usize] = Some(slot),
                    None => {
                        self.keep(draft.to, files);
                    }
                }
            }
            operands.push(Operands {
                to: self.slot(draft.to),
                a: self.slot(draft.a),
                b: self.slot(draft.b),
                test: self.slot(draft.test),
            });
            let mut freed = [None; 3];
            for (position, source) in draft.sources().enumerate() {
                let dead = !kept[source as usize] && last_read[source as usize] == index;
                if dead && !freed.contains(&Some(source)) {
                    freed[position] = Some(source);
                    free[files[source as usize] as usize].push(self.slot(source));
                }
            }
            match runs.last_mut() {
                Some(run) if run.operation == draft.operation => run.end += 1,
                _ => {
                    let start = index as u32;
                    runs.push(InstructionRun { operation: draft.operation, start, end: start + 1 });
                }
            }
        }
        (runs, operands)
    }

    /// The slot of a register; 0 for one that is not read.
    pub fn slot(&self, register: Register) -> u32 {
        self.slots.get(register as usize).copied().flatten().unwrap_or(0)
    }
}
