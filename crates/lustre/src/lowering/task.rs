//! What the stack machine works on: tasks, and where they are done.

use obligato_lustre_syntax::ast::ExprId;
use obligato_transition_system::{NodeId, TapId};

use super::discards::DiscardId;
use super::lowered::InstanceId;
use super::shape::{Bundle, ShapeId};
use crate::analysis::VariableId;

obligato_model::typed_ids! {
    /// An instance together with values for the variables of quantifiers and indices.
    ContextId,
}

/// Where an expression is lowered.
#[derive(Clone, Copy, Debug)]
pub(super) struct LoweringSite {
    pub context: ContextId,
    /// The stream of a list that is asked for; `None` is all of them.
    pub part: Option<u32>,
    /// When the value is computed, as far as indices that may fault are concerned.
    pub guard: NodeId,
    /// Why it may not be evaluated although its clock holds.
    pub discarded: Option<DiscardId>,
}

impl LoweringSite {
    /// All of an operand at this place.
    pub fn whole(self) -> Self {
        Self { part: None, ..self }
    }
}

/// Something to do.
#[derive(Clone, Copy, Debug)]
pub(super) enum Task {
    /// Lower an expression.
    Expr(LoweringSite, ExprId),
    /// Lower an expression that several others share, once.
    Shared(LoweringSite, ExprId),
    /// The original of an expression with mutants is lowered: lower its replacements.
    Fork(LoweringSite, ExprId),
    /// All that may take its place is there: choose.
    Join(LoweringSite, ExprId),
    /// Keep the value on top for those who share it.
    Remember(ContextId, ExprId),
    /// The test is there: lower the arms.
    Branch(LoweringSite, ExprId),
    /// The operands are there: apply the operator.
    Apply(LoweringSite, ExprId),
    /// The value of a variable.
    Variable(InstanceId, VariableId),
    /// The value on top is that of the variable.
    Define(InstanceId, VariableId),
    /// The element at this position of an array definition.
    Element(InstanceId, VariableId, u32),
    /// The value on top is the element at this position.
    DefineElement(InstanceId, VariableId, u32),
    /// What a call needs is there: make its instance.
    Enter(LoweringSite, ExprId, Option<ExprId>),
    /// The outputs of a call whose instance is there.
    Outputs(LoweringSite, ExprId),
    /// So many values on top are one list.
    Collect(u32),
    /// Forget the value on top.
    Drop,
}

pub(super) struct Context {
    pub instance: InstanceId,
    pub parent: Option<ContextId>,
    pub binding: Option<(VariableId, NodeId)>,
}

/// What is known of an instance besides what is reported.
pub(super) struct Scope {
    /// Its own context, without bindings.
    pub context: ContextId,
    /// The context of the call or import.
    pub caller: Option<ContextId>,
    pub given: Vec<Given>,
    /// The condition of the call alone.
    pub clock: Option<NodeId>,
    /// Does it start anew in this step?
    pub restart: Option<NodeId>,
}

/// What a call gives a node, or an import a contract.
#[derive(Clone, Copy, Debug)]
pub(super) enum Given {
    /// An expression of the caller.
    Expr(ExprId),
    /// A variable of the caller.
    Variable(VariableId),
}

/// A variable that is computed, or being computed.
pub(super) enum Slot {
    InProgress,
    Partial(ShapeId, Vec<NodeId>),
    Done(Bundle),
}

#[derive(Default)]
pub(super) struct Found {
    pub root: Option<NodeId>,
    /// Why it may not be evaluated although its clock holds.
    pub discarded: Option<DiscardId>,
    /// Is it evaluated?
    pub active: Option<NodeId>,
    pub taps: Vec<Option<TapId>>,
    /// What each condition that is a comparison of scalars compares.
    pub operands: Vec<Option<(NodeId, NodeId)>>,
}

impl Found {
    /// Makes room for the condition at `ordinal`.
    pub fn reach(&mut self, ordinal: usize) {
        if self.taps.len() <= ordinal {
            self.taps.resize(ordinal + 1, None);
            self.operands.resize(ordinal + 1, None);
        }
    }
}
