//! Loops: natural ones, and what stands for them in irreducible graphs.

use crate::{Dominators, Graph, ReversePostorder};

/// The loops around each node.
///
/// A loop has a head, the target of at least one retreating edge. It holds the head and all nodes from which a source of such an
/// edge is reached over nodes that do not come before the head in reverse postorder, without passing it. Where the head dominates the sources,
/// the edges are back edges and this is their natural loop. In irreducible graphs other cycles get a head too: the one
/// of their nodes that comes first in reverse postorder.
#[derive(Clone, Debug)]
pub struct Loops {
    /// Per node, the heads of its loops, the outermost first.
    around: Vec<Vec<u32>>,
}

impl Loops {
    /// The loops of what is reachable in this order.
    pub fn new(graph: &Graph, order: &ReversePostorder) -> Self {
        let mut around = vec![Vec::new(); graph.len()];
        // Per node, the last head whose loop it was found in: spares a fresh set for each head.
        let mut last_head: Vec<Option<u32>> = vec![None; graph.len()];
        // In this order outer loops come before inner ones.
        for &head in order.nodes() {
            let retreating = |from: &&u32| order.is_retreating(**from, head);
            let mut worklist: Vec<u32> =
                graph.predecessors(head).iter().filter(retreating).copied().collect();
            if worklist.is_empty() {
                continue;
            }
            last_head[head as usize] = Some(head);
            around[head as usize].push(head);
            while let Some(node) = worklist.pop() {
                if last_head[node as usize].replace(head) != Some(head) {
                    around[node as usize].push(head);
                    worklist.extend(graph.predecessors(node).iter().filter(retreating));
                }
            }
        }
        Self { around }
    }

    /// The heads of the loops around a node, the outermost first; a head is in its own loop.
    pub fn around(&self, node: u32) -> &[u32] {
        &self.around[node as usize]
    }
}

/// The edges that lead back to a dominator of their source: the back edges of natural loops.
pub fn back_edges<'a>(
    graph: &'a Graph,
    dominators: &'a Dominators,
) -> impl Iterator<Item = (u32, u32)> + 'a {
    graph.edges().filter(|(from, to)| dominators.dominates(*to, *from))
}

/// A graph is reducible if all its retreating edges are back edges: every loop is entered through its head only.
pub fn is_reducible(graph: &Graph, order: &ReversePostorder, dominators: &Dominators) -> bool {
    let mut retreating = graph.edges().filter(|(from, to)| order.is_retreating(*from, *to));
    retreating.all(|(from, to)| dominators.dominates(to, from))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reference::{reached_within, some_graph};
    use proptest::prelude::*;

    fn analysed(graph: &Graph) -> (ReversePostorder, Dominators, Loops) {
        let order = ReversePostorder::new(graph, 0);
        let loops = Loops::new(graph, &order);
        (order, Dominators::new(graph, 0), loops)
    }

    #[test]
    fn loops_nest_and_a_cycle_with_two_entries_is_one_loop() {
        // 0 → 1 ⇄ (2 ⇄ 3), 1 → 4.
        let nested = Graph::new(5, &[(0, 1), (1, 2), (2, 3), (3, 2), (2, 1), (1, 4)]);
        let (order, dominators, loops) = analysed(&nested);
        assert!(is_reducible(&nested, &order, &dominators));
        assert_eq!(back_edges(&nested, &dominators).collect::<Vec<_>>(), [(2, 1), (3, 2)]);
        let heads: Vec<&[u32]> = nested.nodes().map(|node| loops.around(node)).collect();
        assert_eq!(heads, [&[] as &[u32], &[1], &[1, 2], &[1, 2], &[]]);
        let entries = Graph::new(3, &[(0, 1), (0, 2), (1, 2), (2, 1)]);
        let (order, dominators, loops) = analysed(&entries);
        assert!(!is_reducible(&entries, &order, &dominators));
        assert_eq!(back_edges(&entries, &dominators).count(), 0);
        assert_eq!(loops.around(1), [1]);
        assert_eq!(loops.around(2), [1]);
    }

    proptest! {
        /// A natural loop: its head, and what reaches the source of a back edge to it without passing the head.
        #[test]
        fn of_a_reducible_graph_the_loops_are_the_natural_ones(graph in some_graph()) {
            let (order, dominators, loops) = analysed(&graph);
            prop_assume!(is_reducible(&graph, &order, &dominators));
            for head in graph.nodes() {
                let others: Vec<bool> = graph
                    .nodes()
                    .map(|node| node != head && order.position(node).is_some())
                    .collect();
                let reached = reached_within(&graph, &others);
                let back: Vec<u32> = back_edges(&graph, &dominators)
                    .filter(|(_, to)| *to == head)
                    .map(|(from, _)| from)
                    .collect();
                for node in graph.nodes() {
                    let inside = !back.is_empty() && node == head
                        || back.iter().any(|from| reached[node as usize][*from as usize]);
                    prop_assert_eq!(loops.around(node).contains(&head), inside);
                }
            }
        }

        #[test]
        fn of_any_graph_a_loop_reaches_retreating_edges_to_its_head(graph in some_graph()) {
            let (order, _, loops) = analysed(&graph);
            for head in order.nodes().iter().copied() {
                let behind: Vec<bool> = graph
                    .nodes()
                    .map(|node| order.position(node) > order.position(head))
                    .collect();
                let reached = reached_within(&graph, &behind);
                let sources: Vec<u32> = graph
                    .edges()
                    .filter(|(from, to)| *to == head && order.is_retreating(*from, *to))
                    .map(|(from, _)| from)
                    .collect();
                for node in graph.nodes() {
                    let inside = !sources.is_empty() && node == head
                        || sources.iter().any(|from| reached[node as usize][*from as usize]);
                    prop_assert_eq!(loops.around(node).contains(&head), inside);
                }
            }
        }

        #[test]
        fn every_node_on_a_cycle_is_in_a_loop(graph in some_graph()) {
            let (order, _, loops) = analysed(&graph);
            let reached = crate::reference::reached(&graph);
            for node in order.nodes() {
                let on_cycle = graph
                    .successors(*node)
                    .iter()
                    .any(|to| reached[*to as usize][*node as usize]);
                prop_assert_eq!(on_cycle, !loops.around(*node).is_empty());
                let positions = loops.around(*node).iter().map(|head| order.position(*head));
                prop_assert!(positions.is_sorted());
            }
        }
    }
}
