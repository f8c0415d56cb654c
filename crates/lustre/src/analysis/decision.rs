//! Decisions of source nodes, as plain data.

use obligato_model::{BoolTree, Relation, Role};

use obligato_lustre_syntax::ast::ExprId;

/// A maximal Boolean expression of a node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NodeDecision {
    /// The whole expression.
    pub root: ExprId,
    /// Its shape over its conditions.
    pub tree: BoolTree,
    /// Its conditions, from left to right.
    pub conditions: Vec<NodeCondition>,
    /// Does it choose what is computed, or is it a value?
    pub role: Role,
    /// What it is part of.
    pub purpose: Purpose,
    /// The condition it stands inside: the position of the outer decision among the node's
    /// decisions, and the position of the condition in it.
    pub nested_in: Option<(u32, u32)>,
}

/// A condition of a decision.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NodeCondition {
    /// The expression.
    pub expr: ExprId,
    /// Its value, if it can only have one.
    pub constant: Option<bool>,
    /// What it compares, if it is a relation of numbers.
    pub relation: Option<Relation>,
}

/// What a decision is part of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Purpose {
    /// An equation: what the node computes.
    Equation,
    /// An `assert`.
    Assert,
    /// A property to prove.
    Property,
    /// A contract.
    Contract,
}
