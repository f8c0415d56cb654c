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
        let outcome = Sieve::new(&mut base, 0..0, k - 1)
            .sift(&mut hopes, &mut work)
            .and_then(|()| sift_steps(circuit, &invariant, hopes.clone(), k, &mut work, limits));
        let Ok(inductive) = outcome else { break };
        for (index, proved) in proved.iter_mut().enumerate() {
            if proved.is_none() && inductive.claim(index).is_some() {
                *proved = Some(k);
            }
        }
        let clauses = inductive.claims().flat_map(|(_, claim)| claim.clauses()).collect();
        invariant.extend(Invariant { clauses, k });
        let is_open = |target: usize| proved[target].is_none() && hopes.claim(target).is_some();
        if !(0..targets.len()).any(is_open) {
            break;
        }
    }
    Induction { proved, invariant }
}

/// The largest part of the hopes that is inductive over `k` steps, with what is known.
fn sift_steps(
    circuit: &Circuit,
    known: &Invariant,
    mut hopes: Hopes,
    k: usize,
    work: &mut Work<'_>,
    limits: &Limits,
) -> Result<Hopes, Spent> {
    let mut unrolling = Unrolling::new(circuit, Engine::Batsat, Start::Free, &limits.stop);
    for step in 0..=k {
        unrolling.push();
        for clause in &known.clauses {
            let clause: Vec<_> = clause.iter().map(|lit| unrolling.literal(step, *lit)).collect();
            unrolling.solver().add(&clause);
        }
    }
    Sieve::new(&mut unrolling, 0..k, k).sift(&mut hopes, work)?;
    Ok(hopes)
}

#[cfg(test)]
mod tests;
