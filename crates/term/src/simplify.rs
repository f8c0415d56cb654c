//! What nodes are simplified to when they are built.
//!
//! Rules look at a node and a few levels below it, and each makes a smaller term or one that is closer to a common form:
//! constants to the right, sums in order, negations of bits outwards, choices between numbers above what is computed from
//! them. So building a node costs little whatever is below it, and what a program computes in several ways is often one term.
//! Rules that build nodes go down at most [`MOST_DEPTH`] of them; below, nodes stay as they are.
//!
//! Here are the rules for single words and two of them; `sums`, `comparisons`, `choices`, `chains` and `bits` have those of their names.

use crate::meaning::mask;
use crate::node::{BinaryOp as Op, Node, Term, UnaryOp};
use crate::terms::Terms;

mod bits;
mod chains;
mod choices;
mod comparisons;
mod ranges;
mod sums;

use choices::Ends;

/// How many nodes deep rules build nodes that rules are applied to.
pub(crate) const MOST_DEPTH: u8 = 48;

impl Terms {
    /// A simpler term for a node whose operands are not all constants; `None` if it is as simple as we know.
    pub(crate) fn simplify(&mut self, node: Node, width: u8) -> Option<Term> {
        match node {
            Node::Unary(op, one) => self.simplify_unary(op, one),
            Node::Binary(op, left, right) => self.simplify_binary(op, left, right),
            Node::Choose(test, first, second) => self.simplify_choice(test, first, second),
            Node::Extract(one, low) => self.simplify_extract(one, low, width),
            Node::Concat(high, low) => self.simplify_concat(high, low),
            Node::ZeroExtend(one) => self.simplify_zero_extend(one, width),
            Node::SignExtend(one) => self.simplify_sign_extend(one, width),
            Node::Constant(_) | Node::Variable(_) | Node::Float(..) => None,
        }
    }

    fn simplify_unary(&mut self, op: UnaryOp, one: Term) -> Option<Term> {
        match (op, self.node(one)) {
            (_, Node::Unary(inner, original)) if inner == op => Some(original),
            (UnaryOp::Negate, _) if self.width(one) > 1 => {
                self.simplify_sum(Node::Unary(op, one), self.width(one))
            }
            (UnaryOp::Not, Node::Choose(..)) => {
                self.through_choices(one, Ends::Constant, &mut |terms, end| terms.unary(op, end))
            }
            _ => None,
        }
    }

    fn simplify_binary(&mut self, op: Op, left: Term, right: Term) -> Option<Term> {
        let width = self.width(left);
        let ordered =
            self.as_constant(left).is_some() || (self.as_constant(right).is_none() && left > right);
        if op.commutes() && ordered && left != right {
            return Some(self.binary(op, right, left));
        }
        if left == right
            && let Some(same) = self.simplify_same(op, left, width)
        {
            return Some(same);
        }
        let with_number = match (self.as_constant(left), self.as_constant(right)) {
            (_, Some(value)) => self.simplify_with_constant(op, left, right, value, width),
            (Some(value), _) => self.simplify_under_constant(op, value, right, width),
            (None, None) => None,
        };
        if with_number.is_some() {
            return with_number;
        }
        let node = Node::Binary(op, left, right);
        match op {
            Op::And | Op::Or => self.simplify_chain(op, left, right, width),
            Op::Xor | Op::Equal if width == 1 => self.simplify_parity(op, left, right),
            Op::Equal | Op::LessUnsigned | Op::LessSigned if width > 1 => {
                self.simplify_comparison(op, left, right, width)
            }
            Op::Add | Op::Subtract if width > 1 => self.simplify_sum(node, width),
            _ => None,
        }
    }

    /// Both operands are the same.
    fn simplify_same(&mut self, op: Op, one: Term, width: u8) -> Option<Term> {
        match op {
            Op::And | Op::Or => Some(one),
            Op::Xor | Op::Subtract => Some(self.constant(0, width)),
            Op::Equal => Some(self.bit(true)),
            Op::LessUnsigned | Op::LessSigned => Some(self.bit(false)),
            _ => None,
        }
    }

    /// Negations of single bits go outwards through `xor` and `=`.
    fn simplify_parity(&mut self, op: Op, left: Term, right: Term) -> Option<Term> {
        let inner = |term| match self.node(term) {
            Node::Unary(UnaryOp::Not, one) => Some(one),
            _ => None,
        };
        let (from, other) = match (inner(left), inner(right)) {
            (Some(one), _) => (one, right),
            (None, Some(one)) => (one, left),
            (None, None) => return None,
        };
        let parity = self.binary(op, from, other);
        Some(self.not(parity))
    }

    /// The right operand is a number.
    fn simplify_with_constant(
        &mut self,
        op: Op,
        left: Term,
        right: Term,
        value: u128,
        width: u8,
    ) -> Option<Term> {
        let ones = mask(width);
        match op {
            Op::Add
            | Op::Or
            | Op::Xor
            | Op::ShiftLeft
            | Op::ShiftRightUnsigned
            | Op::ShiftRightSigned
            | Op::Subtract
                if value == 0 =>
            {
                Some(left)
            }
            Op::And | Op::Multiply | Op::LessUnsigned if value == 0 => {
                Some(self.constant(0, if op == Op::LessUnsigned { 1 } else { width }))
            }
            Op::Multiply | Op::DivideUnsigned | Op::DivideSigned if value == 1 && width > 1 => {
                Some(left)
            }
            Op::DivideUnsigned if value.is_power_of_two() => {
                let distance = self.constant(value.trailing_zeros().into(), width);
                Some(self.binary(Op::ShiftRightUnsigned, left, distance))
            }
            Op::RemainderUnsigned if value.is_power_of_two() => {
                let low = self.constant(value - 1, width);
                Some(self.and(left, low))
            }
            Op::And if value == ones => Some(left),
            Op::Or if value == ones => Some(right),
            Op::Xor if value == ones => Some(self.not(left)),
            Op::Equal if width == 1 => Some(if value == 1 { left } else { self.not(left) }),
            Op::ShiftLeft | Op::ShiftRightUnsigned if value >= width.into() => {
                Some(self.constant(0, width))
            }
            Op::LessUnsigned if value == 1 => {
                let zero = self.constant(0, width);
                Some(self.equal(left, zero))
            }
            Op::Add | Op::Subtract | Op::Multiply | Op::ShiftLeft if width > 1 => {
                self.simplify_sum(Node::Binary(op, left, right), width)
            }
            Op::Equal => self.simplify_equal(left, value, width),
            _ if op.compares() => None,
            _ if self.is_choice_of_numbers(left) => {
                self.through_choices(left, Ends::Constant, &mut |terms, end| {
                    terms.binary(op, end, right)
                })
            }
            Op::And | Op::Or | Op::Xor => self.regroup(op, left, value, width),
            _ => None,
        }
    }

    /// `(x op c) op d` is `x op (c op d)`; masks of extended words are masks of the words.
    fn regroup(&mut self, op: Op, left: Term, value: u128, width: u8) -> Option<Term> {
        match self.node(left) {
            Node::Binary(inner, one, other) if inner == op => {
                let number = self.as_constant(other)?;
                let joined = crate::meaning::binary(op, width, number, value);
                let joined = self.constant(joined, width);
                Some(self.binary(op, one, joined))
            }
            Node::ZeroExtend(one) if op == Op::And => {
                let low = self.constant(value, self.width(one));
                let cut = self.and(one, low);
                Some(self.zero_extend(cut, width))
            }
            _ => None,
        }
    }

    /// A word equals a number.
    fn simplify_equal(&mut self, left: Term, value: u128, width: u8) -> Option<Term> {
        match self.node(left) {
            Node::Concat(high, low) => {
                let split = self.width(low);
                let (above, below) =
                    (self.constant(value >> split, self.width(high)), self.constant(value, split));
                let (first, second) = (self.equal(high, above), self.equal(low, below));
                Some(self.and(first, second))
            }
            Node::Binary(Op::Xor, one, other) => {
                let moved = self.constant(value ^ self.as_constant(other)?, width);
                Some(self.equal(one, moved))
            }
            Node::Unary(UnaryOp::Not, one) => {
                let turned = self.constant(!value, width);
                Some(self.equal(one, turned))
            }
            _ => None,
        }
    }

    /// The left operand is a number and the right is not.
    fn simplify_under_constant(
        &mut self,
        op: Op,
        value: u128,
        right: Term,
        width: u8,
    ) -> Option<Term> {
        match op {
            Op::ShiftLeft | Op::ShiftRightUnsigned | Op::ShiftRightSigned if value == 0 => {
                Some(self.constant(0, width))
            }
            Op::LessUnsigned if value == mask(width) => Some(self.bit(false)),
            Op::LessUnsigned if value == 0 => {
                let zero = self.constant(0, width);
                let equal = self.equal(right, zero);
                Some(self.not(equal))
            }
            _ => None,
        }
    }
}
