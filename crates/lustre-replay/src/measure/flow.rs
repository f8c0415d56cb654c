//! Which conditions' effects reach an observed variable, under the tag semantics.
//!
//! The papers let tags ride along with values, forwards: a set of tags per value, as large as
//! the model has conditions. But whether a tag passes an operator depends on the values alone,
//! never on other tags (Whalen et al., table II; You et al., table I). So a tag that was set at
//! a condition reaches an observed variable exactly if there is a path of open operators from
//! the one to the other, through latches into later steps. A backward pass follows all paths at once,
//! from the observed variables of the last step to the conditions of the
//! first: one bit per node, step and test says whether a tag there is observed. That costs as
//! much as one more simulation, whatever the number of conditions.
//!
//! A [`Flow`] is the graph as a list of edges, parents first, each with the Boolean that opens
//! it.

use obligato_model::Observability;
use obligato_transition_system::lanes::{Mask, WORDS};
use obligato_transition_system::{Error, NodeId, System, Term};
use rustc_hash::FxHashMap;

use super::marking::{add, and, not};
use super::propagation::{PassCondition, pass_conditions};
use super::readings::{Readings, Slot};

type Lanes = Mask<WORDS>;

/// The position of a node among those from which something observed can be reached.
pub type FlowNode = u32;

/// From an operand to what it is an operand of.
#[derive(Clone, Copy, Debug)]
struct Edge {
    operand: FlowNode,
    result: FlowNode,
    gate: PassCondition<Slot>,
}

/// The tag flow graph to the observed variables.
#[derive(Clone, Debug)]
pub struct Flow {
    /// Results before operands.
    edges: Vec<Edge>,
    observed: Vec<FlowNode>,
    /// What a latch will hold, and the latch.
    latches: Vec<(FlowNode, FlowNode)>,
    nodes: FxHashMap<NodeId, FlowNode>,
    by_position: Vec<NodeId>,
}

impl Flow {
    /// The flow to `observed` under `tags` or `strict`; `exact` is not a matter of tags.
    ///
    /// The Booleans it depends on are added to `readings`, and those that the graph lacks to
    /// the graph.
    pub fn new(
        system: &mut System,
        observed: &[NodeId],
        semantics: Observability,
        readings: &mut Readings,
    ) -> Result<Self, Error> {
        let reached = system.cone(observed);
        let nodes = system.graph.nodes().rev();
        let cone: Vec<NodeId> = nodes.filter(|node| reached[node.index()]).collect();
        let nodes: FxHashMap<NodeId, FlowNode> =
            cone.iter().enumerate().map(|(index, node)| (*node, index as FlowNode)).collect();
        let mut edges = Vec::new();
        for node in &cone {
            for (operand, gate) in pass_conditions(&mut system.graph, *node, semantics)? {
                let gate = gate.map(|it| readings.slot(it));
                let term = system.graph.term(operand);
                if !matches!(term, Term::Constant(_) | Term::Input(_)) {
                    edges.push(Edge { operand: nodes[&operand], result: nodes[node], gate });
                }
            }
        }
        let latches = system
            .latches
            .iter()
            .filter_map(|latch| Some((*nodes.get(&latch.next)?, *nodes.get(&latch.node)?)));
        let latches = latches.collect();
        let observed = observed.iter().map(|at| nodes[at]).collect();
        Ok(Self { edges, observed, latches, nodes, by_position: cone })
    }

    /// The position of a node; `None` if nothing observed can ever depend on it.
    pub fn node(&self, node: NodeId) -> Option<FlowNode> {
        self.nodes.get(&node).copied()
    }

    /// After the last step, nothing is observed.
    pub fn start(&self) -> Seen {
        Seen {
            now: vec![[0; WORDS]; self.nodes.len()],
            later: vec![[0; WORDS]; self.latches.len()],
        }
    }

    /// Goes back by one step, which had these readings in these lanes.
    pub fn step_back(&self, row: &[Lanes], live: Lanes, seen: &mut Seen) {
        seen.now.fill([0; WORDS]);
        for observed in &self.observed {
            seen.now[*observed as usize] = live;
        }
        for ((next, _), later) in self.latches.iter().zip(&seen.later) {
            add(&mut seen.now[*next as usize], and(*later, live));
        }
        for Edge { operand, result, gate } in &self.edges {
            let through = match gate {
                PassCondition::Always => seen.now[*result as usize],
                PassCondition::When(slot) => and(seen.now[*result as usize], row[*slot as usize]),
                PassCondition::Unless(slot) | PassCondition::Differ(slot) => {
                    and(seen.now[*result as usize], not(row[*slot as usize]))
                }
            };
            add(&mut seen.now[*operand as usize], through);
        }
        for ((_, latch), later) in self.latches.iter().zip(&mut seen.later) {
            *later = seen.now[*latch as usize];
        }
    }
}

/// An edge that a tag did not pass.
#[derive(Clone, Copy, Debug)]
pub struct Blocked {
    /// Where the tag is.
    pub operand: FlowNode,
    /// Where it did not get.
    pub result: FlowNode,
    /// The Boolean that masked it.
    pub slot: Slot,
    /// Is it that both arms of a choice are equal?
    pub equal_arms: bool,
}

/// Forward propagation of one tag in one test.
impl Flow {
    /// How many nodes there are.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// How many latches there are.
    pub fn latches(&self) -> usize {
        self.latches.len()
    }

    /// What is observed.
    pub fn observed(&self) -> &[FlowNode] {
        &self.observed
    }

    /// All nodes with their positions, in no order.
    pub fn nodes(&self) -> impl Iterator<Item = (NodeId, FlowNode)> + '_ {
        self.nodes.iter().map(|(node, at)| (*node, *at))
    }

    /// The node at a position.
    pub fn node_at(&self, at: FlowNode) -> NodeId {
        self.by_position[at as usize]
    }

    /// The latches of the system, by index, that hold a tag.
    pub fn latches_holding(&self, held: &[bool], system: &System) -> Vec<usize> {
        let holding = self.latches.iter().zip(held).filter(|(_, held)| **held);
        let index = |((_, latch), _): (&(FlowNode, FlowNode), &bool)| match system
            .graph
            .term(self.node_at(*latch))
        {
            Term::Latch(index) => Some(index as usize),
            _ => None,
        };
        holding.filter_map(index).collect()
    }

    /// Propagates through one step in which the tag is set at some nodes: the nodes that carry it, the
    /// latches that hold it afterwards, and the edges that masked it.
    pub fn step_on(
        &self,
        carries: &mut [bool],
        held: &mut [bool],
        set: &[NodeId],
        holds: impl Fn(Slot) -> bool,
        blocked: &mut Vec<Blocked>,
    ) {
        carries.fill(false);
        for ((_, latch), held) in self.latches.iter().zip(held.iter()) {
            carries[*latch as usize] |= *held;
        }
        for at in set.iter().filter_map(|node| self.node(*node)) {
            carries[at as usize] = true;
        }
        // Results come before operands in the list.
        for Edge { operand, result, gate } in self.edges.iter().rev() {
            if !carries[*operand as usize] {
                continue;
            }
            let (slot, open) = match gate {
                PassCondition::Always => (0, true),
                PassCondition::When(slot) => (*slot, holds(*slot)),
                PassCondition::Unless(slot) | PassCondition::Differ(slot) => (*slot, !holds(*slot)),
            };
            if open {
                carries[*result as usize] = true;
            } else {
                let equal_arms = matches!(gate, PassCondition::Differ(_));
                blocked.push(Blocked { operand: *operand, result: *result, slot, equal_arms });
            }
        }
        for ((next, _), held) in self.latches.iter().zip(held) {
            *held = carries[*next as usize];
        }
    }
}

/// The lanes in which a tag at a node is observed, in this step or later.
#[derive(Clone, Debug)]
pub struct Seen {
    now: Vec<Lanes>,
    later: Vec<Lanes>,
}

impl Seen {
    /// The lanes in which tags at the node in this step are observed.
    pub fn at(&self, node: FlowNode) -> Lanes {
        self.now[node as usize]
    }
}
