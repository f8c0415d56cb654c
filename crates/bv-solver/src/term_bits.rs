//! Terms as words of bits, for everything that builds gates.
//!
//! Every term becomes a word once, on first use. Operations that are too large become unconstrained words, an
//! over-approximation.

use obligato_bit_blaster::{InputGates, Words, complement, joined};
use obligato_term::{BinaryOp as Op, Node, Term, Terms, UnaryOp};

use crate::float::Floats;

/// A term that has no bits yet.
const OPEN: u32 = u32::MAX;

/// How many gates there are at most.
const MOST_GATES: usize = 5_000_000;

/// Bits, low bit first.
type Word<G> = Vec<<G as obligato_bit_blaster::Gates>::Bit>;

/// The bits of terms, in gates of one kind. All terms are of one [`Terms`], which may grow.
#[derive(Debug)]
pub struct TermBits<G: InputGates> {
    /// The gates.
    pub gates: G,
    /// Where the bits of a term start, by term.
    starts: Vec<u32>,
    bits: Word<G>,
    /// Variables that have bits of their own: inputs.
    variables: Vec<Term>,
    /// Why some terms are unconstrained words.
    left_out: Option<&'static str>,
}

impl<G: InputGates> TermBits<G> {
    /// No term has bits yet.
    pub fn new(gates: G) -> Self {
        Self { gates, starts: Vec::new(), bits: Vec::new(), variables: Vec::new(), left_out: None }
    }

    /// The bits of a term, low bit first.
    pub fn of(&mut self, terms: &Terms, term: Term) -> &[G::Bit] {
        self.build(terms, term);
        self.known(terms, term)
    }

    /// Gives these bits to a variable that has none yet.
    pub fn define(&mut self, terms: &Terms, variable: Term, bits: &[G::Bit]) {
        debug_assert_eq!(bits.len(), usize::from(terms.width(variable)), "a bit for each");
        self.make_room(terms);
        self.starts[variable.index()] = self.bits.len() as u32;
        self.bits.extend_from_slice(bits);
    }

    /// The variables that became inputs, in order.
    pub fn variables(&self) -> &[Term] {
        &self.variables
    }

    /// The bits of a term that has some.
    pub fn known(&self, terms: &Terms, term: Term) -> &[G::Bit] {
        let start = self.starts[term.index()] as usize;
        &self.bits[start..start + usize::from(terms.width(term))]
    }

    /// What it does not know how to say, if there was any such thing among the terms.
    pub fn left_out(&self) -> Option<&'static str> {
        self.left_out
    }

    fn make_room(&mut self, terms: &Terms) {
        if self.starts.len() < terms.len() {
            self.starts.resize(terms.len(), OPEN);
        }
    }

    /// Gives bits to a term and to all it depends on.
    fn build(&mut self, terms: &Terms, term: Term) {
        self.make_room(terms);
        let mut pending = vec![term];
        while let Some(&next) = pending.last() {
            if self.starts[next.index()] == OPEN {
                let before = pending.len();
                let operands = terms.node(next).operands();
                pending.extend(operands.filter(|one| self.starts[one.index()] == OPEN));
                if pending.len() > before {
                    continue;
                }
                let word = self.word(terms, next);
                debug_assert_eq!(
                    word.len(),
                    usize::from(terms.width(next)),
                    "{:?}",
                    terms.node(next)
                );
                self.starts[next.index()] = self.bits.len() as u32;
                self.bits.extend(word);
            }
            pending.pop();
        }
    }

    /// The bits of a term whose operands have theirs.
    fn word(&mut self, terms: &Terms, term: Term) -> Word<G> {
        let length = usize::from(terms.width(term));
        if self.gates.size() > MOST_GATES {
            return self.free("a formula of more than five million gates", length);
        }
        let of = |one: Term| self.known(terms, one).to_vec();
        match terms.node(term) {
            Node::Constant(value) => G::number(value, length),
            Node::Variable(_) => {
                self.variables.push(term);
                (0..length).map(|_| self.gates.input()).collect()
            }
            Node::Unary(UnaryOp::Not, one) => complement(&of(one)),
            Node::Unary(UnaryOp::Negate, one) => {
                let one = of(one);
                self.gates.negate(&one)
            }
            Node::Binary(op, left, right) => {
                let (left, right) = (of(left), of(right));
                self.binary(op, &left, &right)
            }
            Node::Choose(test, first, second) => {
                let (test, first, second) = (of(test)[0], of(first), of(second));
                self.gates.ite_word(test, &first, &second)
            }
            Node::Extract(one, low) => {
                let low = usize::from(low);
                of(one)[low..low + length].to_vec()
            }
            Node::Concat(high, low) => joined(&of(high), &of(low)),
            Node::ZeroExtend(one) => G::zero_extended(&of(one), length),
            Node::SignExtend(one) => G::sign_extended(&of(one), length),
            Node::Float(op, format, operands) => {
                let operands = operands.map(of);
                match Floats(&mut self.gates).operation(op, format, &operands, length) {
                    Ok(word) => word,
                    Err(too_large) => self.free(too_large, length),
                }
            }
        }
    }

    /// Anything, because of this.
    fn free(&mut self, reason: &'static str, length: usize) -> Word<G> {
        self.left_out = Some(reason);
        (0..length).map(|_| self.gates.input()).collect()
    }

    fn binary(&mut self, op: Op, a: &[G::Bit], b: &[G::Bit]) -> Word<G> {
        let gates = &mut self.gates;
        let sign = a[a.len() - 1];
        match op {
            Op::Add => gates.add(a, b),
            Op::Subtract => gates.subtract(a, b),
            Op::Multiply => gates.multiply(a, b, a.len()),
            Op::DivideUnsigned => gates.divide_unsigned(a, b).0,
            Op::RemainderUnsigned => gates.divide_unsigned(a, b).1,
            Op::DivideSigned => gates.divide_signed(a, b).0,
            Op::RemainderSigned => gates.divide_signed(a, b).1,
            Op::ShiftLeft => gates.shift_left(a, b),
            Op::ShiftRightUnsigned => gates.shift_right(a, b, G::FALSE),
            Op::ShiftRightSigned => gates.shift_right(a, b, sign),
            Op::And => a.iter().zip(b).map(|(p, q)| gates.and(*p, *q)).collect(),
            Op::Or => a.iter().zip(b).map(|(p, q)| gates.or(*p, *q)).collect(),
            Op::Xor => a.iter().zip(b).map(|(p, q)| gates.xor(*p, *q)).collect(),
            Op::Equal => vec![gates.equal_words(a, b)],
            Op::LessUnsigned => vec![gates.less_unsigned(a, b)],
            Op::LessSigned => vec![gates.less_signed(a, b)],
        }
    }
}
