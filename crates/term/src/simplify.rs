//! What nodes are simplified to when they are built.
//!
//! Rules look at a node and its operands, no deeper than two levels, and each makes a smaller term or one
//! that is closer to a common form: constants to the right, subtraction of constants as addition, negations of bits
//! outwards. So building is constant time per node, and what a program computes in several ways is often one term.

use crate::meaning::mask;
use crate::node::{BinaryOp as Op, Node, Term, UnaryOp};
use crate::terms::Terms;

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
        if let Some(value) = self.as_constant(right) {
            return self.simplify_with_constant(op, left, right, value, width);
        }
        if let Some(value) = self.as_constant(left) {
            return self.simplify_under_constant(op, value, right, width);
        }
        match op {
            Op::And | Op::Or if self.is_negation(left, right) => {
                Some(self.constant(if op == Op::And { 0 } else { u128::MAX }, width))
            }
            Op::Xor | Op::Equal if width == 1 => self.simplify_parity(op, left, right),
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

    fn is_negation(&self, left: Term, right: Term) -> bool {
        self.node(left) == Node::Unary(UnaryOp::Not, right)
            || self.node(right) == Node::Unary(UnaryOp::Not, left)
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
            Op::Subtract => {
                let negated = self.constant(value.wrapping_neg(), width);
                Some(self.binary(Op::Add, left, negated))
            }
            Op::And | Op::Multiply | Op::LessUnsigned if value == 0 => {
                Some(self.constant(0, if op == Op::LessUnsigned { 1 } else { width }))
            }
            Op::Multiply | Op::DivideUnsigned | Op::DivideSigned if value == 1 && width > 1 => {
                Some(left)
            }
            Op::Multiply if value.is_power_of_two() => {
                let distance = self.constant(value.trailing_zeros().into(), width);
                Some(self.binary(Op::ShiftLeft, left, distance))
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
            Op::Add | Op::And | Op::Or | Op::Xor => self.regroup(op, left, value, width),
            Op::Equal => self.simplify_equal(left, value, width),
            Op::LessUnsigned => self.simplify_less(left, value),
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
            Node::ZeroExtend(one) | Node::SignExtend(one) => {
                let inner = self.width(one);
                let cut = self.constant(value, inner);
                let node = match self.node(left) {
                    Node::ZeroExtend(_) => self.zero_extend(cut, width),
                    _ => self.sign_extend(cut, width),
                };
                let fits = self.as_constant(node) == Some(value);
                Some(if fits { self.equal(one, cut) } else { self.bit(false) })
            }
            Node::Concat(high, low) => {
                let split = self.width(low);
                let (above, below) =
                    (self.constant(value >> split, self.width(high)), self.constant(value, split));
                let (first, second) = (self.equal(high, above), self.equal(low, below));
                Some(self.and(first, second))
            }
            Node::Binary(inner @ (Op::Add | Op::Xor), one, other) => {
                let number = self.as_constant(other)?;
                let back = if inner == Op::Add { Op::Subtract } else { Op::Xor };
                let moved = crate::meaning::binary(back, width, value, number);
                let moved = self.constant(moved, width);
                Some(self.equal(one, moved))
            }
            Node::Unary(UnaryOp::Not, one) => {
                let turned = self.constant(!value, width);
                Some(self.equal(one, turned))
            }
            Node::Choose(test, first, second) => {
                let (one, other) = (self.as_constant(first)?, self.as_constant(second)?);
                Some(match (one == value, other == value) {
                    (true, true) => self.bit(true),
                    (false, false) => self.bit(false),
                    (true, false) => test,
                    (false, true) => self.not(test),
                })
            }
            _ => None,
        }
    }

    /// A word is less than a number, without sign.
    fn simplify_less(&mut self, left: Term, value: u128) -> Option<Term> {
        let Node::ZeroExtend(one) = self.node(left) else { return None };
        let inner = self.width(one);
        if value > mask(inner) {
            return Some(self.bit(true));
        }
        let cut = self.constant(value, inner);
        Some(self.binary(Op::LessUnsigned, one, cut))
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
            Op::Subtract if value == 0 => Some(self.unary(UnaryOp::Negate, right)),
            Op::LessUnsigned if value == mask(width) => Some(self.bit(false)),
            Op::LessUnsigned if value == 0 => {
                let zero = self.constant(0, width);
                let equal = self.equal(right, zero);
                Some(self.not(equal))
            }
            Op::LessUnsigned => {
                let Node::ZeroExtend(one) = self.node(right) else { return None };
                let inner = self.width(one);
                if value >= mask(inner) {
                    return Some(self.bit(false));
                }
                let cut = self.constant(value, inner);
                Some(self.binary(Op::LessUnsigned, cut, one))
            }
            _ => None,
        }
    }

    fn simplify_choice(&mut self, test: Term, first: Term, second: Term) -> Option<Term> {
        if first == second {
            return Some(first);
        }
        if let Some(value) = self.as_constant(test) {
            return Some(if value == 1 { first } else { second });
        }
        if let Node::Unary(UnaryOp::Not, turned) = self.node(test) {
            return Some(self.choose(turned, second, first));
        }
        if self.width(first) == 1 {
            match (self.as_constant(first), self.as_constant(second)) {
                (Some(1), Some(_)) => return Some(test),
                (Some(_), Some(_)) => return Some(self.not(test)),
                (Some(1), None) => return Some(self.or(test, second)),
                (Some(_), None) => {
                    let not = self.not(test);
                    return Some(self.and(not, second));
                }
                (None, Some(0)) => return Some(self.and(test, first)),
                (None, Some(_)) => {
                    let not = self.not(test);
                    return Some(self.or(not, first));
                }
                (None, None) => {}
            }
        }
        if let Node::Choose(inner, then, _) = self.node(first)
            && inner == test
        {
            return Some(self.choose(test, then, second));
        }
        if let Node::Choose(inner, _, otherwise) = self.node(second)
            && inner == test
        {
            return Some(self.choose(test, first, otherwise));
        }
        None
    }

    fn simplify_extract(&mut self, one: Term, low: u8, width: u8) -> Option<Term> {
        if low == 0 && width == self.width(one) {
            return Some(one);
        }
        match self.node(one) {
            Node::Extract(from, inner) => Some(self.extract(from, inner + low, width)),
            Node::Concat(above, below) => {
                let split = self.width(below);
                if low >= split {
                    Some(self.extract(above, low - split, width))
                } else if low + width <= split {
                    Some(self.extract(below, low, width))
                } else {
                    let high = self.extract(above, 0, low + width - split);
                    let rest = self.extract(below, low, split - low);
                    Some(self.concat(high, rest))
                }
            }
            Node::ZeroExtend(from) | Node::SignExtend(from) => {
                let inner = self.width(from);
                if low + width <= inner {
                    return Some(self.extract(from, low, width));
                }
                let zeros = matches!(self.node(one), Node::ZeroExtend(_));
                if low >= inner && zeros {
                    return Some(self.constant(0, width));
                }
                if low == 0 {
                    return Some(if zeros {
                        self.zero_extend(from, width)
                    } else {
                        self.sign_extend(from, width)
                    });
                }
                None
            }
            // The low bits of a sum are the sum of the low bits.
            Node::Binary(op @ (Op::Add | Op::Subtract | Op::Multiply), left, right) if low == 0 => {
                let (left, right) = (self.extract(left, 0, width), self.extract(right, 0, width));
                Some(self.binary(op, left, right))
            }
            Node::Binary(op @ (Op::And | Op::Or | Op::Xor), left, right) => {
                let left = self.extract(left, low, width);
                let right = self.extract(right, low, width);
                Some(self.binary(op, left, right))
            }
            Node::Choose(test, first, second)
                if self.as_constant(first).is_some() || self.as_constant(second).is_some() =>
            {
                let first = self.extract(first, low, width);
                let second = self.extract(second, low, width);
                Some(self.choose(test, first, second))
            }
            _ => None,
        }
    }

    fn simplify_concat(&mut self, high: Term, low: Term) -> Option<Term> {
        let width = self.width(high) + self.width(low);
        if self.as_constant(high) == Some(0) {
            return Some(self.zero_extend(low, width));
        }
        match (self.node(high), self.node(low)) {
            // Bytes of one word that are put together again.
            (Node::Extract(one, above), Node::Extract(other, below))
                if one == other && above == below + self.width(low) =>
            {
                Some(self.extract(one, below, width))
            }
            (Node::Extract(one, above), Node::Concat(middle, rest))
                if matches!(self.node(middle), Node::Extract(other, below)
                    if one == other && above == below + self.width(middle)) =>
            {
                let joined = self.concat(high, middle);
                Some(self.concat(joined, rest))
            }
            _ => None,
        }
    }

    fn simplify_zero_extend(&mut self, one: Term, width: u8) -> Option<Term> {
        if width == self.width(one) {
            return Some(one);
        }
        match self.node(one) {
            Node::ZeroExtend(inner) => Some(self.zero_extend(inner, width)),
            _ => None,
        }
    }

    fn simplify_sign_extend(&mut self, one: Term, width: u8) -> Option<Term> {
        if width == self.width(one) {
            return Some(one);
        }
        match self.node(one) {
            Node::SignExtend(inner) => Some(self.sign_extend(inner, width)),
            Node::ZeroExtend(inner) => Some(self.zero_extend(inner, width)),
            _ => None,
        }
    }
}
