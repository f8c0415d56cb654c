//! The result of lowering: the system, and the map from it back to the source.

use obligato_model::{Assumption, ConditionId, DecisionId, Program, SuiteInterface, Type};
use obligato_transition_system::{NodeId, System, TapId};

use super::functions::UnknownFunction;
use crate::analysis::{self, VariableId};
use obligato_lustre_syntax::diagnostic::Diagnostic;
use obligato_lustre_syntax::source::ByteSpan;

obligato_model::typed_ids! {
    /// An instance of a node: the main node, or a call of a node.
    InstanceId,
}

/// A lowered model.
#[derive(Clone, Debug)]
pub struct Lowered {
    /// One step of the model.
    pub system: System,
    /// The inputs and outputs of [`system`](Self::system), scalar by scalar.
    pub interface: SuiteInterface,
    /// The decisions of all instances; the function at a position is the instance there.
    pub program: Program,
    /// The instances, callers before the called.
    pub instances: Vec<Instance>,
    /// When each statement of [`program`](Self::program), an equation, is executed.
    pub statements: Vec<NodeId>,
    /// Where each decision of [`program`](Self::program) is in the graph.
    pub decisions: Vec<DecisionSite>,
    /// The scalars of named variables.
    pub variables: Vec<NamedNode>,
    /// Where checks come from, by [`Check::origin`](obligato_transition_system::Check::origin).
    pub origins: Vec<Origin>,
    /// By node of the graph: the instance and the text it was first made for. Equal terms are one
    /// node, so others may stand for it too; `None` is for what only checks are made of.
    pub places: Vec<Option<Origin>>,
    /// The functions with arguments of which nothing is known but that they are functions.
    pub functions: Vec<UnknownFunction>,
    /// Assumptions where the model says nothing.
    pub assumptions: Vec<Assumption>,
    /// The warnings of the analysis.
    pub warnings: Vec<Diagnostic>,
}

impl Lowered {
    /// The occurrences of a decision.
    pub fn site(&self, decision: DecisionId) -> &DecisionSite {
        &self.decisions[decision.index()]
    }

    /// What a node of the graph was first made for.
    pub fn place(&self, node: NodeId) -> Option<Origin> {
        self.places.get(node.index()).copied().flatten()
    }

    /// The condition of each tap.
    pub fn tapped_conditions(&self) -> Vec<Option<ConditionId>> {
        let mut conditions = vec![None; self.system.graph.taps().len()];
        for (index, site) in self.decisions.iter().enumerate() {
            for (ordinal, tap) in site.occurrences.iter().flat_map(|at| at.taps.iter().enumerate())
            {
                if let Some(tap) = tap {
                    let condition = self.program.condition_at(DecisionId::new(index), ordinal);
                    conditions[tap.index()] = Some(condition);
                }
            }
        }
        conditions
    }

    /// The taps of a condition, one per occurrence.
    pub fn taps(&self, condition: ConditionId) -> impl Iterator<Item = TapId> + '_ {
        let found = self.program.condition(condition);
        let occurrences = &self.site(found.decision).occurrences;
        occurrences.iter().filter_map(move |occurrence| occurrence.taps[found.ordinal])
    }
}

/// An instance of a node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Instance {
    /// The path of calls to it: `main/inner#2` is the second call of `inner` in `main`.
    pub path: String,
    /// The node.
    pub node: analysis::NodeId,
    /// The instance that makes the call.
    pub parent: Option<InstanceId>,
    /// Where the call stands; for the main node, the node.
    pub span: ByteSpan,
    /// Is the call made in this step?
    pub active: NodeId,
}

/// Where a decision of an instance is in the graph.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DecisionSite {
    /// One, or one per element where an array definition or a quantifier is expanded.
    pub occurrences: Vec<Occurrence>,
}

/// One evaluation of a decision in every step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Occurrence {
    /// Its value.
    pub root: NodeId,
    /// The tap of each condition.
    pub taps: Vec<Option<TapId>>,
    /// The operands of each condition that compares scalars, as written.
    pub operands: Vec<Option<(NodeId, NodeId)>>,
    /// Is it evaluated in this step?
    pub active: NodeId,
}

/// A scalar of a variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedNode {
    /// The instance whose variable it is.
    pub instance: InstanceId,
    /// The variable.
    pub variable: VariableId,
    /// As a user writes it: `msg.buff[0]`.
    pub name: String,
    /// Does the variable stand in the text, and not only in what blocks and automata become?
    pub written: bool,
    /// Its type.
    pub kind: Type,
    /// Its value.
    pub node: NodeId,
    /// Where the variable is declared.
    pub span: ByteSpan,
}

/// Where a check comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Origin {
    /// The instance.
    pub instance: InstanceId,
    /// The place in the source.
    pub span: ByteSpan,
}
