//! A sieve for hopes: what some run violates falls through.
//!
//! It asks the solver whether any claim can be violated in one step, while all are assumed in the steps before it (none, in a sieve
//! for the first steps of runs). Every answer is a run, and strikes all claims that it violates; so the questions
//! are about as many as there are different ways to fail, not as many as claims.

use std::ops::Range;

use obligato_solver::{Answer, Literal};

use super::hopes::{Claim, Hopes};
use super::work::{Spent, Work};
use crate::unrolling::Unrolling;

/// Claims in a solver.
#[derive(Debug)]
pub struct Sieve<'u, 'c> {
    unrolling: &'u mut Unrolling<'c>,
    /// The steps in which claims are assumed.
    assumed: Range<usize>,
    /// The step in which they have to hold.
    asked: usize,
    /// By claim; none once it was given up.
    handles: Vec<Option<Handle>>,
    /// If true, some claim is violated.
    asks: Option<Literal>,
}

#[derive(Clone, Copy, Debug)]
struct Handle {
    /// If true, the claim holds in the steps in which it is assumed.
    assumed: Literal,
    /// If true, it does not hold in the step that is asked about.
    violated: Literal,
}

impl<'u, 'c> Sieve<'u, 'c> {
    /// A sieve over steps of an unrolling that has them all.
    pub fn new(unrolling: &'u mut Unrolling<'c>, assumed: Range<usize>, asked: usize) -> Self {
        unrolling.commit(asked);
        Self { unrolling, assumed, asked, handles: Vec::new(), asks: None }
    }

    /// Leaves the hopes that hold in the step that is asked about wherever all of them hold in the steps
    /// before. What is too hard to decide is given up.
    pub fn sift(&mut self, hopes: &mut Hopes, work: &mut Work) -> Result<(), Spent> {
        loop {
            let asks = self.ask(hopes);
            match self.solve(asks, hopes, work)? {
                Some(Answer::Unsat) => return Ok(()),
                Some(_) => self.strike(hopes),
                None if self.sift_one_by_one(hopes, work)? => {}
                None => return Ok(()),
            }
        }
    }

    /// Asks about each claim by itself. Says whether any was given up; if none was, all of them hold.
    fn sift_one_by_one(&mut self, hopes: &mut Hopes, work: &mut Work) -> Result<bool, Spent> {
        let mut any = false;
        for index in 0..self.handles.len() {
            let Some(handle) = self.handles[index] else { continue };
            match self.solve(handle.violated, hopes, work)? {
                Some(Answer::Unsat) => continue,
                Some(_) => self.strike(hopes),
                None => hopes.give_up(index),
            }
            self.drop_what_was_given_up(hopes);
            any = true;
        }
        Ok(any)
    }

    /// Is there a run with the claims and this literal? None if that is too hard.
    fn solve(
        &mut self,
        literal: Literal,
        hopes: &Hopes,
        work: &mut Work,
    ) -> Result<Option<Answer>, Spent> {
        let mut assumptions = vec![literal];
        if !self.assumed.is_empty() {
            let handles = hopes.claims().filter_map(|(index, _)| *self.handles.get(index)?);
            assumptions.extend(handles.map(|handle| handle.assumed));
        }
        let before = self.unrolling.solver().conflicts();
        let answer = self.unrolling.solve(&assumptions, Some(work.allowance()));
        work.spend(self.unrolling.solver().conflicts() - before)?;
        Ok((answer != Answer::Unknown).then_some(answer))
    }

    fn strike(&mut self, hopes: &mut Hopes) {
        let (unrolling, asked) = (&self.unrolling, self.asked);
        let struck = hopes.strike(|lit| unrolling.value(asked, lit) == Some(true));
        debug_assert!(struck, "a run violates none of the claims that were asked about");
    }

    /// The question whether some claim is violated.
    fn ask(&mut self, hopes: &Hopes) -> Literal {
        self.drop_what_was_given_up(hopes);
        if let Some(asks) = self.asks {
            if self.handles.len() == hopes.len() {
                return asks;
            }
            self.unrolling.solver().add(&[!asks]);
        }
        for index in self.handles.len()..hopes.len() {
            let handle = hopes.claim(index).map(|claim| self.encode(claim));
            self.handles.push(handle);
        }
        let asks = self.unrolling.solver().variable();
        let violated = self.handles.iter().flatten().map(|handle| handle.violated);
        let question: Vec<Literal> = std::iter::once(!asks).chain(violated).collect();
        self.unrolling.solver().add(&question);
        self.asks = Some(asks);
        asks
    }

    fn encode(&mut self, claim: &Claim) -> Handle {
        let [assumed, violated] = [(); 2].map(|()| self.unrolling.solver().variable());
        for step in self.assumed.clone() {
            for clause in claim.clauses() {
                let literals = clause.iter().map(|lit| self.unrolling.literal(step, *lit));
                let clause: Vec<Literal> = literals.chain([!assumed]).collect();
                self.unrolling.solver().add(&clause);
            }
        }
        match claim {
            Claim::Clause(clause) => {
                for lit in clause {
                    let literal = self.unrolling.literal(self.asked, *lit);
                    self.unrolling.solver().add(&[!violated, !literal]);
                }
            }
            Claim::Equal(a, b) => {
                let [a, b] = [a, b].map(|lit| self.unrolling.literal(self.asked, *lit));
                self.unrolling.solver().add(&[!violated, a, b]);
                self.unrolling.solver().add(&[!violated, !a, !b]);
            }
        }
        Handle { assumed, violated }
    }

    fn drop_what_was_given_up(&mut self, hopes: &Hopes) {
        for (index, slot) in self.handles.iter_mut().enumerate() {
            if hopes.claim(index).is_none()
                && let Some(handle) = slot.take()
            {
                self.unrolling.solver().add(&[!handle.assumed]);
                self.unrolling.solver().add(&[!handle.violated]);
            }
        }
    }
}
