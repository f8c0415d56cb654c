//! The check of proofs that mutants are equivalent to the model.

use obligato_lustre_replay::MutationExperiment;
use obligato_solver::Stop;

use super::KillError;
use super::systems::MutantSystems;
use crate::proofs::{BookedProof, Checked, Checker, ProofSystem, excluded};

/// Checks proofs about mutants, each from nothing but the model: the result for each, and the mutants that
/// valid proofs show to be equivalent.
pub fn check(
    experiment: &MutationExperiment<'_>,
    proofs: &[BookedProof],
    stop: &Stop,
) -> Result<(Vec<Checked>, Vec<usize>), KillError> {
    let (mut checked, mut equivalent) = (Vec::new(), Vec::new());
    for proof in proofs {
        match check_one(experiment, proof, stop)? {
            Ok(mutants) => {
                equivalent.extend(mutants);
                checked.push(Checked::Holds(Checker::Batsat));
            }
            Err(why) => checked.push(Checked::Refused(why)),
        }
    }
    Ok((checked, equivalent))
}

/// The mutants that a proof shows to be equivalent, or why it shows nothing.
fn check_one(
    experiment: &MutationExperiment<'_>,
    proof: &BookedProof,
    stop: &Stop,
) -> Result<Result<Vec<usize>, String>, KillError> {
    let mutants = &proof.events;
    if mutants.iter().any(|mutant| *mutant >= experiment.mutants.len()) {
        return Ok(Err("it names a mutant that is not there".to_owned()));
    }
    let systems = |strength| MutantSystems { experiment: *experiment, strength };
    let mutant_query = match (proof.system, mutants.as_slice()) {
        (ProofSystem::Lockstep(strength), _) => systems(strength).lockstep(mutants)?,
        (ProofSystem::Product(strength), [mutant]) => systems(strength).product(*mutant)?,
        _ => return Ok(Err("its mutants have no system like that".to_owned())),
    };
    let excluded = excluded(proof, &mutant_query.query, &mutant_query.system, stop);
    Ok(excluded.map(|places| places.into_iter().map(|place| mutants[place]).collect()))
}
