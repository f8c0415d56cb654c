//! Guards: which inputs reach a state, as the list of branch conditions on the way.
//!
//! The list, and not only its conjunction, lets a state join drop the conditions in which the two paths differ: after
//! `if (c) … else …` the guard is the one before it.

use std::rc::Rc;

use obligato_term::{Node, Term, Terms, UnaryOp};

/// Which inputs reach a state.
#[derive(Clone, Debug)]
pub(crate) struct Guard(Rc<Link>);

#[derive(Debug)]
struct Link {
    before: Option<Guard>,
    /// The latest branch condition.
    literal: Term,
    /// The conjunction of all.
    all: Term,
    length: usize,
}

/// How many of the latest branch conditions are searched for a bit.
const MEMORY: usize = 64;

impl Guard {
    /// The guard of all inputs.
    pub(crate) fn always(terms: &mut Terms) -> Self {
        let truth = terms.bit(true);
        Self(Rc::new(Link { before: None, literal: truth, all: truth, length: 0 }))
    }

    /// The guard as one bit.
    pub(crate) fn term(&self) -> Term {
        self.0.all
    }

    /// The conjunction with one more branch condition; `None` if it contradicts a known one.
    pub(crate) fn and(&self, terms: &mut Terms, literal: Term) -> Option<Self> {
        match terms.as_constant(literal) {
            Some(1) => return Some(self.clone()),
            Some(_) => return None,
            None => {}
        }
        match self.knows(terms, literal) {
            Some(true) => return Some(self.clone()),
            Some(false) => return None,
            None => {}
        }
        let all = terms.and(self.0.all, literal);
        if terms.as_constant(all) == Some(0) {
            return None;
        }
        Some(self.pushed(literal, all))
    }

    fn pushed(&self, literal: Term, all: Term) -> Self {
        let length = self.0.length + 1;
        Self(Rc::new(Link { before: Some(self.clone()), literal, all, length }))
    }

    /// The value of a bit, if one of the latest branch conditions decides it.
    pub(crate) fn knows(&self, terms: &Terms, bit: Term) -> Option<bool> {
        let mut next = Some(self);
        for _ in 0..MEMORY {
            let here = next?;
            if here.0.literal == bit {
                return Some(true);
            }
            if is_negation(terms, here.0.literal, bit) {
                return Some(false);
            }
            next = here.0.before.as_ref();
        }
        None
    }

    /// The guard of the join of two states with exclusive guards, and a bit that holds in the first and not in the second.
    pub(crate) fn join(&self, other: &Self, terms: &mut Terms) -> (Self, Term) {
        let (prefix, mine, theirs) = self.parted(other);
        let (Some(first), Some(second)) = (mine.first(), theirs.first()) else {
            // One guard implies the other: the shorter one is the disjunction.
            let truth = terms.bit(!mine.is_empty() || theirs.is_empty());
            return (prefix, truth);
        };
        let (first, second) = (*first, *second);
        if let Some((test, left, right)) = split(terms, first, &mine, &theirs) {
            return prefix.either(terms, test, left, right);
        }
        if let Some((test, left, right)) = split(terms, second, &theirs, &mine) {
            let (guard, test) = prefix.either(terms, test, left, right);
            return (guard, terms.not(test));
        }
        let (left, right) = (terms.all(mine), terms.all(theirs));
        let any = terms.or(left, right);
        let all = terms.and(prefix.0.all, any);
        let guard =
            if terms.as_constant(any) == Some(1) { prefix } else { prefix.pushed(any, all) };
        (guard, left)
    }

    /// The conjunction with `ite(test, left, right)`.
    fn either(&self, terms: &mut Terms, test: Term, left: Term, right: Term) -> (Self, Term) {
        let literal = match (terms.as_constant(left), terms.as_constant(right)) {
            (Some(1), Some(1)) => return (self.clone(), test),
            // As the negation of a conjunction, so that it is recognised when the rest comes.
            (None, Some(1)) => {
                let wrong = terms.not(left);
                let both = terms.and(test, wrong);
                terms.not(both)
            }
            (Some(1), None) => {
                let (negated, wrong) = (terms.not(test), terms.not(right));
                let both = terms.and(negated, wrong);
                terms.not(both)
            }
            _ => terms.choose(test, left, right),
        };
        let all = terms.and(self.0.all, literal);
        (self.pushed(literal, all), test)
    }

    /// The common prefix, and the rest of each.
    fn parted(&self, other: &Self) -> (Self, Vec<Term>, Vec<Term>) {
        let (mut left, mut right) = (self.clone(), other.clone());
        let (mut mine, mut theirs) = (Vec::new(), Vec::new());
        while !Rc::ptr_eq(&left.0, &right.0) {
            let (of_left, of_right) = (left.0.length, right.0.length);
            if of_left >= of_right
                && let Some(before) = left.0.before.clone()
            {
                mine.push(left.0.literal);
                left = before;
            }
            if of_right >= of_left
                && let Some(before) = right.0.before.clone()
            {
                theirs.push(right.0.literal);
                right = before;
            }
            if of_left == 0 && of_right == 0 {
                break;
            }
        }
        mine.reverse();
        theirs.reverse();
        (left, mine, theirs)
    }
}

/// If the beginning of `theirs` is the negation of the first of `mine`: that first, the rest of mine, the rest of theirs.
fn split(
    terms: &mut Terms,
    first: Term,
    mine: &[Term],
    theirs: &[Term],
) -> Option<(Term, Term, Term)> {
    let mut prefix = terms.bit(true);
    for (at, literal) in theirs.iter().enumerate() {
        prefix = terms.and(prefix, *literal);
        if is_negation(terms, prefix, first) {
            let left = terms.all(mine[1..].iter().copied());
            let right = terms.all(theirs[at + 1..].iter().copied());
            return Some((first, left, right));
        }
    }
    None
}

fn is_negation(terms: &Terms, left: Term, right: Term) -> bool {
    terms.node(left) == Node::Unary(UnaryOp::Not, right)
        || terms.node(right) == Node::Unary(UnaryOp::Not, left)
}
