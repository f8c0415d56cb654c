//! Sums in one form: factors and terms in order, a number last.
//!
//! Sums, differences and products with numbers are taken apart into parts with factors, modulo 2^width, and put together again: first what
//! is added, then what is subtracted, each in the order of the terms. Products with a common factor are joined, which saves multipliers.

use crate::meaning::{mask, signed};
use crate::node::{BinaryOp as Op, Node, Term, UnaryOp};
use crate::terms::Terms;

/// The most parts that are put in order.
const MOST_PARTS: usize = 12;

/// Parts with their factors, in the order of the terms, and a number.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Sum {
    pub(super) parts: Vec<(Term, u128)>,
    pub(super) number: u128,
}

impl Terms {
    /// Is it a sum, or a part with a factor?
    pub(super) fn is_sum(&self, term: Term) -> bool {
        match self.node(term) {
            Node::Binary(Op::Add | Op::Subtract, ..) | Node::Unary(UnaryOp::Negate, _) => true,
            Node::Binary(Op::Multiply | Op::ShiftLeft, _, by) => self.as_constant(by).is_some(),
            _ => false,
        }
    }

    /// A sum, difference or product with a number in its one form. `None` if it has too many parts.
    pub(super) fn simplify_sum(&mut self, node: Node, width: u8) -> Option<Term> {
        let one = mask(width);
        let start = match node {
            Node::Binary(Op::Add, left, right) => vec![(left, 1), (right, 1)],
            Node::Binary(Op::Subtract, left, right) => vec![(left, 1), (right, one)],
            Node::Unary(UnaryOp::Negate, inner) => vec![(inner, one)],
            Node::Binary(Op::Multiply, left, right) => vec![(left, self.as_constant(right)?)],
            Node::Binary(Op::ShiftLeft, left, right) => {
                vec![(left, power(self.as_constant(right)?))]
            }
            _ => return None,
        };
        let sum = self.taken_apart(start, width)?;
        let sum = self.factored(sum, width);
        Some(self.put_together(&sum, width))
    }

    /// The parts of terms with factors.
    pub(super) fn taken_apart(&self, start: Vec<(Term, u128)>, width: u8) -> Option<Sum> {
        let (mut open, mut sum) = (start, Sum::default());
        let mut steps = 0;
        while let Some((term, factor)) = open.pop() {
            steps += 1;
            if steps > 4 * MOST_PARTS {
                return None;
            }
            let minus = factor.wrapping_neg();
            match self.node(term) {
                Node::Constant(value) => {
                    sum.number = sum.number.wrapping_add(value.wrapping_mul(factor));
                }
                Node::Binary(Op::Add, left, right) => {
                    open.extend([(left, factor), (right, factor)]);
                }
                Node::Binary(Op::Subtract, left, right) => {
                    open.extend([(left, factor), (right, minus)]);
                }
                Node::Unary(UnaryOp::Negate, inner) => open.push((inner, minus)),
                Node::Binary(Op::Multiply, left, by) if self.as_constant(by).is_some() => {
                    open.push((left, factor.wrapping_mul(self.as_constant(by)?)));
                }
                Node::Binary(Op::ShiftLeft, left, by) if self.as_constant(by).is_some() => {
                    open.push((left, factor.wrapping_mul(power(self.as_constant(by)?))));
                }
                _ => sum.parts.push((term, factor)),
            }
        }
        sum.parts.sort_unstable_by_key(|(term, _)| *term);
        sum.parts.dedup_by(|next, kept| {
            let same = next.0 == kept.0;
            kept.1 = if same { kept.1.wrapping_add(next.1) } else { kept.1 };
            same
        });
        sum.number &= mask(width);
        sum.parts.iter_mut().for_each(|(_, factor)| *factor &= mask(width));
        sum.parts.retain(|(_, factor)| *factor != 0);
        (sum.parts.len() <= MOST_PARTS).then_some(sum)
    }

    /// With products that have a factor in common joined: `x*y + x*z` is `x*(y + z)`.
    fn factored(&mut self, mut sum: Sum, width: u8) -> Sum {
        // Each round makes one part of two.
        for _ in 0..MOST_PARTS {
            let Some((first, second, common, rest)) = self.common_factor(&sum) else { break };
            let (p, q) = (sum.parts[first].1, sum.parts[second].1);
            let Some(inner) = self.taken_apart(vec![(rest.0, p), (rest.1, q)], width) else {
                break;
            };
            let inner = self.put_together(&inner, width);
            let product = self.binary(Op::Multiply, common, inner);
            let kept = sum.parts.iter().enumerate();
            let kept = kept.filter(|(index, _)| *index != first && *index != second);
            let mut start: Vec<(Term, u128)> = kept.map(|(_, part)| *part).collect();
            start.push((product, 1));
            let Some(mut joined) = self.taken_apart(start, width) else { break };
            joined.number = joined.number.wrapping_add(sum.number) & mask(width);
            sum = joined;
        }
        sum
    }

    /// Two parts that are products with a factor in common: their places, the factor, and the other factors.
    fn common_factor(&self, sum: &Sum) -> Option<(usize, usize, Term, (Term, Term))> {
        let product = |index: usize| match self.node(sum.parts[index].0) {
            Node::Binary(Op::Multiply, left, right) => Some((left, right)),
            _ => None,
        };
        for second in 1..sum.parts.len() {
            let Some((c, d)) = product(second) else { continue };
            for first in 0..second {
                let Some((a, b)) = product(first) else { continue };
                let shared = [(a, c, b, d), (a, d, b, c), (b, c, a, d), (b, d, a, c)];
                if let Some((common, _, rest, other)) =
                    shared.into_iter().find(|one| one.0 == one.1)
                {
                    return Some((first, second, common, (rest, other)));
                }
            }
        }
        None
    }

    /// The term of a sum.
    pub(super) fn put_together(&mut self, sum: &Sum, width: u8) -> Term {
        if let [(only, factor)] = *sum.parts
            && self.is_choice_of_numbers(only)
        {
            let number = sum.number;
            let computed =
                self.through_choices(only, super::choices::Ends::Constant, &mut |terms, end| {
                    let value = terms.as_constant(end).unwrap_or_default();
                    terms.constant(value.wrapping_mul(factor).wrapping_add(number), width)
                });
            if let Some(computed) = computed {
                return computed;
            }
        }
        let least = 1 << (width - 1);
        let is_negative = |factor: u128| factor != least && signed(factor, width) < 0;
        let (mut added, mut taken) = (None, None);
        for &(term, factor) in &sum.parts {
            let negative = is_negative(factor);
            let part =
                self.scaled(term, if negative { factor.wrapping_neg() } else { factor }, width);
            let side = if negative { &mut taken } else { &mut added };
            *side = Some(match *side {
                None => part,
                Some(before) => self.intern(Node::Binary(Op::Add, before, part), width),
            });
        }
        let number = self.constant(sum.number, width);
        match (added, taken) {
            (None, None) => number,
            (None, Some(taken)) if sum.number == 0 => {
                self.intern(Node::Unary(UnaryOp::Negate, taken), width)
            }
            (None, Some(taken)) => self.intern(Node::Binary(Op::Subtract, number, taken), width),
            (Some(added), taken) => {
                let total = match taken {
                    None => added,
                    Some(taken) => self.intern(Node::Binary(Op::Subtract, added, taken), width),
                };
                if sum.number == 0 {
                    total
                } else {
                    self.intern(Node::Binary(Op::Add, total, number), width)
                }
            }
        }
    }

    fn scaled(&mut self, term: Term, factor: u128, width: u8) -> Term {
        let factor = factor & mask(width);
        if factor == 1 {
            return term;
        }
        if factor.is_power_of_two() {
            let by = self.constant(factor.trailing_zeros().into(), width);
            return self.intern(Node::Binary(Op::ShiftLeft, term, by), width);
        }
        let factor = self.constant(factor, width);
        self.intern(Node::Binary(Op::Multiply, term, factor), width)
    }

    /// `left = right` where one of them is a sum, with what they have in common left out.
    pub(super) fn simplify_equal_sums(
        &mut self,
        left: Term,
        right: Term,
        width: u8,
    ) -> Option<Term> {
        if !self.is_sum(left) && !self.is_sum(right) {
            return None;
        }
        let mut sum = self.taken_apart(vec![(left, 1), (right, mask(width))], width)?;
        match *sum.parts {
            [] => return Some(self.bit(sum.number == 0)),
            [(only, factor)] => return Some(self.solve_for(only, factor, sum.number, width)),
            [(_, factor), ..] if signed(factor, width) < 0 => {
                // One of the two ways to say it.
                sum.number = sum.number.wrapping_neg() & mask(width);
                for (_, factor) in &mut sum.parts {
                    *factor = factor.wrapping_neg() & mask(width);
                }
            }
            _ => {}
        }
        let is_negative = |part: &&(Term, u128)| signed(part.1, width) < 0;
        let added = sum.parts.iter().filter(|part| !is_negative(part)).copied().collect();
        let taken = sum.parts.iter().filter(is_negative);
        let taken: Vec<(Term, u128)> =
            taken.map(|(term, factor)| (*term, factor.wrapping_neg() & mask(width))).collect();
        let number = sum.number.wrapping_neg() & mask(width);
        let above = self.put_together(&Sum { parts: added, number: 0 }, width);
        let below = self.put_together(&Sum { parts: taken, number }, width);
        if !self.is_sum(above) && !self.is_sum(below) {
            return Some(self.equal(above, below));
        }
        let swap = self.as_constant(above).is_some()
            || (self.as_constant(below).is_none() && above > below);
        let (above, below) = if swap { (below, above) } else { (above, below) };
        Some(self.intern(Node::Binary(Op::Equal, above, below), 1))
    }

    /// `factor * term + number = 0`.
    fn solve_for(&mut self, term: Term, factor: u128, number: u128, width: u8) -> Term {
        let zeros = factor.trailing_zeros() as u8;
        let value = number.wrapping_neg() & mask(width);
        if value & mask(zeros) != 0 {
            return self.bit(false);
        }
        let inner = width - zeros;
        let solved = self.constant((value >> zeros).wrapping_mul(inverse(factor >> zeros)), inner);
        let low = self.extract(term, 0, inner);
        self.equal(low, solved)
    }
}

/// 2^by, modulo 2^128.
fn power(by: u128) -> u128 {
    if by < 128 { 1 << by } else { 0 }
}

/// The inverse of an odd number modulo 2^128, by Newton's iteration.
fn inverse(odd: u128) -> u128 {
    // Right in the lowest three bits, then in twice as many each time.
    let mut inverse = odd;
    for _ in 0..6 {
        inverse = inverse.wrapping_mul(2_u128.wrapping_sub(odd.wrapping_mul(inverse)));
    }
    inverse
}
