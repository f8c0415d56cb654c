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

/// Room for values of terms, which can be used again for another assignment.
#[derive(Clone, Debug, Default)]
pub struct Scratch {
    values: Vec<u128>,
    /// In which round the value of a term was computed.
    rounds: Vec<u32>,
    round: u32,
    pending: Vec<Term>,
}

/// The values of terms under one assignment, each computed once.
#[derive(Clone, Debug)]
pub struct Values<'a> {
    assignment: &'a Assignment,
    scratch: Scratch,
}

impl<'a> Values<'a> {
    /// Under this assignment.
    pub fn new(assignment: &'a Assignment) -> Self {
        Self::reusing(assignment, Scratch::default())
    }

    /// The same, in room that others have used.
    pub fn reusing(assignment: &'a Assignment, mut scratch: Scratch) -> Self {
        if scratch.round == u32::MAX {
            scratch = Scratch::default();
        }
        scratch.round += 1;
        Self { assignment, scratch }
    }

    /// The room, for others.
    pub fn into_scratch(self) -> Scratch {
        self.scratch
    }

    /// Does a term of one bit hold?
    pub fn holds(&mut self, terms: &Terms, term: Term) -> bool {
        self.of(terms, term) == 1
    }

    /// The value of a term.
    pub fn of(&mut self, terms: &Terms, term: Term) -> u128 {
        let scratch = &mut self.scratch;
        if scratch.values.len() < terms.len() {
            scratch.values.resize(terms.len(), 0);
            scratch.rounds.resize(terms.len(), 0);
        }
        let round = scratch.round;
        scratch.pending.push(term);
        while let Some(&next) = scratch.pending.last() {
            let before = scratch.pending.len();
            if scratch.rounds[next.index()] != round {
                let node = terms.node(next);
                let open = node.operands().filter(|one| scratch.rounds[one.index()] != round);
                scratch.pending.extend(open);
                if scratch.pending.len() > before {
                    continue;
                }
                scratch.values[next.index()] =
                    compute(terms, next, node, self.assignment, &scratch.values);
                scratch.rounds[next.index()] = round;
            }
            scratch.pending.pop();
        }
        scratch.values[term.index()]
    }
}

fn compute(terms: &Terms, term: Term, node: Node, given: &Assignment, values: &[u128]) -> u128 {
    if let Node::Variable(variable) = node {
        return given.get(variable) & meaning::mask(terms.width(term));
    }
    terms.apply(node, terms.width(term), |operand| values[operand.index()])
}
