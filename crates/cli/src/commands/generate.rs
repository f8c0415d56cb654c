//! `obligato generate`: the tests that a suite lacks, in words.
//!
//! The library does the work; [`model`], [`unit`] and [`project`] render what it gives back.

use obligato::Error;
use obligato::generate::{GenerateRequest, Generated, Generation, SearchOptions, generate};
use obligato::judging::JudgingOptions;
use obligato_campaign::{Phase, Superfluous};
use obligato_model::Criterion;

use crate::args::{FileLanguage, GenerateArgs};
use crate::campaign::Watching;
use crate::error::CliError;
use crate::exit::Exit;
use crate::interrupt::stop_on_signals;
use crate::output::Output;
use crate::rendering::expectations::counting;
use crate::verdicts;

mod model;
mod next;
mod project;
mod unit;

/// Generates tests and proofs for a program of either language.
pub fn run(arguments: &GenerateArgs, output: &mut Output) -> Result<Exit, CliError> {
    let language = arguments.subject.language();
    if language == FileLanguage::Commands {
        if arguments.shard.is_some() {
            return Err(CliError::from(Error::Input {
                message: "a project is not divided into shards".to_owned(),
                way_out: "give functions to machines, by --function".to_owned(),
            }));
        }
        return project::generate(arguments, output);
    }
    let request = request(arguments, language)?;
    let stop = stop_on_signals()?;
    let mut watching = Watching::new(output.verbosity());
    let generation = generate(&request, &stop, &mut watching)?;
    watching.rest();
    match generation {
        Generation::One(generated) => {
            match language {
                FileLanguage::Lustre => model::write(&generated, arguments, output)?,
                FileLanguage::C | FileLanguage::Commands => {
                    unit::write(&generated, arguments, output)?;
                }
            }
            Ok(exit(&generated, arguments))
        }
        Generation::Each(all) => {
            let path = arguments.subject.model.file.display().to_string();
            unit::write_table(&path, &all, output)?;
            let failed = all.iter().map(|one| exit(one, arguments));
            Ok(failed.into_iter().find(|exit| *exit != Exit::Success).unwrap_or(Exit::Success))
        }
    }
}

fn request(arguments: &GenerateArgs, language: FileLanguage) -> Result<GenerateRequest, CliError> {
    let (criteria, phases) = match language {
        FileLanguage::Lustre => (model_criteria(arguments), arguments.phases()),
        FileLanguage::C | FileLanguage::Commands => {
            (verdicts::criteria(&arguments.verdicts)?, Phase::OF_UNITS.to_vec())
        }
    };
    let search = &arguments.search;
    Ok(GenerateRequest {
        subject: arguments.subject.options(),
        tests: arguments.tests.clone(),
        format: arguments.from.map(Into::into),
        observe: arguments.observe.clone(),
        judging: JudgingOptions {
            failing: counting(arguments.count_failing),
            ..arguments.verdicts.judging(criteria)
        },
        phases,
        budget: arguments.effort.budget,
        threads: arguments.effort.threads(),
        seed: arguments.seed,
        shard: arguments.shard,
        mutants: arguments.mutants(),
        superfluous: if arguments.reduce { Superfluous::LeaveOut } else { Superfluous::Keep },
        search: SearchOptions {
            steps: search.steps,
            strategy: search.strategy(),
            filtering: search.filtering(),
            levels: search.levels,
        },
        output: arguments.output.clone(),
        errors: search.faults.clone(),
    })
}

/// The criteria that were asked for. Mutants take runs of their own, so they have to be named.
fn model_criteria(arguments: &GenerateArgs) -> Vec<Criterion> {
    let mut criteria = arguments.verdicts.criteria();
    criteria.retain(|one| !one.is_mutation() || arguments.verdicts.names(*one));
    criteria
}

fn exit(generated: &Generated, arguments: &GenerateArgs) -> Exit {
    if !generated.is_confirmed() {
        Exit::ToolError
    } else if arguments.search.fail_on_fault && unit::has_errors(generated) {
        Exit::Failed
    } else if arguments.fail_on_unresolved && generated.unresolved() > 0 {
        Exit::Unresolved
    } else {
        Exit::Success
    }
}
