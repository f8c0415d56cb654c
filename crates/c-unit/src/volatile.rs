//! `volatile` accesses of a run: the values of reads come from the test, and what is written is kept, access by access.

use obligato_bytecode::{Address, ObjectId};
use obligato_execute::{FindingKind, Memory};
use rustc_hash::FxHashMap;

use crate::interface::{Interface, ObjectIndex};
use crate::layout::Layout;

/// How often each `volatile` stretch is read and written.
#[derive(Debug)]
pub(crate) struct VolatileAccesses {
    /// The stretches of an object, by their positions in the interface.
    stretches: FxHashMap<ObjectId, Vec<usize>>,
    /// Per step that began, how often each was read.
    reads: Vec<Vec<u64>>,
    /// How often each was written in this step.
    writes: Vec<u64>,
}

/// What is done with an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum VolatileAccess {
    /// It is about to be read.
    Read,
    /// It has been written.
    Written,
}

/// The bytes of an access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Accessed {
    pub(crate) address: Address,
    pub(crate) size: u64,
}

impl VolatileAccesses {
    /// For runs of a function.
    pub(crate) fn new(interface: &Interface, layout: &Layout) -> Self {
        let mut stretches: FxHashMap<ObjectId, Vec<usize>> = FxHashMap::default();
        for (index, stretch) in interface.volatile.iter().enumerate() {
            let object = layout.objects[stretch.object.0].object();
            stretches.entry(object).or_default().push(index);
        }
        Self { stretches, reads: Vec::new(), writes: vec![0; interface.volatile.len()] }
    }

    pub(crate) fn begin_step(&mut self) {
        self.reads.push(vec![0; self.writes.len()]);
        self.writes.fill(0);
    }

    /// Per step that began since this was asked, how often each stretch was read.
    pub(crate) fn take_reads(&mut self) -> Vec<Vec<u64>> {
        std::mem::take(&mut self.reads)
    }

    /// Was there such a write in this step?
    pub(crate) fn took_place(&self, stretch: usize, write: u64) -> bool {
        write < self.writes[stretch]
    }

    /// Follows an access to so many bytes from an address on. What the test does not know is left to the access itself.
    pub(crate) fn follow<M: Clone + Default>(
        &mut self,
        access: VolatileAccess,
        accessed: Accessed,
        interface: &Interface,
        layout: &Layout,
        memory: &mut Memory<M>,
    ) -> Result<(), FindingKind> {
        let Accessed { address, size } = accessed;
        let Some(stretches) = self.stretches.get(&address.object()) else { return Ok(()) };
        let Ok(start) = u64::try_from(address.offset()) else { return Ok(()) };
        for index in stretches {
            let stretch = &interface.volatile[*index];
            let touched = stretch.touched(&(start..start.saturating_add(size)));
            if touched.is_empty() {
                continue;
            }
            let (counts, objects) = match access {
                VolatileAccess::Read => (self.reads.last_mut(), &stretch.reads),
                VolatileAccess::Written => (Some(&mut self.writes), &stretch.writes),
            };
            let Some(count) = counts.and_then(|counts| counts.get_mut(*index)) else { continue };
            let number = *count as usize;
            *count += 1;
            let there = layout.objects[stretch.object.0].advanced(touched.start);
            let own = |object: &ObjectIndex| {
                layout.objects[object.0].advanced(touched.start - stretch.offset)
            };
            let (from, to) = match access {
                // Further reads repeat the last value; further writes are not kept.
                VolatileAccess::Read => match objects.get(number).or(objects.last()) {
                    Some(object) => (own(object), there),
                    None => continue,
                },
                VolatileAccess::Written => match objects.get(number) {
                    Some(object) => (there, own(object)),
                    None => continue,
                },
            };
            let size = touched.end - touched.start;
            if memory.size_of_object(there).is_none() {
                continue;
            }
            let bytes = memory.read(from, size)?.to_vec();
            let marks = memory.marks(from, size)?.to_vec();
            memory.write(to, &bytes)?;
            memory.marks_mut(to, size)?.clone_from_slice(&marks);
        }
        Ok(())
    }
}
