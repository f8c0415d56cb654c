//! `qsort` and `bsearch`, which call functions of the program.
//!
//! `qsort` is a stable merge sort, as glibc's is, bottom-up: without recursion, and with few comparisons.

use obligato_bytecode::Address;

use super::as_int;
use crate::environment::Environment;
use crate::finding::{AccessKind, ExecutionLimit, FindingKind};
use crate::machine::{Machine, Run};
use crate::shadow::Shadow;
use crate::watch::Observer;

impl<S, O, E> Machine<'_, S, O, E>
where
    S: Shadow,
    O: Observer,
    E: Environment<S::Mark>,
{
    /// `qsort(start, count, size, compare)`
    pub(super) fn sort(&mut self, arguments: &[u64]) -> Run<()> {
        let [start, count, size, compare] = [0, 1, 2, 3].map(|at| arguments[at]);
        if count < 2 || size == 0 {
            return Ok(());
        }
        let whole = count.checked_mul(size).ok_or(FindingKind::Limit(ExecutionLimit::Memory))?;
        self.memory.bytes(Address(start), whole, AccessKind::Write)?;
        self.spend(whole)?;
        let mut order: Vec<u64> = (0..count).collect();
        let mut width = 1;
        while width < order.len() {
            order = self.merge_all(&order, width, |at| start + at * size, compare)?;
            width *= 2;
        }
        // The elements with their marks, in their order, over a copy.
        let copy = self.memory.reserve(whole)?;
        self.memory.copy(copy, Address(start), whole)?;
        for (to, from) in order.into_iter().enumerate() {
            let to = Address(start).advanced(to as u64 * size);
            self.memory.copy(to, copy.advanced(from * size), size)?;
        }
        Ok(())
    }

    /// Merges neighbouring runs of `width` elements.
    fn merge_all(
        &mut self,
        order: &[u64],
        width: usize,
        address: impl Fn(u64) -> u64,
        compare: u64,
    ) -> Run<Vec<u64>> {
        let mut merged = Vec::with_capacity(order.len());
        for pair in order.chunks(2 * width) {
            let (mut left, mut right) = pair.split_at(width.min(pair.len()));
            while let ([l, left_rest @ ..], [r, right_rest @ ..]) = (left, right) {
                let result = self.call_back(compare, &[address(*l), address(*r)])?;
                if as_int(result) <= 0 {
                    merged.push(*l);
                    left = left_rest;
                } else {
                    merged.push(*r);
                    right = right_rest;
                }
            }
            merged.extend_from_slice(left);
            merged.extend_from_slice(right);
        }
        Ok(merged)
    }

    /// `bsearch(key, start, count, size, compare)`
    pub(super) fn search(&mut self, arguments: &[u64]) -> Run<u64> {
        let [key, start, count, size, compare] = [0, 1, 2, 3, 4].map(|at| arguments[at]);
        let (mut low, mut high) = (0, count);
        while low < high {
            let middle = low + (high - low) / 2;
            let element = start.wrapping_add(middle.wrapping_mul(size));
            match as_int(self.call_back(compare, &[key, element])?) {
                0 => return Ok(element),
                ..0 => high = middle,
                1.. => low = middle + 1,
            }
        }
        Ok(0)
    }
}
