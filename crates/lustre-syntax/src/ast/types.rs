//! Types, and variables with their types.

use obligato_model::Signedness;

use super::comment::Trivia;
use super::expr::{Clock, ExprId};
use super::pool::List;
use super::symbol::{Name, Symbol};
use crate::source::ByteSpan;
use crate::typed_id;

typed_id! {
    /// A type where it stands.
    TypeId
}

/// A type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Type {
    /// `bool`.
    Bool,
    /// `int`: of any size.
    Int,
    /// `real`: exact.
    Real,
    /// `int8` … `uint64`.
    Machine(Signedness, u8),
    /// `subrange [low, high] of int`; `None` is `*`, no bound.
    Subrange(Option<ExprId>, Option<ExprId>),
    /// A declared type, with its arguments `<<…>>`.
    Named(Symbol, List<StaticArgument>),
    /// `[t, u]`.
    Tuple(List<TypeId>),
    /// `subtype { x: t | e }`: the values `x` of a type for which a condition holds.
    Refined {
        /// The variable that the condition speaks of.
        name: Symbol,
        /// The type that it has.
        base: TypeId,
        /// The condition.
        condition: ExprId,
    },
    /// An array.
    Array {
        /// The type of its elements.
        element: TypeId,
        /// How many.
        size: ExprId,
        /// How it is written.
        notation: ArrayNotation,
    },
}

/// How an array type is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ArrayNotation {
    /// `int^5`, as Kind 2.
    Caret,
    /// `int[5]`, as JKind.
    Brackets,
}

/// An argument between `<<` and `>>`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum StaticArgument {
    /// A type; also a name, which may turn out to be a constant.
    Type(TypeId),
    /// A constant expression that cannot be a type.
    Value(ExprId),
}

/// Is an input a constant?
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Variability {
    /// `const x: int`.
    Constant,
    /// A stream.
    Stream,
}

/// `a, b: int when c`: variables declared together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct VariableGroup {
    /// The names.
    pub names: List<Name>,
    /// The type they share.
    pub kind: TypeId,
    /// The clock they share.
    pub clock: Option<Clock>,
    /// Constants or streams?
    pub variability: Variability,
    /// Where it stands.
    pub span: ByteSpan,
    /// Comments around it.
    pub trivia: Trivia,
}
