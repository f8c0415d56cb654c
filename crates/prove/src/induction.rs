//! Induction over many claims at once: targets that are never shown, and the candidates that help to prove it.
//!
//! All claims are assumed in `k` steps in a row, and those that can be violated in the next are given up, until the rest
//! prove each other (Houdini: Flanagan and Leino, 2001; k-induction: Sheeran, Singh and Stålmarck, 2000).
//! What is left is the largest set of claims that is inductive, so one proof serves all targets.
//! It begins with `k` = 1 and takes longer stretches for the targets that are left.
//!
//! Constraints hold in every step; nothing else is assumed of a run.

mod hopes;
mod sieve;
mod work;

use obligato_circuit::{Circuit, Lit};
use obligato_solver::Engine;

use crate::candidates::Candidates;
use crate::invariant::Invariant;
use crate::unrolling::{Start, Unrolling};
use hopes::Hopes;
use sieve::Sieve;
pub use work::Limits;
pub(crate) use work::{Spent, Work};

/// What induction has proved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Induction {
    /// By target: the number of steps in a row that its proof takes, if it is never true. With 0 there is no
    /// state at all, of those that are known to be possible, in which it could be.
    pub proved: Vec<Option<usize>>,
    /// What was known before, and all that was proved with one step or more.
    pub invariant: Invariant,
    /// The work that it took.
    pub work: u64,
}

/// Proves of as many targets as it can that they are never true.
pub fn prove(
    circuit: &Circuit,
    targets: &[Lit],
    candidates: &Candidates,
    known: &Invariant,
    limits: &Limits,
) -> Induction {
    let proved = vec![None; targets.len()];
    let mut induction = Induction { proved, invariant: known.clone(), work: 0 };
    // Being stopped is no fault: what was proved until then stays.
    let mut work = Work::new(limits);
    let _ = prove_on(circuit, targets, candidates, &mut induction, &mut work);
    induction.work = work.done();
    induction
}

fn prove_on(
    circuit: &Circuit,
    targets: &[Lit],
    candidates: &Candidates,
    induction: &mut Induction,
    work: &mut Work<'_>,
) -> Result<(), Spent> {
    // Those that are possible nowhere are many, need no help, and would only slow the others down.
    let mut nowhere = Hopes::new(targets, &Candidates::default());
    let mut unrolling = Unrolling::new(circuit, Engine::Batsat, Start::Free, work.stop())
        .knowing(&induction.invariant);
    unrolling.push();
    Sieve::new(&mut unrolling, 0).sift(&mut nowhere, work)?;
    note_proofs(induction, &nowhere, 0);

    // The hopes that hold in the first steps of every run.
    let mut hopes = Hopes::new(targets, candidates);
    hopes.settle(&nowhere);
    let mut base = Unrolling::new(circuit, Engine::Batsat, Start::Initial, work.stop());
    for k in 1..=work.most_k() {
        if !(0..targets.len()).any(|target| hopes.claim(target).is_some()) {
            break;
        }
        base.push();
        Sieve::new(&mut base, k - 1).sift(&mut hopes, work)?;
        let inductive = inductive_part(circuit, &induction.invariant, hopes.clone(), k, work)?;
        note_proofs(induction, &inductive, k);
        let proved = Invariant { clauses: inductive.clauses(), k };
        induction.invariant.extend(proved.concise(work.stop()));
        hopes.settle(&inductive);
    }
    Ok(())
}

/// The largest part of some clauses that is an invariant with what is known and nothing else, inductive over as many steps as they
/// were: what was proved with the help of others may not stand without them. With it, the work that it took.
pub fn sustain(
    circuit: &Circuit,
    claimed: &Invariant,
    known: &Invariant,
    limits: &Limits,
) -> (Invariant, u64) {
    let mut work = Work::new(limits);
    let clauses = claimed.clauses.clone();
    let candidates = Candidates { clauses, classes: Vec::new() };
    let mut hopes = Hopes::new(&[], &candidates);
    let mut base = Unrolling::new(circuit, Engine::Batsat, Start::Initial, work.stop());
    let sustained = (0..claimed.k)
        .try_for_each(|step| {
            base.push();
            Sieve::new(&mut base, step).sift(&mut hopes, &mut work)
        })
        .and_then(|()| inductive_part(circuit, known, hopes, claimed.k, &mut work));
    let clauses = sustained.map(|hopes| hopes.clauses()).unwrap_or_default();
    (Invariant { clauses, k: claimed.k }, work.done())
}

/// The targets that are left among the hopes are proved.
fn note_proofs(induction: &mut Induction, hopes: &Hopes, k: usize) {
    for (target, proved) in induction.proved.iter_mut().enumerate() {
        if proved.is_none() && hopes.claim(target).is_some() {
            *proved = Some(k);
        }
    }
}

/// The largest part of the hopes that is inductive over `k` steps, with what is known.
///
/// Each round takes all hopes for granted in `k` steps, and strikes those that fail in the next. What was struck in
/// a round is still taken for granted until it ends, which hides failures but makes none; so there is another round
/// without it. A new solver per round costs less than the same one with thousands of assumptions.
fn inductive_part(
    circuit: &Circuit,
    known: &Invariant,
    mut hopes: Hopes,
    k: usize,
    work: &mut Work<'_>,
) -> Result<Hopes, Spent> {
    loop {
        let before = hopes.clauses();
        let mut unrolling =
            Unrolling::new(circuit, Engine::Batsat, Start::Free, work.stop()).knowing(known);
        for step in 0..k {
            unrolling.push();
            unrolling.commit(step);
            unrolling.assert(step, &before);
        }
        unrolling.push();
        Sieve::new(&mut unrolling, k).sift(&mut hopes, work)?;
        if hopes.clauses() == before {
            return Ok(hopes);
        }
    }
}

#[cfg(test)]
mod tests;
