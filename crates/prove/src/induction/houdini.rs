//! Houdini: drops candidate invariants that some run violates (Flanagan and Leino, "Houdini, an annotation assistant for
//! ESC/Java", 2001).
//!
//! Each query query for a run that violates any candidate in one step, and its model drops all candidates that it
//! violates; so the number of queries grows with the number of different violations, not of candidates.

use obligato_solver::{Answer, Literal};

use super::budget::{Budget, BudgetExhausted};
use super::candidate_set::{Candidate, CandidateSet};
use crate::unrolling::Unrolling;

/// The check of candidates in one step of an unrolling.
#[derive(Debug)]
pub struct Houdini<'u, 'c> {
    unrolling: &'u mut Unrolling<'c>,
    step: usize,
    /// By candidate: if true, it is violated. `None` once dropped.
    violated: Vec<Option<Literal>>,
    /// If true, some candidate is violated.
    query: Option<Literal>,
}

impl<'u, 'c> Houdini<'u, 'c> {
    /// Checks candidates in a step that is encoded.
    pub fn new(unrolling: &'u mut Unrolling<'c>, step: usize) -> Self {
        unrolling.commit(step);
        Self { unrolling, step, violated: Vec::new(), query: None }
    }

    /// Drops the candidates that some run violates in this step, and those that are too hard to decide.
    pub fn drop_violated(
        &mut self,
        candidates: &mut CandidateSet,
        budget: &mut Budget,
    ) -> Result<(), BudgetExhausted> {
        loop {
            let query = self.query(candidates);
            match self.solve(query, budget)? {
                Answer::Sat => self.drop_by_model(candidates),
                Answer::Unsat => return Ok(()),
                Answer::Unknown => return self.drop_violated_one_by_one(candidates, budget),
            }
        }
    }

    /// Asks about each candidate by itself.
    fn drop_violated_one_by_one(
        &mut self,
        candidates: &mut CandidateSet,
        budget: &mut Budget,
    ) -> Result<(), BudgetExhausted> {
        let mut index = 0;
        while index < candidates.len() {
            // A model may split a class, which adds candidates.
            self.query(candidates);
            let Some(violated) = self.violated[index] else {
                index += 1;
                continue;
            };
            match self.solve(violated, budget)? {
                Answer::Sat => self.drop_by_model(candidates),
                Answer::Unsat => index += 1,
                Answer::Unknown => candidates.drop_one(index),
            }
        }
        Ok(())
    }

    fn solve(&mut self, literal: Literal, budget: &mut Budget) -> Result<Answer, BudgetExhausted> {
        let before = self.unrolling.solver().conflicts();
        let answer = self.unrolling.solve(&[literal], Some(budget.allowance()));
        budget.spend(self.unrolling.solver().conflicts() - before)?;
        Ok(answer)
    }

    fn drop_by_model(&mut self, candidates: &mut CandidateSet) {
        let (unrolling, step) = (&self.unrolling, self.step);
        let dropped = candidates.drop_violated(|lit| unrolling.value(step, lit) == Some(true));
        debug_assert!(dropped, "the model violates no candidate of the query");
    }

    /// The query whether some candidate is violated.
    fn query(&mut self, candidates: &CandidateSet) -> Literal {
        for (index, slot) in self.violated.iter_mut().enumerate() {
            if candidates.get(index).is_none()
                && let Some(violated) = slot.take()
            {
                self.unrolling.solver().add(&[!violated]);
            }
        }
        if let Some(query) = self.query {
            if self.violated.len() == candidates.len() {
                return query;
            }
            self.unrolling.solver().add(&[!query]);
        }
        for index in self.violated.len()..candidates.len() {
            let violated = candidates.get(index).map(|candidate| self.violation(candidate));
            self.violated.push(violated);
        }
        let query = self.unrolling.solver().variable();
        let violated = self.violated.iter().flatten().copied();
        let clause: Vec<Literal> = std::iter::once(!query).chain(violated).collect();
        self.unrolling.solver().add(&clause);
        self.query = Some(query);
        query
    }

    fn violation(&mut self, candidate: &Candidate) -> Literal {
        let violated = self.unrolling.solver().variable();
        match candidate {
            Candidate::Clause(clause) => {
                for lit in clause {
                    let literal = self.unrolling.literal(self.step, *lit);
                    self.unrolling.solver().add(&[!violated, !literal]);
                }
            }
            Candidate::Equal(a, b) => {
                let [a, b] = [a, b].map(|lit| self.unrolling.literal(self.step, *lit));
                self.unrolling.solver().add(&[!violated, a, b]);
                self.unrolling.solver().add(&[!violated, !a, !b]);
            }
        }
        violated
    }
}
