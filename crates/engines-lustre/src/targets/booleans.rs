//! Booleans that say something about a run.
//!
//! The graph keeps what is below a tap even where a constant decides, because coverage asks what became
//! of that occurrence. Nobody asks that of the Booleans here, so constants decide.

use obligato_lustre_replay::measure::PassCondition;
use obligato_model::Value;
use obligato_transition_system::{Error, Graph, NodeId, SystemBuilder};

/// `a and b`.
pub fn both(graph: &mut Graph, a: NodeId, b: NodeId) -> Result<NodeId, Error> {
    match (known(graph, a), known(graph, b)) {
        (Some(false), _) | (_, Some(true)) => Ok(a),
        (Some(true), _) | (_, Some(false)) => Ok(b),
        _ => graph.and(a, b),
    }
}

/// `a or b`.
pub fn either(graph: &mut Graph, a: NodeId, b: NodeId) -> Result<NodeId, Error> {
    match (known(graph, a), known(graph, b)) {
        (Some(true), _) | (_, Some(false)) => Ok(a),
        (Some(false), _) | (_, Some(true)) => Ok(b),
        _ => graph.or(a, b),
    }
}

/// Some of them; never, if there are none.
pub fn any(graph: &mut Graph, nodes: impl IntoIterator<Item = NodeId>) -> Result<NodeId, Error> {
    let never = graph.bool(false);
    nodes.into_iter().try_fold(never, |some, node| either(graph, some, node))
}

/// One way more in which something can be.
pub fn add(builder: &mut SystemBuilder, to: &mut Option<NodeId>, way: NodeId) -> Result<(), Error> {
    *to = Some(match *to {
        Some(others) => either(builder.graph(), others, way)?,
        None => way,
    });
    Ok(())
}

/// The node has this value.
pub fn valued(graph: &mut Graph, node: NodeId, value: bool) -> Result<NodeId, Error> {
    if value { Ok(node) } else { graph.not(node) }
}

/// What happens at one end of a gate gets to the other.
pub fn through(
    graph: &mut Graph,
    at: NodeId,
    gate: PassCondition<NodeId>,
) -> Result<NodeId, Error> {
    match gate {
        PassCondition::Always => Ok(at),
        PassCondition::When(open) => both(graph, at, open),
        PassCondition::Unless(closed) | PassCondition::Differ(closed) => {
            let open = graph.not(closed)?;
            both(graph, at, open)
        }
    }
}

fn known(graph: &Graph, node: NodeId) -> Option<bool> {
    match graph.as_constant(node) {
        Some(Value::Bool(value)) => Some(*value),
        _ => None,
    }
}
