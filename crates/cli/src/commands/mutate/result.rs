//! What came of mutants as a stored result: every mutant is an obligation.

use std::collections::HashMap;
use std::path::Path;

use obligato_campaign::Conclusion;
use obligato_campaign::judging::{assess_mutant, left_to_another_shard};
use obligato_criteria::{Evidence, Vectors, plan};
use obligato_lustre_replay::{Measurement, Watch};
use obligato_model::{Assessment, BitSet, Criterion, Goal, Strength, TestId, Verdict};
use obligato_store::StoredResult;
use obligato_store::details::TestDetails;
use obligato_store::result::StoredShard;

use super::Outcome;
use crate::args::{MutateArgs, budget_words};
use crate::error::CliError;
use crate::output::Verbosity;
use crate::progress::measured_line;
use crate::verdicts::{Subject, TOOL};
use obligato::Error;
use obligato::details::Basis;
use obligato::fingerprints;
use obligato::generate::stored_phase;
use obligato::justifications::Justifications;
use obligato::measuring::{ModelSuite, measure_suite};
use obligato::observed::Observed;
use obligato::record::keep_suite;
use obligato::shards;
use obligato::storage;

const CRITERION: Criterion = Criterion::Mutation(Strength::Strong);

/// Stores suite and result with what stands behind it, and says where, and what there is to know of justifications.
pub fn store(
    outcome: &Outcome<'_>,
    arguments: &MutateArgs,
    directory: &Path,
    observed: &Observed,
    verbosity: Verbosity,
) -> Result<Vec<String>, CliError> {
    let assessment = assess(outcome);
    let program = &outcome.chosen.program;
    let result = StoredResult::new(TOOL, &[CRITERION], &assessment, program)?;
    let functions = fingerprints::functions(program, &result);
    let result = result.observing(outcome.compared.clone());
    let mut result = result.of_functions(functions).of_shard(shard(outcome, arguments));
    let mut remarks = Justifications::load(None)?.apply(&mut result);
    let signature = observed.signature(&outcome.loaded.lowered.interface);
    let suite = ModelSuite::made("the suite", outcome.tests.to_vec(), signature);
    let evidence = evidence(outcome, &suite, observed, verbosity)?;
    let details = basis(outcome, &assessment, &evidence).print(&result)?;
    let document = obligato_store::result::print(&result)?;
    let documents = storage::Documents {
        result: &document,
        details: Some(&details),
        ..storage::Documents::default()
    };
    let write = |path: &Path| keep_suite(path, outcome.loaded, &suite).map(Some);
    remarks.push(storage::store(directory, &documents, write)?);
    Ok(remarks)
}

/// What became of every mutant that was asked for, whoever runs it.
fn assess(outcome: &Outcome<'_>) -> Assessment {
    let mut plan = plan(&outcome.chosen.program, &[CRITERION]);
    let asked = |at: usize| outcome.chosen.sample.contains(&at);
    plan.obligations.retain(|one| matches!(one.goal, Goal::Kill(mutant) if asked(mutant.index())));
    let run: HashMap<usize, usize> =
        outcome.chosen.positions.iter().enumerate().map(|(index, at)| (*at, index)).collect();
    let verdicts = plan.obligations.iter().map(|one| match one.goal {
        Goal::Kill(mutant) => run
            .get(&mutant.index())
            .map_or_else(left_to_another_shard, |index| verdict(outcome, *index)),
        _ => left_to_another_shard(),
    });
    let verdicts = verdicts.collect();
    let tests = outcome.tests.iter().map(|test| test.name.clone()).collect();
    Assessment { plan, tests, verdicts }
}

/// Which shard it is, and what it has in common with the others.
fn shard(outcome: &Outcome<'_>, arguments: &MutateArgs) -> Option<StoredShard> {
    let given = outcome.hunted.as_ref().map_or(outcome.tests.len(), |hunted| hunted.given);
    let budget = if arguments.kill { budget_words(arguments.effort.budget) } else { "0".into() };
    let common = (arguments.seed, budget, given);
    let bytes = outcome.loaded.file.bytes();
    arguments.shard.map(|shard| shards::stored(shard, "mutate", bytes, common))
}

/// What the tests have shown of the model, for its truth tables, and which mutants they kill.
fn evidence(
    outcome: &Outcome<'_>,
    suite: &ModelSuite,
    observed: &Observed,
    verbosity: Verbosity,
) -> Result<Evidence, CliError> {
    let Outcome { loaded, chosen, kills, .. } = outcome;
    let detailed = suite.len() <= storage::MOST_DETAILED;
    let vectors = if detailed { Vectors::Keep } else { Vectors::Drop };
    let watch = Watch { vectors, ..Watch::for_criteria(&[CRITERION], observed.nodes().to_vec()) };
    let measurement = Measurement::new(&loaded.lowered, watch).map_err(Error::from)?;
    let compiled = measurement.compile().map_err(Error::from)?;
    let mut evidence =
        measure_suite(loaded, suite, &measurement, &compiled, &mut measured_line(verbosity))?
            .evidence;
    let killed = kills.tests.iter().map(|test| {
        let mut killed = BitSet::empty(chosen.program.mutants().len());
        test.killed().iter().for_each(|at| killed.insert(chosen.positions[at]));
        killed
    });
    evidence.add_kills(Strength::Strong, killed);
    Ok(evidence)
}

/// What stands behind the verdicts.
fn basis<'a>(
    outcome: &'a Outcome<'_>,
    assessment: &'a Assessment,
    evidence: &'a Evidence,
) -> Basis<'a> {
    let Outcome { loaded, chosen, hunted, tests, .. } = outcome;
    let mut about = vec![TestDetails::default(); tests.len()];
    let mut phases = Vec::new();
    if let Some(hunted) = hunted {
        for (test, made) in about[hunted.given..].iter_mut().zip(&hunted.made) {
            test.phase = Some(made.phase.name().to_owned());
        }
        phases.extend(hunted.phases.iter().map(stored_phase));
    }
    Basis {
        name: &loaded.path,
        subject: Subject::Model,
        command: "mutate",
        program: &chosen.program,
        evidence,
        assessment,
        sources: loaded.sources(),
        tests: about,
        phases,
        lost: HashMap::new(),
    }
}

/// What became of the mutant that was run at this place.
fn verdict(outcome: &Outcome<'_>, index: usize) -> Verdict {
    let kills = outcome.kills.tests.iter().enumerate();
    let killing = kills.filter(|(_, test)| test.killed().contains(index));
    let tests: Vec<TestId> = killing.map(|(test, _)| TestId::new(test)).collect();
    let limit = outcome.hunted.as_ref().and_then(|hunted| hunted.limits[index].clone());
    let proof = outcome.proof(index).map(|proof| Conclusion::Refuted(proof.clone()));
    assess_mutant(tests, proof.or_else(|| limit.map(Conclusion::Open)))
}
