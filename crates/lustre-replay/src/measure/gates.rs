//! When an operator lets a tag of an operand pass: the tables of the papers.
//!
//! Strict is You et al., table I; tags is Whalen et al., table II. They differ in one thing: whether
//! the test of a choice passes while both arms are equal. Everything that follows tags, forwards or
//! backwards, in runs or in formulas, asks here.

use obligato_model::Observability;
use obligato_transition_system::{Binary, Error, Graph, NodeId, Term};

/// When tags pass, by Booleans of some kind: nodes of a graph, or what stands for them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gate<B> {
    /// In every step.
    Always,
    /// Where this Boolean holds.
    When(B),
    /// Where it does not.
    Unless(B),
    /// Where the arms of a choice differ: this Boolean says that they are equal.
    Differ(B),
}

impl<B> Gate<B> {
    /// The same by other Booleans.
    pub fn map<C>(self, of: impl FnOnce(B) -> C) -> Gate<C> {
        match self {
            Self::Always => Gate::Always,
            Self::When(it) => Gate::When(of(it)),
            Self::Unless(it) => Gate::Unless(of(it)),
            Self::Differ(it) => Gate::Differ(of(it)),
        }
    }
}

/// The operands of a node, each with when its tags pass. Latches have none here: what they
/// hold comes from another step.
pub fn gates(
    graph: &mut Graph,
    node: NodeId,
    semantics: Observability,
) -> Result<Vec<(NodeId, Gate<NodeId>)>, Error> {
    Ok(match graph.term(node) {
        Term::Binary(Binary::And, a, b) => vec![(a, Gate::When(b)), (b, Gate::When(a))],
        Term::Binary(Binary::Or, a, b) => vec![(a, Gate::Unless(b)), (b, Gate::Unless(a))],
        Term::Ite(test, first, second) => {
            let of_test = match semantics {
                Observability::Strict => Gate::Differ(graph.equal(first, second)?),
                Observability::Tags | Observability::Exact => Gate::Always,
            };
            vec![(first, Gate::When(test)), (second, Gate::Unless(test)), (test, of_test)]
        }
        term => term.children().map(|operand| (operand, Gate::Always)).collect(),
    })
}
