//! A mutant against the model, side by side in one system: a proof that nothing ever tells them apart, or
//! tests that may.

use obligato_lustre::lowering::{Lowered, MutantSystem, lower_mutants};
use obligato_model::{Method, Strength, TestCase};
use obligato_prove::search::Outcome;
use obligato_prove::{Invariant, Start};
use obligato_replay::mutation::Compared;
use obligato_replay::{Experiment, LANES, MutationError, Runner, Shown};
use obligato_solver::Stop;
use obligato_system::{CheckKind, Error, Program, lanes};

use crate::campaign::CampaignError;
use crate::prover::{Attempt, Prover};
use crate::question::Question;
use crate::targets;

/// Tests of a step per so much work are searched for: solvers count conflicts, and long runs take time
/// without any.
const WORK_PER_STEP: u64 = 100;

/// Some mutants and the model.
pub struct Duel {
    system: MutantSystem,
    compared: Vec<Compared>,
}

/// How a mutant and the model ended.
pub enum Ended {
    /// Nothing ever tells them apart.
    Never(Method),
    /// These tests may; none if nothing was found within the work allowed.
    Tests(Vec<TestCase>),
}

impl Duel {
    /// All mutants of an experiment.
    pub fn new(experiment: &Experiment<'_>) -> Result<Self, MutationError> {
        let Experiment { model, path, bytes, options, mutants, oracle } = *experiment;
        let system = lower_mutants(model, path, bytes, &options, mutants);
        let system = system.map_err(MutationError::Model)?;
        let compared = oracle.compared(&system)?;
        Ok(Self { system, compared })
    }

    /// Decides each with so much work, on so many threads; says how much of it was done.
    pub fn decide_all(
        &self,
        work: u64,
        threads: usize,
        stop: &Stop,
    ) -> Result<Vec<(Ended, u64)>, CampaignError> {
        let all: Vec<usize> = (0..self.system.sites.len()).collect();
        let share = all.len().div_ceil(threads.max(1)).max(1);
        std::thread::scope(|scope| {
            let workers: Vec<_> = all
                .chunks(share)
                .map(|mutants| {
                    scope.spawn(move || {
                        let ends = mutants.iter().map(|mutant| self.decide(*mutant, work, stop));
                        ends.collect::<Result<Vec<_>, CampaignError>>()
                    })
                })
                .collect();
            let mut ends = Vec::with_capacity(all.len());
            for worker in workers {
                ends.extend(worker.join().expect("invariant: provers do not panic")?);
            }
            Ok(ends)
        })
    }

    /// First by induction, with guesses: most of what the mutant computes is what the model computes, and
    /// that is what guesses are good at. Then by IC3, which finds a proof or a run; that need not be a run
    /// of the system where numbers leave the encoding, so a search within it follows.
    fn decide(&self, mutant: usize, work: u64, stop: &Stop) -> Result<(Ended, u64), CampaignError> {
        let monitored = targets::kill(&self.system, mutant, Strength::Strong, &self.compared)?;
        let inputs = self.system.lowered.system.inputs.len();
        let question = Question::new(&monitored.system, &[monitored.happened], &[], inputs)?;
        let mut prover = Prover::new(&question, stop);
        let mut tests = Vec::new();
        let by_induction = prover.induct(&[0], work).pop();
        // Induction does not count what it takes, but it takes no more than this.
        prover.work += work;
        if let Some((_, method)) = by_induction {
            return Ok((Ended::Never(method), prover.work));
        }
        match prover.refute(&[0], work) {
            Attempt::Refuted(method) => return Ok((Ended::Never(method), prover.work)),
            Attempt::Reached(run) => tests.push(question.test(&run)),
            Attempt::Open => {}
        }
        if tests.is_empty() || !question.encoding.is_exact() {
            let mut search = question.search(Start::Initial, &Invariant::new(), stop);
            search.aim(question.lits[0]);
            let deepest = usize::try_from(work / WORK_PER_STEP).unwrap_or(usize::MAX);
            if let Outcome::Found(found) = search.next(deepest, work) {
                tests.push(question.test(&found.run));
            }
            prover.work += search.conflicts();
        }
        Ok((Ended::Tests(tests), prover.work))
    }
}

/// The tests that violate no assertion of the model.
pub fn keep_tests_of_the_model(
    lowered: &Lowered,
    tests: &[TestCase],
) -> Result<Vec<TestCase>, Error> {
    let program = Program::new(&lowered.system, &lanes::Options::default())?;
    let shown: [Shown; 0] = [];
    let mut runner = Runner::new(&program, &shown);
    let mut kept = Vec::new();
    for batch in tests.chunks(LANES) {
        for (test, trace) in batch.iter().zip(runner.run(batch)?) {
            let is_outside = trace
                .failures
                .iter()
                .any(|failure| lowered.system.checks[failure.check].kind == CheckKind::Assertion);
            if !is_outside {
                kept.push(test.clone());
            }
        }
    }
    Ok(kept)
}
