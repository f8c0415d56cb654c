//! A pool of tests that has been measured and run on mutants: every suite is a choice from it.

use obligato_campaign::{Knowledge, assess};
use obligato_criteria::{Evidence, grounds, plan};
use obligato_model::{Assessment, BitSet, Criterion, Plan, Program, Random, Tally, TestId};
use obligato_reduce::{Problem, randomised};

use crate::findings::{CriterionFindings, Settings, SuiteFindings};
use crate::making::MadeSuite;
use crate::run::{Case, ExperimentError};

/// What the tests of a case show and kill.
pub struct Pool<'a> {
    /// The case.
    pub case: &'a Case<'a>,
    /// Its program.
    pub program: &'a Program,
    /// What its tests show.
    pub evidence: Evidence,
    /// By oracle and test, the mutants killed.
    pub kills: Vec<Vec<BitSet>>,
    /// How many mutants there are.
    pub mutants: usize,
}

impl Pool<'_> {
    /// The suites of a criterion, which is at a place among all, and as many at random.
    pub fn reduce(
        &self,
        place: usize,
        criterion: Criterion,
        settings: &Settings,
    ) -> Result<CriterionFindings, ExperimentError> {
        let plan = plan(self.program, &[criterion]);
        match self.case.made.get(place) {
            Some(suites) => self.reduce_made(criterion, &plan, suites, settings),
            None => self.reduce_pool(criterion, &plan, settings),
        }
    }

    /// Reduces all tests, again and again.
    fn reduce_pool(
        &self,
        criterion: Criterion,
        plan: &Plan,
        settings: &Settings,
    ) -> Result<CriterionFindings, ExperimentError> {
        let everything = self.everything();
        let (problem, assessment) = self.problem(plan, &everything)?;
        let (seed, mut draw) = (
            self.random("reductions", criterion, settings).next(),
            self.random("random suites", criterion, settings),
        );
        let mut findings = CriterionFindings::new(criterion, assessment.tally(criterion));
        for kept in randomised::reductions(&problem, seed, settings.reductions) {
            findings.reduced.push(self.kept(criterion, plan, &kept, &assessment)?);
            let mut drawn = everything.clone();
            draw.shuffle(&mut drawn);
            drawn.truncate(kept.len());
            drawn.sort_unstable();
            findings.random.push(self.suite(criterion, plan, &drawn)?);
        }
        Ok(findings)
    }

    /// Reduces each suite that was made for the criterion once. The random one beside it has the random twins
    /// of its tests, hence as many tests of the same lengths.
    fn reduce_made(
        &self,
        criterion: Criterion,
        plan: &Plan,
        suites: &[MadeSuite],
        settings: &Settings,
    ) -> Result<CriterionFindings, ExperimentError> {
        let all: Vec<TestId> =
            suites.iter().flat_map(|suite| suite.tests.iter().copied()).collect();
        let (_, assessment) = self.problem(plan, &all)?;
        let mut findings = CriterionFindings::new(criterion, assessment.tally(criterion));
        let mut seeds = self.random("reductions", criterion, settings);
        for MadeSuite { tests, twins } in suites {
            let (problem, assessment) = self.problem(plan, tests)?;
            for places in randomised::reductions(&problem, seeds.next(), 1) {
                let kept: Vec<TestId> = places.iter().map(|at| tests[at.index()]).collect();
                findings.reduced.push(self.kept(criterion, plan, &kept, &assessment)?);
                let twins: Vec<TestId> = places.iter().filter_map(|at| twins[at.index()]).collect();
                findings.random.push(self.suite(criterion, plan, &twins)?);
            }
        }
        Ok(findings)
    }

    /// Both structures draw alike, so that a model which inlining leaves as it is comes out the same in both.
    fn random(&self, purpose: &str, criterion: Criterion, settings: &Settings) -> Random {
        let purpose = format!("{purpose}/{}/{criterion}", self.case.name);
        Random::for_purpose(settings.seed, &purpose)
    }

    /// What it takes to cover as much as these tests do, by their places; and what that is.
    fn problem(
        &self,
        plan: &Plan,
        tests: &[TestId],
    ) -> Result<(Problem, Assessment), ExperimentError> {
        let evidence = self.evidence_of(tests);
        let assessment = assess(self.program, plan.clone(), &evidence, &Knowledge::default())?;
        let grounds = grounds(self.program, &assessment, &evidence);
        Ok((Problem::new(tests.len(), &grounds), assessment))
    }

    /// A reduced suite, which has to cover as much as what it came from.
    fn kept(
        &self,
        criterion: Criterion,
        plan: &Plan,
        kept: &[TestId],
        before: &Assessment,
    ) -> Result<SuiteFindings, ExperimentError> {
        let suite = self.suite(criterion, plan, kept)?;
        if suite.covered != before.tally(criterion).covered {
            return Err(ExperimentError::NotKept(criterion));
        }
        Ok(suite)
    }

    fn suite(
        &self,
        criterion: Criterion,
        plan: &Plan,
        tests: &[TestId],
    ) -> Result<SuiteFindings, ExperimentError> {
        let evidence = self.evidence_of(tests);
        let assessment = assess(self.program, plan.clone(), &evidence, &Knowledge::default())?;
        let Tally { covered, .. } = assessment.tally(criterion);
        let (steps, killed) = (self.steps(tests), self.killed(tests));
        Ok(SuiteFindings { tests: tests.len(), steps, covered, killed })
    }

    fn evidence_of(&self, tests: &[TestId]) -> Evidence {
        let Evidence { vectors, watched, .. } = &self.evidence;
        let mut evidence = Evidence::new(self.program, watched.clone(), *vectors);
        for test in tests {
            evidence.add(self.evidence.tests()[test.index()].clone());
        }
        evidence
    }

    /// All tests.
    pub fn everything(&self) -> Vec<TestId> {
        (0..self.case.tests.len()).map(TestId::new).collect()
    }

    /// The steps of tests.
    pub fn steps(&self, tests: &[TestId]) -> usize {
        tests.iter().map(|test| self.case.tests[test.index()].steps.len()).sum()
    }

    /// By oracle, how many mutants these tests kill together.
    pub fn killed(&self, tests: &[TestId]) -> Vec<usize> {
        (0..self.kills.len()).map(|oracle| self.killed_under(oracle, tests).len()).collect()
    }

    /// The mutants that these tests kill together under an oracle.
    pub fn killed_under(&self, oracle: usize, tests: &[TestId]) -> BitSet {
        let mut killed = BitSet::empty(self.mutants);
        for test in tests {
            killed.unite(&self.kills[oracle][test.index()]);
        }
        killed
    }
}
