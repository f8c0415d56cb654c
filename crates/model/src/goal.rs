//! Goals: what has to happen for an obligation to be covered.
//!
//! A criterion that asks for something new adds its goal here, with what it is about, its end of a key and its words.

use std::fmt;

use crate::{
    ArmId, ConditionId, DecisionId, Element, Evaluation, ExitId, FunctionId, MutantId, StatementId,
};

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

impl Goal {
    /// What the goal is about.
    pub fn element(&self) -> Element {
        match self {
            Self::Enter(id) => Element::Function(*id),
            Self::Leave(id) => Element::Exit(*id),
            Self::Execute(id) => Element::Statement(*id),
            Self::Switch(id) => Element::Arm(*id),
            Self::Outcome(id, _) | Self::Vector(id, _) | Self::EveryVector(id) => {
                Element::Decision(*id)
            }
            Self::Value(id, _) | Self::Independence(id, _) | Self::Boundary(id, _) => {
                Element::Condition(*id)
            }
            Self::Kill(id) => Element::Mutant(*id),
        }
    }

    /// The value that it asks of its decision or condition, if it asks for one.
    pub fn value(&self) -> Option<bool> {
        match self {
            Self::Outcome(_, value) | Self::Value(_, value) | Self::Independence(_, value) => {
                Some(*value)
            }
            Self::Boundary(_, boundary) => Some(boundary.value),
            _ => None,
        }
    }

    /// What it asks of its element, as the end of a [`Key`](crate::Key).
    pub fn key_suffix(&self) -> String {
        let letter = |value: bool| if value { 'T' } else { 'F' };
        match self {
            Self::Enter(_)
            | Self::Leave(_)
            | Self::Execute(_)
            | Self::Switch(_)
            | Self::Kill(_) => String::new(),
            Self::Outcome(_, value) | Self::Value(_, value) | Self::Independence(_, value) => {
                format!("={}", letter(*value))
            }
            Self::Vector(_, vector) => format!("/{}", vector.vector()),
            Self::EveryVector(_) => "/vectors".to_owned(),
            Self::Boundary(_, boundary) => format!(":{boundary}"),
        }
    }

    /// What it asks, in words, of an element that is called so and stands within something that is called so. Long
    /// vectors are cut by `abridge`.
    pub fn words(&self, element: &str, within: &str, abridge: fn(&str) -> String) -> String {
        match self {
            Self::Enter(_) => format!("{element} is entered"),
            Self::Leave(_) => format!("{within} is left by {element}"),
            Self::Execute(_) => format!("{element} is executed"),
            Self::Switch(_) => format!("{within} goes to {element}"),
            Self::Outcome(_, value) | Self::Value(_, value) => format!("{element} is {value}"),
            Self::Vector(_, vector) => {
                format!("{element} is evaluated as {}", abridge(&vector.vector()))
            }
            Self::EveryVector(_) => format!("{element} is evaluated in every way"),
            Self::Independence(_, value) => format!("{element} is {value} and decides {within}"),
            Self::Boundary(_, boundary) => {
                format!("{element} is {} with {boundary}", boundary.value)
            }
            Self::Kill(_) => format!("{element} makes a difference"),
        }
    }
}

/// A relation of the two operands `x` and `y` of a condition: `x = y+k`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Boundary {
    /// The value the condition has there.
    pub value: bool,
    /// How `x` stands to the shifted `y`.
    pub comparison: OperandOrder,
    /// By how much `y` is shifted.
    pub offset: Offset,
}

/// How one number stands to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum OperandOrder {
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
            OperandOrder::Less => '<',
            OperandOrder::Equal => '=',
            OperandOrder::Greater => '>',
        };
        let offset = match self.offset {
            Offset::Below => "-k",
            Offset::At => "",
            Offset::Above => "+k",
        };
        write!(f, "x{comparison}y{offset}")
    }
}
