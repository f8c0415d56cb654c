//! What came of mutants as a stored result: every mutant is an obligation.

use std::collections::HashMap;
use std::path::Path;

use obligato_criteria::plan;
use obligato_model::{
    Assessment, Criterion, Goal, Limit, Shortfall, Strength, TestId, Variable, Verdict,
};
use obligato_store::StoredResult;

use super::Outcome;
use crate::args::{MutateArgs, budget_words};
use crate::code;
use crate::error::CliError;
use crate::justifications::Justifications;
use crate::shards;
use crate::verdicts::{TOOL, storage};

/// Stores suite and result, and says where.
pub fn store(
    outcome: &Outcome<'_>,
    arguments: &MutateArgs,
    directory: &Path,
    inputs: &[Variable],
) -> Result<String, CliError> {
    let criterion = Criterion::Mutation(Strength::Strong);
    let program = &outcome.chosen.program;
    let mut plan = plan(program, &[criterion]);
    let asked = |at: usize| outcome.chosen.sample.contains(&at);
    plan.obligations.retain(|one| matches!(one.goal, Goal::Kill(mutant) if asked(mutant.index())));
    let run: HashMap<usize, usize> =
        outcome.chosen.positions.iter().enumerate().map(|(index, at)| (*at, index)).collect();
    let verdicts = plan.obligations.iter().map(|one| match one.goal {
        Goal::Kill(mutant) => {
            run.get(&mutant.index()).map_or_else(shards::left, |index| verdict(outcome, *index))
        }
        _ => shards::left(),
    });
    let verdicts = verdicts.collect();
    let tests = outcome.tests.iter().map(|test| test.name.clone()).collect();
    let assessment = Assessment { plan, tests, verdicts };
    let result = StoredResult::new(TOOL, &[criterion], &assessment, program)?;
    let functions = code::functions(program, &result);
    let given = outcome.hunted.as_ref().map_or(outcome.tests.len(), |hunted| hunted.given);
    let shard = arguments.shard.map(|shard| {
        let budget =
            if arguments.kill { budget_words(arguments.effort.budget) } else { "0".into() };
        shards::stored(
            shard,
            "mutate",
            outcome.loaded.file.bytes(),
            (arguments.seed, budget, given),
        )
    });
    let result = result.observing(outcome.compared.clone());
    let mut result = result.of_functions(functions).of_shard(shard);
    Justifications::load(None)?.apply(&mut result);
    let document = obligato_store::result::print(&result)?;
    let write =
        |path: &Path| storage::write_tests(path, inputs, outcome.tests.iter().map(Ok)).map(Some);
    let documents = storage::Documents { result: &document, ..storage::Documents::default() };
    storage::store(directory, &documents, write)
}

/// What became of the mutant that was run at this place.
fn verdict(outcome: &Outcome<'_>, index: usize) -> Verdict {
    let kills = outcome.kills.tests.iter().enumerate();
    let killing = kills.filter(|(_, test)| test.killed().contains(index));
    let tests: Vec<TestId> = killing.map(|(test, _)| TestId::new(test)).collect();
    if !tests.is_empty() {
        return Verdict::Covered { tests, pair: None };
    }
    if let Some(proof) = outcome.proof(index) {
        return Verdict::Uncoverable(proof.clone());
    }
    let limit = outcome.hunted.as_ref().and_then(|hunted| hunted.limits[index].clone());
    Verdict::Unresolved(limit.unwrap_or(Limit::Suite(Shortfall::Survived)))
}
