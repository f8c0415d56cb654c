//! A sieve for hopes: what some run violates falls through.
//!
//! It asks the solver whether any claim can be violated in one step. Every answer is a run, and strikes all claims
//! that it violates; so the questions are about as many as there are different ways to fail, not as many as claims.

use obligato_solver::{Answer, Literal};

use super::hopes::{Claim, Hopes};
use super::work::{Spent, Work};
use crate::unrolling::Unrolling;

/// Claims about one step of an unrolling.
#[derive(Debug)]
pub struct Sieve<'u, 'c> {
    unrolling: &'u mut Unrolling<'c>,
    step: usize,
    /// By claim: if true, it is violated. None once it was given up.
    violated: Vec<Option<Literal>>,
    /// If true, some claim is violated.
    asks: Option<Literal>,
}

impl<'u, 'c> Sieve<'u, 'c> {
    /// A sieve for a step that an unrolling has.
    pub fn new(unrolling: &'u mut Unrolling<'c>, step: usize) -> Self {
        unrolling.commit(step);
        Self { unrolling, step, violated: Vec::new(), asks: None }
    }

    /// Leaves the hopes that hold in this step of every run, or fewer: what is too hard to decide is given up
    /// as well.
    pub fn sift(&mut self, hopes: &mut Hopes, work: &mut Work) -> Result<(), Spent> {
        loop {
            let asks = self.ask(hopes);
            match self.solve(asks, work)? {
                Answer::Sat => self.strike(hopes),
                Answer::Unsat => return Ok(()),
                Answer::Unknown => return self.sift_one_by_one(hopes, work),
            }
        }
    }

    /// Asks about each claim by itself.
    fn sift_one_by_one(&mut self, hopes: &mut Hopes, work: &mut Work) -> Result<(), Spent> {
        let mut index = 0;
        while index < hopes.len() {
            // Striking may bring new claims.
            self.ask(hopes);
            let Some(violated) = self.violated[index] else {
                index += 1;
                continue;
            };
            match self.solve(violated, work)? {
                Answer::Sat => self.strike(hopes),
                Answer::Unsat => index += 1,
                Answer::Unknown => hopes.give_up(index),
            }
        }
        Ok(())
    }

    fn solve(&mut self, literal: Literal, work: &mut Work) -> Result<Answer, Spent> {
        let before = self.unrolling.solver().conflicts();
        let answer = self.unrolling.solve(&[literal], Some(work.allowance()));
        work.spend(self.unrolling.solver().conflicts() - before)?;
        Ok(answer)
    }

    fn strike(&mut self, hopes: &mut Hopes) {
        let (unrolling, step) = (&self.unrolling, self.step);
        let struck = hopes.strike(|lit| unrolling.value(step, lit) == Some(true));
        debug_assert!(struck, "a run violates none of the claims that were asked about");
    }

    /// The question whether some claim is violated.
    fn ask(&mut self, hopes: &Hopes) -> Literal {
        for (index, slot) in self.violated.iter_mut().enumerate() {
            if hopes.claim(index).is_none()
                && let Some(violated) = slot.take()
            {
                self.unrolling.solver().add(&[!violated]);
            }
        }
        if let Some(asks) = self.asks {
            if self.violated.len() == hopes.len() {
                return asks;
            }
            self.unrolling.solver().add(&[!asks]);
        }
        for index in self.violated.len()..hopes.len() {
            let violated = hopes.claim(index).map(|claim| self.violation(claim));
            self.violated.push(violated);
        }
        let asks = self.unrolling.solver().variable();
        let violated = self.violated.iter().flatten().copied();
        let question: Vec<Literal> = std::iter::once(!asks).chain(violated).collect();
        self.unrolling.solver().add(&question);
        self.asks = Some(asks);
        asks
    }

    fn violation(&mut self, claim: &Claim) -> Literal {
        let violated = self.unrolling.solver().variable();
        match claim {
            Claim::Clause(clause) => {
                for lit in clause {
                    let literal = self.unrolling.literal(self.step, *lit);
                    self.unrolling.solver().add(&[!violated, !literal]);
                }
            }
            Claim::Equal(a, b) => {
                let [a, b] = [a, b].map(|lit| self.unrolling.literal(self.step, *lit));
                self.unrolling.solver().add(&[!violated, a, b]);
                self.unrolling.solver().add(&[!violated, !a, !b]);
            }
        }
        violated
    }
}
