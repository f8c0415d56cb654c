//! What depends on what, within a step and through latches across steps.

use super::System;
use crate::term::{NodeId, Term};

impl System {
    /// The nodes that the roots depend on, in the same step or, through latches, in earlier ones.
    pub fn cone(&self, roots: &[NodeId]) -> Vec<bool> {
        let mut reached = vec![false; self.graph.len()];
        let mut open = roots.to_vec();
        while let Some(node) = open.pop() {
            if std::mem::replace(&mut reached[node.index()], true) {
                continue;
            }
            match self.graph.term(node) {
                Term::Latch(index) => open.push(self.latches[index as usize].next),
                term => open.extend(term.children()),
            }
        }
        reached
    }

    /// The nodes that depend on the sources, in the same step or, through latches, in later ones.
    pub fn fan_out(&self, sources: &[NodeId]) -> Vec<bool> {
        let users = Users::new(self);
        let mut reached = vec![false; self.graph.len()];
        let mut open = sources.to_vec();
        while let Some(node) = open.pop() {
            if !std::mem::replace(&mut reached[node.index()], true) {
                open.extend(users.of(node));
            }
        }
        reached
    }

    /// The nodes through which the sources can reach the roots, in whatever number of steps.
    pub fn between(&self, sources: &[NodeId], roots: &[NodeId]) -> Vec<bool> {
        let (after, before) = (self.fan_out(sources), self.cone(roots));
        after.into_iter().zip(before).map(|(after, before)| after && before).collect()
    }
}

/// The nodes that use each node as an operand, or as what a latch will hold.
struct Users {
    /// By node, where its users start; one more at the end.
    starts: Vec<usize>,
    users: Vec<NodeId>,
}

impl Users {
    fn new(system: &System) -> Self {
        let graph = &system.graph;
        let operands =
            graph.nodes().flat_map(|node| graph.children(node).map(move |of| (of, node)));
        let held = system.latches.iter().map(|latch| (latch.next, latch.node));
        let mut uses: Vec<(NodeId, NodeId)> = operands.chain(held).collect();
        uses.sort_unstable();
        let mut starts = vec![0; graph.len() + 1];
        for (of, _) in &uses {
            starts[of.index() + 1] += 1;
        }
        for index in 1..starts.len() {
            starts[index] += starts[index - 1];
        }
        Self { starts, users: uses.into_iter().map(|(_, user)| user).collect() }
    }

    fn of(&self, node: NodeId) -> &[NodeId] {
        &self.users[self.starts[node.index()]..self.starts[node.index() + 1]]
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::sample::sketches;

    proptest! {
        #[test]
        fn what_a_node_depends_on_is_what_it_is_in_the_fan_out_of(sketch in sketches(30)) {
            let (system, _) = sketch.build();
            let all: Vec<NodeId> = system.graph.nodes().collect();
            let cones: Vec<_> = all.iter().map(|node| system.cone(&[*node])).collect();
            let fan_outs: Vec<_> = all.iter().map(|node| system.fan_out(&[*node])).collect();
            for a in &all {
                for b in &all {
                    prop_assert_eq!(cones[a.index()][b.index()], fan_outs[b.index()][a.index()]);
                }
            }
        }

        #[test]
        fn a_cone_is_closed_under_operands_and_what_latches_held(sketch in sketches(30)) {
            let (system, _) = sketch.build();
            let Some(root) = system.graph.nodes().next_back() else { return Ok(()) };
            let cone = system.cone(&[root]);
            prop_assert!(cone[root.index()]);
            for node in system.graph.nodes().filter(|node| cone[node.index()]) {
                prop_assert!(system.graph.children(node).all(|child| cone[child.index()]));
            }
            for latch in system.latches.iter().filter(|latch| cone[latch.node.index()]) {
                prop_assert!(cone[latch.next.index()]);
            }
        }
    }
}
