//! Reverse postorder: on every edge that is not retreating, the source comes before the target.

use crate::Graph;
use crate::depth_first::DepthFirst;

/// The nodes that are reachable from one, in reverse postorder of a depth-first search that follows edges in their order.
#[derive(Clone, Debug)]
pub struct ReversePostorder {
    nodes: Vec<u32>,
    positions: Vec<Option<u32>>,
}

impl ReversePostorder {
    /// The order from a start node.
    pub fn new(graph: &Graph, start: u32) -> Self {
        let mut nodes = DepthFirst::new(graph, start).postorder;
        nodes.reverse();
        let mut positions = vec![None; graph.len()];
        for (position, node) in nodes.iter().enumerate() {
            positions[*node as usize] = Some(position as u32);
        }
        Self { nodes, positions }
    }

    /// The reachable nodes in order.
    pub fn nodes(&self) -> &[u32] {
        &self.nodes
    }

    /// The position of a node in the order; none if it is unreachable.
    pub fn position(&self, node: u32) -> Option<u32> {
        self.positions[node as usize]
    }

    /// Does an edge between these two not lead forward in the order? Every cycle has such an edge. One from or to an unreachable node is
    /// not retreating.
    pub fn is_retreating(&self, from: u32, to: u32) -> bool {
        match (self.position(from), self.position(to)) {
            (Some(from), Some(to)) => to <= from,
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reference::{recursive_postorder, some_graph};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_order_is_that_of_a_recursive_search(graph in some_graph()) {
            let order = ReversePostorder::new(&graph, 0);
            let mut expected = recursive_postorder(&graph, 0);
            expected.reverse();
            prop_assert_eq!(order.nodes(), expected);
        }

        #[test]
        fn without_its_retreating_edges_a_graph_has_no_cycle(graph in some_graph()) {
            let order = ReversePostorder::new(&graph, 0);
            let forward: Vec<(u32, u32)> =
                graph.edges().filter(|(from, to)| !order.is_retreating(*from, *to)).collect();
            let reached = crate::reference::reached(&Graph::new(graph.len(), &forward));
            for node in order.nodes() {
                let on_cycle = forward
                    .iter()
                    .any(|(from, to)| from == node && reached[*to as usize][*node as usize]);
                prop_assert!(!on_cycle);
            }
        }
    }

    #[test]
    fn a_chain_of_a_million_nodes_is_no_problem() {
        let edges: Vec<(u32, u32)> = (0..999_999).map(|node| (node, node + 1)).collect();
        let order = ReversePostorder::new(&Graph::new(1_000_000, &edges), 0);
        assert_eq!(order.position(999_999), Some(999_999));
    }
}
