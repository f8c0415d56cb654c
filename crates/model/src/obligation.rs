//! Obligations: what a criterion asks of a suite, one by one.

use std::fmt;

use crate::{
    ArmId, ConditionId, Criterion, DecisionId, Evaluation, ExitId, FunctionId, MutantId, Span,
    StatementId, Verdict,
};

/// The name of an obligation that survives unrelated edits.
///
/// It is made of the criterion, the file, the function or node, the kind and
/// text fingerprint of the element, its ordinal among the elements of that
/// function with the same fingerprint, and what is asked of it:
/// `mcdc@brake.c#apply/decision-e4c7e2aa.1/c2=T`. Code that moves, is
/// reformatted, or gains a neighbour keeps its keys.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Key(String);

impl Key {
    /// The key with this text.
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// The key's text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// What has to happen for an obligation to be covered. What *else* has to hold
/// (the effect reaching an output, say) is the criterion's to know.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Goal {
    /// The function is entered.
    Enter(FunctionId),
    /// The function is left through this return.
    Leave(ExitId),
    /// The statement is executed.
    Execute(StatementId),
    /// The `switch` goes to this arm.
    Switch(ArmId),
    /// The decision comes out this way.
    Outcome(DecisionId, bool),
    /// The condition takes this value.
    Value(ConditionId, bool),
    /// The decision is evaluated exactly so.
    Vector(DecisionId, Box<Evaluation>),
    /// Every vector of the decision occurs; they are too many to list.
    EveryVector(DecisionId),
    /// The condition has this value and decides.
    Independence(ConditionId, bool),
    /// The operands of the condition stand in this relation.
    Boundary(ConditionId, Boundary),
    /// The mutant is told from the original.
    Kill(MutantId),
}

/// A relation of the two operands `x` and `y` of a condition: `x = y+k`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Boundary {
    /// The value the condition has there.
    pub value: bool,
    /// How `x` stands to the shifted `y`.
    pub comparison: Comparison,
    /// By how much `y` is shifted.
    pub offset: Offset,
}

/// How one number stands to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Comparison {
    /// Smaller.
    Less,
    /// Equal.
    Equal,
    /// Greater.
    Greater,
}

/// A shift by the smallest step of the type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Offset {
    /// One step down.
    Below,
    /// None.
    At,
    /// One step up.
    Above,
}

impl fmt::Display for Boundary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let comparison = match self.comparison {
            Comparison::Less => '<',
            Comparison::Equal => '=',
            Comparison::Greater => '>',
        };
        let offset = match self.offset {
            Offset::Below => "-k",
            Offset::At => "",
            Offset::Above => "+k",
        };
        write!(f, "x{comparison}y{offset}")
    }
}

/// One thing a criterion asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Obligation {
    /// Its stable name.
    pub key: Key,
    /// The criterion that asks.
    pub criterion: Criterion,
    /// What it asks.
    pub goal: Goal,
    /// The function it lies in, which also tells the file.
    pub function: FunctionId,
    /// Where in the source.
    pub span: Span,
    /// What it asks, for people.
    pub text: String,
    /// The verdict, where the plan alone already gives it: a constant
    /// condition, a boundary outside the type, vectors past counting.
    pub settled: Option<Verdict>,
}

/// All obligations of the chosen criteria, in a fixed order;
/// [`ObligationId`](crate::ObligationId) is a position in it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Plan {
    /// The obligations.
    pub obligations: Vec<Obligation>,
}
