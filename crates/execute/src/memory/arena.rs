//! Arenas: the bytes of many objects behind each other, with a mark beside each.

use super::free::FreeStretches;

/// Bytes and their marks.
#[derive(Clone, Debug)]
pub(crate) struct Arena<M> {
    pub(crate) bytes: Vec<u8>,
    pub(crate) marks: Vec<M>,
    free: FreeStretches,
}

impl<M> Default for Arena<M> {
    fn default() -> Self {
        Self { bytes: Vec::new(), marks: Vec::new(), free: FreeStretches::default() }
    }
}

impl<M: Clone + Default> Arena<M> {
    /// Reserves zeroed bytes for an object, without marks.
    pub(crate) fn push(&mut self, size: u32) -> u32 {
        if let Some(start) = self.take_recycled(size) {
            return start;
        }
        let start = self.bytes.len() as u32;
        self.bytes.resize(self.bytes.len() + size as usize, 0);
        self.marks.resize(self.bytes.len(), M::default());
        start
    }

    /// Releases the bytes of an object.
    pub(crate) fn recycle(&mut self, start: u32, size: u32) {
        self.free.give(start, size);
    }

    /// Drops everything behind.
    pub(crate) fn truncate(&mut self, length: u32) {
        self.bytes.truncate(length as usize);
        self.marks.truncate(length as usize);
        self.free = FreeStretches::default();
    }

    /// Copies bytes with their marks, as if through a buffer.
    pub(crate) fn copy_within(&mut self, from: usize, to: usize, size: usize) {
        self.bytes.copy_within(from..from + size, to);
        let marks = self.marks[from..from + size].to_vec();
        self.marks[to..to + size].clone_from_slice(&marks);
    }

    /// Copies bytes with their marks from another arena.
    pub(crate) fn copy_from(&mut self, other: &Self, from: usize, to: usize, size: usize) {
        self.bytes[to..to + size].copy_from_slice(&other.bytes[from..from + size]);
        self.marks[to..to + size].clone_from_slice(&other.marks[from..from + size]);
    }

    fn take_recycled(&mut self, size: u32) -> Option<u32> {
        let start = self.free.take(size)?;
        let range = start as usize..(start + size) as usize;
        self.bytes[range.clone()].fill(0);
        self.marks[range].fill(M::default());
        Some(start)
    }
}
