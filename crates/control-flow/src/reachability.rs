//! What can be reached from where.

use obligato_model::BitSet;

use crate::{Components, Graph};

/// The nodes that are reachable from these, themselves included.
pub fn reachable_from(graph: &Graph, starts: impl IntoIterator<Item = u32>) -> BitSet {
    let mut reached = BitSet::empty(graph.len());
    let mut worklist: Vec<u32> = starts.into_iter().collect();
    while let Some(node) = worklist.pop() {
        if !reached.contains(node as usize) {
            reached.insert(node as usize);
            worklist.extend(graph.successors(node));
        }
    }
    reached
}

/// The reflexive and transitive closure of a graph: one set for each strongly connected component.
#[derive(Clone, Debug)]
pub struct Reachability {
    components: Components,
    reached: Vec<BitSet>,
}

impl Reachability {
    /// Takes memory for a bit for each component and node.
    pub fn new(graph: &Graph) -> Self {
        let components = Components::new(graph);
        let mut reached: Vec<BitSet> = Vec::with_capacity(components.len());
        for number in 0..components.len() as u32 {
            let mut own = BitSet::empty(graph.len());
            // Edges lead to components with lower numbers, whose sets are complete.
            for &node in components.members(number) {
                own.insert(node as usize);
                for next in graph.successors(node) {
                    let next = components.of(*next);
                    if next != number {
                        own.unite(&reached[next as usize]);
                    }
                }
            }
            reached.push(own);
        }
        Self { components, reached }
    }

    /// The nodes that are reachable from one, itself included.
    pub fn from(&self, node: u32) -> &BitSet {
        &self.reached[self.components.of(node) as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reference::{reached, some_graph};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_closure_is_that_of_warshall(graph in some_graph()) {
            let closure = Reachability::new(&graph);
            let reached = reached(&graph);
            for from in graph.nodes() {
                prop_assert_eq!(closure.from(from), &reachable_from(&graph, [from]));
                for to in graph.nodes() {
                    let expected = from == to || reached[from as usize][to as usize];
                    prop_assert_eq!(closure.from(from).contains(to as usize), expected);
                }
            }
        }
    }
}
