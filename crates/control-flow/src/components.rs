//! Strongly connected components, by Tarjan's algorithm with a stack of its own.

use crate::Graph;

/// The strongly connected components of a graph: nodes that reach each other are in the same one. They are numbered so that edges lead
/// from higher numbers to lower ones or stay inside.
#[derive(Clone, Debug)]
pub struct Components {
    of_node: Vec<u32>,
    members: Vec<Vec<u32>>,
}

/// What the search knows of a node: when it was reached, and the earliest node on the stack that it leads to.
#[derive(Clone, Copy)]
struct Visit {
    reached: u32,
    earliest: u32,
}

impl Components {
    /// Those of all nodes.
    pub fn new(graph: &Graph) -> Self {
        let mut found = Self { of_node: vec![u32::MAX; graph.len()], members: Vec::new() };
        let mut visits: Vec<Option<Visit>> = vec![None; graph.len()];
        let (mut count, mut stack) = (0, Vec::new());
        for start in graph.nodes() {
            let mut open: Vec<(u32, usize)> = vec![(start, 0)];
            while let Some((node, edge)) = open.last_mut() {
                let (node, at) = (*node, *edge);
                *edge += 1;
                if at == 0 {
                    if visits[node as usize].is_some() {
                        open.pop();
                        continue;
                    }
                    visits[node as usize] = Some(Visit { reached: count, earliest: count });
                    count += 1;
                    stack.push(node);
                }
                if at > 0 {
                    let child = graph.successors(node)[at - 1];
                    found.lower(&mut visits, node, child);
                }
                if let Some(to) = graph.successors(node).get(at) {
                    open.push((*to, 0));
                } else {
                    open.pop();
                    found.close(&visits, node, &mut stack);
                }
            }
        }
        found
    }

    /// An edge has been followed to its end: what its target leads to, its source does.
    fn lower(&self, visits: &mut [Option<Visit>], node: u32, child: u32) {
        let on_stack = self.of_node[child as usize] == u32::MAX;
        let below = visits[child as usize].filter(|_| on_stack);
        if let (Some(below), Some(own)) = (below, &mut visits[node as usize]) {
            own.earliest = own.earliest.min(below.earliest);
        }
    }

    /// A node that leads to none before it on the stack completes a component with all above it.
    fn close(&mut self, visits: &[Option<Visit>], node: u32, stack: &mut Vec<u32>) {
        let first = visits[node as usize].is_some_and(|visit| visit.earliest == visit.reached);
        if !first {
            return;
        }
        let number = self.members.len() as u32;
        let mut members = Vec::new();
        while let Some(member) = stack.pop() {
            self.of_node[member as usize] = number;
            members.push(member);
            if member == node {
                break;
            }
        }
        self.members.push(members);
    }

    /// How many components there are.
    pub fn len(&self) -> usize {
        self.members.len()
    }

    /// Are there none?
    pub fn is_empty(&self) -> bool {
        self.members.is_empty()
    }

    /// The component of a node.
    pub fn of(&self, node: u32) -> u32 {
        self.of_node[node as usize]
    }

    /// The nodes of a component.
    pub fn members(&self, component: u32) -> &[u32] {
        &self.members[component as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reference::{reached, some_graph};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn nodes_are_in_one_component_exactly_if_they_reach_each_other(graph in some_graph()) {
            let components = Components::new(&graph);
            let reached = reached(&graph);
            for one in graph.nodes() {
                prop_assert!(components.members(components.of(one)).contains(&one));
                for other in graph.nodes() {
                    let (a, b) = (one as usize, other as usize);
                    let together = a == b || reached[a][b] && reached[b][a];
                    prop_assert_eq!(components.of(one) == components.of(other), together);
                }
            }
            prop_assert!(graph.edges().all(|(from, to)| components.of(from) >= components.of(to)));
        }
    }

    #[test]
    fn a_cycle_of_a_million_nodes_is_one_component() {
        let count = 1_000_000;
        let edges: Vec<(u32, u32)> = (0..count).map(|node| (node, (node + 1) % count)).collect();
        assert_eq!(Components::new(&Graph::new(count as usize, &edges)).len(), 1);
    }
}
