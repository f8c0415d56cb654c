//! Light simplification: rules that are right at a glance.
//!
//! Each one keeps the value whatever the inputs, the latches *and the taps* are,
//! and keeps whether it is defined. An operand is dropped only where that
//! hides nothing: never one with a tap below it, because coverage asks what
//! became of that occurrence; and one with a division that may be by zero only
//! where the definition of definedness ignores it as well.

use obligato_model::{Integer, Rational, Value};

use super::Graph;
use crate::meaning;
use crate::sort::Sort;
use crate::term::{Binary, NodeId, Term, Unary};

impl Graph {
    pub(super) fn simplify_unary(&mut self, operation: Unary, a: NodeId) -> Option<NodeId> {
        let operand = self.sort(a);
        if let Some(value) = self.as_constant(a) {
            let value = meaning::unary(operation, operand, value);
            let sort = super::unary_sort(operation, operand)?;
            return Some(self.intern_constant(sort, value));
        }
        match (operation, self.term(a)) {
            (Unary::Not, Term::Unary(Unary::Not, inner))
            | (Unary::Negate, Term::Unary(Unary::Negate, inner))
            | (Unary::BitNot, Term::Unary(Unary::BitNot, inner))
            | (Unary::RealToInt, Term::Unary(Unary::IntToReal, inner)) => Some(inner),
            (Unary::Wrap(machine), _) if operand == Sort::Machine(machine) => Some(a),
            _ => None,
        }
    }

    /// For operands already in order where order does not matter.
    pub(super) fn simplify_binary(
        &mut self,
        operation: Binary,
        a: NodeId,
        b: NodeId,
        sort: Sort,
    ) -> Option<NodeId> {
        let operands = self.sort(a);
        if let (Some(left), Some(right)) = (self.as_constant(a), self.as_constant(b)) {
            // Folding a division by zero would hide it; and constants could be squared
            // until no memory is left.
            let by_zero = operation.is_division() && *right == self.sort(b).zero();
            if by_zero || meaning::is_excessive(left) || meaning::is_excessive(right) {
                return None;
            }
            let value = meaning::binary(operation, operands, left, right);
            return Some(self.intern_constant(sort, value));
        }
        match operation {
            Binary::And => self.simplify_junction(a, b, false),
            Binary::Or => self.simplify_junction(a, b, true),
            Binary::Xor => self.simplify_parity(a, b, false),
            Binary::Equal if operands == Sort::Bool => self.simplify_parity(a, b, true),
            Binary::Equal | Binary::LessEqual if a == b => self.drop_both(a, true),
            Binary::Less if a == b => self.drop_both(a, false),
            Binary::Add => self.neutral(a, b, 0).or_else(|| self.neutral(b, a, 0)),
            Binary::Subtract => self.neutral(a, b, 0),
            Binary::Multiply => self.neutral(a, b, 1).or_else(|| self.neutral(b, a, 1)),
            _ => None,
        }
    }

    /// `and` (decided by false) or `or` (decided by true).
    fn simplify_junction(&mut self, a: NodeId, b: NodeId, decides: bool) -> Option<NodeId> {
        for (constant, other) in [(a, b), (b, a)] {
            match self.as_constant(constant) {
                // A defined operand that decides makes the whole defined.
                Some(Value::Bool(value)) if *value == decides => {
                    return (!self.is_tapped(other)).then_some(constant);
                }
                Some(_) => return Some(other),
                None => {}
            }
        }
        if a == b {
            return Some(a);
        }
        if self.are_complements(a, b) { self.drop_both(a, decides) } else { None }
    }

    /// `xor`, or its complement, equality.
    fn simplify_parity(&mut self, a: NodeId, b: NodeId, same: bool) -> Option<NodeId> {
        for (constant, other) in [(a, b), (b, a)] {
            if let Some(Value::Bool(value)) = self.as_constant(constant) {
                return if *value == same { Some(other) } else { self.not(other).ok() };
            }
        }
        if a == b {
            return self.drop_both(a, same);
        }
        if self.are_complements(a, b) { self.drop_both(a, !same) } else { None }
    }

    pub(super) fn simplify_ite(&mut self, test: NodeId, a: NodeId, b: NodeId) -> Option<NodeId> {
        if let Some(Value::Bool(value)) = self.as_constant(test) {
            let (taken, dropped) = if *value { (a, b) } else { (b, a) };
            return (!self.is_tapped(dropped)).then_some(taken);
        }
        if a == b {
            return self.can_drop(test).then_some(a);
        }
        if let (Some(Value::Bool(first)), Some(Value::Bool(_))) =
            (self.as_constant(a), self.as_constant(b))
        {
            // The arms differ, so they are the test or its negation.
            return if *first { Some(test) } else { self.not(test).ok() };
        }
        match self.term(test) {
            Term::Unary(Unary::Not, inner) => self.ite(inner, b, a).ok(),
            _ => None,
        }
    }

    /// `a`, if `b` is the constant that changes nothing.
    fn neutral(&self, a: NodeId, b: NodeId, constant: i64) -> Option<NodeId> {
        let is_it = match self.as_constant(b)? {
            Value::Int(value) => *value == Integer::from(constant),
            Value::Real(value) => *value == Rational::from(Integer::from(constant)),
            _ => false,
        };
        is_it.then_some(a)
    }

    fn drop_both(&mut self, dropped: NodeId, value: bool) -> Option<NodeId> {
        self.can_drop(dropped).then(|| self.bool(value))
    }

    fn can_drop(&self, node: NodeId) -> bool {
        !self.is_tapped(node) && !self.is_partial(node)
    }

    fn are_complements(&self, a: NodeId, b: NodeId) -> bool {
        self.term(a) == Term::Unary(Unary::Not, b) || self.term(b) == Term::Unary(Unary::Not, a)
    }
}
