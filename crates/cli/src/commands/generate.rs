//! `obligato generate`: the tests that a suite lacks, in words.
//!
//! The library does the work; [`model`], [`unit`], [`file`] and [`project`] render what it gives back.

use obligato::campaign::Phase;
use obligato::generate::{Extras, GenerateRequest, Generated, Generation, document, generate};
use obligato::judging::JudgingOptions;
use obligato_model::Criterion;

use crate::args::{FileLanguage, Format, GenerateArgs};
use crate::campaign::Watching;
use crate::error::CliError;
use crate::exit::Exit;
use crate::interrupt::stop_on_signals;
use crate::output::Output;
use crate::rendering::expectations::counting;
use crate::verdicts;

mod causes;
mod file;
mod model;
mod next;
mod project;
mod unit;

/// Generates tests and proofs for a program of either language.
pub fn run(arguments: &GenerateArgs, output: &mut Output) -> Result<Exit, CliError> {
    let request = request(arguments)?;
    if arguments.subject.language() == FileLanguage::Commands {
        return project::generate(request, arguments, output);
    }
    let stop = stop_on_signals()?;
    let mut watching = Watching::new(output.verbosity());
    let generation = generate(&request, &stop, &mut watching)?;
    watching.rest();
    let json = arguments.verdicts.format == Format::Json;
    if json {
        output.write_text(&document(&generation, request.seed)?)?;
    }
    match &generation {
        Generation::One(generated) => {
            write(generated, arguments, output)?;
            Ok(exit(generated, arguments))
        }
        Generation::Each(all) => {
            if json {
                file::done(all).try_for_each(|one| write(one, arguments, output))?;
            } else {
                let path = arguments.subject.model.file.display().to_string();
                file::write_table(&path, all, output)?;
                file::write_each(all, arguments, output)?;
            }
            if file::done(all).count() < all.len() {
                return Ok(Exit::ToolError);
            }
            let failed = file::done(all).map(|one| exit(one, arguments));
            Ok(failed.into_iter().find(|exit| *exit != Exit::Success).unwrap_or(Exit::Success))
        }
    }
}

/// What came of a model or a function in words; where its document is printed, only what is to be said beside it.
fn write(
    generated: &Generated,
    arguments: &GenerateArgs,
    output: &mut Output,
) -> Result<(), CliError> {
    match &generated.extras {
        Extras::Model(_) => model::write(generated, arguments, output),
        Extras::Unit(_) => unit::write(generated, arguments, output),
    }
}

/// What the arguments ask for.
pub fn request(arguments: &GenerateArgs) -> Result<GenerateRequest, CliError> {
    let language = arguments.subject.language();
    let (criteria, phases) = match language {
        FileLanguage::Lustre | FileLanguage::Unknown => {
            (model_criteria(arguments), arguments.phases())
        }
        FileLanguage::C | FileLanguage::Commands => {
            (verdicts::criteria(&arguments.verdicts, language)?, Phase::OF_UNITS.to_vec())
        }
    };
    let judging = JudgingOptions {
        failing: counting(arguments.count_failing),
        ..arguments.verdicts.judging(criteria)
    };
    let usual = GenerateRequest::new(arguments.subject.options(), judging);
    Ok(GenerateRequest {
        tests: arguments.tests.clone(),
        format: arguments.from.map(Into::into),
        observe: arguments.observe.clone(),
        phases,
        budget: arguments.effort.budget,
        threads: arguments.effort.threads(),
        seed: arguments.seed,
        shard: arguments.shard,
        mutants: arguments.mutants(),
        superfluous: arguments.superfluous().unwrap_or(usual.superfluous),
        search: arguments.search.options(),
        output: arguments.output.clone(),
        errors: arguments.search.faults.clone(),
        ..usual
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
