//! A hunt under way: which survivors are open, what was made, and the ways to go after them.

use std::time::Instant;

use obligato_lustre::mutation::Mutant;
use obligato_lustre_replay::random::random_test;
use obligato_lustre_replay::{Experiment, LANES, TestKills, Until, random_suite};
use obligato_model::{Assumption, BitSet, Method, Proof, Random, Strength, TestCase};
use obligato_solver::Stop;

use super::arena::Arena;
use super::duel::{self, Ended};
use super::march::{self, Marched};
use super::sharing::share;
use super::{Fate, Hunt, HuntError};
use crate::campaign::{CampaignError, Purse, assumptions};
use crate::outcome::{MadeTest, PhaseReport};
use crate::proofs::{BookedProof, ProofSystem};
use crate::request::{Phase, Status, Watcher};

/// The steps of a random test.
const STEPS: usize = 20;
/// So many rounds of random tests may bring nothing.
const PATIENCE: usize = 3;
/// So many mutants go in lockstep at once: more share what is found out about the model, but take longer
/// together.
const COLUMN: usize = 64;
/// So many columns march, and so many mutants are solved for one by one, before their tests are run on all:
/// numbers of their own, so that the answer does not depend on threads.
const WAVE: usize = 4;
const BATCH: usize = 8;
/// A test in which a mutant strays is continued at random so many times.
const CONTINUATIONS: usize = 16;

impl Hunt<'_> {
    /// The mutants of survivors, by position in the experiment.
    fn positions(&self, survivors: &[usize]) -> Vec<usize> {
        survivors.iter().map(|survivor| self.survivors[*survivor]).collect()
    }
}

/// A hunt under way.
pub struct Pack<'h, 'a> {
    hunt: &'h Hunt<'a>,
    /// What is left of the budget.
    pub purse: Purse,
    watcher: &'h mut dyn Watcher,
    /// By survivor, what is known.
    pub fates: Vec<Option<Fate>>,
    /// By survivor: it strays, so that there is no use in trying to prove that it does not.
    strayed: Vec<bool>,
    /// The tests that were made.
    pub tests: Vec<MadeTest>,
    /// The proofs.
    pub proofs: Vec<BookedProof>,
    /// What each phase did.
    pub reports: Vec<PhaseReport>,
    random: Random,
    number: usize,
}

impl<'h, 'a> Pack<'h, 'a> {
    /// Nothing known yet.
    pub fn new(hunt: &'h Hunt<'a>, stop: &Stop, watcher: &'h mut dyn Watcher) -> Self {
        Self {
            hunt,
            purse: Purse::new(hunt.budget, stop),
            watcher,
            fates: vec![None; hunt.survivors.len()],
            strayed: vec![false; hunt.survivors.len()],
            tests: Vec::new(),
            proofs: Vec::new(),
            reports: Vec::new(),
            random: Random::for_purpose(hunt.seed, "mutants"),
            number: 0,
        }
    }

    /// The survivors of which nothing is known.
    pub fn open(&self) -> Vec<usize> {
        (0..self.fates.len()).filter(|survivor| self.fates[*survivor].is_none()).collect()
    }

    /// Their mutants.
    fn mutants(&self, survivors: &[usize]) -> Vec<Mutant> {
        let positions = survivors.iter().map(|survivor| self.hunt.survivors[*survivor]);
        positions.map(|position| self.hunt.experiment.mutants[position].clone()).collect()
    }

    fn status(&self, phase: Phase) -> Status {
        let count =
            |is: fn(&Fate) -> bool| self.fates.iter().flatten().filter(|fate| is(fate)).count();
        Status {
            phase,
            obligations: self.fates.len(),
            covered: count(|fate| *fate == Fate::Killed),
            uncoverable: count(|fate| matches!(fate, Fate::Equivalent(_))),
            tests: self.tests.len(),
            depth: None,
        }
    }

    /// Does some work of a phase and adds to its report what it did.
    pub fn phase(
        &mut self,
        phase: Phase,
        run: impl FnOnce(&mut Self) -> Result<(), HuntError>,
    ) -> Result<(), HuntError> {
        let (before, start, spent) = (self.status(phase), Instant::now(), self.purse.spent);
        self.watcher.watch(&before);
        run(self)?;
        let after = self.status(phase);
        self.watcher.watch(&after);
        if self.reports.last().is_none_or(|report| report.phase != phase) {
            self.reports.push(PhaseReport::new(phase));
        }
        if let Some(report) = self.reports.last_mut() {
            report.tests += after.tests - before.tests;
            report.covered += after.covered - before.covered;
            report.uncoverable += after.uncoverable - before.uncoverable;
            report.work += self.purse.spent - spent;
            report.time += start.elapsed();
        }
        Ok(())
    }

    /// Random tests, until they bring nothing for a while.
    pub fn shoot_at_random(&mut self) -> Result<(), HuntError> {
        let mut barren = 0;
        while barren < PATIENCE && !self.purse.is_empty() && !self.open().is_empty() {
            let suite = random_suite(self.hunt.lowered, LANES, STEPS, &mut self.random)
                .map_err(CampaignError::from)?;
            let hits = self.try_out(Phase::Random, &suite.tests)?;
            barren = if hits == 0 { barren + 1 } else { 0 };
            self.purse.spend((LANES * STEPS) as u64);
            self.watcher.watch(&self.status(Phase::Random));
        }
        Ok(())
    }

    /// What solvers are asked.
    fn arena(&self) -> Arena<'a> {
        Arena { experiment: self.hunt.experiment, strength: self.hunt.strength }
    }

    /// Lets all open survivors that are not known to stray go beside the model.
    pub fn march_all(&mut self, work: u64) -> Result<(), HuntError> {
        let mut waiting = self.open();
        waiting.retain(|survivor| !self.strayed[*survivor]);
        while !waiting.is_empty() && !self.purse.is_empty() {
            let wave: Vec<usize> = waiting.drain(..waiting.len().min(COLUMN * WAVE)).collect();
            let columns: Vec<Vec<usize>> = wave.chunks(COLUMN).map(<[usize]>::to_vec).collect();
            let (arena, stop) = (self.arena(), self.purse.stop().clone());
            let marched = share(&columns, self.hunt.threads, |column| {
                let contest = arena.lockstep(&self.hunt.positions(column))?;
                Ok::<_, HuntError>(march::march(&contest, work, &stop))
            })?;
            for (column, marched) in columns.iter().zip(marched) {
                self.take(column, marched)?;
            }
            waiting.retain(|survivor| self.fates[*survivor].is_none());
            self.watcher.watch(&self.status(Phase::Prove));
        }
        Ok(())
    }

    /// Takes over what became of a column.
    fn take(&mut self, column: &[usize], marched: Marched) -> Result<(), HuntError> {
        self.purse.spend(marched.work);
        for (at, method) in marched.equivalent {
            self.settle(column[at], method, None);
        }
        if let Some(certificate) = marched.certificate {
            let system = ProofSystem::Lockstep(self.hunt.strength);
            let events = self.hunt.positions(column);
            self.proofs.push(BookedProof { system, events, certificate });
        }
        for (survivor, strayed) in column.iter().zip(marched.strayed) {
            self.strayed[*survivor] |= strayed;
        }
        let tests = self.continue_at_random(&marched.tests);
        self.try_solved(&tests)
    }

    /// Each test by itself, and with random steps behind it: who has strayed may show it later.
    fn continue_at_random(&mut self, tests: &[TestCase]) -> Vec<TestCase> {
        let inputs = &self.hunt.lowered.interface.inputs;
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

    /// Decides all open survivors one by one.
    pub fn duel_all(&mut self, work: u64) -> Result<(), HuntError> {
        let mut waiting = self.open();
        while !waiting.is_empty() && !self.purse.is_empty() {
            let batch: Vec<usize> = waiting.drain(..waiting.len().min(BATCH)).collect();
            let mutants = self.hunt.positions(&batch);
            let (arena, stop) = (self.arena(), self.purse.stop().clone());
            let ends = share(&mutants, self.hunt.threads, |mutant| {
                Ok::<_, HuntError>(duel::decide(&arena.product(*mutant)?, work, &stop))
            })?;
            for ((survivor, mutant), (ended, spent)) in batch.into_iter().zip(mutants).zip(ends) {
                self.purse.spend(spent);
                match ended {
                    Ended::Never(method, certificate) => {
                        let trusted = certificate.is_none().then_some(Assumption::Uncertified);
                        self.settle(survivor, method, trusted);
                        let system = ProofSystem::Product(self.hunt.strength);
                        let booked = certificate.map(|certificate| BookedProof {
                            system,
                            events: vec![mutant],
                            certificate,
                        });
                        self.proofs.extend(booked);
                    }
                    Ended::Tests(tests) => self.try_solved(&tests)?,
                }
            }
            waiting.retain(|survivor| self.fates[*survivor].is_none());
            self.watcher.watch(&self.status(Phase::Prove));
        }
        Ok(())
    }

    /// A survivor is equivalent to the model, if what is trusted is right.
    fn settle(&mut self, survivor: usize, method: Method, trusted: Option<Assumption>) {
        let mut assumptions = assumptions(self.hunt.lowered);
        assumptions.extend(trusted);
        self.fates[survivor] = Some(Fate::Equivalent(Proof { method, assumptions }));
    }

    /// Runs tests that solvers have found, as far as they are tests of the model.
    fn try_solved(&mut self, tests: &[TestCase]) -> Result<(), HuntError> {
        let tests = duel::keep_tests_of_the_model(self.hunt.lowered, tests);
        let tests = tests.map_err(CampaignError::from)?;
        self.try_out(Phase::Prove, &tests).map(drop)
    }

    /// Runs tests on all open mutants, and keeps those that kill one; says how many died.
    fn try_out(&mut self, phase: Phase, tests: &[TestCase]) -> Result<usize, HuntError> {
        let open = self.open();
        let mutants = self.mutants(&open);
        let experiment = Experiment { mutants: &mutants, ..self.hunt.experiment };
        let kills = experiment.run(tests, Until::FirstKill, &mut |_| {})?;
        let mut died = 0;
        for (test, kills) in tests.iter().zip(&kills.tests) {
            let killed = killed(kills, self.hunt.strength);
            let hits = killed.iter().filter(|mutant| self.fates[open[*mutant]].is_none());
            let hits: Vec<usize> = hits.collect();
            if hits.is_empty() {
                continue;
            }
            died += hits.len();
            for mutant in hits {
                self.fates[open[mutant]] = Some(Fate::Killed);
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
            if !self.hunt.taken.contains(&name) {
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
