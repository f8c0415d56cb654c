//! Goals: states to reach, or to prove unreachable.

use obligato_model::Value;
use obligato_transition_system::{NodeId, Sort, System};

use super::term;

/// A set of states. A proof that a goal is unreachable makes its negation an invariant, so the
/// last two turn bounds observed in simulation into candidate invariants.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Goal {
    /// A Boolean node is true.
    Node(NodeId),
    /// A latch, by its index, holds less than this value of its sort.
    Below(usize, Value),
    /// A latch, by its index, holds more than this value of its sort.
    Above(usize, Value),
}

impl Goal {
    /// The node that decides it.
    pub(super) fn node(&self, system: &System) -> NodeId {
        match self {
            Self::Node(node) => *node,
            Self::Below(latch, _) | Self::Above(latch, _) => system.latches[*latch].node,
        }
    }

    /// Does it fit the system?
    pub(super) fn is_sound(&self, system: &System) -> bool {
        match self {
            Self::Node(node) => system.graph.check(*node) == Ok(Sort::Bool),
            Self::Below(latch, value) | Self::Above(latch, value) => {
                let latch = system.latches.get(*latch);
                let sort = latch.map(|latch| system.graph.sort(latch.node));
                sort.is_some_and(|sort| sort != Sort::Bool && sort.holds(value))
            }
        }
    }

    /// The goal as a term, where nodes are called as `name` says.
    pub(super) fn term(&self, system: &System, name: impl Fn(NodeId) -> String) -> String {
        let node = self.node(system);
        let sort = system.graph.sort(node);
        match self {
            Self::Node(_) => name(node),
            Self::Below(_, value) => term::less(sort, &name(node), &term::constant(sort, value)),
            Self::Above(_, value) => term::less(sort, &term::constant(sort, value), &name(node)),
        }
    }
}
