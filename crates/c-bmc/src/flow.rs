//! The order in which the blocks of a function run, so that paths meet wherever they can.
//!
//! A place in a run of a function is a block together with how often each loop around it has come round. Places are
//! ordered: a loop is run to its end, iteration by iteration, before what follows it, and within an iteration
//! blocks come in reverse postorder. So when a place is next, all that lead there have been run.

use obligato_bytecode::{Function, Operation};

/// The blocks of a function and the loops around them.
#[derive(Clone, Debug)]
pub(crate) struct Flow {
    /// Per operation, its block.
    pub(crate) block_of: Vec<u32>,
    /// Per block, its place in reverse postorder.
    order: Vec<u32>,
    /// Per block, the heads of the loops around it, from the outermost on.
    loops: Vec<Vec<u32>>,
}

/// A block, and how often each loop around it has come round.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Spot {
    pub(crate) block: u32,
    pub(crate) rounds: Vec<u32>,
}

impl Flow {
    pub(crate) fn new(function: &Function) -> Self {
        let count = function.blocks.len();
        let mut block_of = vec![0; function.code.len()];
        for (index, block) in function.blocks.iter().enumerate() {
            for at in block.code.clone() {
                block_of[at as usize] = index as u32;
            }
        }
        let next: Vec<Vec<u32>> = function
            .blocks
            .iter()
            .map(|block| {
                let last = block.code.end.saturating_sub(1);
                let mut targets = function.successors(last);
                if let Operation::JumpThrough { arms, .. } = &function.code[last as usize] {
                    targets.extend(function.arms[arms.range()].iter().map(|arm| arm.to.0));
                }
                targets.into_iter().map(|to| block_of[to as usize]).collect()
            })
            .collect();
        let order = reverse_postorder(&next);
        let loops = loops_around(&next, &order, count);
        Self { block_of, order, loops }
    }

    /// The start of the function.
    pub(crate) fn entry(&self) -> Spot {
        let rounds = vec![0; self.loops.first().map_or(0, Vec::len)];
        Spot { block: 0, rounds }
    }

    /// Where an edge to this operation leads.
    pub(crate) fn follow(&self, from: &Spot, to: u32) -> Spot {
        let block = self.block_of[to as usize];
        let around = &self.loops[from.block as usize];
        let rounds = self.loops[block as usize].iter().map(|head| {
            let known = around.iter().position(|other| other == head);
            known.map_or(0, |at| from.rounds[at] + u32::from(*head == block))
        });
        Spot { block, rounds: rounds.collect() }
    }

    /// Places are run in this order.
    pub(crate) fn key(&self, spot: &Spot) -> Vec<u32> {
        let mut key = Vec::with_capacity(2 * spot.rounds.len() + 1);
        for (head, round) in self.loops[spot.block as usize].iter().zip(&spot.rounds) {
            key.extend([self.order[*head as usize], *round]);
        }
        key.push(self.order[spot.block as usize]);
        key
    }

    /// The heads of the loops around a block.
    pub(crate) fn loops(&self, block: u32) -> &[u32] {
        &self.loops[block as usize]
    }
}

/// Per block its place; those that are never reached come last.
fn reverse_postorder(next: &[Vec<u32>]) -> Vec<u32> {
    let mut order = vec![u32::MAX; next.len()];
    if next.is_empty() {
        return order;
    }
    let mut seen = vec![false; next.len()];
    let mut finished = Vec::with_capacity(next.len());
    let mut open: Vec<(u32, usize)> = vec![(0, 0)];
    seen[0] = true;
    while let Some((block, edge)) = open.last_mut() {
        if let Some(to) = next[*block as usize].get(*edge) {
            *edge += 1;
            if !seen[*to as usize] {
                seen[*to as usize] = true;
                open.push((*to, 0));
            }
        } else {
            finished.push(*block);
            open.pop();
        }
    }
    for (place, block) in finished.iter().rev().enumerate() {
        order[*block as usize] = place as u32;
    }
    order
}

/// Natural loops: of each edge that leads back, what reaches it without passing its head.
fn loops_around(next: &[Vec<u32>], order: &[u32], count: usize) -> Vec<Vec<u32>> {
    let mut before = vec![Vec::new(); count];
    for (block, targets) in next.iter().enumerate() {
        for to in targets {
            before[*to as usize].push(block as u32);
        }
    }
    let mut loops: Vec<Vec<u32>> = vec![Vec::new(); count];
    for head in 0..count as u32 {
        let place = order[head as usize];
        let leads_back = |from: &&u32| {
            let at = order[**from as usize];
            at != u32::MAX && at >= place
        };
        let mut todo: Vec<u32> = before[head as usize].iter().filter(leads_back).copied().collect();
        if todo.is_empty() || place == u32::MAX {
            continue;
        }
        let mut inside = vec![false; count];
        inside[head as usize] = true;
        while let Some(block) = todo.pop() {
            if !std::mem::replace(&mut inside[block as usize], true) {
                todo.extend(before[block as usize].iter().filter(leads_back));
            }
        }
        for block in (0..count).filter(|block| inside[*block]) {
            loops[block].push(head);
        }
    }
    for heads in &mut loops {
        heads.sort_by_key(|head| order[*head as usize]);
    }
    loops
}
