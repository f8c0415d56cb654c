//! Bit-blasts terms into one incremental SAT solver.
//!
//! Every term becomes a word of literals, once, on first use; later queries share it, and learnt clauses stay. Operations
//! that are too large become unconstrained words, an over-approximation: unsatisfiable stays sound, and a model counts only
//! if evaluation confirms it.

use obligato_bit_blaster::{Gates, Words, complement, joined};
use obligato_solver::{Answer, Engine, Literal, Stop};
use obligato_term::{Assignment, BinaryOp as Op, Node, Term, Terms, UnaryOp, Values};

use crate::gates::{FALSE, SatGates, Word};

/// A term that has no literals yet.
const OPEN: u32 = u32::MAX;

/// How many variables and gates a solver holds at most.
const MOST_GATES: usize = 5_000_000;

/// One incremental SAT solver over terms. All terms are of one [`Terms`], which may grow.
#[derive(Debug)]
pub struct Blaster {
    gates: SatGates,
    /// Where the literals of a term start, by term.
    starts: Vec<u32>,
    literals: Word,
    /// Variables that have literals.
    variables: Vec<Term>,
    required: Vec<Term>,
    /// The assumptions of the last query.
    assumed: Vec<(Literal, Term)>,
    /// Why some terms are unconstrained words.
    left_out: Option<&'static str>,
}

impl Blaster {
    /// Nothing is required yet. Queries end when `stop` says so.
    pub fn new(engine: Engine, stop: &Stop) -> Self {
        Self {
            gates: SatGates::new(engine, stop),
            starts: Vec::new(),
            literals: Vec::new(),
            variables: Vec::new(),
            required: Vec::new(),
            assumed: Vec::new(),
            left_out: None,
        }
    }

    /// Adds a constraint, a term of one bit, for all later queries.
    pub fn require(&mut self, terms: &Terms, term: Term) {
        // A conjunction is required part by part, so that each part is a unit clause.
        let mut open = vec![term];
        while let Some(next) = open.pop() {
            if let Node::Binary(Op::And, left, right) = terms.node(next) {
                open.extend([right, left]);
            } else {
                let literal = self.literal(terms, next);
                self.gates.solver.add(&[literal]);
            }
        }
        self.required.push(term);
    }

    /// Later queries end when `stop` says so.
    pub fn end_with(&mut self, stop: &Stop) {
        self.gates.solver.end_with(stop);
    }

    /// The literal of a term of one bit.
    pub fn literal(&mut self, terms: &Terms, term: Term) -> Literal {
        self.build(terms, term);
        self.literals[self.starts[term.index()] as usize]
    }

    /// Are the constraints satisfiable under the assumptions? Unknown after `most_conflicts`.
    pub fn solve(
        &mut self,
        terms: &Terms,
        assumptions: &[Term],
        most_conflicts: Option<u64>,
    ) -> Answer {
        self.assumed = assumptions.iter().map(|one| (self.literal(terms, *one), *one)).collect();
        if let Some(never) = self.assumed.iter().find(|(literal, _)| *literal == FALSE) {
            self.assumed = vec![*never];
            return Answer::Unsat;
        }
        let literals: Word = self.assumed.iter().map(|(literal, _)| *literal).collect();
        let answer = self.gates.solver.solve(&literals, most_conflicts);
        if answer == Answer::Sat
            && self.left_out.is_some()
            && !self.is_confirmed(terms, assumptions)
        {
            return Answer::Unknown;
        }
        answer
    }

    /// Does evaluation confirm the model, constraints and assumptions alike?
    fn is_confirmed(&self, terms: &Terms, assumptions: &[Term]) -> bool {
        let assignment = self.assignment(terms);
        let mut values = Values::new(&assignment);
        self.required.iter().chain(assumptions).all(|one| values.holds(terms, *one))
    }

    /// The latest model. Variables that no query has used are zero.
    pub fn assignment(&self, terms: &Terms) -> Assignment {
        let mut assignment = Assignment::default();
        self.fill(terms, &mut assignment);
        assignment
    }

    /// Overwrites the variables of the latest model in an assignment.
    pub(crate) fn fill(&self, terms: &Terms, assignment: &mut Assignment) {
        for variable in &self.variables {
            let Node::Variable(id) = terms.node(*variable) else { continue };
            let bits = self.bits(*variable, terms.width(*variable));
            let value = bits
                .iter()
                .rev()
                .fold(0, |value, bit| value << 1 | u128::from(self.gates.solver.value(*bit)));
            assignment.set(id, value);
        }
    }

    /// The failed assumptions of the latest unsatisfiable query.
    pub fn core(&mut self) -> Vec<Term> {
        if let [(FALSE, term)] = *self.assumed {
            return vec![term];
        }
        let core = self.gates.solver.core();
        let blamed = self.assumed.iter().filter(|(literal, _)| core.contains(literal));
        blamed.map(|(_, term)| *term).collect()
    }

    /// The conflicts spent so far.
    pub fn conflicts(&self) -> u64 {
        self.gates.solver.conflicts()
    }

    /// How many variables and gates there are.
    pub fn size(&self) -> usize {
        self.gates.solver.variables()
    }

    /// What it does not know how to say, if there was any such thing among the terms.
    pub fn left_out(&self) -> Option<&'static str> {
        self.left_out
    }

    fn bits(&self, term: Term, width: u8) -> &[Literal] {
        let start = self.starts[term.index()] as usize;
        &self.literals[start..start + usize::from(width)]
    }

    /// Gives literals to a term and to all it depends on.
    fn build(&mut self, terms: &Terms, term: Term) {
        if self.starts.len() < terms.len() {
            self.starts.resize(terms.len(), OPEN);
        }
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
                self.starts[next.index()] = self.literals.len() as u32;
                self.literals.extend(word);
            }
            pending.pop();
        }
    }

    /// The literals of a term whose operands have theirs.
    fn word(&mut self, terms: &Terms, term: Term) -> Word {
        let width = terms.width(term);
        let length = usize::from(width);
        if self.size() > MOST_GATES {
            return self.free("a formula of more than five million gates", length);
        }
        let of = |one: Term| self.bits(one, terms.width(one)).to_vec();
        match terms.node(term) {
            Node::Constant(value) => SatGates::number(value, length),
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
            Node::ZeroExtend(one) => SatGates::zero_extended(&of(one), length),
            Node::SignExtend(one) => SatGates::sign_extended(&of(one), length),
            Node::Float(op, format, operands) => {
                let operands = operands.map(of);
                match self.gates.float(op, format, &operands, length) {
                    Ok(word) => word,
                    Err(too_large) => self.free(too_large, length),
                }
            }
        }
    }

    /// Anything, because of this.
    fn free(&mut self, reason: &'static str, length: usize) -> Word {
        self.left_out = Some(reason);
        (0..length).map(|_| self.gates.input()).collect()
    }

    fn binary(&mut self, op: Op, a: &[Literal], b: &[Literal]) -> Word {
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
            Op::ShiftRightUnsigned => gates.shift_right(a, b, FALSE),
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

#[cfg(test)]
mod tests;
