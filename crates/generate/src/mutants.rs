//! Mutants that a suite leaves alive: for each a test that kills it, or a proof that it is equivalent to the
//! model.
//!
//! [`kill`] is the walk. First random tests run on all survivors together; then those that are left are
//! decided one by one, in the product with the model ([`duel`]), round after round with growing effort.
//! Whatever is found is run on all open mutants: a test that was made for one often kills more. A
//! mutant counts as killed only because a run has shown it.

use std::time::Instant;

use obligato_lustre::lowering::Lowered;
use obligato_lustre::mutation::Mutant;
use obligato_model::{Limit, Proof, Random, TestCase};
use obligato_replay::{Experiment, LANES, MutationError, Until, random_suite};
use obligato_solver::Stop;

use crate::campaign::{CampaignError, Purse, assumptions};
use crate::outcome::{MadeTest, PhaseReport};
use crate::request::{Budget, Phase, Status, Watcher};

mod duel;

use duel::{Duel, Ended};

/// Survivors to be killed or proved equivalent.
#[derive(Clone, Debug)]
pub struct Hunt<'a> {
    /// The model, its mutants, and what tells them apart.
    pub experiment: Experiment<'a>,
    /// The model by itself.
    pub lowered: &'a Lowered,
    /// The mutants to kill, by their positions in the experiment.
    pub survivors: Vec<usize>,
    /// The names that tests have already.
    pub taken: Vec<String>,
    /// What it may spend.
    pub budget: Budget,
    /// Another number gives other tests.
    pub seed: u64,
    /// How many threads may work; the answer to a budget of work is the same for any number.
    pub threads: usize,
}

/// What became of a survivor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fate {
    /// A new test kills it.
    Killed,
    /// No test can: this proves it.
    Equivalent(Proof),
    /// Neither is known; what stood in the way.
    Open(Limit),
}

/// What a hunt came to.
#[derive(Clone, Debug)]
pub struct Bag {
    /// One per survivor, in order.
    pub fates: Vec<Fate>,
    /// The tests that were made, in order.
    pub tests: Vec<MadeTest>,
    /// What each phase did.
    pub phases: Vec<PhaseReport>,
}

/// Why mutants cannot be hunted.
#[derive(Debug, thiserror::Error)]
pub enum HuntError {
    /// They cannot be run.
    #[error(transparent)]
    Mutation(#[from] MutationError),
    /// They cannot be solved for.
    #[error(transparent)]
    Campaign(#[from] CampaignError),
}

/// The steps of a random test.
const STEPS: usize = 20;
/// So many rounds of random tests may bring nothing.
const PATIENCE: usize = 3;
/// So many mutants are solved for before their tests are run on all; a number of its own, so that the
/// answer does not depend on threads.
const BATCH: usize = 8;
/// Work on each mutant in the first round, and how many times as much each later one does.
const FIRST_WORK: u64 = 2_000;
const GROWTH: u64 = 4;

/// Kills mutants, or proves them equivalent. `stop` ends it early; what it has done by then counts.
pub fn kill(hunt: &Hunt<'_>, stop: &Stop, watcher: &mut dyn Watcher) -> Result<Bag, HuntError> {
    let mut pack = Pack::new(hunt, stop, watcher);
    pack.phase(Phase::Random, Pack::shoot_at_random)?;
    let mut work = FIRST_WORK;
    while !pack.open().is_empty() && !pack.purse.is_empty() {
        pack.phase(Phase::Prove, |pack| pack.solve_all(work))?;
        work = work.saturating_mul(GROWTH);
    }
    let limit = pack.purse.limit();
    let fates = pack.fates.into_iter().map(|fate| fate.unwrap_or(Fate::Open(limit.clone())));
    Ok(Bag { fates: fates.collect(), tests: pack.tests, phases: pack.reports })
}

/// A hunt under way.
struct Pack<'h, 'a> {
    hunt: &'h Hunt<'a>,
    purse: Purse,
    watcher: &'h mut dyn Watcher,
    /// By survivor, what is known.
    fates: Vec<Option<Fate>>,
    tests: Vec<MadeTest>,
    reports: Vec<PhaseReport>,
    number: usize,
}

impl<'h, 'a> Pack<'h, 'a> {
    fn new(hunt: &'h Hunt<'a>, stop: &Stop, watcher: &'h mut dyn Watcher) -> Self {
        let fates = vec![None; hunt.survivors.len()];
        let purse = Purse::new(hunt.budget, stop);
        Self { hunt, purse, watcher, fates, tests: Vec::new(), reports: Vec::new(), number: 0 }
    }

    /// The survivors of which nothing is known.
    fn open(&self) -> Vec<usize> {
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
    fn phase(
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

    fn shoot_at_random(&mut self) -> Result<(), HuntError> {
        let mut random = Random::for_purpose(self.hunt.seed, "mutants");
        let mut barren = 0;
        while barren < PATIENCE && !self.purse.is_empty() && !self.open().is_empty() {
            let suite = random_suite(self.hunt.lowered, LANES, STEPS, &mut random)
                .map_err(CampaignError::from)?;
            let hits = self.try_out(Phase::Random, &suite.tests)?;
            barren = if hits == 0 { barren + 1 } else { 0 };
            self.purse.spend((LANES * STEPS) as u64);
            self.watcher.watch(&self.status(Phase::Random));
        }
        Ok(())
    }

    /// One round over all open survivors.
    fn solve_all(&mut self, work: u64) -> Result<(), HuntError> {
        let mut waiting = self.open();
        while !waiting.is_empty() && !self.purse.is_empty() {
            let batch: Vec<usize> = waiting.drain(..waiting.len().min(BATCH)).collect();
            let mutants = self.mutants(&batch);
            let experiment = Experiment { mutants: &mutants, ..self.hunt.experiment };
            let duel = Duel::new(&experiment)?;
            let ends = duel.decide_all(work, self.hunt.threads, self.purse.stop())?;
            for (survivor, (ended, spent)) in batch.into_iter().zip(ends) {
                self.purse.spend(spent);
                match ended {
                    Ended::Never(method) => {
                        let assumptions = assumptions(self.hunt.lowered);
                        let proof = Proof { method, assumptions };
                        self.fates[survivor] = Some(Fate::Equivalent(proof));
                    }
                    Ended::Tests(tests) => {
                        let tests = duel::keep_tests_of_the_model(self.hunt.lowered, &tests)
                            .map_err(CampaignError::from)?;
                        self.try_out(Phase::Prove, &tests)?;
                    }
                }
            }
            waiting.retain(|survivor| self.fates[*survivor].is_none());
            self.watcher.watch(&self.status(Phase::Prove));
        }
        Ok(())
    }

    /// Runs tests on all open mutants, and keeps those that kill one; says how many died.
    fn try_out(&mut self, phase: Phase, tests: &[TestCase]) -> Result<usize, HuntError> {
        let open = self.open();
        let mutants = self.mutants(&open);
        let experiment = Experiment { mutants: &mutants, ..self.hunt.experiment };
        let kills = experiment.run(tests, Until::FirstKill, &mut |_| {})?;
        let mut died = 0;
        for (test, kills) in tests.iter().zip(&kills.tests) {
            let killed = kills.killed();
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

#[cfg(test)]
mod tests;
