//! Boundaries as Booleans of the graph: whether the operands of a comparison stand so.

use obligato_model::{Boundary, Comparison, Integer, Offset, Rational, Value};
use obligato_system::{Binary, Error, Graph, NodeId, Sort, Unary};

/// Do `x` and `y` stand so?
///
/// Machine integers are compared as numbers: what is shifted past the end of its type wraps
/// around nowhere, and meets nothing.
pub fn boundary_node(
    graph: &mut Graph,
    (x, y): (NodeId, NodeId),
    boundary: Boundary,
    real_step: &Rational,
) -> Result<NodeId, Error> {
    let (x, y) = (as_number(graph, x)?, as_number(graph, y)?);
    let step = match graph.sort(y) {
        Sort::Real => Value::Real(real_step.clone()),
        _ => Value::Int(Integer::from(1)),
    };
    let sort = graph.sort(y);
    let step = graph.constant(sort, step)?;
    let shifted = match boundary.offset {
        Offset::At => y,
        Offset::Above => graph.binary(Binary::Add, y, step)?,
        Offset::Below => graph.binary(Binary::Subtract, y, step)?,
    };
    match boundary.comparison {
        Comparison::Less => graph.binary(Binary::Less, x, shifted),
        Comparison::Equal => graph.equal(x, shifted),
        Comparison::Greater => graph.binary(Binary::Less, shifted, x),
    }
}

fn as_number(graph: &mut Graph, node: NodeId) -> Result<NodeId, Error> {
    match graph.sort(node) {
        Sort::Machine(_) => graph.unary(Unary::MachineToInt, node),
        _ => Ok(node),
    }
}
