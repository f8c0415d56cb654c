//! Rules for comparisons: what ranges decide, what extended words can be cut to, and what can be moved to the other side.

use super::choices::Ends;
use crate::meaning::{mask, signed};
use crate::node::{BinaryOp as Op, Node, Term};
use crate::terms::Terms;

impl Terms {
    /// A comparison of words of this width, at least two bits, that are not the same and not both numbers.
    pub(super) fn simplify_comparison(
        &mut self,
        op: Op,
        left: Term,
        right: Term,
        width: u8,
    ) -> Option<Term> {
        if let Some(known) = self.decided(op, left, right) {
            return Some(self.bit(known));
        }
        if op == Op::LessSigned
            && [left, right].iter().all(|one| self.range(*one).1 <= mask(width) >> 1)
        {
            return Some(self.binary(Op::LessUnsigned, left, right));
        }
        if let Some(cut) = self.cut_extensions(op, left, right) {
            return Some(cut);
        }
        if let Some(chosen) = self.compare_choices(op, left, right) {
            return Some(chosen);
        }
        if op == Op::Equal {
            return self.simplify_equal_sums(left, right, width);
        }
        self.move_numbers(op, left, right, width)
    }

    /// The answer, if ranges tell.
    fn decided(&self, op: Op, left: Term, right: Term) -> Option<bool> {
        let (below, above) = (self.range(left), self.range(right));
        let (less, more) = (self.signed_range(left), self.signed_range(right));
        match op {
            Op::LessUnsigned if below.1 < above.0 => Some(true),
            Op::LessUnsigned if below.0 >= above.1 => Some(false),
            Op::LessSigned if less.1 < more.0 => Some(true),
            Op::LessSigned if less.0 >= more.1 => Some(false),
            Op::Equal if below.1 < above.0 || above.1 < below.0 => Some(false),
            Op::Equal if less.1 < more.0 || more.1 < less.0 => Some(false),
            _ => None,
        }
    }

    /// Words that are both extended the same way, or a number that fits the shorter word, are compared as they were before.
    fn cut_extensions(&mut self, op: Op, left: Term, right: Term) -> Option<Term> {
        let (zeros, signs) = (
            [left, right].map(|one| self.unextended(one, false)),
            [left, right].map(|one| self.unextended(one, true)),
        );
        // Not both are numbers, so one of them tells how wide the words were.
        if let [Some(one), Some(other)] = zeros {
            let width = self.narrowest(one, other);
            let (one, other) = (self.fitted(one, width, false)?, self.fitted(other, width, false)?);
            // Zeros in front leave no sign.
            let op = if op == Op::LessSigned { Op::LessUnsigned } else { op };
            return Some(self.binary(op, one, other));
        }
        let [Some(one), Some(other)] = signs else { return None };
        let width = self.narrowest(one, other);
        let (one, other) = (self.fitted(one, width, true)?, self.fitted(other, width, true)?);
        Some(self.binary(op, one, other))
    }

    /// The word that was extended with zeros or signs, or a number.
    fn unextended(&self, term: Term, by_sign: bool) -> Option<Term> {
        match self.node(term) {
            Node::ZeroExtend(one) if !by_sign => Some(one),
            Node::SignExtend(one) if by_sign => Some(one),
            Node::Constant(_) => Some(term),
            _ => None,
        }
    }

    /// The width of the wider of two words that are not numbers.
    fn narrowest(&self, one: Term, other: Term) -> u8 {
        let words = [one, other].into_iter().filter(|term| self.as_constant(*term).is_none());
        words.map(|term| self.width(term)).max().unwrap_or_default()
    }

    /// A word, extended, or a number, cut, if that changes nothing.
    fn fitted(&mut self, term: Term, width: u8, by_sign: bool) -> Option<Term> {
        let Some(value) = self.as_constant(term) else {
            return Some(if by_sign {
                self.sign_extend(term, width)
            } else {
                self.zero_extend(term, width)
            });
        };
        let cut = self.constant(value, width);
        let full = self.width(term);
        let back = if by_sign { self.sign_extend(cut, full) } else { self.zero_extend(cut, full) };
        (back == term).then_some(cut)
    }

    /// A choice with numbers, or with the other side, in its arms.
    fn compare_choices(&mut self, op: Op, left: Term, right: Term) -> Option<Term> {
        if self.as_constant(right).is_some() {
            return self
                .through_choices(left, Ends::Any, &mut |terms, end| terms.binary(op, end, right));
        }
        if self.as_constant(left).is_some() {
            return self
                .through_choices(right, Ends::Any, &mut |terms, end| terms.binary(op, left, end));
        }
        for (chosen, other) in [(left, right), (right, left)] {
            if op == Op::Equal
                && let Node::Choose(test, first, second) = self.node(chosen)
            {
                if first == other {
                    let rest = self.equal(second, other);
                    return Some(self.or(test, rest));
                }
                if second == other {
                    let rest = self.equal(first, other);
                    let not = self.not(test);
                    return Some(self.or(not, rest));
                }
            }
        }
        None
    }

    /// `x + c < d` is `x < d - c` where nothing overflows; and so with the sides exchanged, and for equal numbers on both sides.
    fn move_numbers(&mut self, op: Op, left: Term, right: Term, width: u8) -> Option<Term> {
        let (one, other) = (self.with_number(left), self.with_number(right));
        let (moved, number) = match (one, other) {
            ((x, c), (y, d)) if c == d && c != 0 => ((x, y), c),
            ((x, c), _) if c != 0 && self.as_constant(right).is_some() => ((x, right), c),
            (_, (y, d)) if d != 0 && self.as_constant(left).is_some() => ((left, y), d),
            _ => return None,
        };
        let number_term = self.constant(number, width);
        let mut sides = [moved.0, moved.1];
        for side in &mut sides {
            if let Some(value) = self.as_constant(*side) {
                let less = subtracted(op, value, number, width)?;
                *side = self.constant(less, width);
            } else if !self.adds_safely(op, *side, number_term) {
                return None;
            }
        }
        Some(self.binary(op, sides[0], sides[1]))
    }

    /// A sum as what a number is added to, and the number.
    fn with_number(&self, term: Term) -> (Term, u128) {
        match self.node(term) {
            Node::Binary(Op::Add, inner, by) => match self.as_constant(by) {
                Some(number) => (inner, number),
                None => (term, 0),
            },
            _ => (term, 0),
        }
    }

    /// Is the number added without overflow?
    fn adds_safely(&self, op: Op, term: Term, number: Term) -> bool {
        let width = self.width(term);
        if op == Op::LessUnsigned {
            let sum = self.range(term).1.checked_add(self.range(number).0);
            return sum.is_some_and(|sum| sum <= mask(width));
        }
        let (range, by) = (self.signed_range(term), self.signed_range(number).0);
        let most = (mask(width) >> 1).cast_signed();
        let fits =
            |end: i128| end.checked_add(by).is_some_and(|sum| (-most - 1..=most).contains(&sum));
        fits(range.0) && fits(range.1)
    }
}

/// The difference of numbers, unless it overflows.
fn subtracted(op: Op, value: u128, number: u128, width: u8) -> Option<u128> {
    if op == Op::LessUnsigned {
        return value.checked_sub(number);
    }
    let most = (mask(width) >> 1).cast_signed();
    let less = signed(value, width).checked_sub(signed(number, width))?;
    (-most - 1..=most).contains(&less).then_some(less.cast_unsigned())
}
