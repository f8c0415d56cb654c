//! Conditions that are unreachable because others are folded: `b` in `1 ? a : b`.

use obligato_clang::Decision;
use obligato_model::{Node, Operator};

use super::super::EvaluationSite;

/// The outcome of a decision, if its folded conditions determine it.
pub fn known_outcome(decision: &Decision, conditions: &[EvaluationSite]) -> Option<bool> {
    known_nodes(decision, conditions).last().copied().flatten()
}

/// Per node of a decision its value, if the folded conditions determine it.
fn known_nodes(decision: &Decision, conditions: &[EvaluationSite]) -> Vec<Option<bool>> {
    let nodes = decision.tree.nodes();
    let mut known: Vec<Option<bool>> = Vec::with_capacity(nodes.len());
    for node in nodes {
        known.push(match *node {
            Node::Condition(ordinal) => match &conditions[ordinal as usize] {
                EvaluationSite::Folded(value) => Some(*value),
                _ => None,
            },
            Node::Not(operand) => known[operand.index()].map(|value| !value),
            Node::Binary(operator, left, right) => {
                joined(operator, known[left.index()], known[right.index()])
            }
            Node::Choose(_, test, then, otherwise) => known[test.index()]
                .and_then(|test| known[if test { then } else { otherwise }.index()]),
        });
    }
    known
}

/// Marks conditions without code as unreachable, not missing, where no evaluation reaches them.
pub fn mark_unreachable(decision: &Decision, conditions: &mut [EvaluationSite]) {
    let nodes = decision.tree.nodes();
    let known = known_nodes(decision, conditions);
    let mut reached = vec![false; nodes.len()];
    if let Some(root) = reached.last_mut() {
        *root = true;
    }
    for (at, node) in nodes.iter().enumerate().rev() {
        if !reached[at] {
            continue;
        }
        match *node {
            Node::Condition(_) => {}
            Node::Not(operand) => reached[operand.index()] = true,
            Node::Binary(operator, left, right) => {
                reached[left.index()] = true;
                reached[right.index()] =
                    known[left.index()].is_none_or(|left| !operator.skips_right(left));
            }
            Node::Choose(_, test, then, otherwise) => {
                reached[test.index()] = true;
                reached[then.index()] = known[test.index()] != Some(false);
                reached[otherwise.index()] = known[test.index()] != Some(true);
            }
        }
    }
    for (node, reached) in nodes.iter().zip(reached) {
        if let (Node::Condition(ordinal), false) = (node, reached) {
            let site = &mut conditions[*ordinal as usize];
            if matches!(site, EvaluationSite::Missing(_)) {
                *site = EvaluationSite::Dead;
            }
        }
    }
}

fn joined(operator: Operator, left: Option<bool>, right: Option<bool>) -> Option<bool> {
    let left = left?;
    if operator.skips_right(left) { Some(left) } else { Some(operator.apply(left, right?)) }
}
