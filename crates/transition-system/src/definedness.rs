//! Definedness conditions of terms.
//!
//! - A division is undefined if its divisor is zero.
//! - `ite` is defined by its test and by the arm that the test selects.
//! - `and` is defined if a defined false operand decides it, `or` if a defined
//!   true one does; otherwise if both operands are.
//! - Everything else is defined if its operands are.
//!
//! An input is defined, and so is a latch: what it holds was checked when it was
//! stored. A front end states the nodes that this pass gives it as checks on
//! outputs, next values and assertions.

use crate::error::Error;
use crate::graph::Graph;
use crate::term::{Binary, NodeId, Term};

/// For each root, the node that says whether its value is defined. Only what is
/// above a division that may be by zero gets anything but `true`.
pub fn definedness(graph: &mut Graph, roots: &[NodeId]) -> Result<Vec<NodeId>, Error> {
    for &root in roots {
        graph.check(root)?;
    }
    let reached = graph.reachable(roots.iter().copied());
    let always = graph.bool(true);
    let mut defined = vec![always; reached.len()];
    for node in (0..reached.len()).map(NodeId::new) {
        if reached[node.index()] && graph.is_partial(node) {
            let of = |child: NodeId| defined[child.index()];
            defined[node.index()] = match graph.term(node) {
                Term::Binary(Binary::And, a, b) => {
                    let (not_a, not_b) = (graph.not(a)?, graph.not(b)?);
                    let a = Operand { defined: of(a), decides: not_a };
                    let b = Operand { defined: of(b), decides: not_b };
                    junction(graph, a, b)?
                }
                Term::Binary(Binary::Or, a, b) => {
                    let a = Operand { defined: of(a), decides: a };
                    let b = Operand { defined: of(b), decides: b };
                    junction(graph, a, b)?
                }
                Term::Ite(test, a, b) => {
                    let selected = graph.ite(test, of(a), of(b))?;
                    graph.and(of(test), selected)?
                }
                Term::Binary(operation, a, b) if operation.is_division() => {
                    let operands = graph.and(of(a), of(b))?;
                    let zero = graph.constant(graph.sort(b), graph.sort(b).zero())?;
                    let by_zero = graph.equal(b, zero)?;
                    let nonzero = graph.not(by_zero)?;
                    graph.and(operands, nonzero)?
                }
                term => {
                    let children = term.children().map(of);
                    children.into_iter().try_fold(always, |all, child| graph.and(all, child))?
                }
            };
        }
    }
    Ok(roots.iter().map(|root| defined[root.index()]).collect())
}

/// An operand of `and` or `or`.
#[derive(Clone, Copy)]
struct Operand {
    /// Is its value defined?
    defined: NodeId,
    /// Does its value alone decide the result?
    decides: NodeId,
}

/// The definedness of `and` or `or`.
fn junction(graph: &mut Graph, a: Operand, b: Operand) -> Result<NodeId, Error> {
    let by_a = graph.and(a.defined, a.decides)?;
    let by_b = graph.and(b.defined, b.decides)?;
    let both = graph.and(a.defined, b.defined)?;
    let either = graph.or(by_a, by_b)?;
    graph.or(either, both)
}

#[cfg(test)]
mod tests;
