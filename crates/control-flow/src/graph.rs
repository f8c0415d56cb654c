//! Directed graphs as flat lists of edges.

use std::ops::Range;

/// A directed graph over the nodes `0..len`. The edges of a node keep their order, and there may be several from one
/// node to another: a switch has an edge per arm.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Graph {
    successors: Adjacency,
    predecessors: Adjacency,
}

/// The lists of all nodes, one behind the other.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Adjacency {
    /// Per node, where its list starts; one more for the end of the last.
    starts: Vec<u32>,
    nodes: Vec<u32>,
}

impl Adjacency {
    fn new(count: usize, edges: impl Iterator<Item = (u32, u32)> + Clone) -> Self {
        let mut starts = vec![0; count + 1];
        for (from, _) in edges.clone() {
            starts[from as usize + 1] += 1;
        }
        for node in 0..count {
            starts[node + 1] += starts[node];
        }
        let mut free = starts.clone();
        let mut nodes = vec![0; starts[count] as usize];
        for (from, to) in edges {
            let place = &mut free[from as usize];
            nodes[*place as usize] = to;
            *place += 1;
        }
        Self { starts, nodes }
    }

    fn of(&self, node: u32) -> &[u32] {
        let node = node as usize;
        &self.nodes[self.starts[node] as usize..self.starts[node + 1] as usize]
    }
}

impl Graph {
    /// A graph of so many nodes with these edges, each from its first node to its second.
    pub fn new(count: usize, edges: &[(u32, u32)]) -> Self {
        let reversed = edges.iter().map(|(from, to)| (*to, *from));
        Self {
            successors: Adjacency::new(count, edges.iter().copied()),
            predecessors: Adjacency::new(count, reversed),
        }
    }

    /// How many nodes there are.
    pub fn len(&self) -> usize {
        self.successors.starts.len() - 1
    }

    /// Are there none?
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// All nodes.
    pub fn nodes(&self) -> Range<u32> {
        0..self.len() as u32
    }

    /// Where the edges from a node lead, in their order.
    pub fn successors(&self, node: u32) -> &[u32] {
        self.successors.of(node)
    }

    /// Where the edges to a node come from.
    pub fn predecessors(&self, node: u32) -> &[u32] {
        self.predecessors.of(node)
    }

    /// All edges, by the node they come from.
    pub fn edges(&self) -> impl Iterator<Item = (u32, u32)> {
        self.nodes().flat_map(|from| self.successors(from).iter().map(move |to| (from, *to)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edges_keep_their_order_and_number() {
        let graph = Graph::new(3, &[(0, 2), (1, 0), (0, 1), (0, 2)]);
        assert_eq!(graph.successors(0), [2, 1, 2]);
        assert_eq!(graph.predecessors(2), [0, 0]);
        assert_eq!(graph.edges().collect::<Vec<_>>(), [(0, 2), (0, 1), (0, 2), (1, 0)]);
        assert!(graph.successors(2).is_empty());
        assert!(Graph::new(0, &[]).is_empty());
    }
}
