//! The experiment on one model in one structure.
//!
//! The pool of tests is measured once and run once on the mutants under each oracle. After that
//! every suite is a choice from the pool: what it covers is judged from the evidence of its tests,
//! and what it kills is what any of its tests kills.

use obligato_campaign::Conclusion;
use obligato_criteria::{Evidence, JudgeError};
use obligato_engines_lustre::mutants::{KillError, KillRequest, Survivors, kill};
use obligato_engines_lustre::{ModelError, Phase, Status};
use obligato_lustre::Model;
use obligato_lustre::lowering::{Lowered, Options};
use obligato_lustre::mutation::{mutants, sample};
use obligato_lustre_replay::{
    LANES, Measurement, Meter, MutationError, MutationExperiment, TestKills, Until, Watch,
};
use obligato_model::{Criterion, Strength, TestCase};
use obligato_solver::Stop;
use obligato_transition_system::{CheckKind, Error};

use crate::findings::{CaseFindings, Settings, Size, Structure, oracle_name};
use crate::making::MadeSuite;
use crate::pool::Pool;

/// A model in one structure, with tests of it.
#[derive(Clone, Copy, Debug)]
pub struct Case<'a> {
    /// Its name, its own among all models.
    pub name: &'a str,
    /// How it is written.
    pub structure: Structure,
    /// The name of its file.
    pub path: &'a str,
    /// The text of its file.
    pub bytes: &'a [u8],
    /// What that means.
    pub model: &'a Model,
    /// One step of it.
    pub lowered: &'a Lowered,
    /// The pool of tests.
    pub tests: &'a [TestCase],
    /// Tests that were drawn for the pool, but are none of the model.
    pub dropped: usize,
    /// By criterion, the suites that were made for it; none if all choose from the whole pool.
    pub made: &'a [Vec<MadeSuite>],
}

/// What an experiment is at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stage {
    /// This suite is made for this criterion.
    Making(Criterion, usize),
    /// The pool is measured.
    Measuring,
    /// Mutants run under this oracle.
    Mutating(String),
    /// Mutants are proved to be equivalent under this oracle.
    Proving(String),
    /// The pool is reduced for this criterion.
    Reducing(Criterion),
}

/// Why there is no experiment on a model.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ExperimentError {
    /// Nothing is observed of it.
    #[error("the model has no outputs, so no fault can be seen")]
    NoOutputs,
    /// There is nothing to choose from.
    #[error("the suite has no tests")]
    NoTests,
    /// Nothing in it can be changed.
    #[error("the model has no mutants")]
    NoMutants,
    /// A test that is none of the model.
    #[error("test '{test}' violates an assertion at step {step}, so it is none of this model")]
    Outside {
        /// The test.
        test: String,
        /// The step, counted from 0.
        step: usize,
    },
    /// The mutants cannot run.
    #[error(transparent)]
    Mutants(#[from] MutationError),
    /// The tests cannot run.
    #[error(transparent)]
    Run(#[from] Error),
    /// The evidence cannot be judged.
    #[error(transparent)]
    Judge(#[from] JudgeError),
    /// No tests or proofs can be made.
    #[error(transparent)]
    Campaign(#[from] ModelError),
    /// A reduction is wrong.
    #[error("a suite that was reduced for {0} covers less than the suite it came from")]
    NotKept(Criterion),
}

/// Runs the experiment on one case, saying what it is at.
pub fn run_case(
    case: &Case<'_>,
    settings: &Settings,
    stop: &Stop,
    progress: &mut dyn FnMut(Stage),
) -> Result<CaseFindings, ExperimentError> {
    let Lowered { system, program, .. } = case.lowered;
    if system.outputs.is_empty() {
        return Err(ExperimentError::NoOutputs);
    }
    if case.tests.is_empty() {
        return Err(ExperimentError::NoTests);
    }
    progress(Stage::Measuring);
    let evidence = measure(case, &settings.criteria)?;
    let all = mutants(case.model);
    let chosen = sample(&all, settings.mutants, settings.seed);
    if chosen.is_empty() {
        return Err(ExperimentError::NoMutants);
    }
    let mut pool = Pool { case, program, evidence, kills: Vec::new(), mutants: chosen.len() };
    let mut equivalent = Vec::new();
    for (place, oracle) in settings.oracles.iter().enumerate() {
        progress(Stage::Mutating(oracle_name(oracle)));
        let options = Options::default();
        let Case { model, path, bytes, tests, .. } = *case;
        let experiment =
            MutationExperiment { model, path, bytes, options, mutants: &chosen, oracle };
        let found = experiment.run(tests, Until::SuiteEnd, &mut |_| {})?;
        pool.kills.push(found.tests.iter().map(TestKills::killed).collect());
        if settings.equivalence.is_some() {
            progress(Stage::Proving(oracle_name(oracle)));
        }
        equivalent.push(count_equivalent(&pool, place, &experiment, settings, stop)?);
    }
    let mut criteria = Vec::new();
    for (place, criterion) in settings.criteria.iter().enumerate() {
        progress(Stage::Reducing(*criterion));
        criteria.push(pool.reduce(place, *criterion, settings)?);
    }
    let everything = pool.everything();
    Ok(CaseFindings {
        name: case.name.to_owned(),
        structure: case.structure,
        size: Size {
            inputs: system.inputs.len(),
            outputs: system.outputs.len(),
            variables: case.lowered.variables.len(),
            latches: system.latches.len(),
            decisions: program.decisions().len(),
            conditions: program.conditions().len(),
        },
        tests: case.tests.len(),
        steps: pool.steps(&everything),
        dropped: case.dropped,
        possible: all.len(),
        mutants: chosen.len(),
        killed: pool.killed(&everything),
        equivalent,
        criteria,
    })
}

/// What the tests of the pool show.
fn measure(case: &Case<'_>, criteria: &[Criterion]) -> Result<Evidence, ExperimentError> {
    let outputs = case.lowered.system.outputs.iter().map(|output| output.node);
    let watch = Watch::for_criteria(criteria, outputs.collect());
    let vectors = watch.vectors;
    let measurement = Measurement::new(case.lowered, watch)?;
    let compiled = measurement.compile()?;
    let mut meter = Meter::new(&measurement, &compiled);
    let mut evidence = Evidence::new(&case.lowered.program, measurement.watched().clone(), vectors);
    for batch in case.tests.chunks(LANES) {
        for (test, measured) in batch.iter().zip(meter.measure(batch)?) {
            let checks = &case.lowered.system.checks;
            let mut failures = measured.failures.iter();
            if let Some(outside) =
                failures.find(|failure| checks[failure.check].kind == CheckKind::Assertion)
            {
                let (test, step) = (test.name.clone(), outside.step);
                return Err(ExperimentError::Outside { test, step });
            }
            evidence.add(measured.evidence);
        }
    }
    Ok(evidence)
}

/// How many of the mutants that no test of the pool kills are proved to be equivalent under the oracle at a
/// place.
fn count_equivalent(
    pool: &Pool<'_>,
    oracle: usize,
    experiment: &MutationExperiment<'_>,
    settings: &Settings,
    stop: &Stop,
) -> Result<usize, ExperimentError> {
    let Some(budget) = settings.equivalence else { return Ok(0) };
    let killed = pool.killed_under(oracle, &pool.everything());
    let subject = Survivors {
        experiment: *experiment,
        lowered: pool.case.lowered,
        mutants: (0..pool.mutants).filter(|mutant| !killed.contains(*mutant)).collect(),
        strength: Strength::Strong,
    };
    let killing = KillRequest {
        subject,
        criteria: vec![Criterion::Mutation(Strength::Strong)],
        given: Vec::new(),
        phases: vec![Phase::Prove],
        budget,
        seed: settings.seed,
        threads: settings.threads,
        shard: None,
    };
    let bag = kill(&killing, stop, &mut |_: &Status| {}).map_err(|error| match error {
        KillError::Mutation(error) => ExperimentError::Mutants(error),
        KillError::Campaign(error) => ExperimentError::Campaign(error),
    })?;
    let is_equivalent = |one: &&Conclusion| matches!(one, Conclusion::Refuted(_));
    Ok(bag.conclusions.iter().flatten().filter(is_equivalent).count())
}
