//! What a term can be at most, as far as a look at a few levels of it tells.

use crate::meaning::{mask, signed};
use crate::node::{BinaryOp as Op, Node, Term};
use crate::terms::Terms;

/// How many levels are looked at.
const LEVELS: u8 = 4;

impl Terms {
    /// The least and the largest number, without sign.
    pub(super) fn range(&self, term: Term) -> (u128, u128) {
        self.range_within(term, LEVELS)
    }

    /// The same with sign.
    pub(super) fn signed_range(&self, term: Term) -> (i128, i128) {
        self.signed_range_within(term, LEVELS)
    }

    fn range_within(&self, term: Term, levels: u8) -> (u128, u128) {
        let ones = mask(self.width(term));
        let Some(levels) = levels.checked_sub(1) else { return (0, ones) };
        let of = |one| self.range_within(one, levels);
        match self.node(term) {
            Node::Constant(value) => (value, value),
            Node::ZeroExtend(one) => of(one),
            Node::SignExtend(one) if of(one).1 <= mask(self.width(one)) >> 1 => of(one),
            Node::Choose(_, first, second) => {
                let (one, other) = (of(first), of(second));
                (one.0.min(other.0), one.1.max(other.1))
            }
            Node::Concat(high, low) => {
                let (above, below, by) = (of(high), of(low), self.width(low));
                (above.0 << by | below.0, above.1 << by | below.1)
            }
            Node::Extract(one, 0) if of(one).1 <= ones => of(one),
            Node::Extract(one, low) => (0, ones.min(of(one).1 >> low)),
            Node::Binary(op, left, right) => {
                binary(op, of(left), of(right), ones).unwrap_or((0, ones))
            }
            _ => (0, ones),
        }
    }

    fn signed_range_within(&self, term: Term, levels: u8) -> (i128, i128) {
        let width = self.width(term);
        let most = (mask(width) >> 1).cast_signed();
        let full = (-most - 1, most);
        let Some(levels) = levels.checked_sub(1) else { return full };
        let of = |one| self.signed_range_within(one, levels);
        let found = match self.node(term) {
            Node::Constant(value) => Some((signed(value, width), signed(value, width))),
            Node::SignExtend(one) => Some(of(one)),
            Node::Choose(_, first, second) => {
                let (one, other) = (of(first), of(second));
                Some((one.0.min(other.0), one.1.max(other.1)))
            }
            Node::Binary(Op::Add, left, right) => {
                let (one, other) = (of(left), of(right));
                one.0.checked_add(other.0).zip(one.1.checked_add(other.1))
            }
            Node::Binary(Op::Subtract, left, right) => {
                let (one, other) = (of(left), of(right));
                one.0.checked_sub(other.1).zip(one.1.checked_sub(other.0))
            }
            _ => None,
        };
        match found {
            Some(range) if range.0 >= full.0 && range.1 <= full.1 => range,
            _ => {
                let (low, high) = self.range_within(term, levels);
                let fits = high <= most.cast_unsigned();
                if fits { (low.cast_signed(), high.cast_signed()) } else { full }
            }
        }
    }
}

/// The range of an operation on ranges, without sign, if it does not overflow.
fn binary(op: Op, left: (u128, u128), right: (u128, u128), ones: u128) -> Option<(u128, u128)> {
    let constant = (right.0 == right.1).then_some(right.0);
    let range = match op {
        Op::Add => (left.0.checked_add(right.0)?, left.1.checked_add(right.1)?),
        Op::Multiply => (left.0.checked_mul(right.0)?, left.1.checked_mul(right.1)?),
        Op::And => (0, left.1.min(right.1)),
        // No bit above the highest of both.
        Op::Or | Op::Xor => {
            let most = left.1 | right.1;
            let low = if op == Op::Or { left.0.max(right.0) } else { 0 };
            (low, u128::MAX.checked_shr(most.leading_zeros()).unwrap_or(0))
        }
        Op::ShiftRightUnsigned => {
            let by = constant.filter(|by| *by < 128)? as u32;
            (left.0 >> by, left.1 >> by)
        }
        Op::ShiftLeft => {
            let by = constant.filter(|by| *by < left.1.leading_zeros().into())? as u32;
            (left.0 << by, left.1 << by)
        }
        Op::DivideUnsigned if right.0 > 0 => (left.0 / right.1, left.1 / right.0),
        Op::RemainderUnsigned if right.0 > 0 => (0, left.1.min(right.1 - 1)),
        _ => return None,
    };
    (range.1 <= ones).then_some(range)
}
