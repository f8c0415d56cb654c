//! The open goals, as basic blocks of the CFG.

use std::collections::VecDeque;

use crate::CodeLocation;
use obligato_model::BitSet;

use super::graph::{BlockId, Graph};

/// The basic blocks with open goals, and the distance of every block to the nearest of them.
#[derive(Clone, Debug)]
pub struct Goals {
    open: BitSet,
    /// Is a goal open that belongs to no block?
    anywhere: bool,
    /// Per block, the length of the shortest path to one with an open goal.
    distances: Vec<u32>,
}

impl Goals {
    /// `blocks` have open goals; `anywhere` if there is also one that belongs to no block.
    pub fn new(graph: &Graph, blocks: impl IntoIterator<Item = BlockId>, anywhere: bool) -> Self {
        let mut open = BitSet::empty(graph.len());
        for block in blocks {
            open.insert(block.index());
        }
        let distances = distances(graph, &open);
        Self { open, anywhere, distances }
    }

    /// Is no goal open?
    pub fn is_empty(&self) -> bool {
        self.open.is_empty() && !self.anywhere
    }

    /// Can a run that is in this block still reach an open goal, be it after returning to these callers?
    pub fn reachable(
        &self,
        graph: &Graph,
        block: BlockId,
        mut callers: impl Iterator<Item = CodeLocation>,
    ) -> bool {
        self.anywhere
            || graph.reaches(block, &self.open)
            || callers.any(|caller| graph.reaches_after(caller, &self.open))
    }

    /// The length of the shortest path to a block with an open goal; `u32::MAX` if there is none.
    pub fn distance(&self, block: BlockId) -> u32 {
        self.distances[block.index()]
    }

    /// How many blocks with open goals are at most `levels` edges away.
    pub fn within(&self, graph: &Graph, block: BlockId, levels: u32) -> u32 {
        let mut seen = vec![block];
        let mut level = vec![block];
        let mut count = u32::from(self.open.contains(block.index()));
        for _ in 0..levels {
            let mut next = Vec::new();
            for successor in level.iter().flat_map(|block| graph.successors(*block)) {
                if !seen.contains(&successor) {
                    count += u32::from(self.open.contains(successor.index()));
                    seen.push(successor);
                    next.push(successor);
                }
            }
            level = next;
        }
        count
    }
}

fn distances(graph: &Graph, open: &BitSet) -> Vec<u32> {
    let mut distances = vec![u32::MAX; graph.len()];
    let mut worklist: VecDeque<usize> = open.iter().collect();
    for block in open.iter() {
        distances[block] = 0;
    }
    while let Some(block) = worklist.pop_front() {
        for from in graph.predecessors(BlockId::new(block)) {
            let from = from.index();
            if distances[from] == u32::MAX {
                distances[from] = distances[block] + 1;
                worklist.push_back(from);
            }
        }
    }
    distances
}
