//! Mutants as obligations: what the suite and the tests of the campaign leave alive is hunted.
//!
//! [`Mutation::complete`] takes what a campaign for the other criteria has made, and gives what all criteria
//! together came to: the verdict of a mutant is that of the criterion over what its runs have shown, or
//! the proof that it is equivalent to the model, or what stood in the way.

use std::collections::BTreeMap;
use std::time::Instant;

use obligato_criteria::{Evidence, judge, plan};
use obligato_engines_lustre::mutants::{self, KillOutcome, KillRequest, SurvivorVerdict};
use obligato_engines_lustre::{Budget, Outcome, PhaseReport};
use obligato_lustre::mutation::Mutant;
use obligato_lustre_replay::{Experiment, Kills, Oracle, Until};
use obligato_model::{BitSet, Criterion, Goal, Program, Shard, Strength, TestCase, Verdict};
use obligato_solver::Stop;

use crate::args::GenerateArgs;
use crate::campaign::Watching;
use crate::error::CliError;
use crate::output::Verbosity;
use obligato::Error;
use obligato::measuring::ModelSuite;
use obligato::model::LoadedModel;
use obligato::mutants::{Mutants, experiment};
use obligato::observed::Observed;
use obligato::refusal::{refuse_hunt, refuse_mutants};

use super::checking::measure;

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

/// What became of mutants, by strength and position.
type Verdicts = BTreeMap<(Strength, usize), SurvivorVerdict>;

impl<'a> Mutation<'a> {
    /// The mutants of a model, if they are asked for.
    pub fn new(
        arguments: &GenerateArgs,
        loaded: &'a LoadedModel,
        observed: &Observed,
        criteria: &[Criterion],
    ) -> Result<Option<Self>, CliError> {
        let strengths = criteria.iter().filter_map(|criterion| match criterion {
            Criterion::Mutation(strength) => Some(*strength),
            _ => None,
        });
        let strengths: Vec<Strength> = strengths.collect();
        if strengths.is_empty() {
            return Ok(None);
        }
        let mutants = Mutants::new(loaded, &arguments.subject.options())?;
        let chosen = mutants.sample(arguments.mutants(), arguments.seed);
        let sample = mutants.at(&chosen);
        let oracle = Oracle::Names(observed.names());
        Ok(Some(Self { loaded, mutants, chosen, sample, oracle, strengths }))
    }

    /// The model with all its mutants.
    pub fn program(&self) -> &Program {
        &self.mutants.program
    }

    /// How many of how many mutants are asked for, if not all.
    pub fn share(&self) -> Option<(usize, usize)> {
        let (chosen, all) = (self.chosen.len(), self.mutants.all.len());
        (chosen < all).then_some((chosen, all))
    }

    /// Hunts the mutants that the given tests and those of the campaign leave alive, with what is left of
    /// the budget, and judges all criteria over all tests.
    pub fn complete(
        &self,
        arguments: &GenerateArgs,
        (criteria, given): (&[Criterion], &[TestCase]),
        (outcome, start): (&mut Outcome, Instant),
        stop: &Stop,
        watching: &mut Watching,
    ) -> Result<(), CliError> {
        let mut verdicts = Verdicts::new();
        for (done, strength) in self.strengths.iter().enumerate() {
            let made = outcome.tests.iter().map(|made| made.test.clone());
            let tests: Vec<TestCase> = given.iter().cloned().chain(made).collect();
            let left = left_of(arguments.effort.budget, start, &outcome.phases);
            let budget = share_of(left, self.strengths.len() - done);
            let bag =
                self.hunt(arguments, *strength, &tests, budget, (&mut verdicts, stop, watching))?;
            outcome.tests.extend(bag.tests);
            outcome.proofs.extend(bag.proofs);
            bag.phases.into_iter().for_each(|report| add_report(&mut outcome.phases, report));
        }
        self.judge_all(criteria, given, outcome, &verdicts, watching.verbosity())
    }

    /// Hunts those that tests do not kill.
    fn hunt(
        &self,
        arguments: &GenerateArgs,
        strength: Strength,
        tests: &[TestCase],
        budget: Budget,
        (verdicts, stop, watching): (&mut Verdicts, &Stop, &mut Watching),
    ) -> Result<KillOutcome, CliError> {
        let kills = self.run(tests, Until::FirstKill)?.together();
        let is_alive = |at: &usize| {
            !kills.kills(*at) && (strength == Strength::Strong || !kills.weak.contains(*at))
        };
        let alive = (0..self.chosen.len()).filter(is_alive);
        let alive: Vec<usize> = alive.map(|at| self.chosen[at]).collect();
        let survivors = self.of_shard(arguments.shard, strength, &alive);
        let hunt = KillRequest {
            experiment: self.experiment(&self.mutants.all),
            lowered: &self.loaded.lowered,
            survivors: survivors.clone(),
            strength,
            taken: tests.iter().map(|test| test.name.clone()).collect(),
            phases: arguments.phases(),
            budget,
            seed: arguments.seed,
            threads: arguments.effort.threads(),
        };
        watching.recorder.begin_another(self.chosen.len() - alive.len());
        let bag = mutants::kill(&hunt, stop, watching)
            .map_err(|error| refuse_hunt(&error, self.loaded))?;
        watching.rest();
        let named = survivors.into_iter().map(|mutant| (strength, mutant));
        verdicts.extend(named.zip(bag.verdicts.iter().cloned()));
        Ok(bag)
    }

    /// Those that are not left to another shard.
    fn of_shard(&self, shard: Option<Shard>, strength: Strength, mutants: &[usize]) -> Vec<usize> {
        let Some(shard) = shard else { return mutants.to_vec() };
        let keys = self.mutants.keys(strength);
        mutants.iter().copied().filter(|mutant| shard.holds(&keys[*mutant])).collect()
    }

    /// Measures all tests and gives every obligation its verdict.
    fn judge_all(
        &self,
        criteria: &[Criterion],
        given: &[TestCase],
        outcome: &mut Outcome,
        verdicts: &Verdicts,
        verbosity: Verbosity,
    ) -> Result<(), CliError> {
        let program = self.program();
        let made = outcome.tests.iter().map(|made| made.test.clone());
        let tests: Vec<TestCase> = given.iter().cloned().chain(made).collect();
        let mut plan = plan(program, criteria);
        plan.obligations.retain(|obligation| match obligation.goal {
            Goal::Kill(mutant) => self.chosen.binary_search(&mutant.index()).is_ok(),
            _ => true,
        });
        // What the campaign has proved of the others, and what stood in its way, by key.
        let before = outcome.assessment.plan.obligations.iter().zip(&outcome.assessment.verdicts);
        let before: BTreeMap<_, _> = before.map(|(one, verdict)| (&one.key, verdict)).collect();
        let known: Vec<Option<Verdict>> = plan
            .obligations
            .iter()
            .map(|one| match (one.criterion, &one.goal) {
                (Criterion::Mutation(strength), Goal::Kill(mutant)) => {
                    match verdicts.get(&(strength, mutant.index()))? {
                        SurvivorVerdict::Equivalent(proof) => {
                            Some(Verdict::Uncoverable(proof.clone()))
                        }
                        SurvivorVerdict::Open(limit) => Some(Verdict::Unresolved(limit.clone())),
                        SurvivorVerdict::Killed => None,
                    }
                }
                _ => before.get(&one.key).map(|verdict| (*verdict).clone()),
            })
            .collect();
        for (one, known) in plan.obligations.iter_mut().zip(&known) {
            if let Some(Verdict::Uncoverable(_)) = known {
                one.settled.clone_from(known);
            }
        }
        outcome.evidence = self.measure(criteria, tests, verbosity)?;
        let judged = judge(program, plan, &outcome.evidence);
        let mut assessment =
            judged.map_err(|error| CliError::from(Error::Internal(error.to_string())))?;
        for (verdict, known) in assessment.verdicts.iter_mut().zip(known) {
            if let (Verdict::Unresolved(found), Some(Verdict::Unresolved(limit))) = (verdict, known)
            {
                *found = limit;
            }
        }
        outcome.assessment = assessment;
        Ok(())
    }

    fn measure(
        &self,
        criteria: &[Criterion],
        tests: Vec<TestCase>,
        verbosity: Verbosity,
    ) -> Result<Evidence, CliError> {
        let observed = Observed::new(self.loaded, &self.compared())?;
        let signature = observed.signature(&self.loaded.lowered.interface);
        let suite = ModelSuite::made("the suite that was made", tests, signature);
        let watch =
            obligato_lustre_replay::Watch::for_criteria(criteria, observed.nodes().to_vec());
        Ok(measure(self.loaded, Some(self), &suite, watch, verbosity)?.evidence)
    }

    /// The names of what is compared.
    fn compared(&self) -> Vec<String> {
        match &self.oracle {
            Oracle::Names(names) => names.clone(),
            Oracle::Outputs | Oracle::Maximum => Vec::new(),
        }
    }

    /// Adds to what tests have shown which mutants they kill.
    pub fn add_kills(&self, tests: &[TestCase], evidence: &mut Evidence) -> Result<(), CliError> {
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

    fn run(&self, tests: &[TestCase], until: Until) -> Result<Kills, CliError> {
        let experiment = self.experiment(&self.sample);
        let kills = experiment.run(tests, until, &mut |_| {});
        Ok(kills.map_err(|error| refuse_mutants(&error, self.loaded))?)
    }

    fn experiment<'m>(&'m self, mutants: &'m [Mutant]) -> Experiment<'m> {
        experiment(self.loaded, mutants, &self.oracle)
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

/// Adds to the report of a phase, or a new one.
fn add_report(phases: &mut Vec<PhaseReport>, more: PhaseReport) {
    let Some(report) = phases.iter_mut().find(|report| report.phase == more.phase) else {
        phases.push(more);
        return;
    };
    report.tests += more.tests;
    report.covered += more.covered;
    report.uncoverable += more.uncoverable;
    report.work += more.work;
    report.time += more.time;
}
