//! Refutations: the bounds that one uses, and whether what the formula leaves out matters.

use obligato_model::{Bound, Method, NotFollowed, Proof, SolverLimit, Undecided};
use obligato_solver::Answer;
use obligato_symbolic::assumptions;
use obligato_term::{Term, Values};

use super::{EventAnswer, Merged};
use crate::cut::Cut;

impl Merged<'_> {
    /// What the refutation of a bit within all bounds claims: which of them it uses. Beyond a bound, its cuts count as well.
    pub(super) fn refute(&mut self, bit: Term, cuts: &[Cut]) -> EventAnswer {
        let terms = &mut self.engine.terms;
        let mut open = bit;
        for cut in cuts {
            let Some(bound) = cut.bound() else {
                open = terms.or(open, cut.guard);
                continue;
            };
            let literal = self.engine.bounds.literal(terms, bound);
            let outside = terms.not(literal);
            let beyond = terms.and(outside, cut.guard);
            open = terms.or(open, beyond);
        }
        let all: Vec<(Bound, Term)> =
            self.engine.bounds.all().map(|(bound, literal)| (bound.clone(), literal)).collect();
        let used = self.minimal_core(open, all.iter().map(|(_, literal)| *literal).collect());
        if used.is_empty() {
            return EventAnswer::Infeasible(self.proof());
        }
        let bounds = all.into_iter().filter(|(_, literal)| used.contains(literal));
        EventAnswer::NotWithinBounds(bounds.map(|(bound, _)| bound).collect())
    }

    /// A subset of the literals under which a bit stays unsatisfiable, as it is under all of them; none of it can be left out,
    /// as far as the solver tells within its limits. What it cannot tell stays.
    pub(super) fn minimal_core(&mut self, bit: Term, all: Vec<Term>) -> Vec<Term> {
        if all.is_empty() || self.solve_under(bit, &[]) == Answer::Unsat {
            return Vec::new();
        }
        let mut core = all;
        if self.solve_under(bit, &core) == Answer::Unsat {
            let failed = self.engine.blaster.core();
            core.retain(|literal| failed.contains(literal));
        }
        let mut at = 0;
        while at < core.len() {
            let without: Vec<Term> = core
                .iter()
                .enumerate()
                .filter(|(index, _)| *index != at)
                .map(|(_, one)| *one)
                .collect();
            if self.solve_under(bit, &without) == Answer::Unsat {
                core = without;
            } else {
                at += 1;
            }
        }
        core
    }

    /// Are all cuts infeasible? If not, the reason of one.
    pub fn is_complete(&mut self) -> Result<(), Undecided> {
        self.cuts_are_infeasible(&|_| true)
    }

    /// Are all cuts that matter infeasible within the bounds? If not, the reason of one. Cuts at bounds do not count.
    pub(super) fn cuts_are_infeasible(
        &mut self,
        matters: &dyn Fn(&Cut) -> bool,
    ) -> Result<(), Undecided> {
        let cuts = self.engine.cuts.iter().enumerate();
        let some: Vec<usize> = cuts
            .filter(|(_, cut)| cut.bound().is_none() && matters(cut))
            .map(|(at, _)| at)
            .collect();
        if let Some(known) = self.infeasible_cuts.get(&some) {
            return known.clone();
        }
        let guards: Vec<Term> = some.iter().map(|at| self.engine.cuts[*at].guard).collect();
        let any = self.engine.terms.any(guards);
        let found = match self.solve(any) {
            Answer::Unsat => Ok(()),
            Answer::Unknown => Err(SolverLimit::UnknownCut.into()),
            Answer::Sat => {
                let assignment = self.engine.blaster.assignment(&self.engine.terms);
                let assignment = self.engine.within_bounds(&assignment);
                let mut values = Values::new(&assignment);
                let terms = &self.engine.terms;
                let mut cuts = some.iter().map(|at| &self.engine.cuts[*at]);
                let cut = cuts.find(|cut| values.holds(terms, cut.guard));
                let reason = cut.and_then(Cut::not_followed).cloned();
                Err(Undecided::CutOff(reason.unwrap_or(NotFollowed::UnknownCut)))
            }
        };
        self.infeasible_cuts.insert(some, found.clone());
        found
    }

    /// A proof by exhaustive exploration, with its assumptions.
    pub(super) fn proof(&self) -> Proof {
        let assumptions = assumptions(self.unit, self.interface);
        Proof { method: Method::Exploration, assumptions }
    }
}
