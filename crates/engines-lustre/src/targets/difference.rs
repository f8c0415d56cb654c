//! A copy of a system with a difference, and by node whether it differs from the system.
//!
//! For each node of the copy there is a Boolean that says whether its value differs from the system's in this
//! step. That two numbers are equal because they come about in the same way is known without comparing
//! them: so it is known, too, of numbers that have left an encoding in which nothing can be said about
//! their values any more. And where the operands of a comparison do not differ, its outcome in the copy
//! *is* the system's: an encoding would otherwise leave both open, and each by itself.

use obligato_lustre_replay::mutation::Compared;
use obligato_transition_system::{
    Binary, Error, Graph, NodeId, NodeMap, Sort, System, TapId, Term,
};

use super::booleans::{any, both, valued};

/// A latch of a copy.
#[derive(Clone, Copy, Debug)]
pub struct CopiedLatch {
    /// Its value.
    pub node: NodeId,
    /// A Boolean: that may differ from what the system's latch holds.
    pub differs: NodeId,
}

/// A copy beside the system.
#[derive(Debug)]
pub struct Fork {
    images: NodeMap,
    /// By node of the system: a Boolean that holds if the copy differs there; none if it cannot.
    differs: Vec<Option<NodeId>>,
}

impl Fork {
    /// Copies what roots depend on within a step. `model` is where the nodes of the system are in
    /// `graph`, `latches` are the copy's own latches (the others are the model's), and `stuck` says what a tap
    /// becomes in the copy, given what is tapped.
    pub fn new(
        system: &System,
        roots: &[NodeId],
        model: &NodeMap,
        graph: &mut Graph,
        latches: &[Option<CopiedLatch>],
        stuck: impl Fn(&mut Graph, TapId, NodeId) -> Result<NodeId, Error>,
    ) -> Result<Self, Error> {
        let mut differs: Vec<Option<NodeId>> = vec![None; system.graph.len()];
        let mut is_own = vec![false; system.graph.len()];
        let images = system.graph.rewrite(roots.iter().copied(), graph, |graph, node, term| {
            let here = image(model, node);
            let before = system.graph.term(node);
            let mut there = match term {
                Term::Latch(index) => match latches[index as usize] {
                    Some(latch) => {
                        is_own[node.index()] = true;
                        differs[node.index()] = Some(latch.differs);
                        return Ok(Some(latch.node));
                    }
                    None => return Ok(Some(here)),
                },
                Term::Tap(tap, tapped) => stuck(graph, tap, tapped)?,
                _ if !before.children().any(|child| is_own[child.index()]) => {
                    return Ok(Some(here));
                }
                Term::Unary(operation, a) => graph.unary(operation, a)?,
                Term::Binary(operation, a, b) => graph.binary(operation, a, b)?,
                Term::Ite(test, first, second) => graph.ite(test, first, second)?,
                Term::Constant(_) | Term::Input(_) => here,
            };
            let below = before.children().filter_map(|child| differs[child.index()]);
            let below = any(graph, below.collect::<Vec<_>>())?;
            if compares_numbers(&system.graph, before) {
                there = graph.ite(below, there, here)?;
            }
            if there == here {
                return Ok(Some(here));
            }
            is_own[node.index()] = true;
            let equal = graph.equal(here, there)?;
            let unequal = graph.not(equal)?;
            differs[node.index()] = Some(match (before, term) {
                _ if system.graph.sort(node) == Sort::Bool => unequal,
                (Term::Ite(test, first, second), Term::Ite(changed, ..)) => {
                    let tests = [image(model, test), changed];
                    let arms = [differs[first.index()], differs[second.index()]];
                    differing_choice(graph, tests, arms, unequal)?
                }
                _ => both(graph, below, unequal)?,
            });
            Ok(Some(there))
        })?;
        Ok(Self { images, differs })
    }

    /// The node of the copy.
    pub fn image(&self, node: NodeId) -> NodeId {
        image(&self.images, node)
    }

    /// A Boolean that holds if a node differs; none if it cannot.
    pub fn differs(&self, node: NodeId) -> Option<NodeId> {
        self.differs[node.index()]
    }

    /// Something compared is there in the copy and differs.
    pub fn shows(&self, graph: &mut Graph, compared: &[Compared]) -> Result<NodeId, Error> {
        let mut ways = Vec::new();
        for Compared { node, present } in compared {
            if let Some(differs) = self.differs(*node) {
                ways.push(both(graph, self.image(*present), differs)?);
            }
        }
        any(graph, ways)
    }

    /// A check fails in the copy alone.
    pub fn fails(
        &self,
        graph: &mut Graph,
        model: &NodeMap,
        checks: &[NodeId],
    ) -> Result<NodeId, Error> {
        let mut ways = Vec::new();
        for check in checks {
            let (here, there) = (image(model, *check), self.image(*check));
            if here != there {
                let fails = graph.not(there)?;
                ways.push(both(graph, here, fails)?);
            }
        }
        any(graph, ways)
    }
}

/// A choice of numbers differs: both take the same arm, which differs, or they take different ones, and
/// these differ.
fn differing_choice(
    graph: &mut Graph,
    [here, there]: [NodeId; 2],
    arms: [Option<NodeId>; 2],
    unequal: NodeId,
) -> Result<NodeId, Error> {
    let mut ways = Vec::new();
    if here != there {
        let same = graph.equal(here, there)?;
        let apart = graph.not(same)?;
        ways.push(both(graph, apart, unequal)?);
    }
    for (arm, value) in arms.into_iter().zip([true, false]) {
        if let Some(differs) = arm {
            let (here, there) = (valued(graph, here, value)?, valued(graph, there, value)?);
            let taken = both(graph, here, there)?;
            ways.push(both(graph, taken, differs)?);
        }
    }
    any(graph, ways)
}

/// A comparison whose outcome an encoding may have to leave open.
fn compares_numbers(graph: &Graph, term: Term) -> bool {
    use Binary::{Equal, Less, LessEqual};
    match term {
        Term::Binary(Equal | Less | LessEqual, a, _) => graph.sort(a) != Sort::Bool,
        _ => false,
    }
}

/// Where a node is in the graph that a system was copied into.
pub fn image(map: &NodeMap, node: NodeId) -> NodeId {
    map.get(node).expect("invariant: what is asked for was a root")
}
