//! All terms, each once, and how they are built.

use rustc_hash::FxHashMap;

use crate::floats;
use crate::meaning::{self, mask};
use crate::node::{BinaryOp, FloatFormat, FloatOp, Node, Term, UnaryOp, VariableId};
use crate::simplify::MOST_DEPTH;

/// Keeps terms.
#[derive(Clone, Debug, Default)]
pub struct Terms {
    nodes: Vec<Node>,
    widths: Vec<u8>,
    /// The term that each node became, which need not be one of that node.
    ids: FxHashMap<(Node, u8), Term>,
    /// The terms of the variables.
    variables: Vec<Term>,
    /// How many nodes are being simplified, each for the one before.
    depth: u8,
}

impl Terms {
    /// None yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Is there none?
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// All of them, operands first.
    pub fn iter(&self) -> impl Iterator<Item = Term> + use<> {
        (0..self.nodes.len() as u32).map(Term)
    }

    /// How a term is computed.
    #[inline]
    pub fn node(&self, term: Term) -> Node {
        self.nodes[term.index()]
    }

    /// Its width in bits.
    #[inline]
    pub fn width(&self, term: Term) -> u8 {
        self.widths[term.index()]
    }

    /// The number that a term is, if it is one.
    #[inline]
    pub fn as_constant(&self, term: Term) -> Option<u128> {
        match self.node(term) {
            Node::Constant(value) => Some(value),
            _ => None,
        }
    }

    /// The terms of all variables, by id.
    pub fn variables(&self) -> &[Term] {
        &self.variables
    }

    /// A new variable.
    pub fn variable(&mut self, width: u8) -> Term {
        let id = VariableId(self.variables.len() as u32);
        let term = self.intern(Node::Variable(id), width);
        self.variables.push(term);
        term
    }

    /// A number, cut to the width.
    pub fn constant(&mut self, value: u128, width: u8) -> Term {
        self.intern(Node::Constant(value & mask(width)), width)
    }

    /// One bit.
    pub fn bit(&mut self, value: bool) -> Term {
        self.constant(value.into(), 1)
    }

    /// An operation on one word.
    pub fn unary(&mut self, op: UnaryOp, term: Term) -> Term {
        let width = self.width(term);
        self.build(Node::Unary(op, term), width)
    }

    /// An operation on two words of one width.
    pub fn binary(&mut self, op: BinaryOp, left: Term, right: Term) -> Term {
        debug_assert_eq!(self.width(left), self.width(right), "{op:?}");
        let width = if op.compares() { 1 } else { self.width(left) };
        self.build(Node::Binary(op, left, right), width)
    }

    /// `if test then first else second`.
    pub fn choose(&mut self, test: Term, first: Term, second: Term) -> Term {
        debug_assert_eq!(self.width(first), self.width(second), "arms");
        let width = self.width(first);
        self.build(Node::Choose(test, first, second), width)
    }

    /// So many bits of a word, from `low` upwards.
    pub fn extract(&mut self, term: Term, low: u8, width: u8) -> Term {
        debug_assert!(low + width <= self.width(term), "bits that there are");
        self.build(Node::Extract(term, low), width)
    }

    /// `high` above `low`; together at most 128 bits.
    pub fn concat(&mut self, high: Term, low: Term) -> Term {
        let width = self.width(high) + self.width(low);
        self.build(Node::Concat(high, low), width)
    }

    /// Filled up with zeros, or as it is.
    pub fn zero_extend(&mut self, term: Term, width: u8) -> Term {
        self.build(Node::ZeroExtend(term), width)
    }

    /// Filled up with its sign, or as it is.
    pub fn sign_extend(&mut self, term: Term, width: u8) -> Term {
        self.build(Node::SignExtend(term), width)
    }

    /// An operation on floats of a format, or from or to one, with a result of `width` bits.
    pub fn float(
        &mut self,
        op: FloatOp,
        format: FloatFormat,
        operands: &[Term],
        width: u8,
    ) -> Term {
        let operands = &operands[..op.arity()];
        let at = |index: usize| operands.get(index).copied().unwrap_or(operands[0]);
        self.build(Node::Float(op, format, [at(0), at(1), at(2)]), width)
    }

    /// Turned over.
    pub fn not(&mut self, term: Term) -> Term {
        self.unary(UnaryOp::Not, term)
    }

    /// Both, bit by bit.
    pub fn and(&mut self, left: Term, right: Term) -> Term {
        self.binary(BinaryOp::And, left, right)
    }

    /// Either, bit by bit.
    pub fn or(&mut self, left: Term, right: Term) -> Term {
        self.binary(BinaryOp::Or, left, right)
    }

    /// One bit: are they equal?
    pub fn equal(&mut self, left: Term, right: Term) -> Term {
        self.binary(BinaryOp::Equal, left, right)
    }

    /// One bit: is the first, without sign, at most the second?
    pub fn at_most(&mut self, left: Term, right: Term) -> Term {
        let greater = self.binary(BinaryOp::LessUnsigned, right, left);
        self.not(greater)
    }

    /// All of these bits.
    pub fn all(&mut self, terms: impl IntoIterator<Item = Term>) -> Term {
        let truth = self.bit(true);
        terms.into_iter().fold(truth, |all, one| self.and(all, one))
    }

    /// Any of these bits.
    pub fn any(&mut self, terms: impl IntoIterator<Item = Term>) -> Term {
        let falsehood = self.bit(false);
        terms.into_iter().fold(falsehood, |any, one| self.or(any, one))
    }

    /// At least so many of the lowest bits of a term are zeros. Looks a few levels deep.
    pub fn trailing_zeros(&self, term: Term) -> u32 {
        self.zeros_below(term, 6)
    }

    fn zeros_below(&self, term: Term, levels: u32) -> u32 {
        let width = u32::from(self.width(term));
        if levels == 0 {
            return 0;
        }
        let zeros = |one: Term| self.zeros_below(one, levels - 1);
        let found =
            match self.node(term) {
                Node::Constant(0) => width,
                Node::Constant(value) => value.trailing_zeros(),
                Node::Binary(BinaryOp::Multiply, left, right) => zeros(left) + zeros(right),
                Node::Binary(BinaryOp::And, left, right) => zeros(left).max(zeros(right)),
                Node::Binary(
                    BinaryOp::Add | BinaryOp::Subtract | BinaryOp::Or | BinaryOp::Xor,
                    a,
                    b,
                ) => zeros(a).min(zeros(b)),
                Node::Binary(BinaryOp::ShiftLeft, one, distance) => {
                    let distance = self.as_constant(distance).unwrap_or(0);
                    zeros(one) + u32::try_from(distance).unwrap_or(width)
                }
                Node::Choose(_, first, second) => zeros(first).min(zeros(second)),
                Node::Concat(high, low) => {
                    let below = zeros(low);
                    if below == u32::from(self.width(low)) { below + zeros(high) } else { below }
                }
                Node::ZeroExtend(one) | Node::SignExtend(one) => {
                    if self.as_constant(one) == Some(0) { width } else { zeros(one) }
                }
                _ => 0,
            };
        found.min(width)
    }

    /// What a node computes from the values of its operands; 0 for a variable.
    pub(crate) fn apply(&self, node: Node, width: u8, value: impl Fn(Term) -> u128) -> u128 {
        match node {
            Node::Constant(number) => number,
            Node::Variable(_) => 0,
            Node::Unary(op, one) => meaning::unary(op, width, value(one)),
            Node::Binary(op, left, right) => {
                meaning::binary(op, self.width(left), value(left), value(right))
            }
            Node::Choose(test, first, second) => {
                if value(test) == 1 {
                    value(first)
                } else {
                    value(second)
                }
            }
            Node::Extract(one, low) => value(one) >> low & mask(width),
            Node::Concat(high, low) => value(high) << self.width(low) | value(low),
            Node::ZeroExtend(one) => value(one),
            Node::SignExtend(one) => {
                meaning::signed(value(one), self.width(one)).cast_unsigned() & mask(width)
            }
            Node::Float(op, format, operands) => {
                let from = self.width(operands[0]);
                floats::float(op, format, from, width, operands.map(value))
            }
        }
    }

    /// The simplest term that a node is known to equal.
    fn build(&mut self, node: Node, width: u8) -> Term {
        if node.operands().all(|one| self.as_constant(one).is_some()) {
            let value = |one: Term| self.as_constant(one).unwrap_or_default();
            let folded = self.apply(node, width, value);
            return self.constant(folded, width);
        }
        if let Some(known) = self.ids.get(&(node, width)) {
            return *known;
        }
        if self.depth == MOST_DEPTH {
            return self.intern(node, width);
        }
        self.depth += 1;
        let simpler = self.simplify(node, width);
        self.depth -= 1;
        let Some(simpler) = simpler else { return self.intern(node, width) };
        self.ids.insert((node, width), simpler);
        simpler
    }

    /// The term of a node, as it stands.
    pub(crate) fn intern(&mut self, node: Node, width: u8) -> Term {
        if let Some(known) = self.ids.get(&(node, width)) {
            return *known;
        }
        let term = Term(self.nodes.len() as u32);
        self.nodes.push(node);
        self.widths.push(width);
        self.ids.insert((node, width), term);
        term
    }
}

#[cfg(test)]
mod tests;
