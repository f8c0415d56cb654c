//! Hunting the mutants that the given tests do not kill.

use std::io::Write as _;

use obligato_engines_lustre::mutants::{self, KillOutcome, KillRequest};
use obligato_engines_lustre::{MadeTest, Phase, PhaseReport};
use obligato_lustre_replay::{Experiment, Kills};
use obligato_model::{Limit, Proof, Strength, TestCase};

use crate::args::MutateArgs;
use crate::campaign::{Watching, describe, write_phases};
use crate::error::CliError;
use crate::interrupt::stop_on_signals;
use crate::output::{Output, Verbosity, counted, printable};
use obligato::Error;
use obligato::model::LoadedModel;
use obligato::refusal::refuse_hunt;

/// What came of a hunt.
pub struct Hunted {
    /// How many tests were given; the new ones come after them.
    pub given: usize,
    /// The new tests.
    pub made: Vec<MadeTest>,
    /// By mutant, the proof that it is equivalent to the model.
    pub proofs: Vec<Option<Proof>>,
    /// By mutant, what stood in the way of a test and of a proof.
    pub limits: Vec<Option<Limit>>,
    /// What was done, in order.
    pub phases: Vec<PhaseReport>,
    stopped: bool,
}

/// Hunts the mutants that these tests do not kill.
pub fn run(
    arguments: &MutateArgs,
    loaded: &LoadedModel,
    experiment: &Experiment<'_>,
    kills: &Kills,
    tests: &[TestCase],
    output: &Output,
) -> Result<Hunted, CliError> {
    let all = experiment.mutants.len();
    let survivors: Vec<usize> =
        (0..all).filter(|mutant| !kills.status(*mutant).is_killed()).collect();
    let hunt = KillRequest {
        experiment: *experiment,
        lowered: &loaded.lowered,
        survivors: survivors.clone(),
        strength: Strength::Strong,
        taken: tests.iter().map(|test| test.name.clone()).collect(),
        phases: Phase::OF_MODELS.to_vec(),
        budget: arguments.effort.budget,
        seed: arguments.seed,
        threads: arguments.effort.threads(),
    };
    let stop = stop_on_signals()?;
    let mut watching = Watching::new(output.verbosity());
    let bag =
        mutants::kill(&hunt, &stop, &mut watching).map_err(|error| refuse_hunt(&error, loaded))?;
    let KillOutcome { verdicts, tests: made, phases, .. } = bag;
    let (mut proofs, mut limits) = (vec![None; all], vec![None; all]);
    for (mutant, verdict) in survivors.into_iter().zip(verdicts) {
        match verdict {
            mutants::SurvivorVerdict::Killed => {}
            mutants::SurvivorVerdict::Equivalent(proof) => proofs[mutant] = Some(proof),
            mutants::SurvivorVerdict::Open(limit) => limits[mutant] = Some(limit),
        }
    }
    let stopped = stop.is_requested();
    Ok(Hunted { given: tests.len(), made, proofs, limits, phases, stopped })
}

impl Hunted {
    /// Holds the hunt against what the whole suite did. A mutant that should have been killed and was not,
    /// or that was and should not have been, is a fault of ours.
    pub fn check(&self, kills: &Kills) -> Result<(), CliError> {
        let decided = self.proofs.iter().zip(&self.limits);
        for (mutant, (proof, limit)) in decided.enumerate() {
            let killed = kills.status(mutant).is_killed();
            if killed == (proof.is_some() || limit.is_some()) {
                let what = if killed { "killed" } else { "not killed" };
                let message = format!("mutant {mutant} is {what}, against what was found before");
                return Err(CliError::from(Error::Internal(message)));
            }
        }
        Ok(())
    }

    /// How the new tests came about.
    pub fn write(&self, list: bool, output: &mut Output) -> Result<(), CliError> {
        if output.verbosity() == Verbosity::Quiet && !list {
            return Ok(());
        }
        write_phases(self.phases.iter().copied(), ["killed", "equivalent"], output)?;
        let described = describe(&self.made).unwrap_or_else(|| "No new test".to_owned());
        writeln!(output, "\n{described}")?;
        if list {
            for MadeTest { test, phase } in &self.made {
                let (name, steps) = (printable(&test.name), counted(test.steps.len(), "step"));
                writeln!(output, "  {name:6}  {:11}  {steps}", phase.name())?;
            }
        }
        if self.stopped {
            output.remark(format_args!("Stopped early; what was done until then counts"))?;
        }
        Ok(())
    }
}
