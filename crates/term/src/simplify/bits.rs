//! Rules for parts of words, and words of parts.

use super::choices::Ends;
use crate::node::{BinaryOp as Op, Node, Term};
use crate::terms::Terms;

impl Terms {
    pub(super) fn simplify_extract(&mut self, one: Term, low: u8, width: u8) -> Option<Term> {
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
            Node::Binary(Op::ShiftRightUnsigned, from, by) => {
                let by = self.as_constant(by)?;
                let start = u128::from(low) + by;
                if start + u128::from(width) > u128::from(self.width(from)) {
                    return None;
                }
                Some(self.extract(from, start as u8, width))
            }
            Node::Binary(Op::ShiftLeft, from, by) => {
                let by = self.as_constant(by)?;
                if u128::from(low) >= by {
                    return Some(self.extract(from, low - by as u8, width));
                }
                (u128::from(low + width) <= by).then(|| self.constant(0, width))
            }
            Node::Choose(..) => self
                .through_choices(one, Ends::Any, &mut |terms, end| terms.extract(end, low, width)),
            _ => None,
        }
    }

    pub(super) fn simplify_concat(&mut self, high: Term, low: Term) -> Option<Term> {
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

    pub(super) fn simplify_zero_extend(&mut self, one: Term, width: u8) -> Option<Term> {
        if width == self.width(one) {
            return Some(one);
        }
        match self.node(one) {
            Node::ZeroExtend(inner) => Some(self.zero_extend(inner, width)),
            Node::Choose(..) => self.through_choices(one, Ends::Constant, &mut |terms, end| {
                terms.zero_extend(end, width)
            }),
            _ => None,
        }
    }

    pub(super) fn simplify_sign_extend(&mut self, one: Term, width: u8) -> Option<Term> {
        if width == self.width(one) {
            return Some(one);
        }
        match self.node(one) {
            Node::SignExtend(inner) => Some(self.sign_extend(inner, width)),
            Node::ZeroExtend(inner) => Some(self.zero_extend(inner, width)),
            Node::Choose(..) => self.through_choices(one, Ends::Constant, &mut |terms, end| {
                terms.sign_extend(end, width)
            }),
            _ => None,
        }
    }
}
