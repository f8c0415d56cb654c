//! The free list of an arena.

use std::collections::{BTreeMap, BTreeSet};

/// Free ranges, none of them adjacent to another.
#[derive(Clone, Debug, Default)]
pub(crate) struct FreeStretches {
    /// From the start of each to its size.
    by_start: BTreeMap<u32, u32>,
    /// Size and start of each.
    by_size: BTreeSet<(u32, u32)>,
}

impl FreeStretches {
    /// Frees a range, and joins it with its neighbours.
    pub(crate) fn give(&mut self, mut start: u32, mut size: u32) {
        if size == 0 {
            return;
        }
        if let Some((&before, &length)) = self.by_start.range(..start).next_back()
            && before + length == start
        {
            self.remove(before, length);
            (start, size) = (before, length + size);
        }
        if let Some((&behind, &length)) = self.by_start.range(start + size..).next()
            && start + size == behind
        {
            self.remove(behind, length);
            size += length;
        }
        self.insert(start, size);
    }

    /// Takes a range of this size, by best fit.
    pub(crate) fn take(&mut self, size: u32) -> Option<u32> {
        if self.by_size.is_empty() || size == 0 {
            return None;
        }
        let &(length, start) = self.by_size.range((size, 0)..).next()?;
        self.remove(start, length);
        if length > size {
            self.insert(start + size, length - size);
        }
        Some(start)
    }

    fn insert(&mut self, start: u32, size: u32) {
        self.by_start.insert(start, size);
        self.by_size.insert((size, start));
    }

    fn remove(&mut self, start: u32, size: u32) {
        self.by_start.remove(&start);
        self.by_size.remove(&(size, start));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_grow_together_and_are_cut_again() {
        let mut free = FreeStretches::default();
        free.give(0, 10);
        free.give(20, 10);
        assert_eq!(free.take(15), None);
        free.give(10, 10);
        assert_eq!(free.take(25), Some(0));
        assert_eq!(free.take(5), Some(25));
        assert_eq!(free.take(1), None);
    }

    #[test]
    fn the_smallest_that_fits_is_taken() {
        let mut free = FreeStretches::default();
        free.give(0, 100);
        free.give(200, 8);
        assert_eq!(free.take(8), Some(200));
    }
}
