//! Elements: the places of a program that goals are about.
//!
//! Whoever shows, groups or excuses obligations asks for the element of a goal and not for the goal: a criterion with a
//! new kind of goal then changes nothing there.

use crate::{
    ArmId, ConditionId, DecisionId, ExitId, FunctionId, MutantId, Program, Span, StatementId,
};

/// A place of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Element {
    /// A function or node.
    Function(FunctionId),
    /// A return.
    Exit(ExitId),
    /// A statement or equation.
    Statement(StatementId),
    /// An arm of a `switch`.
    Arm(ArmId),
    /// A decision.
    Decision(DecisionId),
    /// A condition.
    Condition(ConditionId),
    /// A mutant.
    Mutant(MutantId),
}

/// A kind of place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ElementKind {
    /// Functions and nodes.
    Function,
    /// Returns.
    Exit,
    /// Statements and equations.
    Statement,
    /// Arms of a `switch`.
    Arm,
    /// Decisions.
    Decision,
    /// Conditions.
    Condition,
    /// Mutants.
    Mutant,
}

impl Element {
    /// What kind of place it is.
    pub fn kind(self) -> ElementKind {
        match self {
            Self::Function(_) => ElementKind::Function,
            Self::Exit(_) => ElementKind::Exit,
            Self::Statement(_) => ElementKind::Statement,
            Self::Arm(_) => ElementKind::Arm,
            Self::Decision(_) => ElementKind::Decision,
            Self::Condition(_) => ElementKind::Condition,
            Self::Mutant(_) => ElementKind::Mutant,
        }
    }

    /// The function it lies in.
    pub fn function(self, program: &Program) -> FunctionId {
        match self {
            Self::Function(id) => id,
            Self::Exit(id) => program.exits()[id.index()].function,
            Self::Statement(id) => program.statements()[id.index()].function,
            Self::Arm(id) => program.switches()[program.arms()[id.index()].switch].function,
            Self::Decision(id) => program.decision(id).function,
            Self::Condition(id) => program.decision(program.condition(id).decision).function,
            Self::Mutant(id) => program.mutants()[id.index()].function,
        }
    }

    /// Where it stands in the source.
    pub fn span(self, program: &Program) -> Span {
        match self {
            Self::Function(id) => program.function(id).span,
            Self::Exit(id) => program.exits()[id.index()].span,
            Self::Statement(id) => program.statements()[id.index()].span,
            Self::Arm(id) => program.arms()[id.index()].span,
            Self::Decision(id) => program.decision(id).span,
            Self::Condition(id) => program.condition(id).span,
            Self::Mutant(id) => program.mutants()[id.index()].span,
        }
    }

    /// The decision that it is or belongs to, if it does.
    pub fn decision(self, program: &Program) -> Option<DecisionId> {
        match self {
            Self::Decision(id) => Some(id),
            Self::Condition(id) => Some(program.condition(id).decision),
            Self::Function(_)
            | Self::Exit(_)
            | Self::Statement(_)
            | Self::Arm(_)
            | Self::Mutant(_) => None,
        }
    }
}
