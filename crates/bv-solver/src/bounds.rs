//! Intervals from comparisons with constants: they refute the simplest path conditions, and guess the simplest models.

use obligato_term::{BinaryOp as Op, Node, Term, Terms, UnaryOp, mask, signed};
use rustc_hash::FxHashMap;

/// The values of a term, as unsigned and as signed intervals.
#[derive(Clone, Debug)]
struct Range {
    low: u128,
    high: u128,
    signed_low: i128,
    signed_high: i128,
    /// Excluded values.
    not: Vec<u128>,
    /// The constraints that this follows from.
    from: Vec<Term>,
}

/// The ranges that constraints give to terms.
#[derive(Debug, Default)]
pub(crate) struct Bounds {
    ranges: FxHashMap<Term, Range>,
}

/// A comparison with a constant.
enum Fact {
    AtMost(u128),
    AtLeast(u128),
    SignedAtMost(i128),
    SignedAtLeast(i128),
    Is(u128),
    IsNot(u128),
}

impl Bounds {
    /// The intervals that the constraints imply. The error is an unsat core.
    pub(crate) fn of(terms: &Terms, constraints: &[Term]) -> Result<Self, Vec<Term>> {
        let mut bounds = Self::default();
        for constraint in constraints {
            let Some((term, fact)) = fact(terms, *constraint) else { continue };
            let width = terms.width(term);
            let range = bounds.ranges.entry(term).or_insert_with(|| Range::full(width));
            range.from.push(*constraint);
            range.add(&fact, width);
            if range.is_empty() {
                return Err(range.from.clone());
            }
        }
        Ok(bounds)
    }

    /// A value in the range of a term: this one if it is inside, else one at an end.
    pub(crate) fn nearest(&self, terms: &Terms, term: Term, value: u128) -> u128 {
        let Some(range) = self.ranges.get(&term) else { return value };
        let width = terms.width(term);
        let ends = [
            value,
            range.low,
            range.high,
            range.signed_low.cast_unsigned() & mask(width),
            range.signed_high.cast_unsigned() & mask(width),
        ];
        ends.into_iter().find(|one| range.contains(*one, width)).unwrap_or(value)
    }
}

impl Range {
    fn full(width: u8) -> Self {
        let most = (mask(width) >> 1).cast_signed();
        Self {
            low: 0,
            high: mask(width),
            signed_low: -most - 1,
            signed_high: most,
            not: Vec::new(),
            from: Vec::new(),
        }
    }

    fn contains(&self, value: u128, width: u8) -> bool {
        (self.low..=self.high).contains(&value)
            && (self.signed_low..=self.signed_high).contains(&signed(value, width))
            && !self.not.contains(&value)
    }

    fn is_empty(&self) -> bool {
        self.low > self.high || self.signed_low > self.signed_high
    }

    fn add(&mut self, fact: &Fact, width: u8) {
        match *fact {
            Fact::AtMost(value) => self.high = self.high.min(value),
            Fact::AtLeast(value) => self.low = self.low.max(value),
            Fact::SignedAtMost(value) => self.signed_high = self.signed_high.min(value),
            Fact::SignedAtLeast(value) => self.signed_low = self.signed_low.max(value),
            Fact::Is(value) => {
                self.low = self.low.max(value);
                self.high = self.high.min(value);
            }
            Fact::IsNot(value) => self.not.push(value),
        }
        // Each view narrows the other where it lies on one side of its middle; then ends that are excluded go.
        for _ in 0..2 {
            self.narrow(width);
        }
        while self.low < self.high && self.not.contains(&self.low) {
            self.low += 1;
        }
        while self.low < self.high && self.not.contains(&self.high) {
            self.high -= 1;
        }
        if self.low == self.high && self.not.contains(&self.low) {
            (self.signed_low, self.signed_high) = (1, 0);
        }
    }

    fn narrow(&mut self, width: u8) {
        let middle = mask(width) >> 1;
        if self.is_empty() {
            return;
        }
        if self.signed_low >= 0 || self.signed_high < 0 {
            self.low = self.low.max(self.signed_low.cast_unsigned() & mask(width));
            self.high = self.high.min(self.signed_high.cast_unsigned() & mask(width));
        }
        if self.high <= middle || self.low > middle {
            self.signed_low = self.signed_low.max(signed(self.low, width));
            self.signed_high = self.signed_high.min(signed(self.high, width));
        }
    }
}

/// A constraint as a comparison of a term with a number.
fn fact(terms: &Terms, constraint: Term) -> Option<(Term, Fact)> {
    let (inner, holds) = match terms.node(constraint) {
        Node::Unary(UnaryOp::Not, inner) => (inner, false),
        _ => (constraint, true),
    };
    let Node::Binary(op, left, right) = terms.node(inner) else {
        return (terms.width(inner) == 1).then_some((inner, Fact::Is(holds.into())));
    };
    let width = terms.width(left);
    let number = |value| signed(value, width);
    Some(match (op, terms.as_constant(left), terms.as_constant(right), holds) {
        (Op::Equal, _, Some(value), true) => (left, Fact::Is(value)),
        (Op::Equal, _, Some(value), false) => (left, Fact::IsNot(value)),
        (Op::LessUnsigned, _, Some(value), true) => (left, Fact::AtMost(value.checked_sub(1)?)),
        (Op::LessUnsigned, _, Some(value), false) => (left, Fact::AtLeast(value)),
        (Op::LessUnsigned, Some(value), _, true) => (right, Fact::AtLeast(value.checked_add(1)?)),
        (Op::LessUnsigned, Some(value), _, false) => (right, Fact::AtMost(value)),
        (Op::LessSigned, _, Some(value), true) => {
            (left, Fact::SignedAtMost(number(value).checked_sub(1)?))
        }
        (Op::LessSigned, _, Some(value), false) => (left, Fact::SignedAtLeast(number(value))),
        (Op::LessSigned, Some(value), _, true) => {
            (right, Fact::SignedAtLeast(number(value).checked_add(1)?))
        }
        (Op::LessSigned, Some(value), _, false) => (right, Fact::SignedAtMost(number(value))),
        (_, _, _, holds) => (inner, Fact::Is(holds.into())),
    })
}
