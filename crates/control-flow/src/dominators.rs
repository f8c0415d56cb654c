//! Dominators, by the algorithm of Lengauer and Tarjan with path compression (A Fast Algorithm for Finding Dominators in a
//! Flowgraph, the simple version): no shape of graph makes it quadratic.

use crate::Graph;
use crate::depth_first::DepthFirst;

/// The dominator tree of what is reachable from a root: a node dominates another if every path from the root to that one passes it.
#[derive(Clone, Debug)]
pub struct Dominators {
    immediate: Vec<Option<u32>>,
    /// Per reachable node, its number in the tree in preorder, and how many nodes it dominates, itself included.
    extents: Vec<Option<Extent>>,
}

#[derive(Clone, Copy, Debug)]
struct Extent {
    first: u32,
    count: u32,
}

impl Dominators {
    /// Those of the nodes that are reachable from a root.
    pub fn new(graph: &Graph, root: u32) -> Self {
        let search = DepthFirst::new(graph, root);
        let numbered = Numbered::new(graph, &search).immediate(graph, &search);
        let node_of = |number: u32| search.preorder[number as usize];
        let mut immediate = vec![None; graph.len()];
        for (number, dominator) in numbered.iter().enumerate().skip(1) {
            immediate[node_of(number as u32) as usize] = Some(node_of(*dominator));
        }
        let mut extents = vec![None; graph.len()];
        for (number, extent) in extents_of(&numbered).into_iter().enumerate() {
            extents[node_of(number as u32) as usize] = Some(extent);
        }
        Self { immediate, extents }
    }

    /// The closest other node that dominates this one; none for the root and for what is unreachable.
    pub fn immediate(&self, node: u32) -> Option<u32> {
        self.immediate[node as usize]
    }

    /// Does every path from the root to `node` pass `dominator`? Every node dominates itself; no claim is made of unreachable nodes.
    pub fn dominates(&self, dominator: u32, node: u32) -> bool {
        match (self.extents[dominator as usize], self.extents[node as usize]) {
            (Some(outer), Some(inner)) => {
                (outer.first..outer.first + outer.count).contains(&inner.first)
            }
            _ => false,
        }
    }
}

/// The state of the algorithm. Nodes are their numbers in preorder of the search; unreachable ones have none.
struct Numbered {
    number_of: Vec<Option<u32>>,
    semidominators: Vec<u32>,
    /// The forest of nodes that were processed, with compressed paths.
    ancestors: Vec<Option<u32>>,
    /// Per node of the forest, the one with the least semidominator on its path, below the root of the tree.
    labels: Vec<u32>,
}

impl Numbered {
    fn new(graph: &Graph, search: &DepthFirst) -> Self {
        let count = search.preorder.len();
        let mut number_of = vec![None; graph.len()];
        for (number, node) in search.preorder.iter().enumerate() {
            number_of[*node as usize] = Some(number as u32);
        }
        let identity: Vec<u32> = (0..count as u32).collect();
        let (semidominators, labels) = (identity.clone(), identity);
        Self { number_of, semidominators, ancestors: vec![None; count], labels }
    }

    /// Per node its immediate dominator; the root's is itself.
    fn immediate(mut self, graph: &Graph, search: &DepthFirst) -> Vec<u32> {
        let count = search.preorder.len();
        let mut dominators = vec![0; count];
        // By semidominator, the nodes whose dominator is not known yet.
        let mut waiting: Vec<Vec<u32>> = vec![Vec::new(); count];
        for number in (1..count as u32).rev() {
            let node = search.preorder[number as usize];
            let parent = search.parents[node as usize].and_then(|it| self.number_of[it as usize]);
            let parent = parent.expect("invariant: only the root was reached from nowhere");
            for before in graph.predecessors(node) {
                let Some(before) = self.number_of[*before as usize] else { continue };
                let least = self.least_on_path(before);
                let candidate = self.semidominators[least as usize];
                let own = &mut self.semidominators[number as usize];
                *own = candidate.min(*own);
            }
            waiting[self.semidominators[number as usize] as usize].push(number);
            self.ancestors[number as usize] = Some(parent);
            for waiting in std::mem::take(&mut waiting[parent as usize]) {
                let least = self.least_on_path(waiting);
                let earlier = self.semidominators[least as usize] < parent;
                dominators[waiting as usize] = if earlier { least } else { parent };
            }
        }
        for number in 1..count {
            if dominators[number] != self.semidominators[number] {
                dominators[number] = dominators[dominators[number] as usize];
            }
        }
        dominators
    }

    /// The node with the least semidominator between a node and the root of its tree in the forest, that root left out unless it is the node.
    fn least_on_path(&mut self, node: u32) -> u32 {
        let mut path = Vec::new();
        let mut at = node;
        while let Some(above) = self.ancestors[at as usize] {
            if self.ancestors[above as usize].is_none() {
                break;
            }
            path.push(at);
            at = above;
        }
        for at in path.into_iter().rev().map(|at| at as usize) {
            let Some(above) = self.ancestors[at] else { continue };
            let (above_label, label) = (self.labels[above as usize], self.labels[at]);
            if self.semidominators[above_label as usize] < self.semidominators[label as usize] {
                self.labels[at] = above_label;
            }
            self.ancestors[at] = self.ancestors[above as usize];
        }
        self.labels[node as usize]
    }
}

/// Numbers the tree in preorder. A dominator has a lower number than what it dominates, so two scans do it.
fn extents_of(dominators: &[u32]) -> Vec<Extent> {
    let mut extents = vec![Extent { first: 0, count: 1 }; dominators.len()];
    for number in (1..dominators.len()).rev() {
        extents[dominators[number] as usize].count += extents[number].count;
    }
    let mut next = vec![1; dominators.len()];
    for number in 1..dominators.len() {
        let above = dominators[number] as usize;
        extents[number].first = next[above];
        next[above] += extents[number].count;
        next[number] = extents[number].first + 1;
    }
    extents
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reference::{dominates_by_removal, some_graph};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_node_dominates_what_is_unreachable_without_it(graph in some_graph()) {
            let dominators = Dominators::new(&graph, 0);
            let expected = dominates_by_removal(&graph, 0);
            for one in graph.nodes() {
                for other in graph.nodes() {
                    let expected = expected[one as usize][other as usize];
                    prop_assert_eq!(dominators.dominates(one, other), expected);
                }
            }
        }

        #[test]
        fn the_immediate_dominator_is_dominated_by_all_others(graph in some_graph()) {
            let dominators = Dominators::new(&graph, 0);
            let dominates = dominates_by_removal(&graph, 0);
            for node in graph.nodes() {
                let strict: Vec<u32> = graph
                    .nodes()
                    .filter(|one| *one != node && dominates[*one as usize][node as usize])
                    .collect();
                let closest = strict.iter().copied().find(|closest| {
                    strict.iter().all(|other| dominates[*other as usize][*closest as usize])
                });
                prop_assert_eq!(dominators.immediate(node), closest);
            }
        }
    }

    #[test]
    fn a_long_ladder_with_jumps_into_its_middle_is_no_problem() {
        let count = 200_000;
        let rungs = (1..count).flat_map(|node| [(0, node), (node - 1, node), (node, node - 1)]);
        let graph = Graph::new(count as usize, &rungs.collect::<Vec<_>>());
        let dominators = Dominators::new(&graph, 0);
        assert!((1..count).all(|node| dominators.immediate(node) == Some(0)));
    }
}
