//! What goes into a campaign for a C function, and what its findings mean for verdicts.

use obligato_campaign::Standing;
use obligato_engines_c::Outcome;
use obligato_model::{Assessment, Interface, Limit, Suite, TestCase, Verdict};
use obligato_store::result::StoredShard;

use crate::args::{GenerateArgs, SubjectArgs, budget_words};
use crate::error::CliError;
use obligato::Error;
use obligato::shards;

/// Which shard the result is, and what it has in common with the others.
pub fn shard_of(
    arguments: &GenerateArgs,
    subject: &SubjectArgs,
    given: usize,
) -> Result<Option<StoredShard>, CliError> {
    let Some(shard) = arguments.shard else { return Ok(None) };
    let program = obligato_store::file::read(&subject.model.file)?;
    let budget = budget_words(arguments.effort.budget);
    let common = (arguments.seed, budget, given);
    Ok(Some(shards::stored(shard, "generate", &program, common)))
}

/// The given tests, with all columns.
pub fn complete(suite: &Suite, variables: &Interface) -> Vec<TestCase> {
    let places: Vec<Option<usize>> = variables
        .inputs
        .iter()
        .map(|input| suite.inputs.iter().position(|one| one.name == input.name))
        .collect();
    let fill = |step: &obligato_model::Step| {
        places.iter().map(|place| place.and_then(|at| step[at].clone())).collect()
    };
    let tests = suite.tests.iter();
    tests
        .map(|test| TestCase {
            name: test.name.clone(),
            steps: test.steps.iter().map(fill).collect(),
        })
        .collect()
}

/// What the campaign knows of obligations that no test covers.
pub fn settle(assessment: &mut Assessment, outcome: &Outcome<'_>) -> Result<(), CliError> {
    for (index, verdict) in assessment.verdicts.iter_mut().enumerate() {
        match (&*verdict, outcome.ledger.standing(index)) {
            (Verdict::Covered { .. }, Standing::Refuted(_)) => {
                let text = &assessment.plan.obligations[index].text;
                return Err(CliError::from(Error::Internal(format!(
                    "{text} is proved to be uncoverable, yet a test covers it"
                ))));
            }
            (Verdict::Unresolved(_), Standing::Refuted(proof)) => {
                *verdict = Verdict::Uncoverable(proof.clone());
            }
            (Verdict::Unresolved(Limit::Suite(_)), standing) => {
                let why = match standing {
                    Standing::Unsupported(why) => Some(Limit::Unsupported(why.clone())),
                    _ => outcome
                        .ledger
                        .obstacle(index)
                        .cloned()
                        .map(Limit::Undecided)
                        .or_else(|| outcome.limit.clone()),
                };
                if let Some(why) = why {
                    *verdict = Verdict::Unresolved(why);
                }
            }
            _ => {}
        }
    }
    Ok(())
}
