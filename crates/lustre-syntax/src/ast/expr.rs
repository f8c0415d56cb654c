//! Expressions.
//!
//! An expression is a small `Copy` value whose operands are ids of other expressions. They
//! are numbered as the parser completes them, so operands come before what they are operands
//! of: a bottom-up pass can be a scan.

use super::operator::{BinaryOperator, UnaryOperator};
use super::pool::List;
use super::symbol::{Name, Symbol};
use super::types::{StaticArgument, VariableGroup};
use crate::typed_id;

typed_id! {
    /// An expression.
    ExprId
}

typed_id! {
    /// A call of a node or function.
    CallId
}

/// An expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Expr {
    /// `true`, `false`.
    Bool(bool),
    /// An integer as written: decimal, or hexadecimal with `0x`.
    Int(Symbol),
    /// A real as written: `3.14`, `.5`, `1e-3`, `0x1.8p3`.
    Real(Symbol),
    /// A variable, constant or value of an enumeration.
    ///
    /// The parts of JKind's flattened names come as fields and indices: `msg.buff[0]` is
    /// element 0 of field `buff` until the names are resolved.
    Name(Symbol),
    /// `::mode` or `::contract::mode`: is the mode active? Without the leading `::`.
    Mode(Symbol),
    /// `last x`, in automata and frames.
    Last(Symbol),
    /// An operator on one operand.
    Unary(UnaryOperator, ExprId),
    /// An operator between two operands.
    Binary(BinaryOperator, ExprId, ExprId),
    /// `if test then one else other`.
    If(ExprId, ExprId, ExprId),
    /// Several expressions as one.
    Group(Group, List<ExprId>),
    /// `a[i]`.
    Index(ExprId, ExprId),
    /// `a[low..high]`.
    Slice(ExprId, ExprId, ExprId),
    /// `r.f`.
    Field(ExprId, Symbol),
    /// `t.%2`: an element of a tuple, the literal as written.
    Project(ExprId, Symbol),
    /// A copy with one part replaced.
    Update {
        /// What is copied.
        base: ExprId,
        /// The way to the part, outermost step first.
        path: List<Step>,
        /// The new part.
        value: ExprId,
        /// How it is written.
        notation: UpdateNotation,
    },
    /// `T { f = e; g = e }`, or `T { r with f = e }`.
    Record {
        /// The type.
        name: Symbol,
        /// The record that gives the other fields.
        base: Option<ExprId>,
        /// The fields, in the order written.
        fields: List<NamedExpr>,
    },
    /// A call, perhaps with `restart` or `activate`.
    Call(CallId),
    /// `condact(clock, call, defaults…)`.
    Condact {
        /// When the call is made.
        clock: ExprId,
        /// The call, which is an [`Expr::Call`].
        call: ExprId,
        /// The results before the first call.
        defaults: List<ExprId>,
    },
    /// `e when c`.
    When(ExprId, Clock),
    /// `merge`: the stream of whichever branch is present.
    Merge {
        /// The variable that chooses.
        clock: Symbol,
        /// A stream per value of the clock.
        branches: List<NamedExpr>,
        /// How it is written.
        notation: MergeNotation,
    },
    /// `forall (x: int) e`, `any { x: int | e }`.
    Quantified(Quantifier, List<VariableGroup>, ExprId),
    /// `fby(e, n, d)`: `e` delayed by `n` steps, `d` before that.
    Delay {
        /// What is delayed.
        value: ExprId,
        /// By how many steps.
        steps: ExprId,
        /// What comes before.
        initial: ExprId,
    },
}

/// What several expressions make together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Group {
    /// `(a, b)`: the results of a call, the right side of `x, y = …`.
    List,
    /// `{a, b}`: one value of a tuple type.
    Tuple,
    /// `[a, b]`.
    Array,
    /// `#(a, b)`: at most one holds.
    AtMostOne,
}

/// A step on the way to a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Step {
    /// `.f`.
    Field(Name),
    /// `[i]`.
    Index(ExprId),
}

/// How an update is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UpdateNotation {
    /// `a[i := e]`, `r{f := e}`: one step.
    Assign,
    /// `(r with .f[i] = e)`.
    With,
}

/// How a merge is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MergeNotation {
    /// `merge(c; a; b)`, with the branches `true` and `false`.
    Boolean,
    /// `merge c (A -> a) (B -> b)`.
    Cases,
}

/// An expression with a name: a field of a record, a branch of a merge.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct NamedExpr {
    /// The name.
    pub name: Name,
    /// The expression.
    pub value: ExprId,
}

/// Which quantifier.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Quantifier {
    /// `forall`.
    Forall,
    /// `exists`.
    Exists,
    /// `any { x: int | e }`: not a truth value, but some value of `x` for which `e` holds.
    Any,
}

/// A clock, after `when`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Clock {
    /// `when true`: the fastest clock.
    Base,
    /// `when c`.
    On(Name),
    /// `when not c`.
    Not(Name),
    /// `when A(c)`: `c` has the value `A` of its enumeration.
    Value {
        /// The value.
        value: Name,
        /// The variable.
        clock: Name,
    },
}

/// A call of a node or function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Call {
    /// What is called.
    pub node: Name,
    /// `<<…>>`.
    pub statics: List<StaticArgument>,
    /// The arguments.
    pub arguments: List<ExprId>,
    /// `restart … every e`: the state starts anew when `e` holds.
    pub restart: Option<ExprId>,
    /// `activate … every e`: the call is made when `e` holds.
    pub activation: Option<Activation>,
}

/// When a call is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Activation {
    /// When it holds.
    pub clock: ExprId,
    /// `initial default`: the results before the first time, kept in between. Without them
    /// the results are on the clock, for a branch of `merge`.
    pub defaults: Option<List<ExprId>>,
}
