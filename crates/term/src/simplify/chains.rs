//! Rules for conjunctions and disjunctions of more than two parts.

use crate::meaning::mask;
use crate::node::{BinaryOp as Op, Node, Term, UnaryOp};
use crate::terms::Terms;

/// How many parts of each side are looked at.
const MOST_PARTS: usize = 8;

impl Terms {
    /// `and` or `or` of terms that say the same, or the opposite, in some part.
    pub(super) fn simplify_chain(
        &mut self,
        op: Op,
        left: Term,
        right: Term,
        width: u8,
    ) -> Option<Term> {
        let (parts, others) = (self.chain(op, left), self.chain(op, right));
        if parts.iter().any(|one| others.iter().any(|other| self.is_negation(*one, *other))) {
            return Some(self.constant(if op == Op::And { 0 } else { mask(width) }, width));
        }
        if others.iter().all(|one| parts.contains(one)) {
            return Some(left);
        }
        if parts.iter().all(|one| others.contains(one)) {
            return Some(right);
        }
        self.absorb(op, left, right).or_else(|| self.absorb(op, right, left))
    }

    /// `x and (x or y)` is `x`, `x and (not x or y)` is `x and y`; and so with `or`.
    fn absorb(&mut self, op: Op, one: Term, chain: Term) -> Option<Term> {
        let dual = if op == Op::And { Op::Or } else { Op::And };
        let Node::Binary(inner, first, second) = self.node(chain) else { return None };
        if inner != dual {
            return None;
        }
        for (part, rest) in [(first, second), (second, first)] {
            if part == one {
                return Some(one);
            }
            if self.is_negation(part, one) {
                return Some(self.binary(op, one, rest));
            }
        }
        None
    }

    /// The parts of a chain, or the first of them.
    fn chain(&self, op: Op, term: Term) -> Vec<Term> {
        let (mut parts, mut open) = (Vec::new(), vec![term]);
        while let Some(next) = open.pop() {
            match self.node(next) {
                Node::Binary(inner, left, right)
                    if inner == op && parts.len() + open.len() + 2 <= MOST_PARTS =>
                {
                    open.extend([left, right]);
                }
                _ => parts.push(next),
            }
        }
        parts
    }

    pub(super) fn is_negation(&self, left: Term, right: Term) -> bool {
        self.node(left) == Node::Unary(UnaryOp::Not, right)
            || self.node(right) == Node::Unary(UnaryOp::Not, left)
    }
}
