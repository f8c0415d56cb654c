//! Whether an evaluation of a decision that has begun can still cover an open goal.
//!
//! A decision is a tree in which each condition occurs once, so one scan with three-valued logic suffices. The answer is an
//! over-approximation: a condition that was skipped counts as unknown.

use obligato_campaign::Event;
use obligato_model::{BoolTree, Node, NodeId, Operator, Program};

/// Can an evaluation that begins with these values of conditions be one that the event demands?
pub fn possible(program: &Program, event: &Event, tree: &BoolTree, known: &[Option<bool>]) -> bool {
    let values = values_of_nodes(tree, known);
    let outcome = values[tree.root().index()];
    let ordinal = |condition| program.condition(condition).ordinal;
    match event {
        Event::Outcome(_, value) => outcome != Some(!value),
        Event::Taken(condition, value) => {
            let at = ordinal(*condition);
            known[at] != Some(!value) && !is_skipped(tree, &values, at)
        }
        Event::Shown { condition, value, outcome: wanted } => {
            let at = ordinal(*condition);
            known[at] != Some(!value) && outcome != Some(!wanted) && !is_masked(tree, &values, at)
        }
        Event::Vector(_, vector) => known
            .iter()
            .enumerate()
            .all(|(at, value)| value.is_none() || *value == vector.value(at)),
        Event::Boundary(condition, _)
        | Event::Observed(_, condition, _)
        | Event::ObservedBoundary(_, condition, _) => {
            !is_skipped(tree, &values, ordinal(*condition))
        }
        _ => false,
    }
}

/// Per node, its value if the known conditions decide it.
fn values_of_nodes(tree: &BoolTree, known: &[Option<bool>]) -> Vec<Option<bool>> {
    let mut values: Vec<Option<bool>> = Vec::with_capacity(tree.nodes().len());
    for node in tree.nodes() {
        let of = |id: NodeId| values[id.index()];
        let value = match *node {
            Node::Condition(at) => known[at as usize],
            Node::Not(one) => of(one).map(|value| !value),
            Node::Binary(operator, left, right) => apply(operator, of(left), of(right)),
            Node::Choose(_, test, then, otherwise) => match of(test) {
                Some(true) => of(then),
                Some(false) => of(otherwise),
                None => of(then).filter(|value| of(otherwise) == Some(*value)),
            },
        };
        values.push(value);
    }
    values
}

fn apply(operator: Operator, left: Option<bool>, right: Option<bool>) -> Option<bool> {
    match (operator, left, right) {
        (_, Some(left), Some(right)) => Some(operator.apply(left, right)),
        (Operator::And(_), Some(false), _) | (Operator::And(_), _, Some(false)) => Some(false),
        (Operator::Or(_), Some(true), _)
        | (Operator::Or(_) | Operator::Implies, _, Some(true))
        | (Operator::Implies, Some(false), _) => Some(true),
        _ => None,
    }
}

/// Does `stops` hold at one of the operators from a condition to the root?
fn any_above(tree: &BoolTree, condition: usize, stops: impl Fn(Node, NodeId) -> bool) -> bool {
    let mut at: Option<NodeId> = None;
    for (index, node) in tree.nodes().iter().enumerate() {
        let is_here = |id: NodeId| Some(id) == at;
        let above = match *node {
            Node::Condition(ordinal) => at.is_none() && ordinal as usize == condition,
            Node::Not(one) => is_here(one),
            Node::Binary(_, left, right) => is_here(left) || is_here(right),
            Node::Choose(_, test, then, otherwise) => {
                is_here(test) || is_here(then) || is_here(otherwise)
            }
        };
        if above {
            if at.is_some_and(|below| stops(*node, below)) {
                return true;
            }
            at = Some(NodeId::new(index));
        }
    }
    false
}

/// Do the known values keep the condition from being evaluated?
fn is_skipped(tree: &BoolTree, values: &[Option<bool>], condition: usize) -> bool {
    let value = |id: NodeId| values[id.index()];
    any_above(tree, condition, |node, below| match node {
        Node::Binary(operator, left, right) if below == right => {
            value(left).is_some_and(|left| operator.skips_right(left))
        }
        Node::Choose(obligato_model::Circuit::Short, test, then, _) if below != test => {
            value(test) == Some(below != then)
        }
        _ => false,
    })
}

/// Do the known values mask the condition?
fn is_masked(tree: &BoolTree, values: &[Option<bool>], condition: usize) -> bool {
    let value = |id: NodeId| values[id.index()];
    any_above(tree, condition, |node, below| match node {
        Node::Binary(operator, left, right) => {
            let other = if below == left { value(right) } else { value(left) };
            match operator {
                Operator::Implies if below == left => other == Some(true),
                Operator::And(_) | Operator::Implies => other == Some(false),
                Operator::Or(_) => other == Some(true),
                Operator::Xor | Operator::Equal => false,
            }
        }
        Node::Choose(_, test, then, otherwise) => {
            if below == test {
                value(then).is_some() && value(then) == value(otherwise)
            } else {
                value(test) == Some(below != then)
            }
        }
        Node::Condition(_) | Node::Not(_) => false,
    })
}
