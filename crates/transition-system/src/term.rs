//! Terms: one operation over nodes of the graph.

use std::fmt;

use obligato_model::typed_ids;

use crate::sort::Machine;

typed_ids! {
    /// A node of a graph. A node's children have smaller ids.
    NodeId,
    /// A constant of a graph.
    ConstantId,
    /// A tap: one marked occurrence of a term.
    TapId,
}

impl fmt::Display for NodeId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.index().fmt(f)
    }
}

/// An operation on one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Unary {
    /// Negation of a Boolean.
    Not,
    /// `-x` of any number; wraps around on machine integers, unsigned ones too.
    Negate,
    /// Bitwise complement of a machine integer.
    BitNot,
    /// An integer as a real.
    IntToReal,
    /// The largest integer that is not above a real (SMT-LIB `to_int`).
    RealToInt,
    /// A machine integer as an integer.
    MachineToInt,
    /// An integer or machine integer modulo 2^bits.
    Wrap(Machine),
}

/// An operation on two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Binary {
    /// Both Booleans.
    And,
    /// Either Boolean.
    Or,
    /// Exactly one Boolean.
    Xor,
    /// Equality, of any one sort.
    Equal,
    /// `<`, of numbers of one sort.
    Less,
    /// `<=`, of numbers of one sort.
    LessEqual,
    /// `+`, of numbers of one sort.
    Add,
    /// `-`, of numbers of one sort.
    Subtract,
    /// `*`, of numbers of one sort.
    Multiply,
    /// `/` of reals; by zero, 0.
    Divide,
    /// Quotient of integers; by zero, 0. On `int` as in SMT-LIB: the remainder
    /// is never negative. On machine integers as in C and Kind 2: towards zero.
    Div,
    /// The remainder that goes with [`Div`](Self::Div); by zero, 0. On machine
    /// integers it has the sign of the dividend.
    Mod,
    /// Bitwise, of machine integers of one sort.
    BitAnd,
    /// Bitwise, of machine integers of one sort.
    BitOr,
    /// Bitwise, of machine integers of one sort.
    BitXor,
    /// Towards the high end, by an unsigned amount of the same width. What is
    /// shifted by the width or more is 0.
    ShiftLeft,
    /// Towards the low end, by an unsigned amount of the same width. A signed
    /// operand keeps its sign; shifted by the width or more only that is left.
    ShiftRight,
}

impl Binary {
    /// May the operands change places?
    pub fn is_commutative(self) -> bool {
        matches!(
            self,
            Self::And
                | Self::Or
                | Self::Xor
                | Self::Equal
                | Self::Add
                | Self::Multiply
                | Self::BitAnd
                | Self::BitOr
                | Self::BitXor
        )
    }

    /// Is it undefined for a divisor of zero?
    pub fn is_division(self) -> bool {
        matches!(self, Self::Divide | Self::Div | Self::Mod)
    }
}

/// A node of a graph: an operation over earlier nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Term {
    /// A constant.
    Constant(ConstantId),
    /// The input with this index.
    Input(u32),
    /// The latch with this index: what was stored the step before.
    Latch(u32),
    /// An operation on one operand.
    Unary(Unary, NodeId),
    /// An operation on two operands.
    Binary(Binary, NodeId, NodeId),
    /// `if test then first else second`, of any sort.
    Ite(NodeId, NodeId, NodeId),
    /// The identity, marking one occurrence of its operand.
    Tap(TapId, NodeId),
}

impl Term {
    /// The operands, in order.
    #[inline]
    pub fn children(self) -> impl Iterator<Item = NodeId> {
        let children = match self {
            Self::Constant(_) | Self::Input(_) | Self::Latch(_) => [None; 3],
            Self::Unary(_, a) | Self::Tap(_, a) => [Some(a), None, None],
            Self::Binary(_, a, b) => [Some(a), Some(b), None],
            Self::Ite(test, a, b) => [Some(test), Some(a), Some(b)],
        };
        children.into_iter().flatten()
    }

    /// The same operation on other operands.
    #[must_use]
    pub fn map(self, mut child: impl FnMut(NodeId) -> NodeId) -> Self {
        match self {
            Self::Constant(_) | Self::Input(_) | Self::Latch(_) => self,
            Self::Unary(operation, a) => Self::Unary(operation, child(a)),
            Self::Binary(operation, a, b) => Self::Binary(operation, child(a), child(b)),
            Self::Ite(test, a, b) => Self::Ite(child(test), child(a), child(b)),
            Self::Tap(tap, a) => Self::Tap(tap, child(a)),
        }
    }
}
