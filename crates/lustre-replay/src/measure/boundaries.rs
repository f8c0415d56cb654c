//! Boundary values as Booleans of the graph.

use obligato_criteria::bvc;
use obligato_model::{
    Boundary, ConditionId, Integer, Offset, OperandOrder, Program, Rational, Value,
};
use obligato_transition_system::{Binary, Error, Graph, NodeId, Sort, Unary};

/// By boundary of a condition: are its operands `x` and `y` at it?
pub fn boundary_nodes(
    graph: &mut Graph,
    program: &Program,
    condition: ConditionId,
    x: NodeId,
    y: NodeId,
) -> Result<Vec<NodeId>, Error> {
    let mut nodes = Vec::new();
    for boundary in bvc::boundaries_of(program, condition) {
        nodes.push(if bvc::is_out_of_range(program, condition, *boundary) {
            // Only a value outside its subrange is there: a runtime error of the
            // model, reported as such, which does not cover the obligation.
            graph.bool(false)
        } else {
            boundary_node(graph, x, y, *boundary, &program.real_step)?
        });
    }
    Ok(nodes)
}

/// Are `x` and `y` at this boundary?
///
/// Machine integers are compared as mathematical numbers: a value shifted past the end of its type does not wrap
/// around, and equals no value of the type.
fn boundary_node(
    graph: &mut Graph,
    x: NodeId,
    y: NodeId,
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
        OperandOrder::Less => graph.binary(Binary::Less, x, shifted),
        OperandOrder::Equal => graph.equal(x, shifted),
        OperandOrder::Greater => graph.binary(Binary::Less, shifted, x),
    }
}

fn as_number(graph: &mut Graph, node: NodeId) -> Result<NodeId, Error> {
    match graph.sort(node) {
        Sort::Machine(_) => graph.unary(Unary::MachineToInt, node),
        _ => Ok(node),
    }
}
