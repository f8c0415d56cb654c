//! Tag propagation through operators: the tables of the papers.
//!
//! Strict is You et al., table I; tags is Whalen et al., table II. They differ in one thing: whether
//! the test of a choice passes while both arms are equal. Everything that follows tags, forwards or
//! backwards, in runs or in formulas, asks here.

use obligato_model::Observability;
use obligato_transition_system::{Binary, Error, Graph, NodeId, Term};

/// The condition under which a tag passes an operator, over Booleans `B`: nodes of a graph, or slots.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PassCondition<B> {
    /// In every step.
    Always,
    /// Where this Boolean holds.
    When(B),
    /// Where it does not.
    Unless(B),
    /// Where the arms of a choice differ: this Boolean says that they are equal.
    Differ(B),
}

impl<B> PassCondition<B> {
    /// The same by other Booleans.
    pub fn map<C>(self, of: impl FnOnce(B) -> C) -> PassCondition<C> {
        match self {
            Self::Always => PassCondition::Always,
            Self::When(it) => PassCondition::When(of(it)),
            Self::Unless(it) => PassCondition::Unless(of(it)),
            Self::Differ(it) => PassCondition::Differ(of(it)),
        }
    }
}

/// The operands of a node, each with when its tags pass. Latches have none here: what they
/// hold comes from another step.
pub fn pass_conditions(
    graph: &mut Graph,
    node: NodeId,
    semantics: Observability,
) -> Result<Vec<(NodeId, PassCondition<NodeId>)>, Error> {
    Ok(match graph.term(node) {
        Term::Binary(Binary::And, a, b) => {
            vec![(a, PassCondition::When(b)), (b, PassCondition::When(a))]
        }
        Term::Binary(Binary::Or, a, b) => {
            vec![(a, PassCondition::Unless(b)), (b, PassCondition::Unless(a))]
        }
        Term::Ite(test, first, second) => {
            let of_test = match semantics {
                Observability::Strict => PassCondition::Differ(graph.equal(first, second)?),
                Observability::Tags | Observability::Exact => PassCondition::Always,
            };
            vec![
                (first, PassCondition::When(test)),
                (second, PassCondition::Unless(test)),
                (test, of_test),
            ]
        }
        term => term.children().map(|operand| (operand, PassCondition::Always)).collect(),
    })
}
