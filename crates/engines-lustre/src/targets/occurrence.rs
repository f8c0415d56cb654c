//! Decisions as Booleans: their outcomes, and which conditions are unmasked.
//!
//! Dataflow evaluates every condition, and each occurs once in its decision, so a condition is unmasked
//! where no operator on its way to the root is decided by the other operand. Top-down that is
//! one Boolean per node of the tree, shared by all conditions below it.

use obligato_lustre::lowering::{Lowered, Occurrence};
use obligato_model::tree::{self, Node};
use obligato_model::{BoolTree, DecisionId, Operator};
use obligato_transition_system::{Binary, Error, Graph, NodeId};

use super::booleans::{any, both};

/// One evaluation of a decision in every step.
#[derive(Clone, Debug)]
pub struct Marked {
    /// Is it evaluated in this step?
    pub active: NodeId,
    /// The value of each condition.
    pub conditions: Vec<NodeId>,
    /// The value of the decision.
    pub outcome: NodeId,
    /// Is each condition unmasked?
    pub unmasked: Vec<NodeId>,
}

/// The occurrences of decisions, each marked once, when it is first asked for.
#[derive(Debug)]
pub struct Occurrences<'l> {
    lowered: &'l Lowered,
    marked: Vec<Option<Vec<Marked>>>,
}

impl<'l> Occurrences<'l> {
    /// None marked yet.
    pub fn new(lowered: &'l Lowered) -> Self {
        Self { lowered, marked: vec![None; lowered.decisions.len()] }
    }

    /// An occurrence of the decision is evaluated in this step, and this holds of it.
    pub fn any(
        &mut self,
        graph: &mut Graph,
        decision: DecisionId,
        mut holds: impl FnMut(&mut Graph, &Marked) -> Result<NodeId, Error>,
    ) -> Result<NodeId, Error> {
        let marked = &mut self.marked[decision.index()];
        if marked.is_none() {
            let tree = &self.lowered.program.decision(decision).tree;
            let occurrences = self.lowered.site(decision).occurrences.iter();
            let all = occurrences.map(|occurrence| mark(graph, tree, occurrence));
            *marked = Some(all.collect::<Result<_, Error>>()?);
        }
        let mut ways = Vec::new();
        for occurrence in marked.iter().flatten() {
            let holds = holds(graph, occurrence)?;
            ways.push(both(graph, occurrence.active, holds)?);
        }
        any(graph, ways)
    }
}

fn mark(graph: &mut Graph, tree: &BoolTree, occurrence: &Occurrence) -> Result<Marked, Error> {
    let tapped = occurrence.taps.iter().map(|tap| {
        let tap = tap.expect("invariant: every condition of a lowered decision has its tap");
        graph.tap_node(tap)
    });
    let conditions: Vec<NodeId> = tapped.collect();
    let values = evaluate(graph, tree, &conditions)?;
    let unmasked = find_unmasked(graph, tree, &values)?;
    let outcome = values[tree.root().index()];
    Ok(Marked { active: occurrence.active, conditions, outcome, unmasked })
}

/// The value of every node of the tree.
fn evaluate(
    graph: &mut Graph,
    tree: &BoolTree,
    conditions: &[NodeId],
) -> Result<Vec<NodeId>, Error> {
    let mut values: Vec<NodeId> = Vec::with_capacity(tree.nodes().len());
    for node in tree.nodes() {
        let value = |id: tree::NodeId| values[id.index()];
        values.push(match *node {
            Node::Condition(ordinal) => conditions[ordinal as usize],
            Node::Not(operand) => graph.not(value(operand))?,
            Node::Binary(operator, left, right) => {
                let (left, right) = (value(left), value(right));
                match operator {
                    Operator::And(_) => graph.and(left, right)?,
                    Operator::Or(_) => graph.or(left, right)?,
                    Operator::Implies => graph.implies(left, right)?,
                    Operator::Xor => graph.binary(Binary::Xor, left, right)?,
                    Operator::Equal => graph.equal(left, right)?,
                }
            }
            Node::Choose(_, test, then, otherwise) => {
                graph.ite(value(test), value(then), value(otherwise))?
            }
        });
    }
    Ok(values)
}

/// Whether each condition is unmasked, by the values of the tree's nodes.
fn find_unmasked(
    graph: &mut Graph,
    tree: &BoolTree,
    values: &[NodeId],
) -> Result<Vec<NodeId>, Error> {
    let always = graph.bool(true);
    let mut matters = vec![always; values.len()];
    let mut unmasked = vec![always; tree.conditions()];
    for (index, node) in tree.nodes().iter().enumerate().rev() {
        let value = |id: tree::NodeId| values[id.index()];
        let passes = match *node {
            Node::Condition(ordinal) => {
                unmasked[ordinal as usize] = matters[index];
                vec![]
            }
            Node::Not(operand) => vec![(operand, always)],
            Node::Binary(operator, left, right) => {
                let (a, b) = (value(left), value(right));
                let (if_left, if_right) = match operator {
                    Operator::And(_) => (b, a),
                    Operator::Or(_) => (graph.not(b)?, graph.not(a)?),
                    Operator::Implies => (graph.not(b)?, a),
                    Operator::Xor | Operator::Equal => (always, always),
                };
                vec![(left, if_left), (right, if_right)]
            }
            Node::Choose(_, test, then, otherwise) => {
                let differ = graph.binary(Binary::Xor, value(then), value(otherwise))?;
                let not_chosen = graph.not(value(test))?;
                vec![(test, differ), (then, value(test)), (otherwise, not_chosen)]
            }
        };
        for (operand, open) in passes {
            matters[operand.index()] = both(graph, matters[index], open)?;
        }
    }
    Ok(unmasked)
}
