//! Live nodes, and how often each is used.

use obligato_transition_system::{CheckKind, NodeId, System, Term};

use super::FlatNode;

/// The node that a node is, seen through taps: these are no part of what is written.
pub(super) fn resolve(system: &System, mut node: NodeId) -> NodeId {
    while let Term::Tap(_, of) = system.graph.term(node) {
        node = of;
    }
    node
}

/// The number of uses of each node; 0 for dead nodes.
pub(super) fn count_uses(node: &FlatNode<'_>) -> Vec<usize> {
    let system = node.system;
    let asserted = system.checks.iter().filter(|check| check.kind == CheckKind::Assertion);
    let roots = system.outputs.iter().map(|output| output.node);
    let roots = roots.chain(asserted.map(|check| check.node));
    let roots = roots.chain(node.traps.iter().map(|trap| trap.event));
    let mut uses = vec![0; system.graph.len()];
    let mut open: Vec<NodeId> = roots.map(|root| resolve(system, root)).collect();
    while let Some(node) = open.pop() {
        uses[node.index()] += 1;
        if uses[node.index()] > 1 {
            continue;
        }
        match system.graph.term(node) {
            Term::Latch(index) => open.push(resolve(system, system.latches[index as usize].next)),
            term => open.extend(term.children().map(|child| resolve(system, child))),
        }
    }
    uses
}
