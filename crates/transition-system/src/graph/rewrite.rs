//! The one way to map a graph into another: slicing, unrolling, mutation and
//! products differ only in the function they map with.

use super::Graph;
use crate::error::Error;
use crate::term::{NodeId, Term};

/// Where the nodes of a graph went.
#[derive(Clone, Debug)]
pub struct NodeMap(Vec<Option<NodeId>>);

impl NodeMap {
    /// The image of a node; `None` if no root depends on it.
    pub fn get(&self, node: NodeId) -> Option<NodeId> {
        self.0.get(node.index()).copied().flatten()
    }
}

impl Graph {
    /// Builds the terms of `roots` again in `target`, children first.
    ///
    /// Each term is offered to `replace` with its operands already mapped (but a
    /// constant's id is still of this graph); what it returns stands for the node.
    /// If it returns `None`, the same term is built: an input or a latch is then
    /// the one with the same index, and a tap is a new tap, so one who needs to
    /// know which has to make it.
    pub fn rewrite(
        &self,
        roots: impl IntoIterator<Item = NodeId>,
        target: &mut Self,
        mut replace: impl FnMut(&mut Self, NodeId, Term) -> Result<Option<NodeId>, Error>,
    ) -> Result<NodeMap, Error> {
        let reached = self.reachable(roots);
        let mut images: Vec<Option<NodeId>> = vec![None; self.len()];
        for node in self.nodes().filter(|node| reached[node.index()]) {
            let term = self.term(node).map(|child| {
                images[child.index()].expect("invariant: children come before parents")
            });
            let image = match replace(target, node, term)? {
                Some(image) => image,
                None => self.rebuild(node, term, target)?,
            };
            images[node.index()] = Some(image);
        }
        Ok(NodeMap(images))
    }

    fn rebuild(&self, node: NodeId, term: Term, target: &mut Self) -> Result<NodeId, Error> {
        let leaf = |what, leaves: &[NodeId], index: u32| {
            let (index, count) = (index as usize, leaves.len());
            leaves.get(index).copied().ok_or(Error::NoSuch { what, index, count })
        };
        match term {
            Term::Constant(id) => target.constant(self.sort(node), self.constant_value(id).clone()),
            Term::Input(index) => leaf("input", &target.inputs, index),
            Term::Latch(index) => leaf("latch", &target.latches, index),
            Term::Unary(operation, a) => target.unary(operation, a),
            Term::Binary(operation, a, b) => target.binary(operation, a, b),
            Term::Ite(test, a, b) => target.ite(test, a, b),
            Term::Tap(_, a) => target.tap(a).map(|tap| target.tap_node(tap)),
        }
    }
}
