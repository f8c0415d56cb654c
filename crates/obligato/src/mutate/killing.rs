//! Searching for the mutants that the given tests do not kill.

use obligato_campaign::Conclusion;
use obligato_engines_lustre::mutants::{self, KillOutcome, KillRequest};
use obligato_lustre_replay::Kills;
use obligato_model::{Limit, Proof};

use crate::campaign::{MadeTest, PhaseReport, Stop, Watcher};
use crate::error::Error;
use crate::model::LoadedModel;
use crate::refusal::refuse_killing;

/// What came of the search for survivors.
pub struct Killed {
    /// The new tests.
    pub made: Vec<MadeTest>,
    /// By mutant, the proof that it is equivalent to the model.
    pub proofs: Vec<Option<Proof>>,
    /// By mutant, what stood in the way of a test and of a proof.
    pub limits: Vec<Option<Limit>>,
    /// What was done, in order.
    pub phases: Vec<PhaseReport>,
    pub stopped: bool,
}

/// Kills survivors or proves them equivalent.
pub fn run(
    killing: &KillRequest<'_>,
    loaded: &LoadedModel,
    stop: &Stop,
    watcher: &mut dyn Watcher,
) -> Result<Killed, Error> {
    let outcome =
        mutants::kill(killing, stop, watcher).map_err(|error| refuse_killing(&error, loaded))?;
    let KillOutcome { conclusions, tests: made, phases, .. } = outcome;
    let all = killing.subject.experiment.mutants.len();
    let (mut proofs, mut limits) = (vec![None; all], vec![None; all]);
    for (mutant, conclusion) in killing.subject.mutants.iter().zip(conclusions) {
        match conclusion {
            None => {}
            Some(Conclusion::Refuted(proof)) => proofs[*mutant] = Some(proof),
            Some(Conclusion::Open(limit)) => limits[*mutant] = Some(limit),
        }
    }
    Ok(Killed { made, proofs, limits, phases, stopped: stop.is_requested() })
}

impl Killed {
    /// Holds the search against what the whole suite did. A mutant that should have been killed and was not,
    /// or that was and should not have been, is a fault of ours.
    pub fn check(&self, kills: &Kills) -> Result<(), Error> {
        let decided = self.proofs.iter().zip(&self.limits);
        for (mutant, (proof, limit)) in decided.enumerate() {
            let killed = kills.status(mutant).is_killed();
            if killed == (proof.is_some() || limit.is_some()) {
                let what = if killed { "killed" } else { "not killed" };
                let message = format!("mutant {mutant} is {what}, against what was found before");
                return Err(Error::Internal(message));
            }
        }
        Ok(())
    }
}
