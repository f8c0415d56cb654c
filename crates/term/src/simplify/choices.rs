//! Rules for choices, alone and in chains.
//!
//! A chain of choices between numbers is what a pointer is that a program has selected. What is computed from it is computed
//! from the numbers, so that comparisons become conditions on the tests.

use crate::node::{Node, Term, UnaryOp};
use crate::terms::Terms;

/// The longest chain that is followed.
const MOST_CHOICES: usize = 1024;

/// What the last arm of a chain may be.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Ends {
    /// A number too.
    Constant,
    /// Anything.
    Any,
}

impl Terms {
    /// What `of` makes of a chain of choices of which at least one arm each is a number: a chain of what it makes of the arms.
    /// `None` if the term is no such chain.
    pub(super) fn through_choices(
        &mut self,
        term: Term,
        ends: Ends,
        of: &mut dyn FnMut(&mut Self, Term) -> Term,
    ) -> Option<Term> {
        let (mut spine, mut end) = (Vec::new(), term);
        while let Node::Choose(test, first, second) = self.node(end) {
            let known = [first, second].map(|arm| self.as_constant(arm).is_some());
            match known {
                [false, false] => break,
                [true, _] => {
                    spine.push((test, first, true));
                    end = second;
                }
                [false, true] => {
                    spine.push((test, second, false));
                    end = first;
                }
            }
            if spine.len() > MOST_CHOICES {
                return None;
            }
        }
        if spine.is_empty() || (ends == Ends::Constant && self.as_constant(end).is_none()) {
            return None;
        }
        let mut result = of(self, end);
        for (test, arm, is_first) in spine.into_iter().rev() {
            let arm = of(self, arm);
            let (first, second) = if is_first { (arm, result) } else { (result, arm) };
            result = self.choose(test, first, second);
        }
        Some(result)
    }

    /// Is it a choice between numbers, or a chain of such choices?
    pub(super) fn is_choice_of_numbers(&self, term: Term) -> bool {
        let mut end = term;
        for _ in 0..MOST_CHOICES {
            let Node::Choose(_, first, second) = self.node(end) else {
                return end != term && self.as_constant(end).is_some();
            };
            end = match self.as_constant(first) {
                Some(_) => second,
                None if self.as_constant(second).is_some() => first,
                None => return false,
            };
        }
        false
    }

    pub(super) fn simplify_choice(
        &mut self,
        test: Term,
        first: Term,
        second: Term,
    ) -> Option<Term> {
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
        self.join_choices(test, first, second)
    }

    /// Choices in choices that have an arm in common are one choice with a longer test.
    fn join_choices(&mut self, test: Term, first: Term, second: Term) -> Option<Term> {
        if let Node::Choose(inner, then, otherwise) = self.node(second) {
            if then == first {
                let either = self.or(test, inner);
                return Some(self.choose(either, first, otherwise));
            }
            if otherwise == first {
                let not = self.not(inner);
                let either = self.or(test, not);
                return Some(self.choose(either, first, then));
            }
        }
        if let Node::Choose(inner, then, otherwise) = self.node(first) {
            if otherwise == second {
                let both = self.and(test, inner);
                return Some(self.choose(both, then, second));
            }
            if then == second {
                let not = self.not(inner);
                let both = self.and(test, not);
                return Some(self.choose(both, otherwise, second));
            }
        }
        None
    }
}
