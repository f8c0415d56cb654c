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
use work::{Spent, Work};

/// What induction has proved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Induction {
    /// By target: the number of steps in a row that its proof takes, if it is never true.
    pub proved: Vec<Option<usize>>,
    /// What was known before, and all that was proved.
    pub invariant: Invariant,
}

/// Proves of as many targets as it can that they are never true.
pub fn prove(
    circuit: &Circuit,
    targets: &[Lit],
    candidates: &Candidates,
    known: &Invariant,
    limits: &Limits,
) -> Induction {
    let mut proved = vec![None; targets.len()];
    let mut invariant = known.clone();
    let mut work = Work::new(limits);
    // The hopes that hold in the first steps of every run.
    let mut hopes = Hopes::new(targets, candidates);
    let mut base = Unrolling::new(circuit, Engine::Batsat, Start::Initial, &limits.stop);
    for k in 1..=limits.most_k {
        base.push();
        let outcome = Sieve::new(&mut base, k - 1)
            .sift(&mut hopes, &mut work)
            .and_then(|()| inductive_part(circuit, &invariant, hopes.clone(), k, &mut work));
        let Ok(inductive) = outcome else { break };
        for (index, proved) in proved.iter_mut().enumerate() {
            if proved.is_none() && inductive.claim(index).is_some() {
                *proved = Some(k);
            }
        }
        invariant.extend(Invariant { clauses: inductive.clauses(), k });
        let is_open = |target: usize| proved[target].is_none() && hopes.claim(target).is_some();
        if !(0..targets.len()).any(is_open) {
            break;
        }
    }
    Induction { proved, invariant }
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
        let mut unrolling = Unrolling::new(circuit, Engine::Batsat, Start::Free, work.stop());
        for step in 0..=k {
            unrolling.push();
            unrolling.commit(step);
            unrolling.assert(step, &known.clauses);
            if step < k {
                unrolling.assert(step, &before);
            }
        }
        Sieve::new(&mut unrolling, k).sift(&mut hopes, work)?;
        if hopes.clauses() == before {
            return Ok(hopes);
        }
    }
}

#[cfg(test)]
mod tests;
