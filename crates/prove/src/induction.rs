//! k-induction over many candidate invariants at once: the negations of targets, and the candidates that help to prove them.
//!
//! The induction step assumes all candidates in `k` consecutive steps and drops those that can be violated in the next, until
//! the rest is inductive (Houdini: Flanagan and Leino, 2001; k-induction: Sheeran, Singh and Stålmarck, 2000).
//! The fixpoint is the largest inductive subset, so one proof serves all targets.
//! `k` starts at 1 and grows for the targets that are still open.
//!
//! Constraints hold in every step; nothing else is assumed of a run.

mod budget;
mod candidate_set;
mod houdini;

use obligato_circuit::{Circuit, Lit};
use obligato_solver::Engine;

use crate::candidates::Candidates;
use crate::invariant::Invariant;
use crate::unrolling::{Start, Unrolling};
pub use budget::InductionLimits;
pub(crate) use budget::{Budget, BudgetExhausted};
use candidate_set::CandidateSet;
use houdini::Houdini;

/// The result of an induction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Induction {
    /// By target: the `k` of the proof that it is never true, if there is one. 0 if the known invariant
    /// excludes it in every state, reachable or not.
    pub proved: Vec<Option<usize>>,
    /// The known invariant, extended by all that was proved with `k` of at least 1.
    pub invariant: Invariant,
    /// The work units spent.
    pub work: u64,
}

/// Proves as many targets as possible to be never true.
pub fn prove(
    circuit: &Circuit,
    targets: &[Lit],
    candidates: &Candidates,
    known: &Invariant,
    limits: &InductionLimits,
) -> Induction {
    let proved = vec![None; targets.len()];
    let mut induction = Induction { proved, invariant: known.clone(), work: 0 };
    // An exhausted budget is no error: proofs found until then stay.
    let mut budget = Budget::new(limits);
    let _ = prove_on(circuit, targets, candidates, &mut induction, &mut budget);
    induction.work = budget.done();
    induction
}

fn prove_on(
    circuit: &Circuit,
    targets: &[Lit],
    candidates: &Candidates,
    induction: &mut Induction,
    budget: &mut Budget<'_>,
) -> Result<(), BudgetExhausted> {
    // Targets that no state satisfies are many and need no candidates; they would only slow the others down.
    let mut unsatisfiable = CandidateSet::new(targets, &Candidates::default());
    let mut unrolling = Unrolling::new(circuit, Engine::Batsat, Start::Free, budget.stop())
        .assuming(&induction.invariant);
    unrolling.push();
    Houdini::new(&mut unrolling, 0).drop_violated(&mut unsatisfiable, budget)?;
    record_proofs(induction, &unsatisfiable, 0);

    let mut open = CandidateSet::new(targets, candidates);
    open.remove_proved(&unsatisfiable);
    let mut base = Unrolling::new(circuit, Engine::Batsat, Start::Initial, budget.stop());
    for k in 1..=budget.most_k() {
        if !(0..targets.len()).any(|target| open.get(target).is_some()) {
            break;
        }
        base.push();
        Houdini::new(&mut base, k - 1).drop_violated(&mut open, budget)?;
        let inductive = inductive_part(circuit, &induction.invariant, open.clone(), k, budget)?;
        record_proofs(induction, &inductive, k);
        tracing::debug!(k, proved = induction.proved.iter().flatten().count(), "induction");
        let proved = Invariant { clauses: inductive.clauses(), k };
        induction.invariant.extend(proved.concise(budget.stop()));
        open.remove_proved(&inductive);
    }
    Ok(())
}

/// The largest subset of `claimed` that is inductive over `claimed.k` steps relative to `known` alone, and the work units
/// spent. Clauses that were proved with the help of others need not be inductive without them.
pub fn sustain(
    circuit: &Circuit,
    claimed: &Invariant,
    known: &Invariant,
    limits: &InductionLimits,
) -> (Invariant, u64) {
    let mut budget = Budget::new(limits);
    let clauses = claimed.clauses.clone();
    let mut open = CandidateSet::new(&[], &Candidates { clauses, classes: Vec::new() });
    let mut base = Unrolling::new(circuit, Engine::Batsat, Start::Initial, budget.stop());
    let sustained = (0..claimed.k)
        .try_for_each(|step| {
            base.push();
            Houdini::new(&mut base, step).drop_violated(&mut open, &mut budget)
        })
        .and_then(|()| inductive_part(circuit, known, open, claimed.k, &mut budget));
    let clauses = sustained.map(|inductive| inductive.clauses()).unwrap_or_default();
    (Invariant { clauses, k: claimed.k }, budget.done())
}

/// Records a proof for every target whose negation is in the inductive set.
fn record_proofs(induction: &mut Induction, inductive: &CandidateSet, k: usize) {
    for (target, proved) in induction.proved.iter_mut().enumerate() {
        if proved.is_none() && inductive.get(target).is_some() {
            *proved = Some(k);
        }
    }
}

/// The largest subset of the candidates that is `k`-inductive relative to `known`.
///
/// Each round assumes all candidates in `k` steps, and drops those that fail in the next. Candidates dropped within
/// a round stay assumed until it ends, which can hide failures but not cause any; so another round follows
/// without them. A new solver per round costs less than one solver with thousands of assumptions.
fn inductive_part(
    circuit: &Circuit,
    known: &Invariant,
    mut candidates: CandidateSet,
    k: usize,
    budget: &mut Budget<'_>,
) -> Result<CandidateSet, BudgetExhausted> {
    loop {
        let before = candidates.clauses();
        tracing::trace!(k, candidates = before.len(), "round");
        let mut unrolling =
            Unrolling::new(circuit, Engine::Batsat, Start::Free, budget.stop()).assuming(known);
        for step in 0..k {
            unrolling.push();
            unrolling.commit(step);
            unrolling.assert(step, &before);
        }
        unrolling.push();
        Houdini::new(&mut unrolling, k).drop_violated(&mut candidates, budget)?;
        if candidates.clauses() == before {
            return Ok(candidates);
        }
    }
}

#[cfg(test)]
mod tests;
