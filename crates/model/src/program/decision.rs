//! Decisions, their conditions, and the relations that conditions compare by.

use std::cmp::Ordering;

use crate::{BoolTree, ConditionId, DecisionId, FunctionId, Span, Type, Value};

/// Does a decision steer control flow, or is it only a value?
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    /// The test of an `if`, a loop or a `?:`.
    Control,
    /// Anything else: an assignment, an argument, a return value, an index.
    Value,
}

/// A maximal Boolean expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decision {
    /// The function it is in.
    pub function: FunctionId,
    /// Where it stands.
    pub span: Span,
    /// Its source text.
    pub text: String,
    /// What it is for.
    pub role: Role,
    /// Its shape over its conditions.
    pub tree: BoolTree,
    /// The first of its conditions; the others follow it.
    pub first_condition: ConditionId,
    /// The condition it stands inside, if it is nested in another decision.
    pub nested_in: Option<ConditionId>,
}

/// What a front end knows of a decision before it has an id.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewDecision {
    /// The function it is in.
    pub function: FunctionId,
    /// Where it stands.
    pub span: Span,
    /// Its source text.
    pub text: String,
    /// What it is for.
    pub role: Role,
    /// Its shape over its conditions.
    pub tree: BoolTree,
    /// Its conditions, from left to right.
    pub conditions: Vec<NewCondition>,
}

/// What a front end knows of a condition before it has an id.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewCondition {
    /// Where it stands.
    pub span: Span,
    /// Its source text.
    pub text: String,
    /// Its value, if it can only have one.
    pub constant: Option<bool>,
    /// What it compares, if it is a relation of numbers.
    pub relation: Option<Relation>,
}

/// One occurrence of a maximal expression without Boolean operators.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Condition {
    /// The decision it is part of.
    pub decision: DecisionId,
    /// Its place in the decision, from 0.
    pub ordinal: usize,
    /// Where it stands.
    pub span: Span,
    /// Its source text.
    pub text: String,
    /// Its value, if it can only have one.
    pub constant: Option<bool>,
    /// What it compares, if it is a relation of numbers.
    pub relation: Option<Relation>,
}

/// A comparison of two numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Relation {
    /// How they are compared.
    pub operator: RelationOperator,
    /// The type in which they are compared.
    pub kind: Type,
    /// The left operand, if it is a constant.
    pub left: Option<Value>,
    /// The right operand, if it is a constant.
    pub right: Option<Value>,
}

/// A relational operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RelationOperator {
    /// `x == y`
    Equal,
    /// `x != y`
    NotEqual,
    /// `x < y`
    Less,
    /// `x <= y`
    LessEqual,
    /// `x > y`
    Greater,
    /// `x >= y`
    GreaterEqual,
}

impl RelationOperator {
    /// Does the relation hold of two numbers in this order? `None` is for
    /// unordered ones: a NaN differs from everything and compares no other way.
    pub fn holds(self, order: Option<Ordering>) -> bool {
        match self {
            Self::Equal => order == Some(Ordering::Equal),
            Self::NotEqual => order != Some(Ordering::Equal),
            Self::Less => order == Some(Ordering::Less),
            Self::LessEqual => order.is_some_and(Ordering::is_le),
            Self::Greater => order == Some(Ordering::Greater),
            Self::GreaterEqual => order.is_some_and(Ordering::is_ge),
        }
    }
}
