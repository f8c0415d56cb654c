//! The order in which instructions run.
//!
//! Two things count. A Boolean instruction is so short that deciding what to do
//! costs more than doing it, so equal ones are put next to each other. A word or
//! real instruction is long and its registers are large, so it stays where the
//! graph has it, close to what it reads.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::draft::{Draft, Drafts};
use super::instruction::{BoolOperation, Operation};

const BOOL_OPERATIONS: usize = BoolOperation::SelectNot as usize + 1;

/// The drafts in the order to run them in: any draft after those it reads from.
///
/// Word and real instructions run as early as they can, in the order of the
/// graph; when all that is left waits for Booleans, the largest group of equal
/// Boolean instructions that are ready runs as one.
pub(super) fn schedule(drafts: &Drafts) -> Vec<Draft> {
    let mut waiting = Waiting::new(drafts);
    let mut numbers: BinaryHeap<Reverse<u32>> = BinaryHeap::new();
    let mut groups: [Vec<u32>; BOOL_OPERATIONS] = Default::default();
    let mut order = Vec::with_capacity(drafts.code.len());
    let mut freed: Vec<u32> = waiting.ready();
    loop {
        for draft in freed.drain(..) {
            match drafts.code[draft as usize].operation {
                Operation::Bool(operation) => groups[operation as usize].push(draft),
                _ => numbers.push(Reverse(draft)),
            }
        }
        if let Some(Reverse(draft)) = numbers.pop() {
            order.push(drafts.code[draft as usize]);
            waiting.run(draft, &mut freed);
            continue;
        }
        let largest = (0..BOOL_OPERATIONS).rev().max_by_key(|group| groups[*group].len());
        let mut group = largest.map(|group| std::mem::take(&mut groups[group])).unwrap_or_default();
        if group.is_empty() {
            return order;
        }
        group.sort_unstable();
        for draft in group {
            order.push(drafts.code[draft as usize]);
            waiting.run(draft, &mut freed);
        }
    }
}

/// Which drafts wait for which registers.
struct Waiting<'d> {
    drafts: &'d [Draft],
    /// How many operands of each draft are still to be computed.
    missing: Vec<u8>,
    /// The drafts that read a register, listed between its two offsets.
    readers: Vec<u32>,
    offsets: Vec<u32>,
}

impl<'d> Waiting<'d> {
    fn new(drafts: &'d Drafts) -> Self {
        let mut computed = vec![false; drafts.files.len()];
        let mut offsets = vec![0; drafts.files.len() + 1];
        for draft in &drafts.code {
            computed[draft.to as usize] = true;
        }
        let awaited = |draft: &Draft| {
            let computed = &computed;
            draft.sources().filter(move |source| computed[*source as usize])
        };
        for source in drafts.code.iter().flat_map(awaited) {
            offsets[source as usize + 1] += 1;
        }
        for register in 0..drafts.files.len() {
            offsets[register + 1] += offsets[register];
        }
        let mut readers = vec![0; offsets[drafts.files.len()] as usize];
        let mut fill = offsets.clone();
        let mut missing = Vec::with_capacity(drafts.code.len());
        for (index, draft) in drafts.code.iter().enumerate() {
            for source in awaited(draft) {
                let at = &mut fill[source as usize];
                readers[*at as usize] = index as u32;
                *at += 1;
            }
            missing.push(awaited(draft).count() as u8);
        }
        Self { drafts: &drafts.code, missing, readers, offsets }
    }

    fn ready(&self) -> Vec<u32> {
        let missing = self.missing.iter().enumerate();
        missing.filter(|(_, missing)| **missing == 0).map(|(draft, _)| draft as u32).collect()
    }

    /// Takes note that a draft has run; those that it was the last to be awaited
    /// by are added to `freed`.
    fn run(&mut self, draft: u32, freed: &mut Vec<u32>) {
        let register = self.drafts[draft as usize].to as usize;
        let range = self.offsets[register] as usize..self.offsets[register + 1] as usize;
        for &reader in &self.readers[range] {
            let missing = &mut self.missing[reader as usize];
            *missing -= 1;
            if *missing == 0 {
                freed.push(reader);
            }
        }
    }
}
