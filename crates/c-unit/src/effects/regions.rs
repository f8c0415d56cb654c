//! Where the ways from a branch meet again: immediate post-dominators, by the algorithm of Cooper, Harvey and
//! Kennedy on the reversed graph.

use std::ops::Range;

use obligato_bytecode::Function;

/// The blocks of a function as a graph.
#[derive(Clone, Debug)]
pub struct Regions {
    /// Where each block starts, in ascending order.
    starts: Vec<u32>,
    /// Behind its last operation each.
    ends: Vec<u32>,
    successors: Vec<Vec<usize>>,
    /// Per block, the block in which all ways from it meet; none if they leave the function apart.
    joins: Vec<Option<usize>>,
}

impl Regions {
    /// Those of a function.
    pub fn new(function: &Function) -> Self {
        let mut ranges: Vec<(u32, u32)> =
            function.blocks.iter().map(|block| (block.code.start, block.code.end)).collect();
        ranges.sort_unstable();
        let starts: Vec<u32> = ranges.iter().map(|(start, _)| *start).collect();
        let successors: Vec<Vec<usize>> = ranges
            .iter()
            .map(|(_, end)| {
                let next = function.successors(end - 1).into_iter();
                next.filter_map(|target| starts.binary_search(&target).ok()).collect()
            })
            .collect();
        let joins = post_dominators(&successors);
        let ends = ranges.iter().map(|(_, end)| *end).collect();
        Self { starts, ends, successors, joins }
    }

    /// The block that an operation is in.
    fn block_of(&self, operation: u32) -> usize {
        self.starts.partition_point(|start| *start <= operation).saturating_sub(1)
    }

    /// The operations of the block that starts with this one.
    pub fn block_at(&self, start: u32) -> Range<u32> {
        start..self.ends[self.block_of(start)]
    }

    /// Where the ways from the branch at an operation meet: the operation that they all come to.
    pub fn join_of(&self, branch: u32) -> Option<u32> {
        self.joins[self.block_of(branch)].map(|join| self.starts[join])
    }

    /// Where the blocks start that lie between a branch and the place where its ways meet.
    pub fn between(&self, branch: u32) -> Vec<u32> {
        let block = self.block_of(branch);
        let join = self.joins[block];
        let mut seen = vec![false; self.starts.len()];
        let mut todo = self.successors[block].clone();
        let mut found = Vec::new();
        while let Some(next) = todo.pop() {
            if Some(next) != join && !std::mem::replace(&mut seen[next], true) {
                found.push(self.starts[next]);
                todo.extend(&self.successors[next]);
            }
        }
        found.sort_unstable();
        found
    }
}

/// Per block its immediate post-dominator; none if that is the end of the function, or if it has none.
fn post_dominators(successors: &[Vec<usize>]) -> Vec<Option<usize>> {
    let count = successors.len();
    // The end of the function is one more node, which all blocks without successors lead to.
    let end = count;
    let mut predecessors = vec![Vec::new(); count + 1];
    for (block, next) in successors.iter().enumerate() {
        for &next in next {
            predecessors[next].push(block);
        }
        if next.is_empty() {
            predecessors[end].push(block);
        }
    }
    let order = order_from(end, &predecessors);
    let mut rank = vec![usize::MAX; count + 1];
    for (position, block) in order.iter().enumerate() {
        rank[*block] = position;
    }
    let mut dominators: Vec<Option<usize>> = vec![None; count + 1];
    dominators[end] = Some(end);
    let mut changed = true;
    while changed {
        changed = false;
        for &block in order.iter().rev().filter(|block| **block != end) {
            let leaves = successors[block].is_empty().then_some(end);
            let next = successors[block].iter().copied().chain(leaves);
            let mut known = next.filter(|next| dominators[*next].is_some());
            let Some(first) = known.next() else { continue };
            let meet = known.fold(first, |left, right| intersect(left, right, &dominators, &rank));
            if dominators[block] != Some(meet) {
                dominators[block] = Some(meet);
                changed = true;
            }
        }
    }
    dominators.truncate(count);
    dominators.into_iter().map(|join| join.filter(|join| *join != end)).collect()
}

/// What can be reached, each node after those that are reached only through it: in post-order.
fn order_from(start: usize, next: &[Vec<usize>]) -> Vec<usize> {
    let mut order = Vec::new();
    let mut seen = vec![false; next.len()];
    let mut stack = vec![(start, 0)];
    seen[start] = true;
    while let Some((node, at)) = stack.pop() {
        match next[node].get(at) {
            Some(&child) => {
                stack.push((node, at + 1));
                if !std::mem::replace(&mut seen[child], true) {
                    stack.push((child, 0));
                }
            }
            None => order.push(node),
        }
    }
    order
}

/// The first node that both lead to.
fn intersect(
    mut left: usize,
    mut right: usize,
    dominators: &[Option<usize>],
    rank: &[usize],
) -> usize {
    while left != right {
        while rank[left] < rank[right] {
            left = dominators[left].unwrap_or(right);
        }
        while rank[right] < rank[left] {
            right = dominators[right].unwrap_or(left);
        }
    }
    left
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_arms_of_a_choice_meet_behind_it_and_a_loop_at_its_exit() {
        // 0: if → 1 | 2; both → 3: loop test → 4 (body, back to 3) | 5: return.
        let successors = [vec![1, 2], vec![3], vec![3], vec![4, 5], vec![3], vec![]];
        let joins = post_dominators(&successors);
        assert_eq!(joins, [Some(3), Some(3), Some(3), Some(5), Some(3), None]);
    }

    #[test]
    fn ways_that_return_apart_never_meet_and_endless_loops_have_no_end() {
        assert_eq!(post_dominators(&[vec![1, 2], vec![], vec![]]), [None, None, None]);
        assert_eq!(post_dominators(&[vec![1], vec![1]]), [None, None]);
        assert_eq!(post_dominators(&[vec![1, 2], vec![1], vec![]]), [Some(2), None, None]);
    }
}
