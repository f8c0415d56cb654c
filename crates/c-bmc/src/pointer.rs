//! Points-to sets of terms: the objects that a pointer may point to, each with condition and offset.

use std::collections::BTreeMap;
use std::rc::Rc;

use obligato_bytecode::Address;
use obligato_term::{BinaryOp, Node, Term, Terms};
use rustc_hash::{FxHashMap, FxHashSet};

/// A target of a pointer. The object number 0 is that of the null pointer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Target {
    pub(crate) object: u32,
    /// One bit: does the pointer point there?
    pub(crate) when: Term,
    /// From the start of the object, as a word of 64 bits.
    pub(crate) offset: Term,
}

/// The points-to sets computed so far.
#[derive(Debug, Default)]
pub(crate) struct Pointers {
    known: FxHashMap<Term, Option<Rc<Vec<Target>>>>,
}

impl Pointers {
    /// Says where a variable points to.
    pub(crate) fn define(&mut self, variable: Term, targets: Vec<Target>) {
        self.known.insert(variable, Some(Rc::new(targets)));
    }

    /// The points-to set of a pointer; `None` if it is unconstrained. Objects up to `last` exist.
    pub(crate) fn targets(
        &mut self,
        terms: &mut Terms,
        pointer: Term,
        last: u32,
    ) -> Option<Rc<Vec<Target>>> {
        let mut todo = vec![pointer];
        while let Some(next) = todo.last().copied() {
            if self.known.contains_key(&next) {
                todo.pop();
                continue;
            }
            let parts = self.parts(terms, next, last);
            let open = parts.iter().copied().filter(|part| !self.known.contains_key(part));
            let before = todo.len();
            todo.extend(open);
            if todo.len() == before {
                let found = self.combine(terms, next, last).map(Rc::new);
                self.known.insert(next, found);
                todo.pop();
            }
        }
        self.known.get(&pointer).cloned().flatten()
    }

    /// The objects that a term mentions which is unconstrained as a whole, such as a choice between an address and a number.
    pub(crate) fn mentioned(&self, terms: &Terms, term: Term, last: u32) -> Vec<u32> {
        let (mut todo, mut seen, mut found) = (vec![term], FxHashSet::default(), Vec::new());
        while let Some(next) = todo.pop() {
            if !seen.insert(next) {
                continue;
            }
            if let Some(Some(targets)) = self.known.get(&next) {
                found.extend(targets.iter().map(|target| target.object));
                continue;
            }
            match terms.node(next) {
                Node::Constant(value) => {
                    let number = Address(value as u64).object().0;
                    found.extend((number > 0 && number <= last).then_some(number));
                }
                Node::Choose(_, first, second) | Node::Binary(BinaryOp::Add, first, second) => {
                    todo.extend([first, second]);
                }
                _ => {}
            }
        }
        found
    }

    fn combine(&self, terms: &mut Terms, term: Term, last: u32) -> Option<Vec<Target>> {
        match terms.node(term) {
            Node::Constant(value) => {
                let address = Address(value as u64);
                let offset = terms.constant(address.offset().cast_unsigned().into(), 64);
                let when = terms.bit(true);
                let number = address.object().0;
                (number <= last).then(|| vec![Target { object: number, when, offset }])
            }
            Node::Choose(test, first, second) => {
                let first = self.known.get(&first)?.clone()?;
                let second = self.known.get(&second)?.clone()?;
                Some(chosen(terms, test, &first, &second))
            }
            Node::Binary(BinaryOp::Add, left, right) => {
                let (base, distance) = self.base_and_distance(terms, left, right, last)?;
                let targets = self.known.get(&base)?.clone()?;
                let moved = targets.iter().map(|target| Target {
                    offset: terms.binary(BinaryOp::Add, target.offset, distance),
                    ..*target
                });
                Some(moved.collect())
            }
            _ => None,
        }
    }

    /// The subterms on which the points-to set depends.
    fn parts(&self, terms: &Terms, term: Term, last: u32) -> Vec<Term> {
        match terms.node(term) {
            Node::Choose(_, first, second) => vec![first, second],
            Node::Binary(BinaryOp::Add, left, right) => {
                let base = self.base_and_distance(terms, left, right, last);
                base.map(|(base, _)| base).into_iter().collect()
            }
            _ => Vec::new(),
        }
    }

    /// The address and the distance among the operands of a sum.
    fn base_and_distance(
        &self,
        terms: &Terms,
        left: Term,
        right: Term,
        last: u32,
    ) -> Option<(Term, Term)> {
        if self.looks_like_address(terms, left, last) {
            Some((left, right))
        } else if self.looks_like_address(terms, right, last) {
            Some((right, left))
        } else {
            None
        }
    }

    /// Is it made of the address of an object, or of a variable that is a pointer?
    fn looks_like_address(&self, terms: &Terms, term: Term, last: u32) -> bool {
        let mut todo = vec![term];
        for _ in 0..DEPTH {
            let Some(next) = todo.pop() else { return false };
            match terms.node(next) {
                Node::Constant(value) => {
                    let number = (value >> 32) as u32;
                    if number > 0 && number <= last {
                        return true;
                    }
                }
                Node::Choose(_, first, second) | Node::Binary(BinaryOp::Add, first, second) => {
                    todo.extend([first, second]);
                }
                Node::Variable(_) if self.known.contains_key(&next) => return true,
                _ => {}
            }
        }
        false
    }
}

/// How many subterms are searched.
const DEPTH: usize = 64;

fn chosen(terms: &mut Terms, test: Term, first: &[Target], second: &[Target]) -> Vec<Target> {
    let never = terms.bit(false);
    let mut by_object: BTreeMap<u32, [Option<Target>; 2]> = BTreeMap::new();
    for (side, targets) in [first, second].into_iter().enumerate() {
        for target in targets {
            by_object.entry(target.object).or_default()[side] = Some(*target);
        }
    }
    let mut result = Vec::with_capacity(by_object.len());
    for (object, sides) in by_object {
        let (when, offset) = match sides {
            [Some(one), Some(two)] => {
                let when = terms.choose(test, one.when, two.when);
                (when, terms.choose(test, one.offset, two.offset))
            }
            [Some(one), None] => (terms.choose(test, one.when, never), one.offset),
            [None, Some(two)] => (terms.choose(test, never, two.when), two.offset),
            [None, None] => continue,
        };
        if terms.as_constant(when) != Some(0) {
            result.push(Target { object, when, offset });
        }
    }
    result
}

/// Numbers of which a term is one: so many apart, from this one on. A distance of zero is a single number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Grid {
    pub(crate) step: u64,
    pub(crate) start: u64,
}

/// The grid on which a word of 64 bits lies, as far as its form says.
pub(crate) fn grid(terms: &Terms, term: Term) -> Grid {
    // Deeper terms are rare, and a finer grid is right as well.
    grid_within(terms, term, 8)
}

fn grid_within(terms: &Terms, term: Term, depth: u32) -> Grid {
    let any = Grid { step: 1, start: 0 };
    if depth == 0 {
        return any;
    }
    match terms.node(term) {
        Node::Constant(value) => Grid { step: 0, start: value as u64 },
        Node::Binary(BinaryOp::ShiftLeft, _, distance) => match terms.as_constant(distance) {
            Some(distance @ 0..=62) => Grid { step: 1 << distance, start: 0 },
            _ => any,
        },
        Node::Binary(BinaryOp::Multiply, one, factor) => match terms.as_constant(factor) {
            Some(factor) if factor > 0 && factor < 1 << 31 && is_narrow(terms, one) => {
                Grid { step: factor as u64, start: 0 }
            }
            Some(factor) if factor > 0 => {
                Grid { step: 1 << (factor as u64).trailing_zeros().min(62), start: 0 }
            }
            _ => any,
        },
        Node::Binary(BinaryOp::Add, left, right) => {
            let (one, two) =
                (grid_within(terms, left, depth - 1), grid_within(terms, right, depth - 1));
            let step = common(one.step, two.step);
            Grid { step, start: one.start.wrapping_add(two.start) }
        }
        Node::Choose(_, first, second) => {
            let (one, two) =
                (grid_within(terms, first, depth - 1), grid_within(terms, second, depth - 1));
            let apart =
                one.start.cast_signed().wrapping_sub(two.start.cast_signed()).unsigned_abs();
            Grid { step: common(common(one.step, two.step), apart), start: one.start }
        }
        _ => any,
    }
}

/// Is it an extended word of at most 32 bits, so that products with small numbers do not wrap?
fn is_narrow(terms: &Terms, term: Term) -> bool {
    match terms.node(term) {
        Node::SignExtend(one) | Node::ZeroExtend(one) => terms.width(one) <= 32,
        _ => false,
    }
}

fn common(mut left: u64, mut right: u64) -> u64 {
    while right > 0 {
        (left, right) = (right, left % right);
    }
    left
}
