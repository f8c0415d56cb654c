//! Random graphs, and analyses of them that are slow and obviously right.

use proptest::prelude::*;

use crate::Graph;

type Edges = Vec<(u32, u32)>;

/// A graph of 1 to 12 nodes, reducible or not, parts of which may be unreachable. Half of the graphs have mostly edges to near nodes, as
/// code has.
pub(crate) fn some_graph() -> impl Strategy<Value = Graph> {
    (1..=12_u32).prop_flat_map(|count| {
        let any = |most: usize| proptest::collection::vec((0..count, 0..count), 0..most);
        let near = proptest::collection::vec((0..count, 0..3_u32), 0..20);
        let near = near.prop_map(move |edges| -> Edges {
            edges.into_iter().map(|(from, by)| (from, (from + by).min(count - 1))).collect()
        });
        let mostly_near = (near, any(4)).prop_map(|(near, far)| [near, far].concat());
        let edges = prop_oneof![any(30), mostly_near];
        edges.prop_map(move |edges| Graph::new(count as usize, &edges))
    })
}

/// Warshall's algorithm: from where to where is there a path of at least one edge?
pub(crate) fn reached(graph: &Graph) -> Vec<Vec<bool>> {
    let count = graph.len();
    let mut reached = vec![vec![false; count]; count];
    for (from, to) in graph.edges() {
        reached[from as usize][to as usize] = true;
    }
    for middle in 0..count {
        for from in 0..count {
            for to in 0..count {
                reached[from][to] |= reached[from][middle] && reached[middle][to];
            }
        }
    }
    reached
}

/// The same over these nodes alone, every one of which reaches itself.
pub(crate) fn reached_within(graph: &Graph, nodes: &[bool]) -> Vec<Vec<bool>> {
    let is_inside = |(from, to): &(u32, u32)| nodes[*from as usize] && nodes[*to as usize];
    let edges: Vec<(u32, u32)> = graph.edges().filter(is_inside).collect();
    let mut reached = reached(&Graph::new(graph.len(), &edges));
    for (node, inside) in nodes.iter().enumerate() {
        reached[node][node] = *inside;
    }
    reached
}

/// Does one node dominate another: is that one reachable from the root, and unreachable once the first is removed?
pub(crate) fn dominates_by_removal(graph: &Graph, root: u32) -> Vec<Vec<bool>> {
    let reaches = |removed: Option<u32>, node: u32| {
        let left: Vec<bool> = graph.nodes().map(|one| Some(one) != removed).collect();
        reached_within(graph, &left)[root as usize][node as usize]
    };
    let dominates = |one: u32, node: u32| reaches(None, node) && !reaches(Some(one), node);
    graph.nodes().map(|one| graph.nodes().map(|node| dominates(one, node)).collect()).collect()
}

/// The nodes that a recursive depth-first search reaches, as it leaves them.
pub(crate) fn recursive_postorder(graph: &Graph, start: u32) -> Vec<u32> {
    fn visit(graph: &Graph, node: u32, seen: &mut Vec<u32>, left: &mut Vec<u32>) {
        seen.push(node);
        for to in graph.successors(node) {
            if !seen.contains(to) {
                visit(graph, *to, seen, left);
            }
        }
        left.push(node);
    }
    let mut left = Vec::new();
    visit(graph, start, &mut Vec::new(), &mut left);
    left
}
