//! Mutants as obligations: those that the suite and the tests of the campaign leave alive are searched for.
//!
//! What its runs have shown of a mutant is evidence for the criterion; [`Concluded`] says which of the others are proved
//! equivalent to the model, and what stood in the way of the rest.

use std::collections::BTreeMap;
use std::time::Instant;

use obligato_campaign::language::Searched;
use obligato_campaign::{Budget, Conclusion, PhaseReport, PhaseReports, Request, Status, Watcher};
use obligato_criteria::{Evidence, plan};
use obligato_engines_lustre::ModelFindings;
use obligato_engines_lustre::mutants::{self, KillOutcome, Survivors};
use obligato_lustre::mutation::Mutant;
use obligato_lustre_replay::{Kills, MutationExperiment, Oracle, Until};
use obligato_model::{
    BitSet, Criterion, Goal, Obligation, Plan, Program, Shard, Strength, TestCase,
};
use obligato_solver::Stop;

use super::GenerateRequest;
use crate::error::Error;
use crate::model::{LoadedModel, ModelSubject};
use crate::mutants::{Mutants, experiment};
use crate::refusal::{refuse_killing, refuse_mutants};

/// The mutants that a suite is to kill.
pub struct Mutation<'a> {
    loaded: &'a LoadedModel,
    mutants: Mutants,
    /// The positions of those that are asked for, and they themselves.
    chosen: Vec<usize>,
    sample: Vec<Mutant>,
    oracle: Oracle,
    strengths: Vec<Strength>,
}

/// What was concluded of mutants that no given test kills, by strength and position; none of those that a new one kills.
#[derive(Default)]
pub struct Concluded(BTreeMap<(Strength, usize), Option<Conclusion>>);

impl Concluded {
    /// The conclusion on an obligation, if it is about a mutant that was searched for.
    pub fn of(&self, obligation: &Obligation) -> Option<Conclusion> {
        let (Criterion::Mutation(strength), Goal::Kill(mutant)) =
            (obligation.criterion, &obligation.goal)
        else {
            return None;
        };
        self.0.get(&(strength, mutant.index()))?.clone()
    }
}

impl<'a> Mutation<'a> {
    /// The mutants of a model, if they are asked for.
    pub fn new(
        request: &GenerateRequest,
        subject: &'a ModelSubject,
    ) -> Result<Option<Self>, Error> {
        let strengths = request.judging.criteria.iter().filter_map(|criterion| match criterion {
            Criterion::Mutation(strength) => Some(*strength),
            _ => None,
        });
        let strengths: Vec<Strength> = strengths.collect();
        if strengths.is_empty() {
            return Ok(None);
        }
        let ModelSubject { loaded, observed } = subject;
        let mutants = Mutants::new(loaded, &request.subject)?;
        let chosen = mutants.sample(request.mutants, request.seed);
        let sample = mutants.at(&chosen);
        let oracle = Oracle::Names(observed.names());
        Ok(Some(Self { loaded, mutants, chosen, sample, oracle, strengths }))
    }

    /// The model with all its mutants.
    pub fn program(&self) -> &Program {
        &self.mutants.program
    }

    /// What these criteria ask of the model and of the mutants that are asked for.
    pub fn plan(&self, criteria: &[Criterion]) -> Plan {
        let mut plan = plan(self.program(), criteria);
        plan.obligations.retain(|obligation| match obligation.goal {
            Goal::Kill(mutant) => self.chosen.binary_search(&mutant.index()).is_ok(),
            _ => true,
        });
        plan
    }

    /// How many of how many mutants are asked for, if not all.
    pub fn share(&self) -> Option<(usize, usize)> {
        let (chosen, all) = (self.chosen.len(), self.mutants.all.len());
        (chosen < all).then_some((chosen, all))
    }

    /// Searches for the mutants that the given tests and those of the campaign leave alive, with what is left of the
    /// budget; adds what it found.
    pub fn search(
        &self,
        request: &Request<()>,
        start: Instant,
        searched: &mut Searched<ModelFindings>,
        stop: &Stop,
        watcher: &mut dyn Watcher,
    ) -> Result<Concluded, Error> {
        let mut concluded = Concluded::default();
        let mut settled = Settled::of(&searched.phases);
        for (done, strength) in self.strengths.iter().enumerate() {
            let made = searched.tests.iter().map(|made| made.test.clone());
            let tests: Vec<TestCase> = request.given.iter().cloned().chain(made).collect();
            let left = left_of(request.budget, start, &searched.phases);
            let request = Request {
                given: tests,
                budget: share_of(left, self.strengths.len() - done),
                ..request.about(*strength)
            };
            let mut watcher = Continued { watcher: &mut *watcher, settled };
            let found = self.kill(&request, &mut concluded, stop, &mut watcher)?;
            settled = watcher.settled;
            settled.add(&found.phases);
            searched.tests.extend(found.tests);
            searched.found.proofs.extend(found.proofs);
            let reports = std::mem::take(&mut searched.phases).into_iter().chain(found.phases);
            searched.phases = reports.collect::<PhaseReports>().into_inner();
        }
        Ok(concluded)
    }

    /// Searches for those that tests do not kill.
    fn kill(
        &self,
        request: &Request<Strength>,
        concluded: &mut Concluded,
        stop: &Stop,
        watcher: &mut Continued<'_>,
    ) -> Result<KillOutcome, Error> {
        let (strength, tests) = (request.subject, &request.given);
        let kills = self.run(tests, Until::FirstKill)?.together();
        let is_alive = |at: &usize| {
            !kills.kills(*at) && (strength == Strength::Strong || !kills.weak.contains(*at))
        };
        let alive = (0..self.chosen.len()).filter(is_alive);
        let alive: Vec<usize> = alive.map(|at| self.chosen[at]).collect();
        let open = self.of_shard(request.shard, strength, &alive);
        watcher.settled.covered += self.chosen.len() - alive.len();
        let kill = request.about(Survivors {
            experiment: self.experiment(&self.mutants.all),
            lowered: &self.loaded.lowered,
            mutants: open.clone(),
            strength,
        });
        let found = mutants::kill(&kill, stop, watcher)
            .map_err(|error| refuse_killing(&error, self.loaded))?;
        let named = open.into_iter().map(|mutant| (strength, mutant));
        concluded.0.extend(named.zip(found.conclusions.iter().cloned()));
        Ok(found)
    }

    /// Those that are not left to another shard.
    fn of_shard(&self, shard: Option<Shard>, strength: Strength, mutants: &[usize]) -> Vec<usize> {
        let Some(shard) = shard else { return mutants.to_vec() };
        let keys = self.mutants.keys(strength);
        mutants.iter().copied().filter(|mutant| shard.holds(&keys[*mutant])).collect()
    }

    /// Adds to what tests have shown which mutants they kill.
    pub fn add_kills(&self, tests: &[TestCase], evidence: &mut Evidence) -> Result<(), Error> {
        let kills = self.run(tests, Until::SuiteEnd)?;
        for strength in &self.strengths {
            let killed = kills.tests.iter().map(|test| {
                let mut sample = test.killed();
                if *strength == Strength::Weak {
                    sample.unite(&test.weak);
                }
                let mut killed = BitSet::empty(self.mutants.all.len());
                sample.iter().for_each(|at| killed.insert(self.chosen[at]));
                killed
            });
            evidence.add_kills(*strength, killed);
        }
        Ok(())
    }

    fn run(&self, tests: &[TestCase], until: Until) -> Result<Kills, Error> {
        let experiment = self.experiment(&self.sample);
        let kills = experiment.run(tests, until, &mut |_| {});
        kills.map_err(|error| refuse_mutants(&error, self.loaded))
    }

    fn experiment<'m>(&'m self, mutants: &'m [Mutant]) -> MutationExperiment<'m> {
        experiment(self.loaded, mutants, &self.oracle)
    }
}

/// What campaigns before the present one have settled.
#[derive(Clone, Copy, Default)]
struct Settled {
    covered: usize,
    uncoverable: usize,
}

impl Settled {
    fn of(phases: &[PhaseReport]) -> Self {
        let mut settled = Self::default();
        settled.add(phases);
        settled
    }

    fn add(&mut self, phases: &[PhaseReport]) {
        self.covered += phases.iter().map(|report| report.covered).sum::<usize>();
        self.uncoverable += phases.iter().map(|report| report.uncoverable).sum::<usize>();
    }
}

/// Passes on how a campaign stands, with what campaigns before it have settled.
struct Continued<'w> {
    watcher: &'w mut dyn Watcher,
    settled: Settled,
}

impl Watcher for Continued<'_> {
    fn watch(&mut self, status: &Status) {
        let Settled { covered, uncoverable } = self.settled;
        self.watcher.watch(&Status {
            obligations: status.obligations + covered + uncoverable,
            covered: status.covered + covered,
            uncoverable: status.uncoverable + uncoverable,
            ..*status
        });
    }
}

/// What is left of a budget that began then, after these phases.
fn left_of(budget: Budget, start: Instant, phases: &[PhaseReport]) -> Budget {
    match budget {
        Budget::Time(time) => Budget::Time(time.saturating_sub(start.elapsed())),
        Budget::Work(units) => {
            let spent = phases.iter().map(|report| report.work).sum();
            Budget::Work(units.saturating_sub(spent))
        }
    }
}

/// One of so many equal shares of a budget.
pub fn share_of(budget: Budget, shares: usize) -> Budget {
    match budget {
        Budget::Time(time) => Budget::Time(time / u32::try_from(shares).unwrap_or(u32::MAX)),
        Budget::Work(units) => Budget::Work(units / shares as u64),
    }
}

#[cfg(test)]
mod tests {
    use obligato_campaign::Phase;

    use super::*;

    #[test]
    fn another_campaign_goes_on_from_what_the_first_has_done() {
        let mut seen = Vec::new();
        let mut first = PhaseReport::new(Phase::Random);
        (first.covered, first.uncoverable) = (7, 2);
        let mut settled = Settled::of(&[first]);
        settled.covered += 5;
        let mut watcher = |status: &Status| seen.push([status.covered, status.uncoverable]);
        let mut continued = Continued { watcher: &mut watcher, settled };
        let status = Status {
            phase: Phase::Prove,
            obligations: 9,
            covered: 0,
            uncoverable: 0,
            tests: 0,
            depth: None,
            paths: None,
        };
        continued.watch(&status);
        continued.watch(&Status { covered: 1, uncoverable: 4, ..status });
        assert_eq!(seen, [[12, 2], [13, 6]]);
    }
}
