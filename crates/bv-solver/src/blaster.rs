//! Bit-blasts terms into one incremental SAT solver.
//!
//! Every term becomes a word of literals, once, on first use; later queries share it, and learnt clauses stay. Operations
//! that are too large become unconstrained words, an over-approximation: unsatisfiable stays sound, and a model counts only
//! if evaluation confirms it.

use obligato_solver::{Answer, Engine, Literal, Stop};
use obligato_term::{Assignment, BinaryOp as Op, Node, Term, Terms, Values};

use crate::gates::{FALSE, SatGates, Word};
use crate::term_bits::TermBits;

/// One incremental SAT solver over terms. All terms are of one [`Terms`], which may grow.
#[derive(Debug)]
pub struct Blaster {
    bits: TermBits<SatGates>,
    required: Vec<Term>,
    /// The assumptions of the last query.
    assumed: Vec<(Literal, Term)>,
}

impl Blaster {
    /// Nothing is required yet. Queries end when `stop` says so.
    pub fn new(engine: Engine, stop: &Stop) -> Self {
        Self {
            bits: TermBits::new(SatGates::new(engine, stop)),
            required: Vec::new(),
            assumed: Vec::new(),
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
                self.bits.gates.solver.add(&[literal]);
            }
        }
        self.required.push(term);
    }

    /// Later queries end when `stop` says so.
    pub fn end_with(&mut self, stop: &Stop) {
        self.bits.gates.solver.end_with(stop);
    }

    /// The literal of a term of one bit.
    pub fn literal(&mut self, terms: &Terms, term: Term) -> Literal {
        self.bits.of(terms, term)[0]
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
        let answer = self.bits.gates.solver.solve(&literals, most_conflicts);
        if answer == Answer::Sat
            && self.left_out().is_some()
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
        for variable in self.bits.variables() {
            let Node::Variable(id) = terms.node(*variable) else { continue };
            let bits = self.bits.known(terms, *variable);
            let value = bits
                .iter()
                .rev()
                .fold(0, |value, bit| value << 1 | u128::from(self.bits.gates.solver.value(*bit)));
            assignment.set(id, value);
        }
    }

    /// The failed assumptions of the latest unsatisfiable query.
    pub fn core(&mut self) -> Vec<Term> {
        if let [(FALSE, term)] = *self.assumed {
            return vec![term];
        }
        let core = self.bits.gates.solver.core();
        let blamed = self.assumed.iter().filter(|(literal, _)| core.contains(literal));
        blamed.map(|(_, term)| *term).collect()
    }

    /// The conflicts spent so far.
    pub fn conflicts(&self) -> u64 {
        self.bits.gates.solver.conflicts()
    }

    /// How many variables and gates there are.
    pub fn size(&self) -> usize {
        self.bits.gates.solver.variables()
    }

    /// What it does not know how to say, if there was any such thing among the terms.
    pub fn left_out(&self) -> Option<&'static str> {
        self.bits.left_out()
    }
}

#[cfg(test)]
mod tests;
