//! What terms are worth.

use crate::meaning;
use crate::node::{Node, Term, VariableId};
use crate::terms::Terms;

/// A number for each variable; those that are not given are zero.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Assignment(Vec<u128>);

impl Assignment {
    /// What a variable is.
    pub fn get(&self, variable: VariableId) -> u128 {
        self.0.get(variable.0 as usize).copied().unwrap_or(0)
    }

    /// Says what a variable is.
    pub fn set(&mut self, variable: VariableId, value: u128) {
        let index = variable.0 as usize;
        if index >= self.0.len() {
            self.0.resize(index + 1, 0);
        }
        self.0[index] = value;
    }
}

/// The values of terms under one assignment, each computed once.
#[derive(Clone, Debug)]
pub struct Values<'a> {
    assignment: &'a Assignment,
    known: Vec<Option<u128>>,
    pending: Vec<Term>,
}

impl<'a> Values<'a> {
    /// Under this assignment.
    pub fn new(assignment: &'a Assignment) -> Self {
        Self { assignment, known: Vec::new(), pending: Vec::new() }
    }

    /// Does a term of one bit hold?
    pub fn holds(&mut self, terms: &Terms, term: Term) -> bool {
        self.of(terms, term) == 1
    }

    /// The value of a term.
    pub fn of(&mut self, terms: &Terms, term: Term) -> u128 {
        self.known.resize(terms.len().max(self.known.len()), None);
        self.pending.push(term);
        while let Some(&next) = self.pending.last() {
            let before = self.pending.len();
            if self.known[next.index()].is_none() {
                let node = terms.node(next);
                let open = node.operands().filter(|one| self.known[one.index()].is_none());
                self.pending.extend(open);
                if self.pending.len() > before {
                    continue;
                }
                self.known[next.index()] = Some(self.compute(terms, next, node));
            }
            self.pending.pop();
        }
        self.known[term.index()].unwrap_or_default()
    }

    fn compute(&self, terms: &Terms, term: Term, node: Node) -> u128 {
        if let Node::Variable(variable) = node {
            return self.assignment.get(variable) & meaning::mask(terms.width(term));
        }
        let value = |operand: Term| self.known[operand.index()].unwrap_or_default();
        terms.apply(node, terms.width(term), value)
    }
}
