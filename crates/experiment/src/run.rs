//! The experiment on one model in one structure.
//!
//! The pool of tests is measured once and run once on the mutants under each oracle. After that
//! every suite is a choice from the pool: what it covers is judged from the evidence of its tests,
//! and what it kills is what any of its tests kills.

use obligato_criteria::{Evidence, JudgeError, grounds, judge, plan};
use obligato_lustre::Model;
use obligato_lustre::lowering::{Lowered, Options};
use obligato_lustre::mutation::{mutants, sample};
use obligato_model::{BitSet, Criterion, Plan, Program, Random, Tally, TestCase, TestId};
use obligato_reduce::{Problem, randomised};
use obligato_replay::{
    Experiment, LANES, Measurement, Meter, MutationError, TestKills, Until, Watch,
};
use obligato_system::{CheckKind, Error};

use crate::findings::{
    CaseFindings, CriterionFindings, Settings, Size, Structure, SuiteFindings, oracle_name,
};

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
}

/// What an experiment is at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stage {
    /// The pool is measured.
    Measuring,
    /// Mutants run under this oracle.
    Mutating(String),
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
    /// A reduction is wrong.
    #[error("a suite that was reduced for {0} covers less than the suite it came from")]
    NotKept(Criterion),
}

/// Runs the experiment on one case, saying what it is at.
pub fn run_case(
    case: &Case<'_>,
    settings: &Settings,
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
    let mut kills = Vec::new();
    for oracle in &settings.oracles {
        progress(Stage::Mutating(oracle_name(oracle)));
        let options = Options::default();
        let Case { model, path, bytes, tests, .. } = *case;
        let experiment = Experiment { model, path, bytes, options, mutants: &chosen, oracle };
        let found = experiment.run(tests, Until::SuiteEnd, &mut |_| {})?;
        kills.push(found.tests.iter().map(TestKills::killed).collect());
    }
    let pool = Pool { case, program, evidence, kills, mutants: chosen.len() };
    let mut criteria = Vec::new();
    for &criterion in &settings.criteria {
        progress(Stage::Reducing(criterion));
        criteria.push(pool.reduce(criterion, settings)?);
    }
    let everything: Vec<TestId> = (0..case.tests.len()).map(TestId::new).collect();
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

/// A pool of tests that has been measured and run on mutants.
struct Pool<'a> {
    case: &'a Case<'a>,
    program: &'a Program,
    evidence: Evidence,
    /// By oracle and test, the mutants killed.
    kills: Vec<Vec<BitSet>>,
    mutants: usize,
}

impl Pool<'_> {
    /// Reduces the pool for a criterion, and draws as many suites at random.
    fn reduce(
        &self,
        criterion: Criterion,
        settings: &Settings,
    ) -> Result<CriterionFindings, ExperimentError> {
        let plan = plan(self.program, &[criterion]);
        let assessment = judge(self.program, plan.clone(), &self.evidence)?;
        let obligations = assessment.tally(criterion);
        let tests = self.case.tests.len();
        let problem = Problem::new(tests, &grounds(self.program, &assessment, &self.evidence));
        // Both structures draw alike, so that a model which inlining leaves as it is comes out the
        // same in both.
        let random = |purpose: &str| {
            let purpose = format!("{purpose}/{}/{criterion}", self.case.name);
            Random::for_purpose(settings.seed, &purpose)
        };
        let (seed, mut draw) = (random("reductions").next(), random("random suites"));
        let mut findings =
            CriterionFindings { criterion, obligations, reduced: Vec::new(), random: Vec::new() };
        for kept in randomised::reductions(&problem, seed, settings.reductions) {
            let suite = self.suite(criterion, &plan, &kept)?;
            if suite.covered != obligations.covered {
                return Err(ExperimentError::NotKept(criterion));
            }
            findings.reduced.push(suite);
            let mut drawn: Vec<TestId> = (0..tests).map(TestId::new).collect();
            draw.shuffle(&mut drawn);
            drawn.truncate(kept.len());
            drawn.sort_unstable();
            findings.random.push(self.suite(criterion, &plan, &drawn)?);
        }
        Ok(findings)
    }

    fn suite(
        &self,
        criterion: Criterion,
        plan: &Plan,
        tests: &[TestId],
    ) -> Result<SuiteFindings, ExperimentError> {
        let Evidence { vectors, watched, .. } = &self.evidence;
        let mut evidence = Evidence::new(self.program, watched.clone(), *vectors);
        for test in tests {
            evidence.add(self.evidence.tests()[test.index()].clone());
        }
        let Tally { covered, .. } = judge(self.program, plan.clone(), &evidence)?.tally(criterion);
        let (steps, killed) = (self.steps(tests), self.killed(tests));
        Ok(SuiteFindings { tests: tests.len(), steps, covered, killed })
    }

    fn steps(&self, tests: &[TestId]) -> usize {
        tests.iter().map(|test| self.case.tests[test.index()].steps.len()).sum()
    }

    /// By oracle, how many mutants these tests kill together.
    fn killed(&self, tests: &[TestId]) -> Vec<usize> {
        let together = |kills: &Vec<BitSet>| {
            let mut killed = BitSet::empty(self.mutants);
            for test in tests {
                killed.unite(&kills[test.index()]);
            }
            killed.len()
        };
        self.kills.iter().map(together).collect()
    }
}
