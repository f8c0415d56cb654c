//! Post-dominators: where the paths from a branch join, and what lies before that.

use crate::{Dominators, Graph};

/// The post-dominator tree: a node post-dominates another if every path from that one to an exit passes it. Exits are the nodes without
/// successors. Paths that never reach an exit do not count; a node with no other paths has no post-dominator.
#[derive(Clone, Debug)]
pub struct PostDominators {
    /// Of the reversed graph, with one more node that all exits lead to.
    reversed: Dominators,
    end: u32,
}

impl PostDominators {
    /// Those of all nodes.
    pub fn new(graph: &Graph) -> Self {
        let end = graph.len() as u32;
        let exits = graph.nodes().filter(|node| graph.successors(*node).is_empty());
        let mut edges: Vec<(u32, u32)> = exits.map(|exit| (end, exit)).collect();
        edges.extend(graph.edges().map(|(from, to)| (to, from)));
        let reversed = Dominators::new(&Graph::new(graph.len() + 1, &edges), end);
        Self { reversed, end }
    }

    /// The immediate post-dominator: the first node that all paths from this one pass. None if they leave by different exits, or never.
    pub fn immediate(&self, node: u32) -> Option<u32> {
        self.reversed.immediate(node).filter(|dominator| *dominator != self.end)
    }

    /// Does every path from `node` to an exit pass `dominator`? Every node with a path to an exit post-dominates itself.
    pub fn dominates(&self, dominator: u32, node: u32) -> bool {
        self.reversed.dominates(dominator, node)
    }

    /// The nodes on paths from a branch to its immediate post-dominator, without that, in ascending order. Whether they run depends on
    /// the branch: they are all that is control-dependent on it, directly or through other branches. The branch is
    /// among them if it is in a loop.
    pub fn controlled_by(&self, graph: &Graph, branch: u32) -> Vec<u32> {
        let join = self.immediate(branch);
        let mut seen = vec![false; graph.len()];
        let mut worklist = graph.successors(branch).to_vec();
        let mut found = Vec::new();
        while let Some(next) = worklist.pop() {
            if Some(next) != join && !std::mem::replace(&mut seen[next as usize], true) {
                found.push(next);
                worklist.extend(graph.successors(next));
            }
        }
        found.sort_unstable();
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reference::{dominates_by_removal, some_graph};
    use proptest::prelude::*;

    fn graph(successors: &[&[u32]]) -> Graph {
        let edges = successors.iter().zip(0..);
        let edges = edges.flat_map(|(next, from)| next.iter().map(move |to| (from, *to)));
        Graph::new(successors.len(), &edges.collect::<Vec<_>>())
    }

    fn immediate(successors: &[&[u32]]) -> Vec<Option<u32>> {
        let graph = graph(successors);
        let post_dominators = PostDominators::new(&graph);
        graph.nodes().map(|node| post_dominators.immediate(node)).collect()
    }

    #[test]
    fn the_arms_of_a_choice_join_behind_it_and_a_loop_at_its_exit() {
        // 0: if → 1 | 2; both → 3: loop test → 4 (body, back to 3) | 5: return.
        let blocks: [&[u32]; 6] = [&[1, 2], &[3], &[3], &[4, 5], &[3], &[]];
        assert_eq!(immediate(&blocks), [Some(3), Some(3), Some(3), Some(5), Some(3), None]);
        let graph = graph(&blocks);
        let post_dominators = PostDominators::new(&graph);
        assert_eq!(post_dominators.controlled_by(&graph, 0), [1, 2]);
        assert_eq!(post_dominators.controlled_by(&graph, 3), [3, 4]);
    }

    #[test]
    fn paths_that_return_apart_never_join_and_endless_loops_have_no_exit() {
        assert_eq!(immediate(&[&[1, 2], &[], &[]]), [None, None, None]);
        assert_eq!(immediate(&[&[1], &[1]]), [None, None]);
        assert_eq!(immediate(&[&[1, 2], &[1], &[]]), [Some(2), None, None]);
    }

    proptest! {
        #[test]
        fn a_node_post_dominates_what_reaches_no_exit_without_it(graph in some_graph()) {
            let count = graph.len();
            let post_dominators = PostDominators::new(&graph);
            let ends = |node: &u32| graph.successors(*node).is_empty();
            let exits = graph.nodes().filter(ends).map(|exit| (count as u32, exit));
            let reversed = graph.edges().map(|(from, to)| (to, from));
            let reversed = Graph::new(count + 1, &exits.chain(reversed).collect::<Vec<_>>());
            let expected = dominates_by_removal(&reversed, count as u32);
            for one in graph.nodes() {
                for other in graph.nodes() {
                    let expected = expected[one as usize][other as usize];
                    prop_assert_eq!(post_dominators.dominates(one, other), expected);
                }
            }
        }

        /// Ferrante, Ottenstein and Warren's definition, closed under transitivity.
        #[test]
        fn what_a_branch_controls_is_what_is_control_dependent_on_it(graph in some_graph()) {
            let post_dominators = PostDominators::new(&graph);
            let reaches_exit = |node: u32| post_dominators.dominates(node, node);
            // The definition is for graphs in which every node reaches an exit.
            prop_assume!(graph.nodes().all(reaches_exit));
            let depends = graph.nodes().flat_map(|branch| {
                let (graph, post) = (&graph, &post_dominators);
                graph.nodes().filter_map(move |node| {
                    let strictly = node != branch && post.dominates(node, branch);
                    let some = graph.successors(branch).iter().any(|to| post.dominates(node, *to));
                    (some && !strictly).then_some((branch, node))
                })
            });
            let closure = crate::reference::reached(&Graph::new(graph.len(), &depends.collect::<Vec<_>>()));
            for branch in graph.nodes() {
                let successors = graph.successors(branch);
                if successors.iter().all(|to| *to == successors[0]) {
                    continue;
                }
                let controlled = post_dominators.controlled_by(&graph, branch);
                for node in graph.nodes() {
                    let expected = closure[branch as usize][node as usize];
                    if node != branch {
                        prop_assert_eq!(controlled.contains(&node), expected);
                    }
                }
            }
        }
    }
}
