//! What is still wanted, as basic blocks of the CFG.

use std::collections::VecDeque;

use crate::Place;
use obligato_model::BitSet;

use super::graph::{BlockId, Graph};

/// The blocks in which something wanted can happen, and how far each block is from one.
#[derive(Clone, Debug)]
pub struct Goals {
    wanted: BitSet,
    /// Is something wanted that any run may show?
    anywhere: bool,
    /// Per block, the length of the shortest path to a wanted one.
    distances: Vec<u32>,
}

impl Goals {
    /// These blocks are wanted; `anywhere` if there is also something that is in no block.
    pub fn new(graph: &Graph, blocks: impl IntoIterator<Item = BlockId>, anywhere: bool) -> Self {
        let mut wanted = BitSet::empty(graph.len());
        for block in blocks {
            wanted.insert(block.index());
        }
        let distances = distances(graph, &wanted);
        Self { wanted, anywhere, distances }
    }

    /// Is nothing wanted?
    pub fn is_empty(&self) -> bool {
        self.wanted.is_empty() && !self.anywhere
    }

    /// Can something wanted still happen in a run that is in this block, or when it returns to these calls?
    pub fn reachable(
        &self,
        graph: &Graph,
        block: BlockId,
        mut callers: impl Iterator<Item = Place>,
    ) -> bool {
        self.anywhere
            || graph.reaches(block, &self.wanted)
            || callers.any(|caller| graph.reaches_behind(caller, &self.wanted))
    }

    /// The length of the shortest path to a wanted block; the largest number if there is none.
    pub fn distance(&self, block: BlockId) -> u32 {
        self.distances[block.index()]
    }

    /// How many wanted blocks are at most so many steps away.
    pub fn within(&self, graph: &Graph, block: BlockId, levels: u32) -> u32 {
        let mut seen = vec![block];
        let mut level = vec![block];
        let mut count = u32::from(self.wanted.contains(block.index()));
        for _ in 0..levels {
            let mut next = Vec::new();
            for successor in level.iter().flat_map(|block| graph.successors(*block)) {
                if !seen.contains(&successor) {
                    count += u32::from(self.wanted.contains(successor.index()));
                    seen.push(successor);
                    next.push(successor);
                }
            }
            level = next;
        }
        count
    }
}

fn distances(graph: &Graph, wanted: &BitSet) -> Vec<u32> {
    let mut distances = vec![u32::MAX; graph.len()];
    let mut worklist: VecDeque<usize> = wanted.iter().collect();
    for block in wanted.iter() {
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
