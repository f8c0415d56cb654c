//! The state of a kill campaign: open survivors, new tests, proofs, and the phases that decide survivors.

use obligato_campaign::{
    MadeTest, Phase, PhaseReports, RunningBudget, RunningPhase, Status, Watcher,
};
use obligato_lustre::mutation::Mutant;
use obligato_lustre_replay::random::random_test;
use obligato_lustre_replay::{LANES, MutationExperiment, TestKills, Until, random_suite};
use obligato_model::{Assumption, BitSet, Method, Proof, Random, Strength, TestCase};
use obligato_solver::Stop;

use super::lockstep::{self, LockstepResult};
use super::parallel::parallel_map;
use super::product::{self, ProductResult};
use super::systems::MutantSystems;
use super::{KillError, KillRequest, Survivors};
use crate::campaign::{ModelError, assumptions};
use crate::proofs::{BookedProof, ProofSystem};

/// The steps of a random test.
const STEPS: usize = 20;
/// The most rounds of random tests without a kill.
const MOST_FRUITLESS_ROUNDS: usize = 3;
/// The most mutants in one lockstep system: more share lemmas about the model, but take longer
/// together.
const LOCKSTEP_GROUP: usize = 64;
/// The lockstep groups, and the single mutants, that are decided before their tests run on all: constants,
/// so that the result does not depend on the number of threads.
const GROUPS_AT_ONCE: usize = 4;
const BATCH: usize = 8;
/// The number of random continuations of a test in which a mutant diverges.
const CONTINUATIONS: usize = 16;

impl Survivors<'_> {
    /// The mutants of survivors, by position in the experiment.
    fn positions(&self, survivors: &[usize]) -> Vec<usize> {
        survivors.iter().map(|survivor| self.mutants[*survivor]).collect()
    }
}

/// How a survivor stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SurvivorState {
    /// Neither a test nor a proof was found yet.
    Open,
    /// A new test kills it.
    Killed,
    /// No test can kill it, by this proof.
    Equivalent(Proof),
}

/// A kill campaign in progress.
pub struct KillCampaign<'h, 'a> {
    request: &'h KillRequest<'a>,
    /// What is left of the budget.
    pub budget: RunningBudget,
    watcher: &'h mut dyn Watcher,
    /// By survivor.
    pub states: Vec<SurvivorState>,
    /// By survivor: it diverges in lockstep, so no lockstep proof exists.
    diverged: Vec<bool>,
    /// The tests that were made.
    pub tests: Vec<MadeTest>,
    /// The proofs.
    pub proofs: Vec<BookedProof>,
    /// What each phase did.
    pub reports: PhaseReports,
    random: Random,
    number: usize,
}

impl<'h, 'a> KillCampaign<'h, 'a> {
    /// A campaign in which all survivors are open.
    pub fn new(request: &'h KillRequest<'a>, stop: &Stop, watcher: &'h mut dyn Watcher) -> Self {
        Self {
            request,
            budget: RunningBudget::new(request.budget, stop),
            watcher,
            states: vec![SurvivorState::Open; request.subject.mutants.len()],
            diverged: vec![false; request.subject.mutants.len()],
            tests: Vec::new(),
            proofs: Vec::new(),
            reports: PhaseReports::default(),
            random: Random::for_purpose(request.seed, "mutants"),
            number: 0,
        }
    }

    fn is_open(&self, survivor: usize) -> bool {
        self.states[survivor] == SurvivorState::Open
    }

    /// The open survivors.
    pub fn open(&self) -> Vec<usize> {
        (0..self.states.len()).filter(|survivor| self.is_open(*survivor)).collect()
    }

    /// Their mutants.
    fn mutants(&self, survivors: &[usize]) -> Vec<Mutant> {
        let positions = self.request.subject.positions(survivors).into_iter();
        positions
            .map(|position| self.request.subject.experiment.mutants[position].clone())
            .collect()
    }

    fn status(&self, phase: Phase) -> Status {
        let count =
            |is: fn(&SurvivorState) -> bool| self.states.iter().filter(|state| is(state)).count();
        Status {
            phase,
            obligations: self.states.len(),
            covered: count(|state| *state == SurvivorState::Killed),
            uncoverable: count(|state| matches!(state, SurvivorState::Equivalent(_))),
            tests: self.tests.len(),
            depth: None,
            paths: None,
        }
    }

    /// Does some work of a phase and adds to its report what it did.
    pub fn phase(
        &mut self,
        phase: Phase,
        run: impl FnOnce(&mut Self) -> Result<(), KillError>,
    ) -> Result<(), KillError> {
        let before = self.status(phase);
        let begun = RunningPhase::begin(before, self.budget.spent);
        self.watcher.watch(&before);
        run(self)?;
        let after = self.status(phase);
        self.watcher.watch(&after);
        self.reports.end(&begun, &after, self.budget.spent);
        Ok(())
    }

    /// Runs random tests until several rounds kill no mutant.
    pub fn run_random_tests(&mut self) -> Result<(), KillError> {
        let mut fruitless = 0;
        while fruitless < MOST_FRUITLESS_ROUNDS
            && !self.budget.is_empty()
            && !self.open().is_empty()
        {
            let suite = random_suite(self.request.subject.lowered, LANES, STEPS, &mut self.random)
                .map_err(ModelError::from)?;
            let hits = self.run_on_open(Phase::Random, &suite.tests)?;
            fruitless = if hits == 0 { fruitless + 1 } else { 0 };
            self.budget.spend((LANES * STEPS) as u64);
            self.watcher.watch(&self.status(Phase::Random));
        }
        Ok(())
    }

    /// The systems of the survivors.
    fn systems(&self) -> MutantSystems<'a> {
        MutantSystems {
            experiment: self.request.subject.experiment,
            strength: self.request.subject.strength,
        }
    }

    /// Tries to prove all open survivors equivalent in lockstep, but for those known to diverge.
    pub fn prove_in_lockstep(&mut self, work: u64) -> Result<(), KillError> {
        let mut waiting = self.open();
        waiting.retain(|survivor| !self.diverged[*survivor]);
        while !waiting.is_empty() && !self.budget.is_empty() {
            let chunk: Vec<usize> =
                waiting.drain(..waiting.len().min(LOCKSTEP_GROUP * GROUPS_AT_ONCE)).collect();
            let groups: Vec<Vec<usize>> =
                chunk.chunks(LOCKSTEP_GROUP).map(<[usize]>::to_vec).collect();
            let (systems, stop) = (self.systems(), self.budget.stop().clone());
            let results = parallel_map(&groups, self.request.threads, |group| {
                let mutant_query = systems.lockstep(&self.request.subject.positions(group))?;
                Ok::<_, KillError>(lockstep::prove_equivalent(&mutant_query, work, &stop))
            })?;
            for (group, results) in groups.iter().zip(results) {
                self.record_lockstep(group, results)?;
            }
            waiting.retain(|survivor| self.is_open(*survivor));
            self.watcher.watch(&self.status(Phase::Prove));
        }
        Ok(())
    }

    /// Records the result of a lockstep group.
    fn record_lockstep(
        &mut self,
        group: &[usize],
        results: LockstepResult,
    ) -> Result<(), KillError> {
        self.budget.spend(results.work);
        for (at, method) in results.equivalent {
            self.record_equivalent(group[at], method, None);
        }
        if let Some(certificate) = results.certificate {
            let system = ProofSystem::Lockstep(self.request.subject.strength);
            let events = self.request.subject.positions(group);
            self.proofs.push(BookedProof { system, events, certificate });
        }
        for (survivor, diverged) in group.iter().zip(results.diverged) {
            self.diverged[*survivor] |= diverged;
        }
        let tests = self.continue_at_random(&results.tests);
        self.run_solver_tests(&tests)
    }

    /// Each test by itself, and with random continuations: a mutant that has diverged may be killed later.
    fn continue_at_random(&mut self, tests: &[TestCase]) -> Vec<TestCase> {
        let inputs = &self.request.subject.lowered.interface.inputs;
        let mut all = Vec::new();
        for test in tests {
            all.push(test.clone());
            for _ in 0..CONTINUATIONS {
                let more = random_test(String::new(), inputs, STEPS, &mut self.random);
                let steps = test.steps.iter().cloned().chain(more.steps).collect();
                all.push(TestCase { name: String::new(), steps });
            }
        }
        all
    }

    /// Decides all open survivors one by one in their products.
    pub fn decide_in_products(&mut self, work: u64) -> Result<(), KillError> {
        let mut waiting = self.open();
        while !waiting.is_empty() && !self.budget.is_empty() {
            let batch: Vec<usize> = waiting.drain(..waiting.len().min(BATCH)).collect();
            let mutants = self.request.subject.positions(&batch);
            let (systems, stop) = (self.systems(), self.budget.stop().clone());
            let ends = parallel_map(&mutants, self.request.threads, |mutant| {
                Ok::<_, KillError>(product::decide(&systems.product(*mutant)?, work, &stop))
            })?;
            for ((survivor, mutant), (ended, spent)) in batch.into_iter().zip(mutants).zip(ends) {
                self.budget.spend(spent);
                match ended {
                    ProductResult::Equivalent(method, certificate) => {
                        let trusted = certificate.is_none().then_some(Assumption::Uncertified);
                        self.record_equivalent(survivor, method, trusted);
                        let system = ProofSystem::Product(self.request.subject.strength);
                        let booked = certificate.map(|certificate| BookedProof {
                            system,
                            events: vec![mutant],
                            certificate,
                        });
                        self.proofs.extend(booked);
                    }
                    ProductResult::Tests(tests) => self.run_solver_tests(&tests)?,
                }
            }
            waiting.retain(|survivor| self.is_open(*survivor));
            self.watcher.watch(&self.status(Phase::Prove));
        }
        Ok(())
    }

    /// Records that a survivor is equivalent, under an assumption if there is one.
    fn record_equivalent(&mut self, survivor: usize, method: Method, trusted: Option<Assumption>) {
        let mut assumptions = assumptions(self.request.subject.lowered);
        assumptions.extend(trusted);
        self.states[survivor] = SurvivorState::Equivalent(Proof { method, assumptions });
    }

    /// Runs the tests of solvers that satisfy the assertions.
    fn run_solver_tests(&mut self, tests: &[TestCase]) -> Result<(), KillError> {
        let tests = product::keep_tests_of_the_model(self.request.subject.lowered, tests);
        let tests = tests.map_err(ModelError::from)?;
        self.run_on_open(Phase::Prove, &tests).map(drop)
    }

    /// Runs tests on all open mutants, and keeps those that kill one; returns the number of kills.
    fn run_on_open(&mut self, phase: Phase, tests: &[TestCase]) -> Result<usize, KillError> {
        let open = self.open();
        let mutants = self.mutants(&open);
        let experiment =
            MutationExperiment { mutants: &mutants, ..self.request.subject.experiment };
        let kills = experiment.run(tests, Until::FirstKill, &mut |_| {})?;
        let mut died = 0;
        for (test, kills) in tests.iter().zip(&kills.tests) {
            let killed = killed(kills, self.request.subject.strength);
            let hits = killed.iter().filter(|mutant| self.is_open(open[*mutant]));
            let hits: Vec<usize> = hits.collect();
            if hits.is_empty() {
                continue;
            }
            died += hits.len();
            for mutant in hits {
                self.states[open[mutant]] = SurvivorState::Killed;
            }
            let name = self.new_name();
            self.tests.push(MadeTest { test: TestCase { name, ..test.clone() }, phase });
        }
        Ok(died)
    }

    /// A name that no other test has.
    fn new_name(&mut self) -> String {
        loop {
            self.number += 1;
            let name = format!("k{}", self.number);
            if !self.request.given.iter().any(|test| test.name == name) {
                return name;
            }
        }
    }
}

/// The mutants that a test has killed; whatever kills strongly kills weakly too.
fn killed(kills: &TestKills, strength: Strength) -> BitSet {
    let mut killed = kills.killed();
    if strength == Strength::Weak {
        killed.unite(&kills.weak);
    }
    killed
}
