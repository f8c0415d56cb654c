//! Depth-first search with a stack of its own.

use crate::Graph;

/// What a depth-first search from one node has found. Edges are followed in their order.
#[derive(Clone, Debug)]
pub(crate) struct DepthFirst {
    /// The nodes that are reached, in the order in which they were.
    pub(crate) preorder: Vec<u32>,
    /// The same nodes, in the order in which they were left.
    pub(crate) postorder: Vec<u32>,
    /// Per node, the one that it was reached from; none for the start and for what is not reached.
    pub(crate) parents: Vec<Option<u32>>,
}

impl DepthFirst {
    /// The search from a node; it finds nothing in a graph without nodes.
    pub(crate) fn new(graph: &Graph, start: u32) -> Self {
        let count = graph.len();
        let mut found =
            Self { preorder: Vec::new(), postorder: Vec::new(), parents: vec![None; count] };
        if graph.is_empty() {
            return found;
        }
        let mut seen = vec![false; count];
        seen[start as usize] = true;
        found.preorder.push(start);
        // Nodes that are not left yet, each with the number of its next edge.
        let mut open: Vec<(u32, usize)> = vec![(start, 0)];
        while let Some((node, edge)) = open.last_mut() {
            let node = *node;
            let Some(&to) = graph.successors(node).get(*edge) else {
                found.postorder.push(node);
                open.pop();
                continue;
            };
            *edge += 1;
            if !std::mem::replace(&mut seen[to as usize], true) {
                found.parents[to as usize] = Some(node);
                found.preorder.push(to);
                open.push((to, 0));
            }
        }
        found
    }
}
