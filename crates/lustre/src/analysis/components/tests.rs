//! Tests of the order of graphs and of the cycles in them.

use super::*;

fn graph(edges: &[&[u32]]) -> DependencyGraph {
    let mut graph = DependencyGraph::new();
    for targets in edges {
        graph.add(targets.iter().copied());
    }
    graph
}

#[test]
fn what_a_vertex_depends_on_comes_before_it() {
    let (order, cycles) = graph(&[&[1, 2], &[3], &[3], &[]]).sort();
    assert_eq!(order, [3, 1, 2, 0]);
    assert!(cycles.is_empty());
}

#[test]
fn each_tangle_gives_one_short_cycle_from_its_first_vertex() {
    let (_, cycles) = graph(&[&[1], &[2, 0], &[0], &[3], &[]]).sort();
    assert_eq!(cycles, [vec![0, 1], vec![3]]);
}

#[test]
fn a_chain_of_a_million_vertices_needs_no_call_stack() {
    let mut graph = DependencyGraph::new();
    for vertex in 1..1_000_000 {
        graph.add([vertex]);
    }
    graph.add([]);
    let (order, cycles) = graph.sort();
    assert_eq!(order.first(), Some(&999_999));
    assert!(cycles.is_empty());
}
